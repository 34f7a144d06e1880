package finding

import (
	"context"
	"time"

	"assay/model"
	"assay/model/search"
	"assay/ui/doc"
)

// reached is where something was found: a file, or the asset in it whose content it is in, with the documents on the
// way to that.
type reached struct {
	way  []*model.Document
	node *model.Node
}

func (r *reached) close() { model.CloseDocuments(r.way...) }

// preview shows the current hit beside the list.
func (t *Finder) preview(row int64) {
	g, hit := t.results.at(row)
	if g == nil {
		return
	}
	h := search.Hit{Span: model.Span{Size: -1}}
	if hit >= 0 {
		h = g.hits[hit]
	}
	t.opening.Open(func(ctx context.Context) (done, dropped func()) {
		if !t.Group.Pause(ctx, 120*time.Millisecond) { // whoever goes through the list looks at its end
			return nil, nil
		}
		r, err := t.reach(ctx, g.path, h)
		if err != nil {
			r.close()
			return nil, nil // the list says what is wrong with a file
		}
		return func() { t.show(r, h) }, r.close
	})
}

// reach opens what a hit is in, and finds its node.
func (t *Finder) reach(ctx context.Context, path string, h search.Hit) (r reached, err error) {
	d, err := t.OpenFile(ctx, path)
	if err != nil {
		return r, err
	}
	r.way = append(r.way, d)
	for _, a := range h.Assets[:h.Expanded] {
		src, err := a.Open(ctx, d)
		if err != nil {
			return r, err
		}
		if d, err = t.Open(ctx, src); err != nil {
			src.Close()
			return r, err
		}
		r.way = append(r.way, d)
	}
	r.node = d.Root()
	switch {
	case d.Content: // a text, a picture: it is seen as a whole
	case h.Path != "":
		if n, err := d.Find(h.Path); err == nil {
			r.node = n
		}
	case h.Span.Size >= 0:
		if n := d.Owner(h.Span.Offset); n != nil {
			r.node = n
		}
	}
	return r, nil
}

// show previews what was reached, and lets go of what was before.
func (t *Finder) show(r reached, h search.Hit) {
	before := t.shown
	if t.shown = r; r.node != nil {
		s := doc.Selection{Document: r.way[len(r.way)-1], Node: r.node, Offset: r.node.Offset}
		if h.Span.Size > 0 {
			s.Offset, s.Length = h.Span.Offset, h.Span.Size
		}
		t.look.Select(s)
	}
	before.close()
}
