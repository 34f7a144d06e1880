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

	group      *work.Group
	overlay    *export.Overlay // nil while the keys are looked up
	active     [][]int         // active assets of each layer, in the current order
	overridden []int
	names      *work.Lookup[export.Provider, string]
	reading    *work.Lane
	filtering  *work.Lane

	layers         *rows.List[int] // layers in the current order
	keys           *rows.List[int] // keys that the filter accepts
	filter         *control.Filter
	filterField    *control.Field // filter of the key list
	overriddenOnly *control.Check
	export         *control.Button
	up             *control.Button
	down           *control.Button
	content        fyne.CanvasObject
	closed         bool
	docs           []*model.Document
}

// New returns a pane for documents in load order. They stay open until the pane is closed.
func New(h Host, style *paint.Style, group *work.Group, docs []*model.Document) *Pane {
	p := &Pane{Host: h, group: group, reading: group.Lane(), filtering: group.Lane(), docs: docs}
	for _, d := range docs {
		d.Source.Hold()
	}
	p.layers = rows.NewList(h, style, rows.Options{Header: true, MinSize: fyne.NewSize(200, 90)}, p.layerColumns()...)
	for i := range docs {
		p.layers.Items = append(p.layers.Items, i)
	}
	p.keys = rows.NewList(h, style, rows.Options{Header: true, MinSize: fyne.NewSize(200, 120)}, p.keyColumns()...)
	p.names = work.NewLookup[export.Provider, string](group, p.keys.Refresh)
	p.layers.OnCurrent = func(int) { p.updateButtons() }
	p.keys.OnActivate = func(row int) { p.goTo(row) }
	p.keys.OnMenu = p.menu
	p.filter = control.NewFilter(h, "Filter keys and files", p.keys.Fields.List, p.refilter)
	p.filter.SetOnLeave(func(bool) { p.keys.Focus() })
	p.filterField = p.filter.Field
	p.overriddenOnly = control.NewCheck(h.Key, "Overridden only", func(bool) { p.refilter() })
	p.up = control.NewButton(h.Key, "Earlier", theme.MoveUpIcon(), func() { p.move(-1) })
	p.down = control.NewButton(h.Key, "Later", theme.MoveDownIcon(), func() { p.move(1) })
	p.export = control.NewButton(h.Key, "Add Active Assets to Export List", nil, p.Export)
	p.export.Importance = widget.HighImportance
	hint := widget.NewLabel("Later files override assets with the same key in earlier files.")
	hint.Importance = widget.LowImportance
	hint.Truncation = fyne.TextTruncateEllipsis
	top := container.NewBorder(nil, container.NewBorder(nil, nil, container.NewHBox(p.up, p.down), p.export, hint),
		nil, nil, p.layers.Table)
	bottom := container.NewBorder(container.NewBorder(nil, nil, nil, p.overriddenOnly, p.filterField), nil, nil, nil,
		p.keys.Table)
	split := container.NewVSplit(top, bottom)
	split.SetOffset(0.28)
	p.content = p.filter.WithPopup(split)
	p.updateButtons()
	return p
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
				p.notifyError(err)
				return
			}
			p.overlay = o
			p.layers.Set(p.layers.Items)
			p.layers.SetCurrent(len(docs) - 1)
			p.orderChanged()
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
func (p *Pane) Status() (path, facts []tabs.Segment) {
	if p.overlay == nil {
		return []tabs.Segment{{Text: "Looking up keys…", Tone: paint.Dim}}, nil
	}
	var names []string
	for _, d := range p.overlay.Layers() {
		names = append(names, d.Source.Name())
	}
	overridden := 0
	for _, n := range p.overridden {
		overridden += n
	}
	return []tabs.Segment{{Text: model.OneLine(strings.Join(names, " ‹ "), 200)}},
		[]tabs.Segment{{Text: host.Count(p.overlay.Len(), "key")}, {Text: host.Count(overridden, "asset") +
			" overridden", Tone: paint.Dim, Hint: "Assets with a key that also occurs in a later file"}}
}

// orderChanged updates the pane for a new order.
func (p *Pane) orderChanged() {
	p.active, p.overridden = p.overlay.Effective()
	p.layers.Refresh()
	p.refilter()
	p.updateButtons()
	p.Changed()
}

// move loads the current layer earlier, or later if step is positive.
func (p *Pane) move(step int) {
	if p.overlay == nil {
		return
	}
	from := p.layers.Current()
	to := from + step
	if from < 0 || to < 0 || to >= len(p.docs) {
		return
	}
	p.overlay.Move(from, to)
	p.layers.SetCurrent(to)
	p.orderChanged()
}

// updateButtons enables the buttons that can be used.
func (p *Pane) updateButtons() {
	row := p.layers.Current()
	paint.SetEnabled(p.up, p.overlay != nil && row > 0)
	paint.SetEnabled(p.down, p.overlay != nil && row >= 0 && row < len(p.docs)-1)
	paint.SetEnabled(p.export, p.overlay != nil && p.overlay.Len() > 0)
}

// refilter applies the filter.
func (p *Pane) refilter() {
	if p.overlay == nil {
		return
	}
	f, ok := p.filter.Parse()
	if !ok {
		return
	}
	o, overriddenOnly, fields := p.overlay, p.overriddenOnly.Checked, p.keys.Fields
	p.filtering.Go(func(ctx context.Context) func() {
		indexes := make([]int, 0, o.Len())
		for i := range o.Len() {
			if i%4096 == 0 && ctx.Err() != nil {
				return nil
			}
			if (!overriddenOnly || o.Overridden(i)) && fields.Match(f, i) {
				indexes = append(indexes, i)
			}
		}
		return func() {
			p.keys.Set(indexes)
		}
	})
}

// Export adds the active assets to the export list, in load order.
func (p *Pane) Export() {
	if p.overlay == nil {
		return
	}
	for i, d := range p.overlay.Layers() {
		if len(p.active[i]) > 0 {
			p.Host.Export(d, p.active[i])
		}
	}
}

// goTo selects the active asset of a row in its file.
func (p *Pane) goTo(row int) {
	providers, _ := p.overlay.Providers(p.keys.Items[row])
	p.show(providers[len(providers)-1])
}

func (p *Pane) show(provider export.Provider) {
	d := p.overlay.Layer(provider)
	p.group.Go(func(context.Context) func() {
		n := d.Payloads.At(provider.Index).Node
		return func() {
			if n != nil {
				p.Reveal(d, n)
			}
		}
	})
}

func (p *Pane) menu(row int, pos fyne.Position) {
	key := p.keys.Items[row]
	providers, _ := p.overlay.Providers(key)
	var items []*fyne.MenuItem
	for k := len(providers) - 1; k >= 0; k-- {
		provider := providers[k]
		items = append(items, fyne.NewMenuItem("Show in "+model.OneLine(p.overlay.Layer(provider).Source.Name(), 80),
			func() { p.show(provider) }))
	}
	items = append(items, fyne.NewMenuItemSeparator(), fyne.NewMenuItem("Add to Export List", func() {
		providers, win := p.overlay.Providers(key)
		var positions []int
		for _, w := range providers[len(providers)-win:] {
			positions = append(positions, w.Index)
		}
		p.Host.Export(p.overlay.Layer(providers[len(providers)-1]), positions)
	}), fyne.NewMenuItem("Copy Key", func() { p.Copy(p.overlay.At(key).Key) }))
	p.Menu(fyne.NewMenu("", items...), pos)
}

func (p *Pane) notifyError(err error) {
	if !errors.Is(err, context.Canceled) {
		p.Notify(host.Notice{Level: host.Error, Text: host.Sentence(err)})
	}
}

func (p *Pane) layerColumns() []rows.ListColumn[int] {
	count := func(title string, cell func(win, lose int) rows.Cell) rows.ListColumn[int] {
		return rows.ListColumn[int]{Title: title, Width: 96, Align: paint.AlignRight, Cell: func(i int) rows.Cell {
			if i >= len(p.active) {
				return rows.Cell{}
			}
			return cell(len(p.active[i]), p.overridden[i])
		}}
	}
	return []rows.ListColumn[int]{
		{Width: 34, Align: paint.AlignRight,
			Cell: func(i int) rows.Cell { return rows.Cell{Text: strconv.Itoa(i + 1), Tone: paint.Dim} }},
		{Title: "Loaded", Share: 1, Min: 90, Cell: func(i int) rows.Cell {
			return rows.Cell{Text: model.OneLine(p.Documents()[i].Source.Name(), 300), Bold: i == len(p.docs)-1}
		}},
		count("Assets", func(win, lose int) rows.Cell { return rows.Cell{Text: host.Number(win + lose)} }),
		count("Active", func(win, _ int) rows.Cell { return rows.Cell{Text: host.Number(win)} }),
		count("Overridden", func(_, lose int) rows.Cell {
			if lose == 0 {
				return rows.Cell{Text: "0", Tone: paint.Dim}
			}
			return rows.Cell{Text: host.Number(lose), Tone: paint.Warning}
		}),
	}
}

func (p *Pane) keyColumns() []rows.ListColumn[int] {
	file := func(provider export.Provider) string { return p.overlay.Layer(provider).Source.Name() }
	return []rows.ListColumn[int]{
		{Title: "Key", Share: 0.22, Filter: query.Column{Name: "key"},
			Value: func(key int) any { return p.overlay.At(key).Key },
			Cell: func(key int) rows.Cell {
				return rows.Cell{Text: model.OneLine(p.overlay.At(key).Key, 200), Mono: true}
			}},
		{Title: "Name", Share: 0.32, Cell: func(key int) rows.Cell {
			providers, _ := p.overlay.Providers(key)
			last := providers[len(providers)-1]
			payloads := p.overlay.Layer(last).Payloads
			return rows.Cell{Text: p.names.Of(last, func() string {
				return model.OneLine(payloads.At(last.Index).Name, 300)
			})}
		}},
		{Title: "Provided by", Share: 0.2, Filter: query.Column{Name: "file"},
			Value: func(key int) any {
				var names []string
				for _, provider := range p.overlay.At(key).Providers {
					names = append(names, file(provider))
				}
				return names
			},
			Cell: func(key int) rows.Cell {
				providers, win := p.overlay.Providers(key)
				text := model.OneLine(file(providers[len(providers)-1]), 200)
				if win > 1 {
					text += " (" + host.Number(win) + " times)"
				}
				return rows.Cell{Text: text}
			}},
		{Title: "Overridden in", Share: 0.26, Cell: func(key int) rows.Cell {
			providers, win := p.overlay.Providers(key)
			var titles []string
			for _, provider := range providers[:len(providers)-win] {
				titles = append(titles, model.OneLine(file(provider), 200))
			}
			return rows.Cell{Text: strings.Join(slices.Compact(titles), ", "), Tone: paint.Warning}
		}},
	}
}
