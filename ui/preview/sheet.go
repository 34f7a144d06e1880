package preview

import (
	"context"
	"path"
	"slices"
	"strings"

	"fyne.io/fyne/v2"

	"assay/model"
	"assay/model/content"
	"assay/ui/doc"
	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/rows"
	"assay/ui/thumbnail"
	"assay/ui/work"
)

// sheets displays the assets of a document as tiles with their names; a click selects the asset.
type sheets struct {
	preview  *Preview
	choosing *work.Lane
	grid     *rows.Grid
	loader   *thumbnail.Loader
	sheet    *content.Sheet
}

var _ viewer = (*sheets)(nil)

func newSheets(h host.Host, style *paint.Style, group *work.Group, o thumbnail.Options, p *Preview) *sheets {
	s := &sheets{preview: p, choosing: group.Lane(), loader: thumbnail.New(group, o), sheet: &content.Sheet{}}
	s.grid = rows.NewGrid(h, style, s, thumbnail.Side)
	s.grid.GridEvents = rows.GridEvents{OnClick: s.choose, OnActivate: s.choose, OnDrag: s.drag,
		OnVisible: func(from, to int64, scale float32) {
			s.loader.Request(s.sheet.Document, scale, s.sheet.Assets[min(from, to):to])
		},
		OnMenu: func(i int64, pos fyne.Position) {
			s.goTo(i, func() {
				if p.OnMenu != nil {
					p.OnMenu(pos)
				}
			})
		}}
	s.loader.OnLoad = s.grid.Refresh
	return s
}

func (s *sheets) Content() fyne.CanvasObject { return s.grid }

// Load prepares a sheet. One of the same assets keeps its scroll position.
func (s *sheets) Load(_ context.Context, v model.View) (show func(), err error) {
	sheet := v.(*content.Sheet)
	return func() {
		unchanged := s.sheet.Document == sheet.Document && slices.Equal(s.sheet.Assets, sheet.Assets)
		s.sheet = sheet
		if !unchanged {
			s.grid.Top()
		}
		word := s.preview.overviews.Word(sheet.Document)
		text := host.Count(len(sheet.Assets), word)
		if len(sheet.Assets) < sheet.Total {
			text = "The first " + host.Number(len(sheet.Assets)) + " of " + host.Count(sheet.Total, word)
		}
		s.preview.caption.SetText(text)
	}, nil
}

func (s *sheets) Clear() {}

func (s *sheets) Len() int64 { return int64(len(s.sheet.Assets)) }

// Tile returns the tile of an asset.
func (s *sheets) Tile(i int64) rows.Tile {
	name := s.sheet.Names[i]
	word := strings.TrimPrefix(strings.ToUpper(path.Ext(name)), ".")
	if len(word) > maxWord {
		word = ""
	}
	folder := strings.TrimSuffix(path.Dir(name), ".")
	t := rows.Tile{Name: model.OneLine(path.Base(name), 300), Note: model.OneLine(folder, 300), Word: word,
		Picture: s.loader.Picture(s.sheet.Assets[i])}
	if s.sheet.Marks != nil {
		mark := s.sheet.Marks[i]
		if t.Frame = mark.Color; mark.Word == "" {
			t.Tone = paint.Dim
		} else {
			t.Note = mark.Word
		}
	}
	return t
}

// maxWord is the maximum length of an extension on an icon.
const maxWord = 5

func (s *sheets) choose(i int64) { s.goTo(i, func() {}) }

// goTo selects the asset of a tile, then calls done.
func (s *sheets) goTo(i int64, done func()) {
	if i >= 0 && i < s.Len() {
		s.goToAsset(s.sheet.Assets[i], done)
	}
}

// goToAsset selects an asset of the document, then calls done.
func (s *sheets) goToAsset(asset int, done func()) {
	if s.preview.OnAsset == nil {
		return
	}
	d := s.sheet.Document
	s.choosing.Go(func(context.Context) func() {
		n := doc.AssetNode(d, asset)
		if n == nil {
			return nil
		}
		return func() {
			s.preview.OnAsset(d, n)
			done()
		}
	})
}

// drag exports the selected assets by dragging.
func (s *sheets) drag(int64, fyne.Position) rows.Drag {
	if s.preview.OnDrag == nil {
		return nil
	}
	d, selection := s.sheet.Document, s.grid.Selection()
	var selected []int
	for _, part := range selection.All() {
		selected = append(selected, s.sheet.Assets[part.From:part.To]...)
	}
	return s.preview.OnDrag(d, doc.AssetNodes(d, selected, false))
}
