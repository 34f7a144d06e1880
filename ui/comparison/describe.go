package comparison

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"

	"assay/model"
	"assay/model/compare"
	"assay/ui/wording"
)

const (
	changesListed  = 400
	contentsListed = 200
	valuesListed   = 2000
	rangesListed   = 1000
	textListed     = 32 << 10
)

// describePair gives the details of a pair that are known without reading.
func describePair(c *compare.Comparison, p *compare.Pair) (rows []detail, blocks []textBlock) {
	n := p.Node()
	name := n.Name
	if p.Parent() == nil {
		name = c.New.Source.Name()
	}
	if p.Parent() != nil && n.Key != "" && n.Key != name {
		name = n.Type + " " + n.Key
	} else if _, err := strconv.Atoi(name); err == nil {
		name = n.Type + " " + name
	}
	title := p.Status.String() + ": " + model.OneLine(name, 200)
	if p.OneVersion {
		title = "in one version only: " + model.OneLine(name, 200)
	}
	rows = append(rows, detail{kind: heading, label: title, status: p.Status})
	show := func(label string, cut bool, value func(n *model.Node) string) {
		old, new := "", ""
		if p.Old != nil {
			old = value(p.Old)
		}
		if p.New != nil {
			new = value(p.New)
		}
		switch {
		case old == "" && new == "":
		case p.Old != nil && p.New != nil && old == new:
			rows = append(rows, detail{kind: both, label: label, old: plain(new)})
		case p.Old == nil || p.New == nil:
			rows = append(rows, detail{label: label, old: plain(old), new: plain(new)})
		default:
			a, b := differ(old, new, cut)
			rows = append(rows, detail{label: label, old: a, new: b})
		}
	}
	add := func(label string, value func(n *model.Node) string) { show(label, true, value) }
	whole := func(label string, value func(n *model.Node) string) { show(label, false, value) }
	if p.Status == compare.Moved || p.Relocated {
		rows = append(rows, detail{kind: both, label: "Moved", old: plain(movedFrom(p))})
	}
	whole("Path", func(n *model.Node) string { return model.OneLine(n.PathText(), 1000) })
	add("Type", func(n *model.Node) string { return n.Type })
	whole("Key", func(n *model.Node) string { return model.OneLine(n.Key, 200) })
	if !(p.Parent() == nil) {
		add("Value", valueOf)
	} else {
		rows = append(rows, detail{label: "Format", old: plain(c.Old.Format + " " + c.Old.Variant), new: plain(c.New.Format + " " + c.New.Variant)})
	}
	if p.Status == compare.Changed && p.Leaf() {
		if d := changeOfLeaf(p); d != "" {
			rows = append(rows, detail{kind: both, label: "Difference", old: plain(d + percent(p))})
		}
	}
	at := func(n *model.Node) string { return hexOffset(n.Offset) }
	size := func(n *model.Node) string { return wording.Count(n.Size, "byte") }
	quiet := len(rows)
	add("Offset", at)
	add("Size", size)
	for i := quiet; i < len(rows) && p.Status != compare.Changed; i++ {
		rows[i].dim = true
	}
	if n.Role.Layout() {
		rows = append(rows, detail{kind: both, old: plain("belongs to the layout of the file"), dim: true})
	}
	rows = append(rows, transforms(p)...)
	return texts(p, rows)
}

func hexOffset(off int64) string { return fmt.Sprintf("%#x", off) }

// percent is how much a number grew, where that says something.
func percent(p *compare.Pair) string {
	a, ok := model.Float(p.Old.Value)
	b, ok2 := model.Float(p.New.Value)
	if !ok || !ok2 || a == 0 || a < 0 != (b < 0) {
		return ""
	}
	return fmt.Sprintf("  (%+.3g %%)", (b-a)/math.Abs(a)*100)
}

// texts shows long texts in full, with what differs lit.
func texts(p *compare.Pair, rows []detail) ([]detail, []textBlock) {
	var parts [2]string
	wanted := false
	for i, n := range []*model.Node{p.Old, p.New} {
		if n == nil {
			continue
		}
		if s, ok := n.Value.(string); ok && n.Raw == nil {
			parts[i] = s[:min(len(s), textListed)]
			wanted = wanted || len(s) > 24 || strings.ContainsAny(s, "\n\r")
		}
	}
	if !wanted {
		return rows, nil
	}
	a, b := plain(parts[0]), plain(parts[1])
	if p.Status == compare.Changed {
		a, b = differ(parts[0], parts[1], false)
	}
	var blocks []textBlock
	if parts[0] == parts[1] {
		rows = append(rows, detail{kind: heading, label: "Text"})
		return rows, []textBlock{{at: len(rows), pieces: b, side: 2}}
	}
	for i, pieces := range [][]piece{a, b} {
		if parts[i] == "" && [2]*model.Node{p.Old, p.New}[i] == nil {
			continue
		}
		rows = append(rows, detail{kind: heading, label: []string{"Old text", "New text"}[i]})
		blocks = append(blocks, textBlock{at: len(rows), pieces: pieces, side: i + 1})
	}
	return rows, blocks
}

// readPair gives the details that have to be read or gone through: the values of arrays that differ, the ranges of
// bytes, the changes below.
func readPair(ctx context.Context, c *compare.Comparison, p *compare.Pair, choose func(path model.Path)) []detail {
	if p.Status == compare.Changed && p.Leaf() {
		o, isArray := p.Old.Value.(model.Array)
		if n, also := p.New.Value.(model.Array); isArray && also {
			return changedValues(ctx, o, n)
		}
	}
	if p.Leaf() {
		return nil
	}
	if below := changesBelow(ctx, p, choose); len(below) > 0 {
		return below
	}
	return contents(p, choose)
}

// contents lists what is in a pair of which nothing below changed.
func contents(p *compare.Pair, choose func(path model.Path)) []detail {
	out := []detail{{kind: heading, label: "Contents"}}
	for i := range min(p.Len(), contentsListed) {
		c := p.Child(i)
		path := c.Path()
		l := detail{label: model.OneLine(c.Node().Name, 80), on: func() { choose(path) }}
		text := func(n *model.Node) []piece {
			if n == nil {
				return nil
			}
			v := valueOf(n)
			if v == "" && n.Key != "" {
				v = model.OneLine(n.Key, 80)
			}
			if v == "" {
				v = n.Type
			}
			return plain(v)
		}
		l.old, l.new = text(c.Old), text(c.New)
		if c.Old != nil && c.New != nil && flat(l.old) == flat(l.new) {
			l.kind, l.new = both, nil
		}
		out = append(out, l)
	}
	if k := p.Len() - contentsListed; k > 0 {
		out = append(out, detail{kind: both, label: "…", old: plain(wording.Number(int64(k)) + " more"), dim: true})
	}
	return out
}

// changedValues lists the numbers of two arrays that differ.
func changedValues(ctx context.Context, o, n model.Array) []detail {
	var out []detail
	total, more := int64(0), max(o.Len(), n.Len())-min(o.Len(), n.Len())
	const part = 4096
	for at := int64(0); at < max(o.Len(), n.Len()); at += part {
		if ctx.Err() != nil {
			return nil
		}
		a, errA := o.Slice(at, part)
		b, errB := n.Slice(at, part)
		if errA != nil || errB != nil {
			break
		}
		for i := range max(len(a), len(b)) {
			x, y := "", ""
			if i < len(a) {
				x = model.FormatValue(a[i])
			}
			if i < len(b) {
				y = model.FormatValue(b[i])
			}
			if x == y {
				continue
			}
			total++
			if len(out) < valuesListed {
				l := detail{label: fmt.Sprintf("[%d]", at+int64(i)), old: plain(x), new: plain(y)}
				if i < len(a) && i < len(b) {
					if d := compare.Difference(a[i], b[i]); d != "" {
						l.new = []piece{{y, false}, {"   " + d, false}}
					}
				}
				out = append(out, l)
			}
		}
	}
	title := fmt.Sprintf("%s of %s", wording.Number(total), wording.Count(max(o.Len(), n.Len()), "value"))
	if more == 0 {
		title += verb(total, " differs", " differ")
	} else {
		title += " differ, " + wording.Number(more) + " of them beyond the shorter array"
	}
	out = append([]detail{{kind: heading, label: title}}, out...)
	if total > valuesListed {
		out = append(out, detail{kind: both, label: "…", old: plain(wording.Number(total-valuesListed) + " more"), dim: true})
	}
	return out
}

func verb(n int64, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// ranges lists where the bytes of a pair differ.
func ranges(a *alignment, visit func(at int64)) []detail {
	if a == nil || a.edits == 0 || a.old.Size == 0 || a.new.Size == 0 {
		return nil
	}
	out := []detail{{kind: heading, label: "Bytes that differ: " + wording.Count(int64(a.edits), "range")}}
	n := 0
	for _, s := range a.stretches {
		if s.same {
			continue
		}
		if n++; n > rangesListed {
			out = append(out, detail{kind: both, label: "…", old: plain(wording.Number(int64(a.edits-rangesListed)) + " more"), dim: true})
			break
		}
		at := s.at
		out = append(out, detail{label: fmt.Sprintf("+%#x", s.new.Offset-a.new.Offset), old: plain(rangeText(s.old)), new: plain(rangeText(s.new)), on: func() { visit(at) }})
	}
	return out
}

func rangeText(s model.Span) string {
	if s.Size == 0 {
		return "nothing"
	}
	return where(s)
}
