package comparison

import (
	"context"
	"fmt"
	"math"
	"strings"

	"assay/model"
	"assay/model/compare"
	"assay/model/scene"
)

const (
	changesListed = 400
	valuesListed  = 2000
	rangesListed  = 1000
	textListed    = 32 << 10
)

// describePair gives the details of a pair that are known without reading.
func describePair(c *compare.Comparison, p *compare.Pair) (rows []detail, blocks []textBlock) {
	n := p.Node()
	name := n.Name
	if p.Parent() == nil {
		name = c.New.Source.Name()
	}
	title := p.Status.String() + ": " + model.OneLine(name, 200)
	if p.OneVersion {
		title = "in one version only: " + model.OneLine(name, 200)
	}
	rows = append(rows, detail{kind: heading, label: title, status: p.Status})
	add := func(label string, value func(n *model.Node) string) {
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
			a, b := differ(old, new, true)
			rows = append(rows, detail{label: label, old: a, new: b})
		}
	}
	if p.Status == compare.Moved || p.Relocated {
		rows = append(rows, detail{kind: both, label: "Moved", old: plain(movedFrom(p))})
	}
	add("Path", func(n *model.Node) string { return model.OneLine(n.PathText(), 1000) })
	add("Type", func(n *model.Node) string { return n.Type })
	add("Key", func(n *model.Node) string { return model.OneLine(n.Key, 200) })
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
	size := func(n *model.Node) string { return count(n.Size, "byte") }
	quiet := len(rows)
	add("Offset", at)
	add("Size", size)
	for i := quiet; i < len(rows) && p.Status != compare.Changed; i++ {
		rows[i].dim = true
	}
	if n.Layout {
		rows = append(rows, detail{kind: both, old: plain("belongs to the layout of the file"), dim: true})
	}
	rows = append(rows, transforms(p)...)
	return texts(p, rows)
}

func hexOffset(off int64) string { return fmt.Sprintf("%#x", off) }

// percent is how much a number grew, where that says something.
func percent(p *compare.Pair) string {
	a, ok := number(p.Old.Value)
	b, ok2 := number(p.New.Value)
	if !ok || !ok2 || a == 0 || a < 0 != (b < 0) {
		return ""
	}
	return fmt.Sprintf("  (%+.3g %%)", (b-a)/math.Abs(a)*100)
}

func number(v any) (float64, bool) {
	switch v := v.(type) {
	case int64:
		return float64(v), true
	case uint64:
		return float64(v), true
	case float32:
		return float64(v), true
	case float64:
		return v, true
	}
	return 0, false
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

// transforms tells 4x4 matrices as people think of them: moved, turned, scaled.
func transforms(p *compare.Pair) []detail {
	var parts [2]scene.TRS
	for i, n := range []*model.Node{p.Old, p.New} {
		if n == nil {
			return nil
		}
		m, ok := matrixOf(n)
		if !ok {
			return nil
		}
		var exact bool
		if parts[i], exact = m.Parts(); !exact {
			return nil
		}
	}
	out := []detail{{kind: heading, label: "As a transform"}}
	add := func(label string, tell func(t scene.TRS) string) {
		a, b := tell(parts[0]), tell(parts[1])
		if a == b {
			out = append(out, detail{kind: both, label: label, old: plain(b), dim: true})
			return
		}
		x, y := differ(a, b, false)
		out = append(out, detail{label: label, old: x, new: y})
	}
	add("Position", func(t scene.TRS) string { return triple(t.Translation) })
	add("Rotation", func(t scene.TRS) string { return turn(t.Rotation) })
	add("Scale", func(t scene.TRS) string { return triple(t.Scale) })
	return out
}

func matrixOf(n *model.Node) (scene.Matrix, bool) {
	var m scene.Matrix
	a, ok := n.Value.(model.Array)
	if !ok || a.Len() != int64(len(m)) {
		return m, false
	}
	v, err := a.Slice(0, a.Len())
	if err != nil || len(v) != len(m) {
		return m, false
	}
	for i := range v {
		f, ok := number(v[i])
		if _, integer := v[i].(uint64); !ok || integer || math.IsNaN(f) || math.IsInf(f, 0) {
			return m, false
		}
		m[i] = float32(f)
	}
	return m, m[3] == 0 && m[7] == 0 && m[11] == 0 && m[15] == 1
}

func short(v float32) string {
	if math.Abs(float64(v)) < 5e-6 {
		v = 0
	}
	return fmt.Sprintf("%.5g", v)
}

func triple(v [3]float32) string {
	return short(v[0]) + ", " + short(v[1]) + ", " + short(v[2])
}

// turn tells a quaternion as an angle about an axis.
func turn(q [4]float32) string {
	w := min(1, max(-1, float64(q[3])))
	s := math.Sqrt(float64(q[0]*q[0] + q[1]*q[1] + q[2]*q[2]))
	if s < 1e-5 {
		return "none"
	}
	angle := 2 * math.Atan2(s, w) * 180 / math.Pi
	axis := [3]float32{float32(float64(q[0]) / s), float32(float64(q[1]) / s), float32(float64(q[2]) / s)}
	if angle > 180 {
		angle = 360 - angle
		axis = [3]float32{-axis[0], -axis[1], -axis[2]}
	}
	for i, name := range []string{"x", "y", "z"} {
		if math.Abs(float64(axis[i])) > 0.9999 {
			if axis[i] < 0 {
				angle = -angle
			}
			return fmt.Sprintf("%.4g° about %s", angle, name)
		}
	}
	return fmt.Sprintf("%.4g° about (%.3g, %.3g, %.3g)", angle, axis[0], axis[1], axis[2])
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
	return changesBelow(ctx, p, choose)
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
	title := fmt.Sprintf("%s of %s", grouped(total), count(max(o.Len(), n.Len()), "value"))
	if more == 0 {
		title += verb(total, " differs", " differ")
	} else {
		title += " differ, " + grouped(more) + " of them beyond the shorter array"
	}
	out = append([]detail{{kind: heading, label: title}}, out...)
	if total > valuesListed {
		out = append(out, detail{kind: both, label: "…", old: plain(grouped(total-valuesListed) + " more"), dim: true})
	}
	return out
}

func verb(n int64, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// changesBelow lists the rows of the report below a pair.
func changesBelow(ctx context.Context, top *compare.Pair, choose func(path model.Path)) []detail {
	if top.Counts.Differences() == 0 || top.Status == compare.Added || top.Status == compare.Removed {
		return nil
	}
	var out []detail
	base := top.Path()
	prefix := ""
	if top.Parent() != nil {
		prefix = top.Node().PathText()
	}
	listed, total := 0, int64(0)
	for p := top.Next(); p != nil && ctx.Err() == nil; p = p.Next() {
		path := p.Path()
		if len(path) <= len(base) || !path[:len(base)].Equal(base) {
			break
		}
		if p.Status == compare.Changed && !p.Leaf() {
			continue
		}
		total++
		if listed >= changesListed {
			if total > 4*changesListed {
				break
			}
			continue
		}
		listed++
		name := strings.TrimPrefix(strings.TrimPrefix(p.Node().PathText(), prefix), "/")
		if k := keyedParent(p, top); k != "" {
			name += "   " + k
		}
		visit := func() { choose(path) }
		out = append(out, detail{kind: entry, old: plain(model.OneLine(name, 400)), status: p.Status, on: visit})
		old, new := valueOf(p.Old), valueOf(p.New)
		if p.Status == compare.Changed {
			a, b := differ(old, new, true)
			if old == new {
				a, b = nil, plain(changeOf(nil, p))
			}
			out = append(out, detail{old: a, new: b, on: visit})
		} else if p.Status == compare.Moved {
			out = append(out, detail{kind: both, old: plain(movedFrom(p)), dim: true, on: visit})
		}
	}
	if len(out) == 0 {
		return nil
	}
	out = append([]detail{{kind: heading, label: "What changed here"}}, out...)
	if total > changesListed {
		out = append(out, detail{kind: both, label: "…", old: plain("and more"), dim: true})
	}
	return out
}

// keyedParent is the key of what a change is in, for people who know things by their names.
func keyedParent(p, top *compare.Pair) string {
	for up := p; up != nil && len(up.Path()) > len(top.Path()); up = up.Parent() {
		if n := up.Node(); n.Key != "" {
			if n.Key == n.Name {
				return ""
			}
			return model.OneLine(n.Key, 80)
		}
	}
	return ""
}

// ranges lists where the bytes of a pair differ.
func ranges(a *alignment, visit func(at int64)) []detail {
	if a == nil || a.edits == 0 || a.old.Size == 0 || a.new.Size == 0 {
		return nil
	}
	out := []detail{{kind: heading, label: "Bytes that differ: " + count(int64(a.edits), "range")}}
	n := 0
	for _, s := range a.stretches {
		if s.same {
			continue
		}
		if n++; n > rangesListed {
			out = append(out, detail{kind: both, label: "…", old: plain(grouped(int64(a.edits-rangesListed)) + " more"), dim: true})
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
	return fmt.Sprintf("%s at %#x", count(s.Size, "byte"), s.Offset)
}
