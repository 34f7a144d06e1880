// Package stack displays packages in load order, and which of them provides each key. The user can change the order.
package stack

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"assay/model"
	"assay/model/export"
	"assay/model/query"
	"assay/ui/control"
	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/rows"
	"assay/ui/tabs"
	"assay/ui/work"
)

// Host is the part of the window that a pane uses.
type Host interface {
	host.Host
	// Export adds the assets of d with these indexes to the export list.
	Export(d *model.Document, positions []int)
}

// Pane displays the layers at the top and their keys below.
type Pane struct {
	Host

	group     *work.Group
	overlay   *export.Overlay // nil while the keys are looked up
	win       [][]int         // active assets of each layer, in the current order
	lose      []int
	rows      []int // keys of the visible rows
	names     *work.Lookup[export.Provider, string]
	reading   *work.Lane
	filtering *work.Lane

	layers  *rows.Table
	keys    *rows.Table
	typing  *control.Filter
	filter  *control.Field // of the key list
	only    *control.Check
	export  *widget.Button
	up      *widget.Button
	down    *widget.Button
	content fyne.CanvasObject
	closed  bool
	docs    []*model.Document
}

// New returns a pane for documents in load order. They stay open until the pane is closed.
func New(h Host, style *paint.Style, group *work.Group, docs []*model.Document) *Pane {
	p := &Pane{Host: h, group: group, reading: group.Lane(), filtering: group.Lane(), docs: docs}
	for _, d := range docs {
		d.Source.Hold()
	}
	p.layers = rows.NewTable(h, style, (*layerData)(p),
		rows.TableOptions{Header: true, MinSize: fyne.NewSize(200, 90), Widths: layerWidths},
		rows.Column{Title: "", Width: 34, Align: paint.Trailing}, rows.Column{Title: "Loaded", Width: 260},
		rows.Column{Title: "Assets", Width: countWidth, Align: paint.Trailing},
		rows.Column{Title: "Active", Width: countWidth, Align: paint.Trailing},
		rows.Column{Title: "Overridden", Width: countWidth, Align: paint.Trailing})
	p.keys = rows.NewTable(h, style, (*keyData)(p),
		rows.TableOptions{Header: true, MinSize: fyne.NewSize(200, 120), Shares: []float32{0.22, 0.32, 0.2, 0.26}},
		rows.Column{Title: "Key", Width: 200}, rows.Column{Title: "Name", Width: 220},
		rows.Column{Title: "Provided by", Width: 160}, rows.Column{Title: "Overridden in", Width: 200})
	p.names = work.NewLookup[export.Provider, string](group, p.keys.Refresh)
	p.layers.OnCurrent = func(int) { p.enable() }
	p.keys.OnActivate = func(row int) { p.goTo(row, 0) }
	p.keys.OnMenu = p.menu
	p.typing = control.New(h, "Filter keys and files", func() *query.List { return keyColumns }, p.refilter)
	p.typing.Leave(func(bool) { p.keys.Focus() })
	p.filter = p.typing.Field
	p.only = control.NewCheck(h.Key, "Overridden only", func(bool) { p.refilter() })
	p.up = widget.NewButtonWithIcon("Earlier", theme.MoveUpIcon(), func() { p.move(-1) })
	p.down = widget.NewButtonWithIcon("Later", theme.MoveDownIcon(), func() { p.move(1) })
	p.export = widget.NewButton("Add Active Assets to Export List", p.Export)
	p.export.Importance = widget.HighImportance
	hint := widget.NewLabel("Later files override assets with the same key in earlier files.")
	hint.Importance = widget.LowImportance
	hint.Truncation = fyne.TextTruncateEllipsis
	above := container.NewBorder(nil, container.NewBorder(nil, nil, container.NewHBox(p.up, p.down), p.export, hint),
		nil, nil, p.layers)
	below := container.NewBorder(container.NewBorder(nil, nil, nil, p.only, p.filter), nil, nil, nil, p.keys)
	split := container.NewVSplit(above, below)
	split.SetOffset(0.28)
	p.content = p.typing.Over(split)
	p.enable()
	return p
}

// countWidth is the width of a column of numbers.
const countWidth = 96

// layerWidths gives the column of names the width that the counts leave.
func layerWidths(width float32) []float32 {
	const first = 34
	return []float32{first, max(90, width-first-3*countWidth), countWidth, countWidth, countWidth}
}

// Begin looks up the keys.
func (p *Pane) Begin() {
	docs := p.docs
	p.Busy("Finding keys", -1, p.reading.Stop)
	p.reading.Go(func(ctx context.Context) func() {
		o, err := export.NewOverlay(ctx, docs)
		return func() {
			p.Busy("", 0, nil)
			if err != nil {
				p.complain(err)
				return
			}
			p.overlay = o
			p.layers.SetData((*layerData)(p))
			p.layers.SetCurrent(len(docs) - 1)
			p.changed()
		}
	})
}

// Content returns the canvas object of the pane.
func (p *Pane) Content() fyne.CanvasObject { return p.content }

// Focus focuses the list of keys.
func (p *Pane) Focus() { p.keys.Focus() }

// Close releases the documents.
func (p *Pane) Close() {
	if p.closed {
		return
	}
	p.closed = true
	p.group.CloseThen(func() {
		for _, d := range p.docs {
			d.Source.Close()
		}
	})
}

// Documents returns the layers in their current order.
func (p *Pane) Documents() []*model.Document {
	if p.overlay == nil {
		return p.docs
	}
	return p.overlay.Layers()
}

// Status returns the segments of the status line.
func (p *Pane) Status() (way, facts []tabs.Segment) {
	if p.overlay == nil {
		return []tabs.Segment{{Text: "Looking up keys…", Tone: paint.Dim}}, nil
	}
	var names []string
	for _, d := range p.overlay.Layers() {
		names = append(names, d.Source.Name())
	}
	overridden := 0
	for _, n := range p.lose {
		overridden += n
	}
	return []tabs.Segment{{Text: model.OneLine(strings.Join(names, " ‹ "), 200)}},
		[]tabs.Segment{{Text: host.Count(p.overlay.Len(), "key")}, {Text: host.Count(overridden, "asset") +
			" overridden", Tone: paint.Dim, Hint: "Assets with a key that also occurs in a later file"}}
}

// changed updates the pane for a new order.
func (p *Pane) changed() {
	p.win, p.lose = p.overlay.Effective()
	p.layers.Refresh()
	p.refilter()
	p.enable()
	p.Changed()
}

// move loads the current layer earlier, or later if by is positive.
func (p *Pane) move(by int) {
	if p.overlay == nil {
		return
	}
	from := p.layers.Current()
	to := from + by
	if from < 0 || to < 0 || to >= len(p.docs) {
		return
	}
	p.overlay.Move(from, to)
	p.layers.SetCurrent(to)
	p.changed()
}

func (p *Pane) enable() {
	row := p.layers.Current()
	paint.Enable(p.up, p.overlay != nil && row > 0)
	paint.Enable(p.down, p.overlay != nil && row >= 0 && row < len(p.docs)-1)
	paint.Enable(p.export, p.overlay != nil && p.overlay.Len() > 0)
}

// refilter applies the filter.
func (p *Pane) refilter() {
	if p.overlay == nil {
		return
	}
	f, err := query.Parse(p.filter.Text, keyColumns)
	if p.typing.Wrong(err); err != nil {
		return
	}
	o, only := p.overlay, p.only.Checked
	p.filtering.Go(func(ctx context.Context) func() {
		rows := make([]int, 0, o.Len())
		for i := range o.Len() {
			if i%4096 == 0 && ctx.Err() != nil {
				return nil
			}
			if (!only || o.Overridden(i)) && f.Match(&keyFiles{o, o.At(i)}) {
				rows = append(rows, i)
			}
		}
		return func() {
			p.rows = rows
			p.keys.SetData((*keyData)(p))
		}
	})
}

// keyColumns holds the columns that a filter can test.
var keyColumns = &query.List{Columns: []query.Column{{Name: "key"}, {Name: "file"}}}

// keyFiles is a key with its files, as a filter tests it.
type keyFiles struct {
	of  *export.Overlay
	key export.OverlayKey
}

// Has reports whether a word is in the key or in the name of a file that has it.
func (k *keyFiles) Has(w *query.Word) bool {
	return w.In(k.key.Key) || k.anyFile(func(name string) bool { return w.In(name) })
}

// MatchColumn tests the key, or the names of its files.
func (k *keyFiles) MatchColumn(column int, t *query.Test) (met, any bool) {
	if column == 0 {
		return t.Matches(k.key.Key), true
	}
	return k.anyFile(func(name string) bool { return t.Matches(name) }), true
}

// anyFile reports whether wanted accepts the name of a file that has the key.
func (k *keyFiles) anyFile(wanted func(name string) bool) bool {
	return slices.ContainsFunc(k.key.In, func(in export.Provider) bool { return wanted(k.of.Layer(in).Source.Name()) })
}

// Export adds the active assets to the export list, in load order.
func (p *Pane) Export() {
	if p.overlay == nil {
		return
	}
	for i, d := range p.overlay.Layers() {
		if len(p.win[i]) > 0 {
			p.Host.Export(d, p.win[i])
		}
	}
}

// goTo selects an asset in its file: the active one of a row, or the one overridden back steps before it.
func (p *Pane) goTo(row, back int) {
	in, _ := p.overlay.Providers(p.rows[row])
	p.show(in[len(in)-1-back])
}

func (p *Pane) show(at export.Provider) {
	d := p.overlay.Layer(at)
	p.group.Go(func(context.Context) func() {
		n := d.Payloads.At(at.Index).Node
		return func() {
			if n != nil {
				p.Reveal(d, n)
			}
		}
	})
}

func (p *Pane) menu(row int, at fyne.Position) {
	in, _ := p.overlay.Providers(p.rows[row])
	var items []*fyne.MenuItem
	for k := len(in) - 1; k >= 0; k-- {
		provider := in[k]
		items = append(items, fyne.NewMenuItem("Show in "+model.OneLine(p.overlay.Layer(provider).Source.Name(), 80),
			func() { p.show(provider) }))
	}
	key := p.overlay.At(p.rows[row]).Key
	items = append(items, fyne.NewMenuItemSeparator(), fyne.NewMenuItem("Add to Export List", func() {
		in, win := p.overlay.Providers(p.rows[row])
		var positions []int
		for _, w := range in[len(in)-win:] {
			positions = append(positions, w.Index)
		}
		p.Host.Export(p.overlay.Layer(in[len(in)-1]), positions)
	}), fyne.NewMenuItem("Copy Key", func() { p.Copy(key) }))
	p.Menu(fyne.NewMenu("", items...), at)
}

func (p *Pane) complain(err error) {
	if !errors.Is(err, context.Canceled) {
		p.Notify(host.Notice{Level: host.Error, Text: host.Sentence(err)})
	}
}

// layerData is the table source of the layers.
type layerData Pane

func (d *layerData) Len() int { return len(d.docs) }

func (d *layerData) Cell(row, column int) rows.Cell {
	doc := (*Pane)(d).Documents()[row]
	switch column {
	case 0:
		return rows.Cell{Text: strconv.Itoa(row + 1), Tone: paint.Dim}
	case 1:
		return rows.Cell{Text: model.OneLine(doc.Source.Name(), 300), Bold: row == len(d.docs)-1}
	}
	if row >= len(d.win) {
		return rows.Cell{}
	}
	switch column {
	case 2:
		return rows.Cell{Text: host.Number(len(d.win[row]) + d.lose[row])}
	case 3:
		return rows.Cell{Text: host.Number(len(d.win[row]))}
	}
	if d.lose[row] == 0 {
		return rows.Cell{Text: "0", Tone: paint.Dim}
	}
	return rows.Cell{Text: host.Number(d.lose[row]), Tone: paint.Warning}
}

// keyData is the table source of the keys.
type keyData Pane

func (d *keyData) Len() int { return len(d.rows) }

func (d *keyData) Cell(row, column int) rows.Cell {
	i := d.rows[row]
	if column == 0 {
		return rows.Cell{Text: model.OneLine(d.overlay.At(i).Key, 200), Mono: true}
	}
	in, win := d.overlay.Providers(i)
	winner := d.overlay.Layer(in[len(in)-1])
	switch column {
	case 1:
		at, from := in[len(in)-1], winner.Payloads
		name := d.names.Of(at, func() string { return model.OneLine(from.At(at.Index).Name, 300) })
		return rows.Cell{Text: name}
	case 2:
		text := model.OneLine(winner.Source.Name(), 200)
		if win > 1 {
			text += " (" + host.Number(win) + " times)"
		}
		return rows.Cell{Text: text}
	}
	var others []string
	for _, p := range in[:len(in)-win] {
		name := model.OneLine(d.overlay.Layer(p).Source.Name(), 200)
		if len(others) == 0 || others[len(others)-1] != name {
			others = append(others, name)
		}
	}
	return rows.Cell{Text: strings.Join(others, ", "), Tone: paint.Warning}
}
