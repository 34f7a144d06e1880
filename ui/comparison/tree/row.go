package tree

import (
	"strings"

	"assay/model"
	"assay/model/compare"
	"assay/ui/comparison/compared"
	"assay/ui/outline"
	"assay/ui/paint"
	"assay/ui/rows"
)

// Describe returns what stands in the row of a pair.
func (l *Tree) Describe(at place) outline.Row {
	p := l.Pair(at)
	l.described.at, l.described.pair = place{In: at.In, Pos: at.Pos}, p
	v := compared.ValuesOf(l.Comparison, p)
	sign := rows.Cell{Text: signIn(p), Tone: compared.Tone(p), Bold: true}
	if l.Layout == TwoTrees {
		cells := []rows.Cell{sign}
		for i, n := range []*model.Node{p.Old, p.New} {
			if n == nil {
				cells = append(cells, rows.Cell{}, rows.Cell{}, rows.Cell{})
				continue
			}
			name := l.name(p, n)
			l.note(&name, i, n)
			cells = append(cells, name, kindCell(n), v.Cell(p, i))
		}
		return outline.Row{Cells: cells}
	}
	change := compared.Change(l.Comparison, p)
	if change == "" && l.readable(p) {
		l.unread = append(l.unread, place{In: at.In, Pos: at.Pos})
	}
	name := l.name(p, p.Node())
	l.noteBoth(&name, p)
	return outline.Row{Cells: []rows.Cell{sign, name, kindCell(p.Node()), v.Cell(p, 0), v.Cell(p, 1),
		{Text: change, Tone: compared.Tone(p)}}}
}

// note marks the name of a node that has notes.
func (l *Tree) note(name *rows.Cell, side int, n *model.Node) {
	if l.noted == nil || n == nil {
		return
	}
	if flag, tip := l.noted(side, n); flag.Paint != nil {
		name.Flag, name.Tip = flag, tip
	}
}

// noteBoth marks the name of a pair of which a node has notes: where not both have the same, the tip says which.
func (l *Tree) noteBoth(name *rows.Cell, p *compare.Pair) {
	old := *name
	l.note(&old, 0, p.Old)
	l.note(name, 1, p.New)
	var tips []string
	if old.Tip != name.Tip && p.Old != nil && p.New != nil {
		for i, tip := range []string{old.Tip, name.Tip} {
			if tip != "" {
				tips = append(tips, []string{"Old: ", "New: "}[i]+tip)
			}
		}
		name.Tip = strings.Join(tips, "   ")
	} else if p.New == nil {
		name.Tip = old.Tip
	}
	if name.Flag.Paint == nil {
		name.Flag = old.Flag
	}
}

// readable reports whether what changed in a pair can be found out by reading.
func (l *Tree) readable(p *compare.Pair) bool {
	return p.Status == compare.Changed && p.Leaf() && !l.Comparison.BytesOnly &&
		compared.IsLong(p.Old) && compared.IsLong(p.New) && p.New.Size <= readMost
}

func kindCell(n *model.Node) rows.Cell { return rows.Cell{Text: n.Type, Tone: paint.Dim, Ends: true} }

// name is the name of a pair's node, or of its file.
func (l *Tree) name(p *compare.Pair, n *model.Node) rows.Cell {
	cell := rows.Cell{Text: n.Title(), Ends: true}
	switch {
	case p.Parent() == nil:
		return rows.Cell{Text: l.rootName(n), Ends: true, Bold: true}
	case p.Status == compare.Same || p.OneVersion:
		cell.Tone = paint.Dim
	case p.Status != compare.Changed:
		cell.Tone = compared.Tone(p)
	}
	if n.Key != n.Name && n.Key != n.CallName() {
		cell.Hint = n.Key
	}
	return cell
}

func (l *Tree) rootName(n *model.Node) string {
	old, new := l.Comparison.Old.Source.Name(), l.Comparison.New.Source.Name()
	switch {
	case l.Layout == Merged && old != new:
		return old + " → " + new
	case n == l.Comparison.Old.Root() && l.Layout == TwoTrees:
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
		return compared.Sign(p.Status)
	case p.Counts.Differences() > 0:
		return "•"
	}
	return ""
}
