package merge

import (
	"cmp"
	"context"
	"strings"

	"assay/model"
	"assay/model/compare"
	"assay/model/compare/changes"
)

// Row is a change of a version, for display: a piece or, in a file that is not merged in pieces, an item or a value.
type Row struct {
	ID, Where string
	State     State
	Piece     int
	Texts     [3]string      // the value or the change of each version, or ""
	Lines     *[3]string     // of a hunk of a text; else nil
	Nodes     [3]*model.Node // nil where a version does not have it
}

// Unchanged is the text of a version that did not change a row.
const Unchanged = "unchanged"

// Rows calls do with the changes of the versions, the same for the window and the shell. open reads assets in conflict,
// to describe the changes in them. complete is false if there are more rows.
func (m *Merging) Rows(ctx context.Context, open model.Opener, do func(r Row)) (complete bool, err error) {
	if m.WholeReason != "" {
		return m.wholeRows(ctx, do)
	}
	examined := 0
	for i, p := range m.Pieces {
		d, err := m.Detail(ctx, i)
		if err != nil {
			return false, err
		}
		r := Row{ID: d.ID, Where: cmp.Or(d.Name, d.ID), State: p.State, Piece: i, Texts: d.Texts, Lines: d.Lines,
			Nodes: m.Nodes(i)}
		if p.State == Conflict && p.hunk == none && p.asset != none && examined < maxOpened {
			examined++
			m.describeInside(ctx, open, &r)
		}
		m.addMetadata(&r)
		do(r)
	}
	return true, ctx.Err()
}

// addMetadata adds the metadata of an asset that differ, such as its name, to the texts of the versions that have it.
func (m *Merging) addMetadata(r *Row) {
	p := &m.Pieces[r.Piece]
	if p.asset == none || m.archive.Assets[p.asset].SameMetadata {
		return
	}
	for v, text := range m.archive.AssetMetadata(int(p.asset)) {
		if text != "" {
			r.Texts[v] += ", " + text
		}
	}
}

// compareWhole compares the base of a file that is merged as a whole with both versions.
func (m *Merging) compareWhole(ctx context.Context) ([]*compare.Comparison, error) {
	if m.both != nil {
		return m.both, nil
	}
	var both []*compare.Comparison
	for _, d := range m.Documents[1:] {
		c, err := compare.Documents(ctx, m.Documents[0], d, compare.Options{}, nil)
		if err != nil {
			return nil, err
		}
		both = append(both, c)
	}
	m.both = both
	return both, nil
}

// wholeRows lists the changes in a file that is merged as a whole.
func (m *Merging) wholeRows(ctx context.Context, do func(r Row)) (complete bool, err error) {
	both, err := m.compareWhole(ctx)
	if err != nil {
		return false, err
	}
	items, complete, err := Items(ctx, both[0], both[1])
	for i := range items {
		do(rowOf(&items[i]))
	}
	return complete, err
}

func rowOf(m *Change) Row {
	r := Row{Where: m.Path, State: m.State, Nodes: m.Nodes}
	if m.Key != "" {
		r.Where = strings.TrimSpace(m.Type + " " + m.Key)
	}
	for v, l := range m.Lines {
		switch n := m.Nodes[v]; {
		case l != nil:
			r.Texts[v] = l.Sign + " " + l.Change
		case v > 0:
			r.Texts[v] = Unchanged
		case n != nil && n.Leaf():
			r.Texts[v] = n.ValueText()
		case n != nil:
			r.Texts[v] = model.Count(n.Size, "byte")
		}
	}
	return r
}

const (
	maxOpened     = 500      // assets in conflict that are opened to describe their changes: more are too many to read
	maxOpenedSize = 64 << 20 // bytes of each, of which three versions are in memory
)

// describeInside sets the texts of an asset in conflict to the changes of each version. If it cannot be read, they keep
// its sizes.
func (m *Merging) describeInside(ctx context.Context, open model.Opener, r *Row) {
	if open == nil {
		return
	}
	var docs [3]*model.Document
	defer func() { model.CloseDocuments(docs[:]...) }()
	for v, index := range m.archive.Assets[m.Pieces[r.Piece].asset].Indexes {
		if index < 0 {
			continue
		}
		var err error
		d := m.Documents[v]
		if docs[v], err = d.OpenNested(ctx, d.Payloads.At(int(index)), maxOpenedSize, open); err != nil {
			return
		}
	}
	base, mine, theirs := docs[model.Base], docs[model.Mine], docs[model.Theirs]
	if base == nil {
		if s := changeIn(ctx, mine, theirs); s != "" {
			r.Texts[model.Theirs] += ", of mine: " + s
		}
		return
	}
	for v, d := range [3]*model.Document{model.Mine: mine, model.Theirs: theirs} {
		if s := changeIn(ctx, base, d); s != "" {
			r.Texts[v] = s
		}
	}
}

// changeIn returns the changes from one document to another as text, or "" if one is nil or changeOf returns none.
func changeIn(ctx context.Context, old, new *model.Document) string {
	if old == nil || new == nil {
		return ""
	}
	c, err := compare.Documents(ctx, old, new, compare.Options{}, nil)
	if err != nil {
		return ""
	}
	return changeOf(ctx, c)
}

// changeOf returns the changes of a comparison as text, or "" if they are unknown or the old document is empty.
func changeOf(ctx context.Context, c *compare.Comparison) string {
	if c.Old.Source.Size() == 0 {
		return "" // both versions were added
	}
	o, err := changes.Collect(ctx, c)
	if err != nil {
		return ""
	}
	if c.BytesOnly && !o.Whole {
		blocks := changes.Blocks{MaxBytes: 2 * maxOpenedSize, AlignFiles: true}
		return changes.ChangeOf(c.Root(), &blocks).Value()
	}
	return model.OneLine(changes.Brief(c, o), 400)
}
