package doc

import (
	"context"

	"assay/model"
	"assay/ui/hex"
	"assay/ui/noted"
	"assay/ui/work"
)

// tints are the fields, problems and hits in and around what the hex view shows. Fields are found in the background.
type tints struct {
	lane     *work.Lane
	hex      *hex.Hex
	problems *problems
	hits     *hits
	notes    *noteList
	doc      *model.Document

	known, asked model.Span // where fields are known, and where they are looked for
	fields       []hex.Mark
}

func (t *tints) setDocument(d *model.Document) {
	t.doc = d
	t.forget()
}

func (t *tints) forget() {
	t.lane.Stop()
	t.known, t.asked = model.Span{}, model.Span{}
}

const (
	tintAround  = 2048 // bytes before and after the view in which fields are looked for
	problemsMax = 200  // a frame does not look at more
)

// marks returns those of a range.
func (t *tints) marks(offset, length int64) []hex.Mark {
	end := offset + length
	if offset < t.known.Offset || end > t.known.End() {
		t.find(offset, end)
	}
	var out []hex.Mark
	for _, f := range t.fields {
		if f.Offset < end && f.Offset+f.Length > offset {
			out = append(out, f)
		}
	}
	out = append(out, noted.Marks(t.notes.placed, t.doc.Source.Size(), model.Span{Offset: offset, Size: length})...)
	if r := t.problems.report; r != nil {
		for _, problem := range r.Problems[:min(len(r.Problems), problemsMax)] {
			s := problem.Span
			if problem.Severity > model.Note && s.Size > 0 && s.Size < t.doc.Source.Size()/2 && s.Offset < end &&
				s.End() > offset {
				out = append(out, hex.Mark{Offset: s.Offset, Length: s.Size, Kind: hex.Trouble})
			}
		}
	}
	return append(out, t.hits.marks(offset, end)...)
}

// find finds the fields in and around a range.
func (t *tints) find(from, to int64) {
	if t.asked.Size > 0 && t.asked.Offset <= from && t.asked.End() >= to {
		return
	}
	from, to = max(0, from-tintAround), min(t.doc.Source.Size(), to+tintAround)
	t.asked = model.Span{Offset: from, Size: to - from}
	d := t.doc
	t.lane.Go(func(ctx context.Context) func() {
		fields := fieldsIn(ctx, d, from, to)
		return func() {
			t.known, t.asked, t.fields = t.asked, model.Span{}, fields
			t.hex.Refresh()
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
			n = d.OwnerNear(last, off)
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

// after returns the leaf after last if it owns the byte at off: nearly always it does.
func after(last *model.Node, off int64) *model.Node {
	if last == nil || last.Parent == nil || last.Index+1 >= last.Parent.Len() {
		return nil
	}
	if n := last.Parent.Child(last.Index + 1); n.Leaf() && n.Contains(off) && n.Type != model.Gap {
		return n
	}
	return nil
}
