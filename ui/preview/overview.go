package preview

import (
	"context"

	"assay/model"
	"assay/model/archive"
	"assay/model/content"
	"assay/model/render"
	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/thumbnail"
	"assay/ui/work"
)

// overviews shows files of assets as a whole, with the first pictures among them.
type overviews struct {
	*Overview
	preview  *Preview
	pictures *sheets
}

var _ viewer = (*overviews)(nil)

func newOverviews(h host.Host, style *paint.Style, group *work.Group, o thumbnail.Options, p *Preview) *overviews {
	v := &overviews{preview: p, pictures: newSheets(h, style, group, o, p)}
	v.Overview = NewOverview(h, style, v.pictures.Content())
	p.OnKind, p.OnProblem, p.OnProblems = func(string) {}, func(model.Problem) {}, func() {}
	v.Events = Events{
		OnAsset:    func(i int) { v.pictures.goToAsset(i, func() {}) },
		OnKind:     func(name string) { p.OnKind(name) },
		OnProblem:  func(problem model.Problem) { p.OnProblem(problem) },
		OnProblems: func() { p.OnProblems() },
	}
	return v
}

// Load finds the pictures of an overview: its own, else the first assets if any of them can be drawn.
func (v *overviews) Load(ctx context.Context, view model.View) (show func(), err error) {
	o := view.(*archive.Overview)
	pictures := o.Pictures
	if painter := (&render.Painter{Size: thumbnail.Side, Open: v.preview.finder.Open}); len(pictures) == 0 &&
		painter.Draws(ctx, o.Document) {
		for i := range min(o.Len(), galleryMost) {
			pictures = append(pictures, i)
		}
	}
	sheet, err := content.SheetOfAssets(ctx, o.Document, pictures)
	if err != nil {
		return nil, err
	}
	tiles, err := v.pictures.Load(ctx, sheet)
	return func() {
		tiles()
		v.Show(o, len(pictures) > 0)
		v.preview.say(Said(o))
	}, err
}

// galleryMost is how many assets without pictures of their own are tried.
const galleryMost = 24

// overviewOf returns the overview of a document of several assets; nil for others.
func overviewOf(ctx context.Context, d *model.Document, all *archive.Shared) (*archive.Overview, error) {
	if all == nil || d.Payloads == nil || d.Payloads.Len() < 2 {
		return nil, nil
	}
	a, err := all.Read(ctx, func(*archive.Archive) {})
	if err != nil {
		return nil, err
	}
	return a.Overview(), nil
}
