package changes

import (
	"context"
	"fmt"
	"io"
	"iter"
	"math/big"
	"slices"
	"strings"
	"unicode/utf8"

	"assay/model"
	"assay/model/compare"
	"assay/model/compare/align"
	"assay/model/compare/contents"
)

// Line is a row of the report in words.
type Line struct {
	Sign   string // of its state: ~ changed, > moved, + added, - removed
	Path   string
	What   string // type and key
	Change string // old -> new, where from, how much
	Values Values // of the root of two versions of a format
}

// LineOf describes the pair for people, in one line.
func LineOf(p *compare.Pair) Line { return LineAt(p, p.Node().NamePath()) }

// LineAt describes a pair as LineOf does; path is that of its node, in text.
func LineAt(p *compare.Pair, path string) Line {
	n := p.Node()
	l := Line{Sign: p.Status.Sign(), Path: model.OneLine(path, 1000), What: typeAndKey(n, path)}
	switch {
	case p.Parent() == nil && p.Comparison().VariantChanged():
		c := p.Comparison()
		l.Values = Values{Old: c.Old.Format + " " + c.Old.Variant, New: c.New.Format + " " + c.New.Variant}
		l.Change = l.Values.String()
	case p.Status == compare.Added || p.Status == compare.Removed:
		l.Change = n.ValueText()
		if !n.Leaf() {
			l.Change = plainSize(n.Size)
		}
	case p.Status == compare.Changed && p.Leaf():
		l.Change = ValuesOf(p).String()
	}
	if p.RenamedFrom != nil {
		l.Change += ", " + whereFrom(p.Comparison(), p.RenamedFrom, p.New, true)
	}
	if p.Status == compare.Moved || p.Relocated {
		l.Change = strings.TrimPrefix(l.Change+", "+WhereFrom(p), ", ")
	}
	return l
}

// typeAndKey returns the type of a node, and its key unless its name or its path ends with that.
func typeAndKey(n *model.Node, path string) string {
	s := "[" + model.OneLine(n.Type, 200) + "]"
	if n.Key != "" && n.Key != n.Name && !strings.HasSuffix(path, "/"+n.Key) {
		s += " " + model.OneLine(n.Key, 200)
	}
	return s
}

func change(old, new string) string { return old + " -> " + new }

func plainSize(n int64) string { return fmt.Sprintf("%d bytes", n) }

// WhereFrom returns the old path or index and the old key of a moved pair as text.
func WhereFrom(p *compare.Pair) string { return whereFrom(p.Comparison(), p.Old, p.New, p.Renamed) }

func whereFrom(c *compare.Comparison, old, new *model.Node, renamed bool) string {
	var s []string
	if from := old.NamePath(); from != new.NamePath() {
		s = append(s, "was "+model.OneLine(from, 1000))
	} else if old.Name != new.Name {
		s = append(s, "was number "+old.Name+", is "+new.Name)
	} else if !renamed && old.Offset != new.Offset {
		s = append(s, fmt.Sprintf("offset %#x → %#x", old.Offset, new.Offset))
	} else if !renamed {
		s = append(s, "order changed")
	}
	if old.Key != new.Key {
		s = append(s, "renamed from "+model.OneLine(old.Key, 200)+alikeText(c.Similarity(old, new)))
	}
	return strings.Join(s, ", ")
}

// alikeText returns the share of its content that a renamed item kept as text, or "" if the content is the same.
func alikeText(share float64) string {
	if share == 0 {
		return ""
	}
	return fmt.Sprintf(" (%d%% similar)", min(int(100*share), 99))
}

// Values is how the value of a leaf changed.
type Values struct {
	Lead     string // location within the value, or the whole text
	Old, New string // empty if Lead is the whole text
	Note     string // how much that is: "+3"
}

// String is the values in a line.
func (v Values) String() string {
	s := v.Lead
	if v.New != "" {
		s += change(v.Old, v.New)
	}
	if v.Note != "" {
		s += " (" + v.Note + ")"
	}
	return s
}

// ValuesOf returns how a leaf's value changed.
func ValuesOf(p *compare.Pair) Values {
	o, n := p.Old, p.New
	switch old := o.Value.(type) {
	case model.Array:
		if new, ok := n.Value.(model.Array); ok {
			return arrayChange(p, old, new)
		}
	case model.Blob:
		if new, ok := n.Value.(model.Blob); ok {
			return blobChange(old, new)
		}
	case string:
		if new, ok := n.Value.(string); ok && old != new && ValueText(o) != ValueText(n) {
			a, b := InlineText(old, new)
			return Values{Old: a, New: b}
		}
	}
	so, sn := ValueText(o), ValueText(n)
	switch {
	case so == sn && o.Type != n.Type:
		return Values{Old: "[" + o.Type + "] " + so, New: "[" + n.Type + "] " + sn}
	case so == sn:
		return Values{Old: so + rawText(p, o), New: sn + rawText(p, n)}
	case o.Symbol() == "" && n.Symbol() == "":
		return Values{Old: so, New: sn, Note: Difference(o.Value, n.Value)}
	}
	return Values{Old: so, New: sn}
}

// ValueText returns the value of a node as text; strings are in quotes.
func ValueText(n *model.Node) string {
	if !n.Leaf() && n.Value == nil {
		return "[" + n.Type + "] " + plainSize(n.Size)
	}
	if n.Value == nil {
		return plainSize(n.Size)
	}
	if s, ok := n.Value.(string); ok {
		return inQuotes(s)
	}
	return n.ValueText()
}

func inQuotes(s string) string { return `"` + model.OneLine(s, 400) + `"` }

// rawText is the bytes of a short leaf, for values that are written in more than one way.
func rawText(p *compare.Pair, n *model.Node) string {
	d := p.Comparison().Old
	if n == p.New {
		d = p.Comparison().New
	}
	b, err := d.Source.Bytes(model.Span{Offset: n.Offset, Size: min(n.Size, 16)})
	if err != nil {
		return ""
	}
	return fmt.Sprintf(" (% x)", b)
}

// Difference returns new minus old with its sign, or "" for values that are not numbers.
func Difference(old, new any) string {
	switch {
	case compare.IsInt(old) && compare.IsInt(new):
		d := new64(new).Sub(new64(new), new64(old))
		if d.Sign() > 0 {
			return "+" + d.String()
		}
		return d.String()
	case compare.IsFloat(old) && compare.IsFloat(new):
		return fmt.Sprintf("%+.6g", compare.AsFloat(new)-compare.AsFloat(old))
	}
	return ""
}

func new64(v any) *big.Int {
	if u, ok := v.(uint64); ok {
		return new(big.Int).SetUint64(u)
	}
	i, _ := v.(int64)
	return big.NewInt(i)
}

const textAround = 24 // runes of a long text that are displayed before and after the difference

// InlineText returns two texts in quotes with the differences in {-old-} and {+new+}. It shortens long common parts.
func InlineText(old, new string) (string, string) {
	a, b := []rune(old), []rune(new)
	from := 0
	for from < len(a) && from < len(b) && a[from] == b[from] {
		from++
	}
	to := 0
	for to < len(a)-from && to < len(b)-from && a[len(a)-1-to] == b[len(b)-1-to] {
		to++
	}
	if from == 0 && to == 0 || utf8.RuneCountInString(old) <= textAround && utf8.RuneCountInString(new) <= textAround {
		return inQuotes(old), inQuotes(new)
	}
	return around(a, from, to, "{-", "-}"), around(b, from, to, "{+", "+}")
}

func around(s []rune, from, to int, opening, closing string) string {
	head, tail := s[:from], s[len(s)-to:]
	before, after := "", ""
	if len(head) > textAround {
		head, before = head[len(head)-textAround:], "…"
	}
	if len(tail) > textAround {
		tail, after = tail[:textAround], "…"
	}
	middle := model.OneLine(string(s[from:len(s)-to]), 400)
	if middle != "" {
		middle = opening + middle + closing
	}
	return `"` + before + model.OneLine(string(head), 100) + middle + model.OneLine(string(tail), 100) + after + `"`
}

func arrayChange(p *compare.Pair, o, n model.Array) Values {
	if o.Len() == n.Len() && o.Len() <= 16 {
		return Values{Old: model.FormatValue(o), New: model.FormatValue(n)}
	}
	at := p.FirstNumber()
	count := fmt.Sprintf("%d values", n.Len())
	if o.Len() != n.Len() {
		count = change(fmt.Sprint(o.Len()), count)
	}
	return Values{Lead: fmt.Sprintf("%s, first at [%d]: ", count, at), Old: element(o, at), New: element(n, at)}
}

func element(a model.Array, at int64) string {
	part, err := a.Slice(at, 1)
	if err != nil || len(part) == 0 {
		return "none"
	}
	return model.FormatValue(part[0])
}

func blobChange(o, n model.Blob) Values {
	size := plainSize(n.Span.Size)
	if o.Span.Size != n.Span.Size {
		return Values{Old: plainSize(o.Span.Size), New: size}
	}
	at, err := align.FirstDifference(context.Background(), o.Source, o.Span.Offset, n.Source, n.Span.Offset,
		n.Span.Size, nil)
	if err != nil {
		return Values{Lead: size + " that cannot be read: " + err.Error()}
	}
	return Values{Lead: fmt.Sprintf("%s, first difference at +%#x", size, at)}
}

const rangesBytes = 16 // bytes of a range that are displayed for each side

// Ranges returns the byte ranges that differ.
func Ranges(c *compare.Comparison) iter.Seq[align.Edit] {
	if c.Ranges == nil {
		return func(func(align.Edit) bool) {}
	}
	return slices.Values(c.Ranges.Edits)
}

// OmittedRanges returns a sentence with the number of ranges that a report omits, or "".
func OmittedRanges(c *compare.Comparison) string {
	if c.Ranges == nil || c.Ranges.Omitted == 0 {
		return ""
	}
	return fmt.Sprintf("%d more ranges are not listed", c.Ranges.Omitted)
}

// StatusOf returns the status of a range: changed, added or removed.
func StatusOf(e align.Edit) compare.Status {
	switch {
	case e.Old.Size == 0:
		return compare.Added
	case e.New.Size == 0:
		return compare.Removed
	}
	return compare.Changed
}

// Block is the bytes that ranges are in: a file, or a block of bytes in one.
type Block struct {
	source *model.Source
	span   model.Span
}

// BlockOf returns a whole document as a block.
func BlockOf(d *model.Document) Block { return Block{d.Source, model.Span{Size: d.Source.Size()}} }

// First reads the first bytes of a range.
func (b Block) First(s model.Span) ([]byte, error) {
	return b.source.Bytes(model.Span{Offset: b.span.Offset + s.Offset, Size: min(s.Size, rangesBytes)})
}

// text is the first bytes of a range in hex.
func (b Block) text(s model.Span) string {
	data, err := b.First(s)
	if err != nil {
		return "cannot be read"
	}
	if s.Size > rangesBytes {
		return fmt.Sprintf("% x …", data)
	}
	return fmt.Sprintf("% x", data)
}

// RangeLine describes a range for people, in one line: where it is, how long it is, and its first bytes.
func RangeLine(e align.Edit, from, to Block) Line {
	st := StatusOf(e)
	l := Line{Sign: st.Sign()}
	old, new := spanText(e.Old), spanText(e.New)
	switch st {
	case compare.Added:
		l.Path, l.What = new, "inserted at "+fmt.Sprintf("%#x", e.Old.Offset)+":"
		l.Change = to.text(e.New)
	case compare.Removed:
		l.Path, l.What = old, "removed at "+fmt.Sprintf("%#x", e.New.Offset)+":"
		l.Change = from.text(e.Old)
	default:
		l.Path, l.What = change(old, new), "changed:"
		if old == new {
			l.Path = old
		}
		l.Change = change(from.text(e.Old), to.text(e.New))
	}
	return l
}

func spanText(s model.Span) string { return fmt.Sprintf("%#x+%d", s.Offset, s.Size) }

const (
	blockRanges = 16      // ranges that are listed of a block of bytes inside of a file
	BlocksRead  = 1 << 30 // bytes of blocks that are aligned for a report
)

// Blocks aligns the blocks of bytes that changed, for the rows of one report.
type Blocks struct {
	Most   int64 // bytes that are aligned
	bytes  int64 // that were aligned
	ranges int   // that were listed
}

// Of returns the first ranges that differ inside a block of bytes, with offsets in the block, and the number of the
// rest. It returns no ranges if the pair is not a block of bytes, or if the block differs as a whole.
func (b *Blocks) Of(p *compare.Pair) (edits []align.Edit, more int, from, to Block) {
	if p.Status != compare.Changed || !p.Leaf() || p.Comparison().BytesOnly || b.ranges >= compare.RangesMost {
		return nil, 0, from, to
	}
	old, okOld := p.Old.Value.(model.Blob)
	new, okNew := p.New.Value.(model.Blob)
	if b.bytes += old.Span.Size + new.Span.Size; !okOld || !okNew || b.bytes > b.Most {
		return nil, 0, from, to
	}
	from, to = Block{old.Source, old.Span}, Block{new.Source, new.Span}
	edits, err := align.Bytes(context.Background(), from.reader(), from.span.Size, to.reader(), to.span.Size, nil)
	if err != nil || len(edits) == 1 && edits[0].Old.Size == from.span.Size && edits[0].New.Size == to.span.Size {
		return nil, 0, from, to
	}
	n := min(len(edits), blockRanges)
	b.ranges += n
	return edits[:n], len(edits) - n, from, to
}

// changes returns the changes inside a block of bytes, or nil if it differs as a whole.
func (b *Blocks) changes(p *compare.Pair) []contents.PartChange {
	edits, more, from, _ := b.Of(p)
	if len(edits) == 0 {
		return nil
	}
	e := edits[0]
	stated := func(n int64, what, how string, at int64) []contents.PartChange {
		return []contents.PartChange{{How: contents.Stated, Field: fmt.Sprintf("%s %s %#x", model.Count(n, what), how, at)}}
	}
	if n := len(edits) + more; n > 1 {
		return stated(int64(n), "range", "of bytes differ; the first is at", e.New.Offset)
	}
	switch StatusOf(e) {
	case compare.Added:
		return stated(e.New.Size, "byte", "inserted at", e.New.Offset)
	case compare.Removed:
		return stated(e.Old.Size, "byte", "removed at", e.Old.Offset)
	}
	return []contents.PartChange{{How: contents.Changed, Field: "byte", N: e.Old.Size, All: from.span.Size,
		Note: fmt.Sprintf("at %#x", e.Old.Offset)}}
}

func (b Block) reader() io.ReaderAt { return io.NewSectionReader(b.source, b.span.Offset, b.span.Size) }

// Lines calls do for each of the ranges that differ inside of a block of bytes, in words.
func (b *Blocks) Lines(p *compare.Pair, do func(st compare.Status, l Line)) {
	edits, more, from, to := b.Of(p)
	for _, e := range edits {
		l := RangeLine(e, from, to)
		l.Sign = blockIndent + l.Sign
		do(StatusOf(e), l)
	}
	if more > 0 {
		do(compare.Changed, Line{Sign: blockIndent + compare.Changed.Sign(), Path: "…",
			What: fmt.Sprintf("%d more ranges", more)})
	}
}

const blockIndent = "    "
