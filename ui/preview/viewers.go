package preview

import (
	"context"
	"image"
	"path"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"assay/model"
	"assay/model/archive"
	"assay/model/content"
	"assay/model/render"
	"assay/model/scene"
	modeltext "assay/model/text"
	"assay/ui/control"
	"assay/ui/doc"
	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/picture"
	"assay/ui/rows"
	"assay/ui/text"
	"assay/ui/thumbnail"
	"assay/ui/work"
)

type texts struct{ *text.View }

var _ viewer = texts{}

// Load highlights the syntax at the beginning of a text.
func (t texts) Load(ctx context.Context, v model.View) (show func(), err error) {
	ready := text.Load(ctx, v.(*modeltext.Text))
	return func() {
		t.Show(ready)
		t.SetIndented(t.IsOneLine())
	}, nil
}

// SelectText selects bytes of a displayed text file, and scrolls to them.
func (p *Preview) SelectText(offset, length int64) {
	if t, ok := p.viewer.(texts); ok {
		t.SetIndented(false)
		t.SetCaret(offset, length)
	}
}

type pictures struct{ *picture.View }

var _ viewer = pictures{}

func (p pictures) Load(ctx context.Context, v model.View) (show func(), err error) {
	r, err := picture.Load(ctx, v.(model.Picture))
	if err != nil {
		return nil, err
	}
	return func() { p.Show(r) }, nil
}

// RevealPart centers a part of the displayed picture and outlines it.
func (p *Preview) RevealPart(part image.Rectangle) { p.pictures.Reveal(part) }

// LinkPictures synchronizes the position and the zoom of the pictures of two previews.
func (p *Preview) LinkPictures(o *Preview) {
	p.pictures.Link(o.pictures.View)
}

// missingResources is a notice below a scene with missing files, with a button to search for them. The caption names
// the files.
type missingResources struct {
	text *widget.Label
	bar  *fyne.Container
}

func newMissing(h host.Host, choose func()) *missingResources {
	l := &missingResources{text: widget.NewLabel("Missing files")}
	button := control.NewIcon(h, nil, "Choose another folder to search for missing materials and textures", choose)
	button.Text, button.Importance = "Choose Folder…", widget.MediumImportance
	l.text.Truncation = fyne.TextTruncateEllipsis
	l.text.SizeName = theme.SizeNameCaptionText
	l.text.Importance = widget.WarningImportance
	l.bar = container.NewBorder(nil, nil, nil, button, l.text)
	l.bar.Hide()
	return l
}

// show displays the notice for an incomplete scene, or for a whole file that is not drawn and lacks other files. It
// hides the notice for other views.
func (l *missingResources) show(v model.View, isWhole bool, r *model.Report) {
	caption := ""
	if s, ok := v.(*scene.Scene); ok && s.Incomplete && len(s.Absent) == 0 {
		caption = "Files of the same name in other folders are used"
	} else if ok && s.Incomplete {
		caption = "Missing files"
	} else if isWhole && (isPlain(v) || v.ViewKind() == model.PropertiesView) && r != nil {
		if i := slices.IndexFunc(r.Problems, func(p model.Problem) bool { return p.Absent }); i >= 0 {
			caption = host.SentenceOf(r.Problems[i].Message)
		}
	}
	l.text.SetText(caption)
	paint.SetVisible(l.bar, caption != "")
}

// overviews displays files of assets as a whole, with the first pictures among them.
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

// Load finds the pictures of an overview: its own, and the first assets of a list of files, or of a file without
// pictures but with assets that can be drawn.
func (v *overviews) Load(ctx context.Context, view model.View) (show func(), err error) {
	o := view.(*archive.Overview)
	pictures, isList := o.Pictures, v.preview.options.File != nil
	if painter := (&render.Painter{Size: thumbnail.Side, Open: v.preview.finder.Open}); isList ||
		len(pictures) == 0 && painter.Draws(ctx, o.Document) {
		for i := 0; i < o.Len() && len(pictures) < maxGallery; i++ {
			if !slices.Contains(pictures, i) {
				pictures = append(pictures, i)
			}
		}
	}
	for i := 0; i < min(o.Len(), maxGallerySearched) && len(pictures) < maxGallery; i++ {
		if c := o.Class(i); (c == archive.Scene || c == archive.Font) && !slices.Contains(pictures, i) {
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
		v.preview.setCaption(v.Summary(o))
	}, err
}

// The maximum numbers of drawn assets in a file with few pictures, and of assets that are looked at to find them.
const (
	maxGallery         = 24
	maxGallerySearched = 100_000
)

// overviewOf returns the overview of a document of several assets, or nil.
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

// properties displays the fields of a node as a table; the selected field is current.
type properties struct {
	preview *Preview
	table   *rows.Table
	node    *model.Node
	row     int // row of child
	child   *model.Node
}

var (
	_ viewer         = (*properties)(nil)
	_ rows.TableData = (*properties)(nil)
)

func newProperties(h host.Host, style *paint.Style, owner *Preview) *properties {
	p := &properties{preview: owner}
	p.table = rows.NewTable(h, style, p, rows.Options{Header: true, MinSize: fyne.NewSize(80, 40), Grow: 800},
		rows.Column{Title: "Field", Width: 100}, rows.Column{Title: "Value", Width: 120},
		rows.Column{Title: "Type", Width: 80})
	p.table.OnActivate = func(row int) {
		if owner.OnAsset != nil && owner.current.Asset < 0 { // not a field of a file in the file
			owner.OnAsset(owner.viewDocument, p.nodeAt(row))
		}
	}
	return p
}

func (p *properties) Content() fyne.CanvasObject { return p.table }

func (p *properties) Load(_ context.Context, v model.View) (show func(), err error) {
	t := v.(*content.Properties)
	return func() {
		if p.node != t.Node {
			p.node, p.child = t.Node, nil
			p.table.SetData(p)
		}
		p.table.SetCurrent(t.Current)
		n, noun := t.Node.Len(), "field"
		if isList(t.Node) {
			n, noun = t.Node.ElementCount(), "element"
		}
		caption := host.Count(n, noun) + " · " + host.Count(t.Node.Size, "byte")
		if p.preview.current.Asset >= 0 && t.Node.Parent != nil { // the name is that of the asset
			caption = t.Node.TitlePath() + " · " + caption
		}
		p.preview.setCaption(caption)
	}, nil
}

func isList(n *model.Node) bool { return strings.HasSuffix(n.Type, "[]") && !n.Leaf() }

func (p *properties) Clear() {
	p.node, p.child = nil, nil
	p.table.SetData(p)
}

func (p *properties) Len() int {
	if p.node == nil {
		return 0
	}
	return p.node.Len()
}

// nodeAt returns a field.
func (p *properties) nodeAt(row int) *model.Node {
	if p.child == nil || p.row != row {
		p.row, p.child = row, p.node.Child(row)
	}
	return p.child
}

func (p *properties) Cell(row, column int) rows.Cell {
	n := p.nodeAt(row)
	switch column {
	case 0:
		return rows.Cell{Text: n.Title(), CutMiddle: true}
	case 2:
		return rows.Cell{Text: n.Type, Tone: paint.Dim, CutMiddle: true}
	}
	value := rows.Cell{Text: host.Value(n)}
	switch {
	case value.Text != "":
	case n.Link != nil && n.Link.Title() != "":
		value = rows.Cell{Text: n.Link.Title(), CutMiddle: true, Tone: paint.Link}
	case isList(n):
		value = rows.Cell{Text: host.Number(n.ElementCount()), Tone: paint.Dim}
	}
	if col, ok := n.Color(); ok {
		value.Mark.Paint = paint.Swatch(col)
	}
	return value
}

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
			s.grid.Reset()
		}
		word := s.preview.overviews.Word(sheet.Document)
		caption := host.Count(len(sheet.Assets), word)
		if len(sheet.Assets) < sheet.Total {
			caption = "The first " + host.Number(len(sheet.Assets)) + " of " + host.Count(sheet.Total, word)
		}
		s.preview.caption.SetText(caption)
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
