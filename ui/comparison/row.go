package comparison

import (
	"assay/model"
	"assay/model/compare"
	"assay/ui/outline"
	"assay/ui/paint"
	"assay/ui/rows"
	"assay/ui/wording"
)

// Describe returns what stands in the row of a pair.
func (l *list) Describe(at place) outline.Row {
	p := l.pair(at)
	l.described.at, l.described.pair = place{In: at.In, Pos: at.Pos}, p
	v := valuesOf(l.c, p)
	sign := rows.Cell{Text: signIn(p), Tone: toneOf(p), Bold: true}
	if l.layout == twoTrees {
		cells := []rows.Cell{sign}
		for i, n := range []*model.Node{p.Old, p.New} {
			if n == nil {
				cells = append(cells, rows.Cell{}, rows.Cell{}, rows.Cell{})
				continue
			}
			cells = append(cells, l.name(p, n), kindCell(n), v.cell(p, i))
		}
		return outline.Row{Cells: cells}
	}
	change := changeOf(l.c, p)
	if change == "" && l.readable(p) {
		l.unread = append(l.unread, place{In: at.In, Pos: at.Pos})
	}
	return outline.Row{Cells: []rows.Cell{sign, l.name(p, p.Node()), kindCell(p.Node()), v.cell(p, 0), v.cell(p, 1),
		{Text: change, Tone: toneOf(p)}}}
}

// readable reports whether what changed in a pair can be found out by reading.
func (l *list) readable(p *compare.Pair) bool {
	return p.Status == compare.Changed && p.Leaf() && !l.c.BytesOnly &&
		long(p.Old) && long(p.New) && p.New.Size <= readMost
}

func kindCell(n *model.Node) rows.Cell { return rows.Cell{Text: n.Type, Tone: paint.Dim, Ends: true} }

// name is the name of a pair's node, or of its file.
func (l *list) name(p *compare.Pair, n *model.Node) rows.Cell {
	cell := rows.Cell{Text: n.Title(), Ends: true}
	switch {
	case p.Parent() == nil:
		return rows.Cell{Text: l.rootName(n), Ends: true, Bold: true}
	case p.Status == compare.Same || p.OneVersion:
		cell.Tone = paint.Dim
	case p.Status != compare.Changed:
		cell.Tone = toneOf(p)
	}
	if n.Key != n.Name && n.Key != n.CallName() {
		cell.Hint = n.Key
	}
	return cell
}

func (l *list) rootName(n *model.Node) string {
	old, new := l.c.Old.Source.Name(), l.c.New.Source.Name()
	switch {
	case l.layout == merged && old != new:
		return old + " → " + new
	case n == l.c.Old.Root() && l.layout == twoTrees:
		return old
	}
	return new
}

// signIn is the sign of a pair in the tree; a dot for one that only has something below it.
func signIn(p *compare.Pair) string {
	switch {
	case p.Status == compare.Same:
		return "="
	case p.Row() || p.Status != compare.Changed:
		return signOf(p.Status)
	case p.Counts.Differences() > 0:
		return "•"
	}
	return ""
}

// toneOf is the tone of a pair's state; what has no row of its own steps back.
func toneOf(p *compare.Pair) paint.Tone {
	if p.OneVersion {
		return paint.Dim
	}
	return toneOfStatus(p.Status)
}

func toneOfStatus(s compare.Status) paint.Tone {
	switch s {
	case compare.Changed:
		return paint.Changed
	case compare.Moved:
		return paint.Moved
	case compare.Added:
		return paint.Added
	case compare.Removed:
		return paint.Removed
	}
	return paint.Dim
}

// values are the old and the new value of a pair, with what differs lit.
type values struct {
	sides [2][]paint.Piece
	size  bool // not values, but how large something is
}

func valuesOf(c *compare.Comparison, p *compare.Pair) values {
	if p.Parent() == nil {
		a, b := c.Old.Kind(), c.New.Kind()
		if c.Old.Format != c.New.Format {
			return values{sides: [2][]paint.Piece{paint.Plain(a), paint.Plain(b)}}
		}
		a2, b2 := differ(a, b, false)
		return values{sides: [2][]paint.Piece{a2, b2}}
	}
	v := values{size: !p.Leaf() && p.Node().Value == nil}
	old, new := valueOf(p.Old), valueOf(p.New)
	switch {
	case p.Old == nil || p.New == nil:
		if old+new == "" {
			v.size = true
			old = wording.Count(p.Node().Size, "byte")
			new = old
		}
	case p.Status == compare.Changed && p.Leaf():
		if p.Old.Leaf() != p.New.Leaf() {
			old, new = orType(p.Old, old), orType(p.New, new)
		}
		v.sides[0], v.sides[1] = differ(old, new, true)
		return v
	case old != new && p.Status != compare.Same:
		v.sides[0], v.sides[1] = differ(old, new, true)
		return v
	}
	v.sides = [2][]paint.Piece{paint.Plain(old), paint.Plain(new)}
	return v
}

func orType(n *model.Node, value string) string {
	if value == "" {
		return "[" + n.Type + "]"
	}
	return value
}

// cell is the value of one side; nothing where the pair is not there.
func (v *values) cell(p *compare.Pair, side int) rows.Cell {
	if [2]*model.Node{p.Old, p.New}[side] == nil {
		return rows.Cell{}
	}
	cell := rows.Cell{Pieces: v.sides[side], Ground: toneOf(p)}
	switch {
	case v.size || p.Status == compare.Same || p.OneVersion:
		cell.Tone = paint.Dim
	case p.Status == compare.Added || p.Status == compare.Removed:
		cell.Tone = toneOf(p)
	}
	return cell
}
