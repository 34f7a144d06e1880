package changes

import (
	"context"
	"fmt"
	"math/big"
	"strings"
	"unicode/utf8"

	"assay/model"
	"assay/model/compare"
	"assay/model/compare/align"
)

// Line is a row of the report in words.
type Line struct {
	Sign   string // of its state: ~ changed, > moved, + added, - removed
	Path   string
	What   string // type and key
	Change string // old -> new, where from, how much
}

// LineOf describes the pair for people, in one line.
func LineOf(p *compare.Pair) Line { return LineAt(p, p.Node().PathText()) }

// LineAt describes a pair as LineOf does; path is that of its node, in text.
func LineAt(p *compare.Pair, path string) Line {
	n := p.Node()
	l := Line{Sign: p.Status.Sign(), Path: model.OneLine(path, 1000), What: what(n)}
	switch {
	case p.Parent() == nil && p.Comparison().VariantChanged():
		c := p.Comparison()
		l.Change = change(c.Old.Format+" "+c.Old.Variant, c.New.Format+" "+c.New.Variant)
	case p.Status == compare.Added || p.Status == compare.Removed:
		l.Change = n.ValueText()
		if !n.Leaf() {
			l.Change = plainSize(n.Size)
		}
	case p.Status == compare.Changed && p.Leaf():
		l.Change = ValueChange(p)
	}
	if p.Status == compare.Moved || p.Relocated {
		l.Change = strings.TrimPrefix(l.Change+", "+WhereFrom(p), ", ")
	}
	return l
}

func what(n *model.Node) string {
	s := "[" + model.OneLine(n.Type, 200) + "]"
	if n.Key != "" && n.Key != n.Name {
		s += " " + model.OneLine(n.Key, 200)
	}
	return s
}

func change(old, new string) string { return old + " -> " + new }

func plainSize(n int64) string { return fmt.Sprintf("%d bytes", n) }

// WhereFrom says where the node of a moved pair was, and what its key was.
func WhereFrom(p *compare.Pair) string {
	var s []string
	if from := p.Old.PathText(); from != p.New.PathText() {
		s = append(s, "was "+model.OneLine(from, 1000))
	} else if !p.Renamed {
		s = append(s, fmt.Sprintf("was at %#x, is at %#x", p.Old.Offset, p.New.Offset))
	}
	if p.Old.Key != p.New.Key {
		s = append(s, "was called "+model.OneLine(p.Old.Key, 200))
	}
	return strings.Join(s, ", ")
}

// ValueChange describes the change of a leaf's value.
func ValueChange(p *compare.Pair) string {
	o, n := p.Old, p.New
	if lo, ok := o.Value.(model.Array); ok {
		if ln, ok := n.Value.(model.Array); ok {
			return arrayChange(p, lo, ln)
		}
	}
	if bo, ok := o.Value.(model.Blob); ok {
		if bn, ok := n.Value.(model.Blob); ok {
			return blobChange(p, bo, bn)
		}
	}
	so, sn := ValueText(o), ValueText(n)
	if so == sn {
		if o.Type != n.Type {
			return change("["+o.Type+"] "+so, "["+n.Type+"] "+sn)
		}
		return change(so+rawText(p, o), sn+rawText(p, n))
	}
	if to, ok := o.Value.(string); ok {
		if tn, ok := n.Value.(string); ok {
			a, b := InlineText(to, tn)
			return change(a, b)
		}
	}
	s := change(so, sn)
	if d := Difference(o.Value, n.Value); d != "" && o.Symbol() == "" && n.Symbol() == "" {
		s += " (" + d + ")"
	}
	return s
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
		return quoted(s)
	}
	return n.ValueText()
}

func quoted(s string) string { return `"` + model.OneLine(s, 400) + `"` }

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

// Difference is new minus old with its sign; empty for what is no number.
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

const textAround = 24 // runes of a long text that are shown before and after what differs

// InlineText returns two texts in quotes with what differs in {-old-} and {+new+}, and what is alike cut short.
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
		return quoted(old), quoted(new)
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

func arrayChange(p *compare.Pair, o, n model.Array) string {
	if o.Len() == n.Len() && o.Len() <= 16 {
		return change(model.FormatValue(o), model.FormatValue(n))
	}
	at := p.FirstNumber()
	s := fmt.Sprintf("first at [%d]: %s", at, change(element(o, at), element(n, at)))
	if o.Len() != n.Len() {
		s = fmt.Sprintf("%d -> %d values, %s", o.Len(), n.Len(), s)
	} else {
		s = fmt.Sprintf("%d values, %s", n.Len(), s)
	}
	return s
}

func element(a model.Array, at int64) string {
	part, err := a.Slice(at, 1)
	if err != nil || len(part) == 0 {
		return "none"
	}
	return model.FormatValue(part[0])
}

func blobChange(p *compare.Pair, o, n model.Blob) string {
	if o.Span.Size != n.Span.Size {
		return change(plainSize(o.Span.Size), plainSize(n.Span.Size))
	}
	at, err := align.FirstDifference(context.Background(), o.Source, o.Span.Offset, n.Source, n.Span.Offset,
		n.Span.Size, nil)
	if err != nil {
		return plainSize(n.Span.Size) + " that cannot be read: " + err.Error()
	}
	return fmt.Sprintf("%s, first difference %#x bytes in", plainSize(n.Span.Size), at)
}
