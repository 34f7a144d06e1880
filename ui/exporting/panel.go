package exporting

import (
	"context"
	"errors"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"assay/model"
	"assay/model/export"
	"assay/ui/ask"
	"assay/ui/exporting/dragout"
	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/work"
)

// Panel is the export panel of a window.
type Panel struct {
	Host

	OnEnd func() // is called when an export has ended; may be nil

	window  fyne.Window
	ask     *ask.Asker
	style   *paint.Style
	group   *work.Group
	prefs   fyne.Preferences
	presets string // the file of presets

	basket *basket
	jobs   int // that go on

	list     *list
	settings *settings
	foot     *foot
	report   *reportView
	drop     *fyne.Container // over the list while something is dragged to it
	empty    *fyne.Container
	question *fyne.Container
	main     fyne.CanvasObject // the list and its settings
	body     *fyne.Container   // that, or the report
	content  fyne.CanvasObject
	slot     *Slot // where it is at present

	planning *work.Lane
	plan     *export.Plan // of what is in the list, as it is; nil while it is not known
	planAt   []int32      // of each row: its first item of the plan
	planBusy bool

	last   *basket // the assets of the latest export
	bulk   *bulk
	run    *running
	drags  *drags
	opened *outside
}

// New makes the panel of a window. Its work ends with the group.
func New(h Host, window fyne.Window, ask *ask.Asker, style *paint.Style, group *work.Group, prefs fyne.Preferences,
	presetFile string) *Panel {
	p := &Panel{Host: h, window: window, ask: ask, style: style, group: group, prefs: prefs, presets: presetFile}
	p.basket = newBasket(p.closeDocument)
	p.planning = group.Lane()
	p.last = newBasket(p.closeDocument)
	p.list = newList(p)
	p.settings = newSettings(p)
	p.foot = newFoot(p.Export, func() { p.StopExport() })
	p.bulk = newBulk(p)
	p.report = newReportView(p)
	p.drags = &drags{p: p, out: dragout.Open(dragout.Options{})}
	p.opened = &outside{p: p}
	p.content = p.layout()
	p.changed()
	return p
}

// layout puts the widgets in their places.
func (p *Panel) layout() fyne.CanvasObject {
	p.empty = p.invitation()
	p.drop = container.NewStack(paint.NewTint(theme.ColorNamePrimary, 0x33))
	p.drop.Hide()
	p.question = container.NewStack()
	middle := container.NewStack(p.list.content, p.empty)
	p.main = container.New(folding{p.settings}, container.NewBorder(p.bulk.content,
		container.NewVBox(p.question, p.settings.content, p.foot.content), nil, nil, middle))
	p.body = container.NewStack(p.main)
	// It is as wide as main at least, whatever it shows, so that what is beside it does not move.
	steady := paint.Sized(func(least fyne.Size) fyne.Size { return least.Max(fyne.NewSize(p.main.MinSize().Width, 0)) })
	return container.New(steady, p.body, p.drop)
}

// invitation stands below the header of the list while that is empty. Where there is no room for it, it is cut.
func (p *Panel) invitation() *fyne.Container {
	text := widget.NewLabel("Drag assets here, or select some and press " + p.Keys().Text("export.add") + ".")
	text.Alignment = fyne.TextAlignCenter
	text.Importance = widget.LowImportance
	text.Wrapping = fyne.TextWrapWord
	header := paint.Sized(func(fyne.Size) fyne.Size { return fyne.NewSize(0, float32(p.style.RowHeight(1))) })
	return container.NewBorder(container.New(header), nil, nil, nil,
		container.NewVScroll(container.NewVBox(layout.NewSpacer(), text, layout.NewSpacer())))
}

// Slot is a place for the panel in one document's pane; the panel is in one of them at a time.
type Slot struct {
	p     *Panel
	at    *fyne.Container
	offer *Offer
}

// NewSlot makes a place in a pane without a document of its own.
func (p *Panel) NewSlot() *Slot { return &Slot{p: p, at: container.NewStack()} }

// NewOffer makes a place in a document's pane, whose assets can be exported without the list.
func (p *Panel) NewOffer(o Offer) *Slot { return &Slot{p: p, at: container.NewStack(), offer: &o} }

// Title is the panel's name.
func (s *Slot) Title() string { return "Export" }

// Content is what goes into the pane.
func (s *Slot) Content() fyne.CanvasObject { return s.at }

// Take brings the panel here.
func (s *Slot) Take() {
	if s.p.slot == s {
		return
	}
	if s.p.slot != nil {
		s.p.slot.at.Objects = nil
	}
	s.p.slot = s
	paint.Show(s.p.bulk.content, s.offer != nil)
	if s.offer != nil && s.p.run == nil {
		s.p.settings.suggest(s.p.first(s.offer.Document()))
	}
	s.at.Objects = []fyne.CanvasObject{s.p.content}
	s.at.Refresh()
}

// Len is the number of assets in the list.
func (p *Panel) Len() int { return len(p.basket.items) }

// Focus returns the list the keyboard.
func (p *Panel) Focus() { p.list.rows.Focus() }

// Clear takes all assets out of the list.
func (p *Panel) Clear() {
	p.basket.clear()
	p.changed()
}

// first returns the document of the first asset in the list, or another if the list is empty.
func (p *Panel) first(other *model.Document) *model.Document {
	if len(p.basket.items) > 0 {
		return p.basket.items[0].from.doc
	}
	return other
}

// Close ends what goes on and removes the files that were made for other programs. An export that goes on is told to
// stop: it removes its unfinished files and leaves its report in the folder before the group has Written.
func (p *Panel) Close() {
	p.group.Close()
	_ = p.drags.out.Close()
	p.opened.close()
	p.basket.clear()
	p.last.clear()
}

// closeDocument closes a document in the background, as that may remove a large temporary file.
func (p *Panel) closeDocument(d *model.Document) {
	if p.group.Context().Err() != nil {
		d.Source.Close()
		return
	}
	p.group.Write(func(context.Context) func() {
		d.Source.Close()
		return nil
	})
}

// StopExport stops the running export, and reports whether there is one.
func (p *Panel) StopExport() bool {
	if p.run == nil {
		return false
	}
	p.run.stop()
	p.foot.stopping()
	return true
}

// changed follows a change of the list or of how it is to be written.
func (p *Panel) changed() {
	p.list.changed()
	paint.Show(p.empty, len(p.basket.items) == 0)
	if len(p.basket.items) > 0 && p.run == nil {
		p.settings.suggest(p.basket.items[0].from.doc)
	}
	p.replan()
}

// job runs something that may take a while; the user can stop it.
func (p *Panel) job(what string, do func(ctx context.Context) (func(), error)) {
	ctx, stop := context.WithCancel(p.group.Context())
	p.jobs++
	p.Busy(what, -1, stop)
	p.group.Go(func(context.Context) func() {
		done, err := do(ctx)
		stop()
		return func() {
			if p.jobs--; p.jobs == 0 {
				p.Busy("", 0, nil)
			}
			if err != nil {
				p.complain(err)
				return
			}
			done()
		}
	})
}

// complain shows an error.
func (p *Panel) complain(err error) {
	if err == nil || errors.Is(err, context.Canceled) {
		return
	}
	p.Notify(host.Notice{Level: host.Error, Text: host.Sentence(err)})
}
