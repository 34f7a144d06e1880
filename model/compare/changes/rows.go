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
	if p.Was != nil {
		l.Change += ", " + whereFrom(p.Comparison(), p.Was, p.New, true)
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

// WhereFrom says where the node of a moved pair was, and what its key was.
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
		s = append(s, "renamed from "+model.OneLine(old.Key, 200)+alikeText(c.Alike(old, new)))
	}
	return strings.Join(s, ", ")
}

// alikeText says how much of the content of a renamed thing stayed; nothing if all of it did.
func alikeText(share float64) string {
	if share == 0 {
		return ""
	}
	return fmt.Sprintf(" (%d%% similar)", min(int(100*share), 99))
}

// Values is how the value of a leaf changed.
type Values struct {
	Lead     string // where in the value, or all that is said
	Old, New string // empty where only Lead says it
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
