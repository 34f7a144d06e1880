// Package compare pairs the nodes of two versions of a file (Documents) and lists the differences row by row. It also
// compares the files of two folders (Folders).
//
// Nodes of two documents are matched by key, then by content, then by name or position. A consequence of a change
// elsewhere, such as an offset after a larger node, is not a change (model.Role.IsLayout). Two layouts of one format
// are compared by meaning: fields of only one layout are listed apart.
//
// The result does not depend on which file is the old one: swapping the files mirrors it. Identical nodes are not
// stored, and of the elements of long lists only their matches.
//
// Other packages build on the pairs: changes describes changes as text, report writes them, merge compares three
// versions, and contents compares scenes, tables, texts and pictures.
package compare

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"assay/model"
	"assay/model/compare/align"
	"assay/model/content"
)

// Comparison is the result of Documents. It may be used by several goroutines at once.
type Comparison struct {
	Old, New *model.Document
	Options  Options

	// Identical means that the files are equal byte for byte and were read as the same format and variant.
	Identical bool
	// BytesOnly means that only bytes were compared, because the formats differ or are unknown.
	BytesOnly bool
	// ByChecksum means that some contents count as the same because their recorded checksums and sizes are equal.
	ByChecksum bool
	// Note is a sentence about how the files were compared, or "".
	Note string
	// Damage has a sentence for each file with errors, with the parts that could not be read and compared.
	Damage   []string
	problems [2][]model.Problem // in the old and the new file
	// Ignored is the number of differences that the options ignore.
	Ignored int64
	// OneVersion are the fields that only one of the two versions of the format has.
	OneVersion []VersionField

	// Ranges has the different bytes of files that were compared as bytes only, after FindRanges.
	Ranges *Ranges
	// Memo caches results of other packages about the comparison, by keys of their own types.
	Memo sync.Map

	root      *Pair
	rootIsRow bool                     // the root itself is a row: other versions, other formats, other bytes
	opened    atomic.Pointer[pairList] // the children of the root, if compared later
	flipped   bool                     // the old document is the engine's right one
	mu        sync.Mutex
	engine    *engine
}

// VersionField is a field that one of two versions of a format does not have.
type VersionField struct {
	Type, Name string // of the struct, of the field
	Status     Status // Removed: only the old version has it; Added: only the new one
	Count      int64
}

// Documents compares two documents. progress may be nil. An error is the context's, or one of reading a file.
func Documents(ctx context.Context, old, new *model.Document, opts Options, progress model.Progress) (*Comparison,
	error) {
	c := &Comparison{Old: old, New: new, Options: opts}
	size := min(old.Source.Size(), new.Source.Size())
	offset, err := align.FirstDifference(ctx, old.Source, 0, new.Source, 0, size, progress)
	if err != nil {
		return nil, err
	}
	sameBytes := offset == size && old.Source.Size() == new.Source.Size()
	if sameBytes && old.Format == new.Format && old.Variant == new.Variant {
		c.Identical = true
		c.root = &Pair{Old: old.Root(), New: new.Root(), Counts: Counts{Same: 1}}
		c.engine = newEngine(ctx, c, nil)
		c.root.c = c
		return c, nil
	}
	c.flipped, err = align.IsFlipped(old.Source, old.Source.Size(), new.Source, new.Source.Size(), offset)
	if err != nil {
		return nil, err
	}
	if old.Format != new.Format || old.Format == model.UnknownFormat {
		c.compareBytes()
		return c, nil
	}
	defer old.ReadUntil(ctx)()
	defer new.ReadUntil(ctx)()
	if err := c.compareNodes(ctx, progress); err != nil {
		return nil, err
	}
	c.Damage = c.damageTexts(c.problems)
	return c, nil
}

func (c *Comparison) compareBytes() {
	c.BytesOnly, c.rootIsRow = true, true
	c.Note = c.bytesNote()
	c.engine = newEngine(context.Background(), c, nil)
	c.root = &Pair{c: c, Old: bytesOf(c.Old), New: bytesOf(c.New), Status: Changed, Counts: Counts{Changed: 1}}
	switch {
	case c.Old.Source.IsAbsent():
		c.root.Old, c.root.Status, c.root.Counts = nil, Added, Counts{Added: 1}
	case c.New.Source.IsAbsent():
		c.root.New, c.root.Status, c.root.Counts = nil, Removed, Counts{Removed: 1}
	}
}

// bytesNote returns the reason why only the bytes were compared.
func (c *Comparison) bytesNote() string {
	switch {
	case c.Old.Source.IsAbsent():
		return "the file was added"
	case c.New.Source.IsAbsent():
		return "the file was removed"
	}
	for i, d := range []*model.Document{c.Old, c.New} {
		if d.Source.Size() == 0 {
			return "the " + sideNames[i] + " file is empty"
		}
	}
	if c.Old.Format != c.New.Format {
		return "the files have different formats (" + c.Old.Kind() + " and " + c.New.Kind() +
			"), so only their bytes were compared"
	}
	if content.KindOf(c.Old.Source).IsKnown() && content.KindOf(c.New.Source).IsKnown() {
		return "" // changes.Collect compares the files as pictures, sounds or texts
	}
	return "unknown format: only the bytes were compared"
}

var sideNames = [2]string{"old", "new"}

// bytesOf returns a document as one block of bytes.
func bytesOf(d *model.Document) *model.Node {
	s := model.Span{Size: d.Source.Size()}
	return &model.Node{Type: "bytes", Span: s, Value: model.Blob{Source: d.Source, Span: s}}
}

// maxCheck is the largest size of files that are searched for gaps before they are compared. Larger ones are searched
// if no value differs.
const maxCheck = 8 << 20

func (c *Comparison) compareNodes(ctx context.Context, progress model.Progress) error {
	c.problems = [2][]model.Problem{c.Old.Root().Problems(), c.New.Root().Problems()}
	if max(c.Old.Source.Size(), c.New.Source.Size()) <= maxCheck {
		if err := c.showGaps(ctx); err != nil {
			return err
		}
	}
	if err := c.run(ctx, false, progress); err != nil || c.root.Counts.Differences() > 0 || c.Ignored > 0 {
		return err
	}
	// The bytes differ but no value does: the difference is in the layout, or in unexplained bytes.
	if err := c.showGaps(ctx); err != nil {
		return err
	}
	if err := c.run(ctx, true, progress); err != nil {
		return err
	}
	if c.root.Counts.Differences() == 0 && c.Ignored == 0 {
		if c.Note = "the bytes differ, but all decoded values are the same"; c.Old.Stopped() != nil || c.New.Stopped() != nil {
			c.Note = "the bytes differ, but all values that were read are the same"
		}
		c.markRoot()
	}
	return nil
}

// markRoot makes a row of the root: the files differ as a whole.
func (c *Comparison) markRoot() {
	p := c.root
	c.rootIsRow = true
	if p.Status == Same {
		p.Counts.Same = 0
	}
	if p.Status == Same || !p.isKeyed() {
		p.Counts.Changed++
	}
	p.Status = Changed
}

// showGaps makes nodes of undecoded bytes, and records the errors of the files.
func (c *Comparison) showGaps(ctx context.Context) error {
	for i, d := range []*model.Document{c.Old, c.New} {
		r, err := d.Check(ctx, nil)
		if err != nil {
			return err
		}
		d.ShowGaps(r)
		c.problems[i] = r.Problems
	}
	return nil
}

// damageTexts returns a sentence for each file with errors, or that was not read to the end.
func (c *Comparison) damageTexts(found [2][]model.Problem) []string {
	var out []string
	for i, d := range []*model.Document{c.Old, c.New} {
		isNoError := func(p model.Problem) bool { return p.Severity != model.Error }
		errs := slices.DeleteFunc(slices.Clone(found[i]), isNoError)
		var s string
		switch stopped := d.Stopped(); {
		case stopped != nil:
			s = fmt.Sprintf("the %s file was not read to the end: %s", sideNames[i], model.OneLine(stopped.Message, 300))
		case len(errs) == 0:
			continue
		default:
			s = fmt.Sprintf("the %s file is damaged: %s (at %#x)", sideNames[i], model.OneLine(errs[0].Message, 300),
				errs[0].Span.Offset)
			if n := len(errs) - 1; n > 0 {
				s += ", and " + model.Count(n, "more error")
			}
		}
		out = append(out, s+"; only the readable part was compared")
	}
	return out
}

// Notes returns the sentences about how the files were compared and which parts could not be.
func (c *Comparison) Notes() []string {
	if c.Note == "" {
		return c.Damage
	}
	return append(slices.Clone(c.Damage), c.Note)
}

// run compares the nodes. Some renamed nodes are found only when their lists are compared. Then all is compared once
// more, so that references to them, compared before, follow.
func (c *Comparison) run(ctx context.Context, strict bool, progress model.Progress) error {
	e := newEngine(ctx, c, progress)
	e.strict = strict || c.Options.Layout
	p, err := e.compareRoots()
	if err == nil && e.renamedLate {
		first := e
		e = newEngine(ctx, c, progress)
		e.strict, e.renames, e.similar = first.strict, first.renames, first.similar
		p, err = e.compareRoots()
	}
	if err != nil {
		return err
	}
	if p == nil {
		p = e.pair(e.docs[0].Root(), e.docs[1].Root(), Same)
		p.Counts.Same = 1
	}
	c.root, c.engine = p, e
	if c.Old.Variant != c.New.Variant {
		c.markRoot()
	}
	c.Ignored, c.ByChecksum = e.ignored, e.byChecksum
	c.OneVersion = e.versionFields()
	if c.ByChecksum {
		c.Note = "contents were compared by recorded checksum and size"
	}
	e.ctx, e.progress = context.Background(), nil
	return nil
}

// Root returns the pair of the two roots.
func (c *Comparison) Root() *Pair {
	p := *c.root // each of several goroutines opens its own
	if p.below == nil {
		p.below = c.opened.Load()
	}
	return &p
}

// VariantChanged reports whether the files are of two versions of a format.
func (c *Comparison) VariantChanged() bool { return !c.BytesOnly && c.Old.Variant != c.New.Variant }

// ItemOf returns the item of a pair: of its new node, or of the old one if there is no new one.
func (c *Comparison) ItemOf(p *Pair) (model.Item, bool) { return c.Item(p.Node(), p.New == nil) }

// Item returns the item of a node of the new document, or of the old one if old is set.
func (c *Comparison) Item(n *model.Node, old bool) (t model.Item, ok bool) {
	d := c.New
	if old {
		d = c.Old
	}
	if d.Item == nil || n.Parent == nil {
		return t, false
	}
	return d.Item(n)
}

// Counts returns the numbers of rows of the report.
func (c *Comparison) Counts() Counts { return c.root.Counts }

// Same reports whether there are no differences except ignored ones.
func (c *Comparison) Same() bool { return c.root.Counts.Differences() == 0 }

// openChildren finds the pairs below p if they are not stored.
func (c *Comparison) openChildren(p *Pair) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if p.below != nil {
		return
	}
	k := new(pairList)
	switch {
	case p.Old == nil:
		k.add(run{old: -1, n: p.New.Len(), status: Added})
	case p.New == nil:
		k.add(run{new: -1, n: p.Old.Len(), status: Removed})
	default:
		l, r := c.engine.sides(p.Old, p.New)
		found := c.engine.compareChildren(l, r)
		// If a file can no longer be read, the pair has no children.
		if c.engine.takeError() == nil && found != nil {
			found.clip()
			k = found
		}
	}
	p.below = k
	if p.parent == nil {
		c.opened.Store(p.below)
	}
}

// expand makes the pair of the child with an index in a run.
func (c *Comparison) expand(parent *Pair, r run, index int) *Pair {
	p := &Pair{c: c, Status: r.status, Renamed: r.renamed, Uncounted: r.uncounted}
	if r.old >= 0 {
		p.Old = parent.Old.Child(r.old + index)
	}
	if r.new >= 0 {
		p.New = parent.New.Child(r.new + index)
	}
	if r.status == Changed {
		c.mu.Lock()
		defer c.mu.Unlock()
		l, rt := c.engine.sides(p.Old, p.New)
		if found := c.engine.compare(l, rt); c.engine.takeError() == nil && found != nil {
			found.Relocated, found.Renamed = r.relocated, r.renamed
			return found
		}
	}
	if !r.uncounted {
		p.Counts = ownRows(r.status, p.Old, p.New)
	}
	return p
}

// IgnoreAll makes the files the same, because the rules of texts ignore all their differences.
func (c *Comparison) IgnoreAll() {
	c.root = &Pair{c: c, Old: c.root.Old, New: c.root.New, Counts: Counts{Same: 1}}
	c.rootIsRow, c.Ignored = false, max(1, c.Ignored)
	c.opened.Store(nil)
}

// MaxRanges is the number of ranges that a report lists.
const MaxRanges = 10_000

// Ranges are the parts of two files that differ, for files that are compared as bytes only.
type Ranges struct {
	Edits   []align.Edit // the first of them
	Omitted int          // the number of further ones
}

// FindRanges aligns the bytes of files that were compared as bytes only, so that reports list changed, inserted and
// removed ranges. It does nothing for other comparisons. progress may be nil.
func (c *Comparison) FindRanges(ctx context.Context, progress model.Progress) error {
	if !c.BytesOnly || c.Ranges != nil {
		return nil
	}
	if c.Ignored > 0 && c.Same() { // no range counts
		c.Ranges = &Ranges{}
		return nil
	}
	edits, err := align.Bytes(ctx, c.Old.Source, c.Old.Source.Size(), c.New.Source, c.New.Source.Size(), progress)
	if err != nil {
		return err
	}
	n := min(len(edits), MaxRanges)
	c.Ranges = &Ranges{Edits: append([]align.Edit(nil), edits[:n]...), Omitted: len(edits) - n}
	return nil
}

// Reading selects the contents with recorded checksums that are read.
type Reading uint8

// Automatic reads contents up to 128 MiB and uses the recorded checksum and size beyond; Recorded never reads contents,
// Full always does.
const (
	Automatic Reading = iota
	Recorded
	Full
)

// maxAutomatic is the maximum number of bytes of contents with recorded checksums that are read unless Full is set.
const maxAutomatic = 128 << 20

// Options select the differences that a comparison ignores. The zero value is the default of assay diff.
type Options struct {
	Contents Reading

	// Tolerance is the ignored difference of two floats, absolute or as a share of the larger one.
	Tolerance float64
	// Times ignores values that are points in time.
	Times bool
	// Names are fields that are ignored wherever they are, with all that is below them.
	Names []string
	// Layout counts offsets, sizes and counts of the file's own layout as values; normally they follow from others.
	Layout bool
	// Texts has the rules for comparing the lines of texts.
	Texts TextRules
	// Pairs are nodes that the user paired.
	Pairs []Match
}

// TextRules select the differences to ignore in texts that are compared line by line.
type TextRules struct {
	Indentation bool // blanks and tabs at the beginning and the end of a line
	BlankLines  bool // empty lines
	LineEnds    bool // LF, CR LF
	Comments    bool // of the languages that the program knows
	Order       bool // of the properties of a namespace
}

// Any reports whether any difference is ignored.
func (r TextRules) Any() bool { return r != TextRules{} }

// spacing reports whether everything between the fields of a text is ignored.
func (r TextRules) spacing() bool { return r.Indentation && r.BlankLines && r.LineEnds }

// countedSpacing returns the part of the spacing between fields that counts.
func (r TextRules) countedSpacing(s string) string {
	if r.LineEnds {
		s = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(s)
	}
	if r.BlankLines {
		lines := strings.SplitAfter(s, "\n")
		inner := lines[min(1, len(lines)-1) : len(lines)-1] // between the first line end and the last one
		isBlank := func(line string) bool { return strings.TrimSpace(line) == "" }
		s = lines[0] + strings.Join(slices.DeleteFunc(slices.Clone(inner), isBlank), "")
		if len(lines) > 1 {
			s += lines[len(lines)-1]
		}
	}
	if r.Indentation {
		s = strings.NewReplacer(" ", "", "\t", "").Replace(s)
	}
	return s
}

// Match is a node of the old document and one of the new.
type Match struct {
	Old, New model.Path
}

func (o *Options) ignores(n *model.Node) bool {
	if slices.Contains(o.Names, n.Name) {
		return true
	}
	switch n.Role {
	case model.RoleTime:
		return o.Times
	case model.RoleComment:
		return o.Texts.Comments
	case model.RoleSpacing:
		s, _ := n.Value.(string)
		return o.Texts.spacing() || o.Texts.countedSpacing(s) == ""
	}
	return false
}
