package preview

import (
	"fmt"
	"path"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"assay/model"
	"assay/model/archive"
	"assay/ui/details"
	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/rows"
)

// Events holds the callbacks of the owner.
type Events struct {
	OnAsset   func(i int)       // the user chose an asset, by its position
	OnKind    func(name string) // the user chose the assets of a type
	OnProblem func(p model.Problem)
	// OnProblems is called when the user wants the list of all problems.
	OnProblems func()
}

// Overview displays a file of assets as a whole.
type Overview struct {
	Events
	Word    func(d *model.Document) string // returns the word for an asset of a document
	style   *paint.Style
	panel   *details.Panel
	content *fyne.Container
	gallery *gallery

	overview *archive.Overview // may be nil
	report   *model.Report     // nil while the file is being checked
}

// The columns.
const (
	nameColumn = iota
	wideColumn // the space of a wide value, such as a time, beside counts and sizes
	countColumn
	sizeColumn
	columnCount
)

const minColumnWidth = 24 // minimum width of a column, in device-independent pixels

// NewOverview makes an empty view. The pictures, which are a line of tiles, are above the rest.
func NewOverview(h host.Host, style *paint.Style, pictures fyne.CanvasObject) *Overview {
	v := &Overview{style: style, Word: func(*model.Document) string { return "asset" }}
	v.panel = details.NewPanel(h, style, rows.Options{MinSize: fyne.NewSize(80, 60), ColumnWidths: v.divideWidth},
		rows.Column{}, rows.Column{Align: paint.AlignRight, Min: 1},
		rows.Column{Align: paint.AlignRight, Min: minColumnWidth},
		rows.Column{Align: paint.AlignRight, Min: minColumnWidth})
	v.gallery = new(gallery)
	v.content = container.New(v.gallery, pictures, v.panel)
	return v
}

// Content returns the object for the panel.
func (v *Overview) Content() fyne.CanvasObject { return v.content }

// Show displays an overview, with its pictures or without.
func (v *Overview) Show(o *archive.Overview, pictures bool) {
	v.overview, v.gallery.visible = o, pictures
	v.panel.Set(v.lines(), nil)
	v.content.Refresh()
}

// Clear removes the overview.
func (v *Overview) Clear() {
	v.overview = nil
	v.panel.Set(nil, nil)
}

// SetReport shows the result of a check of the file; nil while the check runs.
func (v *Overview) SetReport(r *model.Report) {
	if v.report = r; v.overview != nil {
		v.panel.Update(v.lines())
	}
}

// Summary returns a summary of the assets in one line.
func (v *Overview) Summary(o *archive.Overview) string {
	text := host.Count(o.Len(), v.Word(o.Document))
	if o.Size > 0 {
		text += " · " + host.Count(o.Size, "byte")
	}
	if o.Stored > 0 && o.Stored != o.Size {
		text += " · " + host.Number(o.Stored) + " stored"
	}
	return text
}

// divideWidth gives counts, sizes and times their preferred width, and names the rest.
func (v *Overview) divideWidth(width float32) []float32 {
	c := v.style.NewCanvas(nil, 1, paint.Colors{})
	widths, total := [columnCount]float32{countColumn: minColumnWidth, sizeColumn: minColumnWidth}, float32(0)
	for _, l := range v.lines() {
		for i, cell := range l.Cells {
			switch cellWidth := rows.WidthOf(c, cell); {
			case i == wideColumn:
				if cell.Span > 0 {
					total = max(total, cellWidth)
				}
			case i > nameColumn && cell.Span == 0:
				widths[i] = max(widths[i], cellWidth)
			}
		}
	}
	total = max(total, widths[countColumn]+widths[sizeColumn])
	widths[wideColumn] = total - widths[countColumn] - widths[sizeColumn]
	widths[nameColumn] = max(width*0.3, width-total)
	return widths[:]
}

// maxKinds and maxProblems are the maximum numbers of listed types and problems.
const (
	maxKinds    = 12
	maxProblems = 5
)

func (v *Overview) lines() []details.Line {
	o := v.overview
	if o == nil {
		return nil
	}
	var lines []details.Line
	hasProblems := o.ProblemCount > 0 || v.report != nil && len(v.report.Problems) > 0
	if hasProblems {
		lines = v.problems()
	}
	lines = append(lines, details.Title("By type"))
	for i, k := range o.Kinds {
		if i == maxKinds {
			lines = append(lines, details.Text(rows.Cell{Tone: paint.Dim,
				Text: "… " + host.Count(len(o.Kinds)-i, "more type")}))
			break
		}
		lines = append(lines, link(func() { v.OnKind(k.Name) },
			rows.Cell{Text: model.OneLine(k.Name, 100), Tone: paint.Primary, CutMiddle: true, Span: 1}, rows.Cell{},
			rows.Cell{Text: host.Number(k.Count)}, sizeCell(k.Size)))
	}
	lines = append(lines, v.assets("Largest", o.Largest, archive.Size)...)
	lines = append(lines, v.assets("Newest", o.Newest, archive.Modified)...)
	if !hasProblems {
		lines = append(lines, v.problems()...)
	}
	return lines
}

// link returns a line that can be clicked.
func link(action func(), cells ...rows.Cell) details.Line {
	return details.Line{Cells: cells, On: action, Link: true}
}

// sizeCell returns a number of bytes as a cell, which is empty for 0.
func sizeCell(n int64) rows.Cell {
	if n == 0 {
		return rows.Cell{}
	}
	return rows.Cell{Text: host.Number(n)}
}

// assets lists some assets below a title, with the value of a column.
func (v *Overview) assets(title string, all []int, column int) []details.Line {
	if len(all) == 0 {
		return nil
	}
	lines := []details.Line{details.Title(title)}
	t := v.overview.Table()
	for _, i := range all {
		name := rows.Cell{Text: model.OneLine(path.Base(v.overview.Path(i)), 200), Tone: paint.Primary, CutMiddle: true}
		value := rows.Cell{Text: host.FormatValue(t.Cell(int64(i), column))}
		cells := []rows.Cell{name, value}
		if column == archive.Size {
			cells[0].Span = sizeColumn - 1
			cells = append(cells[:1], rows.Cell{}, rows.Cell{}, value)
		} else {
			cells[1].Span = columnCount - 2
		}
		lines = append(lines, link(func() { v.OnAsset(i) }, cells...))
	}
	return lines
}

// problems lists the problems of the file and of its assets.
func (v *Overview) problems() []details.Line {
	o, r := v.overview, v.report
	lines := []details.Line{details.Title("Problems")}
	if o.ProblemCount > 0 {
		lines = append(lines, details.Text(rows.Cell{Tone: paint.Error,
			Text: host.Count(o.ProblemCount, v.Word(o.Document)) + " cannot be read"}))
		for _, i := range o.WithProblem {
			lines = append(lines, link(func() { v.OnAsset(i) },
				rows.Cell{Text: model.OneLine(o.Path(i), 200), Tone: paint.Primary, CutMiddle: true,
					Span: columnCount - 1}))
		}
	}
	switch {
	case r == nil:
		return append(lines, details.Text(rows.Cell{Text: "Checking…", Tone: paint.Dim}))
	case len(r.Problems) == 0 && o.ProblemCount == 0:
		return append(lines, details.Text(rows.Cell{Text: "No problems found.", Tone: paint.Dim}))
	}
	for _, p := range r.Problems[:min(len(r.Problems), maxProblems)] {
		l := details.Text(rows.Cell{Text: model.OneLine(p.Message, 300), Tone: paint.SeverityTone(p.Severity)})
		l.On, l.Link = func() { v.OnProblem(p) }, true
		lines = append(lines, l)
	}
	if n := len(r.Problems) + r.Omitted; n > maxProblems {
		all := fmt.Sprintf("All %s problems…", host.Number(n))
		if v.Word(v.overview.Document) == "file" { // a folder lists one problem of each file
			all = fmt.Sprintf("All %s files with problems…", host.Number(n))
		}
		lines = append(lines, link(v.OnProblems, rows.Cell{Tone: paint.Primary, Span: columnCount - 1, Text: all}))
	}
	return lines
}

// gallery is a layout of a line of tiles above the rest; it hides the tiles if there is little room.
type gallery struct{ visible bool }

// minRestHeight is the height that must remain below the tiles for them to be visible.
const minRestHeight = 110

func (g *gallery) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	tiles, rest := objects[0], objects[1]
	tilesHeight := float32(0)
	if grid, ok := tiles.(*rows.Grid); ok && g.visible {
		if tilesHeight = grid.TileHeight(); size.Height < tilesHeight+minRestHeight {
			tilesHeight = 0
		}
	}
	tiles.Resize(fyne.NewSize(size.Width, tilesHeight))
	rest.Move(fyne.NewPos(0, tilesHeight))
	rest.Resize(fyne.NewSize(size.Width, size.Height-tilesHeight))
}

func (g *gallery) MinSize(objects []fyne.CanvasObject) fyne.Size { return objects[1].MinSize() }
