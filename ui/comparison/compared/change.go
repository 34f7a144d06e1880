package compared

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"assay/model"
	"assay/model/compare"
	"assay/model/compare/changes"
	"assay/ui/host"
)

// Change says in a few words what became of a pair, as far as that is known without reading.
func Change(c *compare.Comparison, p *compare.Pair) string {
	change := ""
	switch {
	case p.OneVersion && p.Status == compare.Added:
		return "only in " + c.New.Variant
	case p.OneVersion:
		return "only " + c.Old.Variant + " has it"
	case p.Parent() == nil && c.BytesOnly && c.Note == "":
		return "" // the head says it
	case p.Parent() == nil && c.BytesOnly:
		return "only bytes were compared"
	case p.Status == compare.Changed && p.Leaf():
		change = LeafChange(p)
	case p.Status == compare.Changed:
		change = brief(p.Counts)
	}
	if p.Status != compare.Moved && !p.Relocated {
		return change
	}
	from := changes.WhereFrom(p)
	if change == "" || from == "" {
		return change + from
	}
	return change + ", " + from
}

// LeafChange says in a few words what changed in the value of a leaf; empty if its values say it.
func LeafChange(p *compare.Pair) string {
	if p.Old.Symbol() != "" || p.New.Symbol() != "" {
		return ""
	}
	if p.Old.Type != p.New.Type {
		return p.Old.Type + " → " + p.New.Type
	}
	switch o := p.Old.Value.(type) {
	case model.Array:
		n, ok := p.New.Value.(model.Array)
		if !ok {
			return ""
		}
		if o.Len() != n.Len() {
			return host.Number(o.Len()) + " → " + host.Count(n.Len(), "value")
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
		return fmt.Sprintf("%d of %s", k, host.Count(o.Len(), "value"))
	case model.Blob:
		if n, ok := p.New.Value.(model.Blob); ok && o.Span.Size != n.Span.Size {
			return Signed(n.Span.Size-o.Span.Size) + " bytes"
		}
		return ""
	case string:
		if n, ok := p.New.Value.(string); ok {
			if d := utf8.RuneCountInString(n) - utf8.RuneCountInString(o); d != 0 {
				return Signed(int64(d)) + " characters"
			}
		}
		return ""
	}
	return changes.Difference(p.Old.Value, p.New.Value)
}

// countedMost is how many values of an array are looked at to say how many differ.
const countedMost = 1 << 20

// LongChange says what changed in a long value, by reading it.
func LongChange(ctx context.Context, p *compare.Pair) string {
	o, isArray := p.Old.Value.(model.Array)
	n, also := p.New.Value.(model.Array)
	if isArray && also && o.Len() == n.Len() && o.Len() <= countedMost {
		if total, err := differing(ctx, o, n); err == nil {
			return host.Number(total) + " of " + host.Count(o.Len(), "value")
		}
	}
	return changes.LineOf(p).Change
}

// differing counts the values of two arrays that differ.
func differing(ctx context.Context, o, n model.Array) (total int64, err error) {
	err = EachValue(ctx, o, n, func(_ int64, a, b any) {
		if a != b && FormatValue(a) != FormatValue(b) { // NaN is not itself
			total++
		}
	})
	return total, err
}

// EachValue goes through the values of two arrays; nil stands for what one of them does not have.
func EachValue(ctx context.Context, o, n model.Array, visit func(at int64, a, b any)) error {
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

// transformed names the parts of a transform that changed; empty for what is none.
func transformed(p *compare.Pair) string {
	var s []string
	for _, t := range changes.Transform(p) {
		if t.Differs() {
			s = append(s, strings.ToLower(t.Field))
		}
	}
	return strings.Join(s, ", ")
}
