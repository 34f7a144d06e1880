package comparison

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"assay/model"
	"assay/model/compare"
	"assay/model/compare/changes"
	"assay/model/compare/texts"
	"assay/ui/paint"
	"assay/ui/wording"
)

const (
	headLong = 28 // bytes of what is alike at the beginning that may stay before the first difference
	headKept = 10
)

// differ marks what differs between two texts, word by word where they have as many words, else in the middle. cut
// leaves out what is alike at the beginning, if that is long.
func differ(old, new string, cut bool) (a, b []paint.Piece) {
	if old == new {
		return paint.Plain(old), paint.Plain(new)
	}
	x, y := texts.Words(old, new)
	a, b = painted(x), painted(y)
	if !cut {
		return a, b
	}
	if len(a) > 0 && len(b) > 0 && !a[0].Lit && a[0].Text == b[0].Text && len(a[0].Text) > headLong {
		tail := model.OneLine(a[0].Text, 1<<30)
		tail = tail[len(tail)-headKept:]
		for !utf8.RuneStart(tail[0]) {
			tail = tail[1:]
		}
		a[0].Text, b[0].Text = "… "+tail, "… "+tail
	}
	return a, b
}

func painted(pieces []texts.Piece) []paint.Piece {
	var out []paint.Piece
	for _, p := range pieces {
		out = append(out, paint.Piece(p))
	}
	return out
}

// valueOf is what stands for a node in one line: its value, or how large what is below it is.
func valueOf(n *model.Node) string {
	if n == nil {
		return ""
	}
	if b, ok := n.Value.(model.Blob); ok && n.Symbol() == "" {
		return wording.Count(b.Span.Size, "byte")
	}
	if v := n.ValueText(); v != "" {
		return v
	}
	if k := n.Elements(); strings.HasSuffix(n.Type, "[]") && !n.Leaf() {
		return wording.Count(int64(k), "element")
	}
	if _, text := n.Value.(string); text {
		return `""`
	}
	return ""
}

// long says that a value is not all in its text: what changed is found by reading.
func long(n *model.Node) bool {
	if n == nil {
		return false
	}
	switch v := n.Value.(type) {
	case model.Array:
		return v.Len() > 16
	case model.Blob:
		return true
	}
	return n.Leaf() && n.Value == nil && n.Symbol() == ""
}

// changeOf says in a few words what became of a pair, as far as that is known without reading.
func changeOf(c *compare.Comparison, p *compare.Pair) string {
	var s []string
	add := func(t string) {
		if t != "" {
			s = append(s, t)
		}
	}
	switch {
	case p.OneVersion && p.Status == compare.Added:
		return "only " + c.New.Variant + " has it"
	case p.OneVersion:
		return "only " + c.Old.Variant + " has it"
	case p.Parent() == nil && c.BytesOnly && c.Note == "":
		return "" // the head says it
	case p.Parent() == nil && c.BytesOnly:
		return "only bytes were compared"
	case p.Status == compare.Changed && p.Leaf():
		add(changeOfLeaf(p))
	case p.Status == compare.Changed:
		add(brief(p.Counts, p.Row()))
	}
	if p.Status == compare.Moved || p.Relocated {
		add(movedFrom(p))
	}
	return strings.Join(s, ", ")
}

func changeOfLeaf(p *compare.Pair) string {
	if p.Old.Symbol() != "" || p.New.Symbol() != "" {
		return ""
	}
	if p.Old.Type != p.New.Type {
		return p.Old.Type + " became " + p.New.Type
	}
	switch o := p.Old.Value.(type) {
	case model.Array:
		n, ok := p.New.Value.(model.Array)
		if !ok {
			return ""
		}
		if o.Len() != n.Len() {
			return wording.Number(o.Len()) + " → " + wording.Count(n.Len(), "value")
		}
		if o.Len() > 16 {
			return ""
		}
		if t := transformed(p); t != "" {
			return t
		}
		k, err := differing(context.Background(), o, n)
		if err != nil {
			return ""
		}
		return fmt.Sprintf("%d of %s", k, wording.Count(o.Len(), "value"))
	case model.Blob:
		if n, ok := p.New.Value.(model.Blob); ok && o.Span.Size != n.Span.Size {
			return signed(n.Span.Size-o.Span.Size) + " bytes"
		}
		return ""
	case string:
		if n, ok := p.New.Value.(string); ok {
			if d := utf8.RuneCountInString(n) - utf8.RuneCountInString(o); d != 0 {
				return signed(int64(d)) + " characters"
			}
		}
		return ""
	}
	return changes.Difference(p.Old.Value, p.New.Value)
}

// countedMost is how many values of an array are looked at to say how many differ.
const countedMost = 1 << 20

// changeOfLong says what changed in a long value, by reading it.
func changeOfLong(ctx context.Context, p *compare.Pair) string {
	o, isArray := p.Old.Value.(model.Array)
	n, also := p.New.Value.(model.Array)
	if !isArray || !also || o.Len() != n.Len() || o.Len() > countedMost {
		return changes.LineOf(p).Change
	}
	total, err := differing(ctx, o, n)
	if err != nil {
		return changes.LineOf(p).Change
	}
	return wording.Number(total) + " of " + wording.Count(o.Len(), "value")
}

// differing counts the values of two arrays that differ.
func differing(ctx context.Context, o, n model.Array) (total int64, err error) {
	err = pairwise(ctx, o, n, func(_ int64, a, b any) {
		if a != b && formatted(a) != formatted(b) { // NaN is not itself
			total++
		}
	})
	return total, err
}

// pairwise goes through the values of two arrays; nil stands for what one of them does not have.
func pairwise(ctx context.Context, o, n model.Array, visit func(at int64, a, b any)) error {
	const part = 4096
	for at := int64(0); at < max(o.Len(), n.Len()); at += part {
		a, errA := o.Slice(at, part)
		b, errB := n.Slice(at, part)
		if err := cmp.Or(ctx.Err(), errA, errB); err != nil {
			return err
		}
		value := func(v []any, i int) any {
			if i < len(v) {
				return v[i]
			}
			return nil
		}
		for i := range max(len(a), len(b)) {
			visit(at+int64(i), value(a, i), value(b, i))
		}
	}
	return nil
}

func movedFrom(p *compare.Pair) string {
	from, to := p.Old.PathText(), p.New.PathText()
	switch {
	case p.Old.Key != p.New.Key && from != to:
		return "was " + model.OneLine(p.Old.Key, 100) + " at " + model.OneLine(from, 200)
	case p.Old.Key != p.New.Key:
		return "was called " + model.OneLine(p.Old.Key, 100)
	case from != to:
		return "was " + model.OneLine(from, 200)
	}
	return fmt.Sprintf("was at %#x", p.Old.Offset)
}

// brief is the numbers of rows below a pair with their signs; own says that one of them is the pair itself.
func brief(c compare.Counts, own bool) string {
	if own && c.Changed > 0 {
		c.Changed--
	}
	var s []string
	for _, st := range []compare.Status{compare.Changed, compare.Moved, compare.Added, compare.Removed} {
		if n := c.Of(st); n > 0 {
			s = append(s, signOf(st)+wording.Number(n))
		}
	}
	return strings.Join(s, "  ")
}

// inWords is the numbers of rows below a pair in words.
func inWords(c compare.Counts, own bool) string {
	if own && c.Changed > 0 {
		c.Changed--
	}
	var s []string
	for _, st := range []compare.Status{compare.Changed, compare.Moved, compare.Added, compare.Removed} {
		if n := c.Of(st); n > 0 {
			s = append(s, wording.Number(n)+" "+st.String())
		}
	}
	return strings.Join(s, ", ")
}

// signOf is a state's sign as it is painted: the minus as wide as the plus.
func signOf(s compare.Status) string {
	if s == compare.Removed {
		return "−"
	}
	return s.Sign()
}

func signed(n int64) string {
	if n > 0 {
		return "+" + wording.Number(n)
	}
	return wording.Number(n)
}
