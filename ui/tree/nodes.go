package tree

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strconv"
	"strings"

	"assay/model"
	"assay/model/find"
	"assay/ui/host"
	"assay/ui/outline"
	"assay/ui/paint"
	"assay/ui/rows"
)

type rowPos = outline.RowPos[*children]

// children are the displayed children of a node.
type children struct {
	node     *model.Node // nil: only the root
	visible  int
	order    []int32                // the child at each position; nil: in the order of the file
	filtered *find.FilteredChildren // the children that match the filter; nil: all
}

// maxSyntaxSiblings is the maximum number of children of a node among which syntax is hidden.
const maxSyntaxSiblings = 64

// isHidden reports whether a child of a node is only syntax without a problem, which the tree does not display beside
// fields.
func isHidden(n *model.Node) bool { return n.Role.IsSyntax() && n.Leaf() && len(n.Problems()) == 0 }

// hiddenCount returns the number of children of a node that the tree does not display.
func hiddenCount(n *model.Node) int {
	if n.Len() > maxSyntaxSiblings {
		return 0
	}
	count := 0
	for i := range n.Len() {
		if isHidden(n.Child(i)) {
			count++
		}
	}
	if count == n.Len() { // there is nothing else
		return 0
	}
	return count
}

// hideSyntax removes the hidden children. It must not be called if a filter excludes children.
func (c *children) hideSyntax() {
	count := hiddenCount(c.node)
	if count == 0 {
		return
	}
	var order []int32
	for pos := range c.visible {
		if i := c.Index(pos); !isHidden(c.node.Child(i)) {
			order = append(order, int32(i))
		}
	}
	c.order, c.visible = order, len(order)
}

func (c *children) Len() int { return c.visible }

func (c *children) Index(pos int) int {
	if c.order != nil {
		return int(c.order[pos])
	}
	return pos
}

// Position returns the position of a child of the node, and false if it is not displayed.
func (c *children) Position(index int) (int, bool) {
	switch {
	case c.order == nil:
		return index, index >= 0 && index < c.visible
	case c.filtered != nil && len(c.order) > 0 && &c.order[0] == &c.filtered.Index[0]: // in the file's order
		return slices.BinarySearch(c.order, int32(index))
	}
	pos := slices.Index(c.order, int32(index))
	return pos, pos >= 0
}

// source implements outline.Source for a Tree.
type source Tree

// rootLevel returns the level of the root.
func (s *source) rootLevel() *children {
	c := new(children)
	if s.root != nil && (s.filter == nil || s.filter.Tree != nil && len(s.filter.Tree.Index) > 0) {
		c.visible = 1
	}
	return c
}

// node returns the node of a row. Links are not followed.
func (s *source) node(p rowPos) *model.Node {
	if p.IsRoot() {
		return s.root
	}
	return p.In.Level.node.Child(p.Index())
}

// matchesBelow returns the nodes below a row that match the filter. It is nil if all are displayed because the node
// itself matches.
func (s *source) matchesBelow(p rowPos) *find.FilteredChildren {
	switch filtered := p.In.Level.filtered; {
	case p.IsRoot() && s.filter != nil:
		return s.filter.Tree
	case filtered != nil:
		return filtered.Below[int32(p.Index())]
	}
	return nil
}

// Below returns the displayed children of the node of a row.
func (s *source) Below(p rowPos) *children {
	n := s.node(p)
	if s.link != nil {
		n = cmp.Or(s.link(n), n)
	}
	c := &children{node: n, visible: n.Len(), filtered: s.matchesBelow(p)}
	if c.visible == 0 {
		return c
	}
	if s.sortOrder != rows.Unsorted {
		c.order = (*Tree)(s).orderOf(n)
	}
	if c.filtered == nil {
		c.hideSyntax()
		return c
	}
	c.visible = len(c.filtered.Index)
	if c.order == nil {
		c.order = c.filtered.Index
		return c
	}
	kept := make(map[int32]bool, c.visible)
	for _, i := range c.filtered.Index {
		kept[i] = true
	}
	c.order = slices.DeleteFunc(slices.Clone(c.order), func(i int32) bool { return !kept[i] })
	return c
}

// HasChildren reports whether the node of a row has children to display.
func (s *source) HasChildren(p rowPos) bool {
	n := s.node(p)
	return !n.Leaf() || s.link != nil && n.Link != nil && levelKeyOf(n).root == s.root
}

// Names returns the name of a node and its label.
func (s *source) Names(p rowPos) (name, label string) {
	n := s.node(p)
	return n.Name, n.DisplayName()
}

// spanDepth is the depth from which a name keeps to its column, so that its indent depends on the width of that column
// alone.
const spanDepth = 12

// Describe returns the cells of a row.
func (s *source) Describe(p rowPos) outline.RowCells {
	n := s.node(p)
	kind := kindOf(n)
	name := rows.Cell{Text: n.Title(), Bold: p.IsRoot(), CutMiddle: true, Mark: s.problemMark(n)}
	if label := n.DisplayName(); strings.Contains(label, "/") {
		if folder, base := path.Split(label); base != "" { // the path of an asset
			name.Text, name.Hint = strings.TrimSuffix(name.Text, label)+base, folder
		}
	}
	if s.noted != nil {
		name.Flag, name.Tip = s.noted(n)
	}
	if kind == gapKind || kind == noneKind {
		name.Tone = paint.Dim
	}
	value := valueCell(n, kind)
	switch {
	case p.IsRoot():
		name.Text = s.title
	case name.Text == "":
		name.Text = `""`
	}
	if n.Key != "" && n.Key != n.Name && n.Key != n.DisplayName() {
		if value.Text == "" {
			value = rows.Cell{Text: n.Key, CutMiddle: true, Tone: paint.Dim}
		} else {
			name.Hint = n.Key
		}
	}
	if value.Text == "" && value.Mark.Paint == nil && p.Depth() < spanDepth {
		name.Span = 1 // a long name uses the space of the value
	}
	typeCell := rows.Cell{Text: n.Type, Tone: paint.Dim, CutMiddle: true}
	if !p.IsRoot() {
		s.highlight(&name, &value, &typeCell)
	}
	return outline.RowCells{
		Cells: []rows.Cell{name, value, typeCell,
			{Text: offsetText(n.Offset), Tone: paint.Dim, Mono: true},
			{Text: sizeText(n.Size), Tone: paint.Dim, Mono: true}},
		Icon: rows.Mark{Paint: icons[kind].paint, Tone: tones[kind]},
	}
}

// valueCell returns the cell with the value of a node: a number of elements, the target of a link, or its own value.
func valueCell(n *model.Node, kind kind) rows.Cell {
	value := rows.Cell{Text: host.Value(n), Tone: tones[kind]}
	switch kind {
	case structKind, gapKind:
		value.Tone = paint.Dim
	case listKind:
		value.Text, value.Tone = host.Number(n.ElementCount()), paint.Dim
	case linkKind:
		if title := n.Link.Title(); value.Text == "" && title != n.Key {
			value.Text, value.CutMiddle = title, true
		}
	}
	if text, ok := n.Value.(string); ok && text == "" && n.Leaf() && n.Symbol() == "" {
		value = rows.Cell{Text: `""`, Tone: paint.Dim}
	}
	if col, ok := n.Color(); ok {
		value.Mark.Paint = paint.Swatch(col)
	}
	return value
}

// highlight highlights the filter's words in cells. If a hint contains one, it becomes part of the text.
func (s *source) highlight(cells ...*rows.Cell) {
	if len(s.words) == 0 {
		return
	}
	for _, c := range cells {
		if c.Hint != "" && paint.Highlight(c.Hint, s.words...) != nil {
			c.Text, c.Hint = c.Text+"  "+c.Hint, ""
		}
		c.Highlight(s.words...)
	}
}

func offsetText(offset int64) string { return "0x" + strconv.FormatInt(offset, 16) }

func sizeText(size int64) string { return host.Number(size) }

// kind selects the icon and color of a node.
type kind uint8

const (
	structKind kind = iota
	listKind
	integerKind
	floatKind
	textKind
	boolKind
	enumKind
	arrayKind
	bytesKind
	noneKind
	gapKind
	linkKind
)

// kindOf returns the kind of a node by its value, children and type, independent of its format.
func kindOf(n *model.Node) kind {
	switch {
	case n.Type == model.Gap:
		return gapKind
	case n.Link != nil:
		return linkKind
	case strings.HasSuffix(n.Type, "[]") && (!n.Leaf() || n.Value == nil && n.Size == 0):
		return listKind
	case !n.Leaf():
		return structKind
	case n.Symbol() != "":
		return enumKind
	}
	switch n.Value.(type) {
	case int64, uint64:
		return integerKind
	case float32, float64:
		return floatKind
	case string:
		return textKind
	case bool:
		return boolKind
	case model.Array:
		return arrayKind
	case model.None:
		return noneKind
	}
	return bytesKind
}

// tones are the tones of the icon and the value of each kind.
var tones = [...]paint.Tone{structKind: paint.Group, listKind: paint.Group, integerKind: paint.Number,
	floatKind: paint.Number, textKind: paint.Word, boolKind: paint.Name, enumKind: paint.Name, arrayKind: paint.Number,
	bytesKind: paint.Bytes, noneKind: paint.Dim, gapKind: paint.Dim, linkKind: paint.Link}

// problemMark returns the mark of the worst problem: a triangle for a problem of the node, or a dot for one below it.
func (s *source) problemMark(n *model.Node) rows.Mark {
	worst, ownSeverity := -1, true
	for _, p := range n.Problems() {
		worst = max(worst, int(p.Severity))
	}
	if worst < 0 && len(s.severities) > 0 && !n.Leaf() {
		if severity, ok := s.severities[n.PathText()]; ok {
			worst, ownSeverity = int(severity), false
		}
	}
	if worst < 0 {
		return rows.Mark{}
	}
	m := rows.Mark{Paint: (*paint.Canvas).Dot, Tone: paint.SeverityTone(model.Severity(worst))}
	if ownSeverity {
		m.Paint = problemIcon.paint
	}
	return m
}

var _ outline.Seeker[*children] = (*source)(nil)

// Seek searches long levels for the first node that begins with the typed text.
func (s *source) Seek(ranges []outline.LevelRange[*children], prefix string,
	found func(r outline.LevelRange[*children], pos int)) {
	total := 0
	for _, r := range ranges {
		total += r.To - r.From
	}
	newProgress := s.group.Progress
	s.seeker.Go(func(ctx context.Context) func() {
		progress := newProgress(ctx, func(done, total int64) {
			s.host.ShowHint("Searching: " + host.Number(done) + " of " + host.Count(total, "row") + "…")
		})
		searched := int64(0)
		for _, r := range ranges {
			level := r.In.Level
			if s.FindPrefix != nil && level.order == nil {
				if pos, ok := s.FindPrefix(ctx, level.node, r.From, r.To, prefix); ok {
					return s.endSearch(pos >= 0, func() { found(r, pos) })
				}
			}
			for pos := r.From; pos < r.To; pos++ {
				if searched++; searched%1024 == 0 {
					if ctx.Err() != nil {
						return nil
					}
					progress(searched, int64(total))
				}
				if n := level.node.Child(level.Index(pos)); outline.Begins(prefix, n.Name, n.DisplayName()) {
					return s.endSearch(true, func() { found(r, pos) })
				}
			}
		}
		return s.endSearch(false, nil)
	})
}

// endSearch returns a func that ends a search on the UI thread: it clears the hint, then calls goTo if found is true,
// or else shows that no row matches.
func (s *source) endSearch(found bool, goTo func()) func() {
	return func() {
		if s.host.ShowHint(""); found {
			goTo()
		} else {
			s.host.ShowHint("No matching row.")
		}
	}
}

// EndSeek cancels a search.
func (s *source) EndSeek() { s.seeker.Stop() }

// PrefixSearch returns the index of the first child of a long list in [from, to) that begins with prefix, or -1 if
// there is none. It is called off the UI thread. ok is false if the caller must search the children itself.
type PrefixSearch func(ctx context.Context, list *model.Node, from, to int, prefix string) (index int, ok bool)
