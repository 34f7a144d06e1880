package doc

import (
	"context"

	"assay/model"
	"assay/ui/hex"
	"assay/ui/work"
)

// marks are the fields, problems and hits in and around what the hex view shows, found in the background.
type marks struct {
	lane     *work.Lane
	from, to int64 // what is known
	asked    int64 // where what is being looked for begins; -1: nothing is
	to2      int64
	fields   []hex.Mark
}

func (m *marks) forget() {
	m.lane.Stop()
	m.from, m.to, m.asked = 0, 0, -1
}

// tintAround is how far before and behind the view fields are looked for.
const tintAround = 2048

// tint gives the marks of a range.
func (p *Pane) tint(offset, length int64) []hex.Mark {
	m := &p.marks
	end := offset + length
	if offset < m.from || end > m.to {
		p.findFields(offset, end)
	}
	var out []hex.Mark
	for _, f := range m.fields {
		if f.Offset < end && f.Offset+f.Length > offset {
			out = append(out, f)
		}
	}
	if p.report != nil {
		for i, problem := range p.report.Problems {
			if i == 200 { // a frame does not look at more
				break
			}
			if s := problem.Span; problem.Severity > model.Note && s.Size > 0 && s.Size < p.doc.Source.Size()/2 && s.Offset < end && s.End() > offset {
				out = append(out, hex.Mark{Offset: s.Offset, Length: s.Size, Kind: hex.Trouble})
			}
		}
	}
	return append(out, p.search.marks(offset, end)...)
}

func (p *Pane) findFields(from, to int64) {
	m := &p.marks
	from, to = max(0, from-tintAround), min(p.doc.Source.Size(), to+tintAround)
	if m.asked >= 0 && m.asked <= from+tintAround && m.to2 >= to-tintAround {
		return
	}
	m.asked, m.to2 = from, to
	d := p.doc
	m.lane.Go(func(ctx context.Context) func() {
		fields := fieldsIn(ctx, d, from, to)
		return func() {
			m.asked = -1
			m.from, m.to, m.fields = from, to, fields
			p.hex.Refresh()
		}
	})
}

// fieldsIn lists the leaves of a range, tinted by their place among their siblings.
func fieldsIn(ctx context.Context, d *model.Document, from, to int64) []hex.Mark {
	var out []hex.Mark
	var last *model.Node
	for off := from; off < to && ctx.Err() == nil; {
		n := after(last, off)
		if n == nil {
			n = d.Owner(off)
		}
		last = n
		if n == nil || n.Size <= 0 {
			off++
			continue
		}
		if n.Type != model.Gap {
			kind := hex.TintA
			if n.Index&1 == 1 {
				kind = hex.TintB
			}
			out = append(out, hex.Mark{Offset: n.Offset, Length: n.Size, Kind: kind})
		}
		off = max(off+1, n.End())
	}
	return out
}

// after gives the leaf behind last if it owns the byte at off: nearly always it does.
func after(last *model.Node, off int64) *model.Node {
	if last == nil || last.Parent == nil || last.Index+1 >= last.Parent.Len() {
		return nil
	}
	if n := last.Parent.Child(last.Index + 1); n.Leaf() && n.Contains(off) && n.Type != model.Gap {
		return n
	}
	return nil
}
