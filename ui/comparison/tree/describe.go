package tree

import (
	"context"
	"fmt"
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"

	"fyne.io/fyne/v2"

	"assay/model"
	"assay/model/compare"
	"assay/model/compare/changes"
	"assay/model/compare/contents"
	"assay/ui/comparison/compared"
	"assay/ui/details"
	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/rows"
)

const (
	maxChanges    = 400
	maxValues     = 2000
	maxRanges     = 1000
	maxText       = 32 << 10 // bytes of a text that are displayed
	maxItems      = 200
	maxBlockBytes = 64 << 20 // bytes of values that are read to describe them
)

// DescribePair returns the details of a pair that are available without reading. status is the item's, if p is one.
func DescribePair(c *compare.Comparison, p *compare.Pair, status compare.Status) []details.Line {
	g := pageOf(p)
	state := status.String()
	if p.Uncounted {
		state = "only in one file"
	}
	g.addState(status, state+": "+model.OneLine(titleOf(c, p), 200))
	part := changes.ChangeOf(p, nil)
	if part.From != "" {
		g.addBoth("Moved", part.From, paint.Normal)
		part.From = ""
	}
	g.addProperty(p, "Path", func(n *model.Node) string { return model.OneLine(n.NamePath(), 1000) })
	g.addProperty(p, "Type", func(n *model.Node) string { return n.Type })
	g.addProperty(p, "Key", func(n *model.Node) string { return model.OneLine(n.Key, 200) })
	if p.Parent() == nil {
		v := compared.ValuesOf(p)
		g.addSides("Format", v[0], v[1])
	} else {
		g.addProperty(p, "Value", changes.ValueOf)
	}
	if p.Status == compare.Changed && p.Leaf() {
		if d := part.Short(); d != "" && !compared.IsUnread(p) {
			g.addBoth("Difference", d+percent(p), paint.Normal)
		}
	}
	count := len(g.lines)
	g.addProperty(p, "Offset", func(n *model.Node) string { return fmt.Sprintf("%#x", n.Offset) })
	g.addProperty(p, "Size", func(n *model.Node) string { return host.Count(n.Size, "byte") })
	if p.Status != compare.Changed {
		for _, l := range g.lines[count:] {
			for i := range l.Cells {
				l.Cells[i].Tone = paint.Dim
			}
		}
	}
	if p.Node().Role.IsLayout() {
		g.addBoth("", "Part of the file layout (ignored by default)", paint.Dim)
	}
	g.addTransform(p)
	g.addTexts(p)
	return g.lines
}

// addTransform adds the parts of a transform, with their old values if they changed.
func (p *page) addTransform(pair *compare.Pair) {
	parts := changes.TransformOf(pair.Node())
	if parts == nil {
		return
	}
	p.addTitle("Transform")
	changed := changes.Transform(pair)
	for _, t := range parts {
		isThis := func(c contents.PartChange) bool { return strings.EqualFold(c.Field, t.Field) }
		i := slices.IndexFunc(changed, isThis)
		if i < 0 {
			p.addBoth(t.Field, t.New, paint.Dim)
			continue
		}
		a, b := compared.MarkDifferences(changed[i].Old, t.New, false)
		p.addSides(t.Field, a, b)
	}
}

// titleOf returns the title of a pair: its name, its key, or the type of an element.
func titleOf(c *compare.Comparison, p *compare.Pair) string {
	n := p.Node()
	_, err := strconv.Atoi(n.Name)
	switch {
	case p.Parent() == nil && c.New.Source.IsAbsent():
		return c.Old.Source.Name()
	case p.Parent() == nil:
		return c.New.Source.Name()
	case strings.HasPrefix(n.DisplayName(), strings.ToLower(n.Type)+" "): // such as "catom 7"
		return n.DisplayName()
	case n.DisplayName() != "" && n.DisplayName() != n.Name:
		return n.Type + " " + n.DisplayName()
	case err == nil:
		return n.Type + " " + n.Name
	}
	return n.Name
}

// addProperty adds a property of both nodes, unless neither has it.
func (p *page) addProperty(pair *compare.Pair, name string, value func(n *model.Node) string) {
	var sides [2]string
	for i, n := range []*model.Node{pair.Old, pair.New} {
		if n != nil {
			sides[i] = value(n)
		}
	}
	switch old, new := sides[0], sides[1]; {
	case old == "" && new == "":
	case pair.Old == nil || pair.New == nil:
		p.addSides(name, paint.PlainPieces(old), paint.PlainPieces(new))
	case old == new:
		p.addBoth(name, new, paint.Normal)
	default:
		a, b := compared.MarkDifferences(old, new, false)
		p.addSides(name, a, b)
	}
}

// percent returns the growth of a number in percent, or "" if that is not meaningful.
func percent(p *compare.Pair) string {
	a, ok := model.Float(p.Old.Value)
	b, ok2 := model.Float(p.New.Value)
	if !ok || !ok2 || a == 0 || a < 0 != (b < 0) {
		return ""
	}
	return fmt.Sprintf("  (%+.3g %%)", (b-a)/math.Abs(a)*100)
}

// addTexts shows long texts in full, with the differences highlighted.
func (p *page) addTexts(pair *compare.Pair) {
	var parts [2]string
	isLong := false
	for i, n := range []*model.Node{pair.Old, pair.New} {
		if n == nil {
			continue
		}
		if s, ok := n.Value.(string); ok && n.Raw() == nil {
			parts[i] = s[:min(len(s), maxText)]
			isLong = isLong || len(s) > 24 || strings.ContainsAny(s, "\n\r")
		}
	}
	if !isLong {
		return
	}
	if parts[0] == parts[1] {
		p.addTitle("Text")
		p.lines = append(p.lines, details.Text(rows.Cell{Text: parts[1]}))
		return
	}
	sides := [2][]paint.Piece{paint.PlainPieces(parts[0]), paint.PlainPieces(parts[1])}
	if pair.Status == compare.Changed {
		sides[0], sides[1] = compared.MarkDifferences(parts[0], parts[1], false)
	}
	for i, n := range []*model.Node{pair.Old, pair.New} {
		if n != nil {
			p.addTitle([]string{"Old text", "New text"}[i])
			ground := []paint.Tone{paint.Removed, paint.Added}[i]
			p.lines = append(p.lines, details.Text(rows.Cell{Pieces: sides[i], HighlightTone: ground}))
		}
	}
}

// ReadDetails returns the details that take time: the values of arrays that differ, the ranges of bytes, the changes
// below the pair.
func ReadDetails(ctx context.Context, c *compare.Comparison, p *compare.Pair,
	choose func(path model.Path)) []details.Line {
	if old, new, ok := p.Arrays(); ok && p.Status == compare.Changed && p.Leaf() {
		return changedValues(ctx, p, old.Len(), new.Len())
	}
	g := new(page)
	if o, err := changes.Collect(ctx, c); err == nil {
		g.addDescription(o, p, choose)
	}
	if p.Leaf() || p.Parent() == nil && len(g.lines) > 0 {
		return g.lines
	}
	return append(g.lines, changesBelow(ctx, p, choose)...)
}

// addDescription adds the change of the whole file, with a link to each item, or the change of an item.
func (p *page) addDescription(o *changes.Overview, pair *compare.Pair, choose func(path model.Path)) {
	if pair.Parent() == nil && len(o.Counts) > 0 {
		for _, s := range pair.Comparison().Notes() {
			p.lines = append(p.lines, details.Text(rows.Cell{Text: s, Tone: paint.Warning}))
		}
		p.addTitle(o.Headline())
		p.addOverview(o, choose)
		return
	}
	pairPath := pair.Path()
	i := slices.IndexFunc(o.Items, func(t changes.ItemChange) bool { return t.Path.Equal(pairPath) })
	if i < 0 || pair.Status != compare.Changed || len(o.Items[i].Changes) == 0 {
		return
	}
	p.lines = append(p.lines, details.Text(rows.Cell{Text: strings.Join(o.Items[i].Changes.Texts(), "; ")}))
	if nested := o.Items[i].Nested; nested != nil {
		p.addOverview(nested, nil)
	}
}

// addOverview lists the lines of an overview. With choose, the lines of items are links.
func (p *page) addOverview(o *changes.Overview, choose func(path model.Path)) {
	for _, l := range o.Lines(maxItems) {
		tone := paint.Dim
		if l.Sign != "" {
			tone = paint.Normal
		}
		line := details.Text(rows.Cell{Text: strings.Repeat("    ", l.Depth) + strings.TrimLeft(l.Sign+" "+l.Text, " "),
			Tone: tone})
		if path := l.Path; len(path) > 0 && choose != nil {
			line.On, line.Link = func() { choose(path) }, true
		}
		p.lines = append(p.lines, line)
	}
}

// changedValues lists the values of two arrays that differ.
func changedValues(ctx context.Context, p *compare.Pair, old, new int64) []details.Line {
	list := &page{highlight: paint.Changed}
	total := int64(0)
	err := p.EachDifferentNumber(ctx, func(at int64, a, b any) bool {
		if total++; total > maxValues {
			return true
		}
		pieces := paint.PlainPieces(model.FormatValue(b))
		if d := changes.Difference(a, b); d != "" {
			pieces = append(pieces, paint.Piece{Text: "   " + d})
		}
		list.addSides(fmt.Sprintf("[%d]", at), paint.PlainPieces(model.FormatValue(a)), pieces)
		return true
	})
	if err != nil {
		return nil
	}
	if total > maxValues {
		list.addOmitted(total - maxValues)
	}
	title := contents.PartChange{How: contents.Changed, Field: "value", N: total, All: max(old, new)}.String()
	if old != new {
		title += ", " + host.Number(max(old, new)-min(old, new)) + " of them past the end of the shorter array"
	}
	return append([]details.Line{details.Title(title)}, list.lines...)
}

// Ranges lists the ranges of bytes of a pair that differ: total ranges, each with its position in the view of the bytes
// and its old and new span. Offsets are relative to from in the new file.
func Ranges(total int, from int64, all iter.Seq2[int64, [2]model.Span], visit func(at int64)) []details.Line {
	g := &page{highlight: paint.Changed}
	g.addTitle("Different bytes: " + host.Count(total, "range"))
	for at, sides := range all {
		if len(g.lines) > maxRanges {
			g.addOmitted(int64(total - maxRanges))
			break
		}
		g.addSides(fmt.Sprintf("+%#x", sides[1].Offset-from), paint.PlainPieces(rangeText(sides[0])),
			paint.PlainPieces(rangeText(sides[1])))
		g.last().On = func() { visit(at) }
	}
	return g.lines
}

func rangeText(s model.Span) string {
	if s.Size == 0 {
		return "nothing"
	}
	return compared.SpanText(s)
}

func changesBelow(ctx context.Context, top *compare.Pair, choose func(path model.Path)) []details.Line {
	if top.Status == compare.Added || top.Status == compare.Removed {
		return nil
	}
	g, prefix := pageOf(top), ""
	if top.Parent() != nil {
		prefix = top.Node().NamePath()
	}
	blocks, listed := changes.Blocks{MaxBytes: maxBlockBytes}, int64(0)
	for p := range top.RowsBelow() {
		if p.IsParent() || ctx.Err() != nil {
			continue
		}
		if listed++; listed > maxChanges {
			g.addOmitted(top.Counts.Differences() - top.Counts.Parents - maxChanges)
			break
		}
		from := len(g.lines)
		name := strings.TrimPrefix(strings.TrimPrefix(p.Node().NamePath(), prefix), "/")
		path := rows.Cell{Text: compared.Sign(p.Status) + "  " + model.OneLine(name, 400),
			Tone: compared.StatusTone(p.Status), Span: 2, CutMiddle: true}
		g.lines = append(g.lines, details.Line{Cells: []rows.Cell{path}, Link: true})
		if p.Status != compare.Added && p.Status != compare.Removed {
			g.addChange(changes.ChangeOf(p, &blocks))
		}
		visit := p.Path()
		for i := range g.lines[from:] {
			g.lines[from+i].On = func() { choose(visit) }
		}
	}
	if len(g.lines) == 0 {
		return nil
	}
	return append([]details.Line{details.Title("Changes in this node")}, g.lines...)
}

// addChange adds the old and the new values of a change, or the change as one text.
func (p *page) addChange(part contents.PartChange) {
	if part.Inside == nil && part.Old != "" && part.New != "" {
		part.Inside = []contents.PartChange{{Old: part.Old, New: part.New}}
		part.Note = ""
	}
	for _, nested := range part.Inside {
		if nested.How == contents.ValueChanged {
			a, b := compared.MarkDifferences(nested.Old, nested.New, true)
			p.addSides(nested.Field, a, b)
			p.last().MaxRows = 0
		} else {
			p.addBoth("", nested.String(), paint.Normal)
		}
	}
	if part.From != "" {
		p.addBoth("", part.From, paint.Dim)
	}
}

// Panel shows the old and the new values of the selected pair.
type Panel struct {
	*details.Panel
	style     *paint.Style
	pairLines []details.Line
	ranges    []details.Line // ranges of bytes that differ, below all other lines
}

// NewPanel returns an empty panel.
func NewPanel(h host.Host, style *paint.Style) *Panel {
	d := &Panel{style: style}
	options := rows.Options{Header: true, MinSize: fyne.NewSize(160, 60), ColumnWidths: d.columnWidths}
	columns := []rows.Column{{Min: 50}, {Title: "Old"}, {Title: "New"}}
	d.Panel = details.NewPanel(h, style, options, columns...)
	return d
}

// columnWidths returns the widths of the columns: that of the names is larger if they need it and the values have
// enough space, and the old and the new values have the same.
func (p *Panel) columnWidths(width float32) []float32 {
	c := p.style.NewCanvas(nil, 1, paint.Colors{})
	name := float32(0)
	for _, l := range p.pairLines {
		if len(l.Cells) > 1 {
			name = max(name, rows.WidthOf(c, l.Cells[0]))
		}
	}
	name = max(min(92, width/4), min(name, width*0.3))
	half := max(60, (width-name)/2)
	return []float32{name, half, half}
}

// ShowPair displays the first details of another pair.
func (p *Panel) ShowPair(lines []details.Line) {
	p.pairLines, p.ranges = lines, nil
	p.Set(lines, nil)
}

// SetRanges displays the ranges of bytes that differ.
func (p *Panel) SetRanges(r []details.Line) {
	p.ranges = r
	p.update()
}

// Add adds details of the pair.
func (p *Panel) Add(lines []details.Line) {
	p.pairLines = append(p.pairLines[:len(p.pairLines):len(p.pairLines)], lines...)
	p.update()
}

func (p *Panel) update() {
	p.Update(append(p.pairLines[:len(p.pairLines):len(p.pairLines)], p.ranges...))
}

// page collects the details of a pair, or a part of them.
type page struct {
	lines     []details.Line
	highlight paint.Tone // background of differences
}

func pageOf(p *compare.Pair) *page { return &page{highlight: compared.StatusTone(p.Status)} }

func (p *page) last() *details.Line { return &p.lines[len(p.lines)-1] }

func (p *page) addTitle(text string) { p.lines = append(p.lines, details.Title(text)) }

// addState adds a title with the sign of a status.
func (p *page) addState(s compare.Status, text string) {
	if s != compare.Same {
		text = compared.Sign(s) + "  " + text
	}
	p.addTitle(text)
	p.last().Cells[0].Tone = compared.StatusTone(s)
}

// addBoth adds a name with a text that applies to both sides.
func (p *page) addBoth(name, text string, tone paint.Tone) {
	p.lines = append(p.lines, details.Fact(name, rows.Cell{Text: text, Tone: tone}))
}

// addSides adds a name with the old and the new value.
func (p *page) addSides(name string, old, new []paint.Piece) {
	l := details.Fact(name, rows.Cell{Pieces: old, HighlightTone: p.highlight})
	l.Cells[1].Span = 0
	l.Cells = append(l.Cells, rows.Cell{Pieces: new, HighlightTone: p.highlight})
	p.lines = append(p.lines, l)
}

// addOmitted adds the number of omitted lines.
func (p *page) addOmitted(n int64) { p.addBoth("…", host.Number(n)+" more", paint.Dim) }
