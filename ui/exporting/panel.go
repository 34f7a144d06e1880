// Package exporting implements the export panel: a list of assets to export, filled by dragging from the tree, by keys
// and by menus, the settings of the export, and its report. Each window has one panel. Its list may hold assets of
// several documents, which stay readable after their tabs are closed.
//
// The package also drags files out of the window, copies files to the clipboard, and opens assets in the system's
// default apps. Maker writes packages: of a folder, of the export list, or of the changes between two packages.
package exporting

import (
	"context"
	"errors"
	"image"
	"image/png"
	"io"
	"path"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"assay/model"
	"assay/model/export"
	"assay/model/thumbs"
	"assay/ui/ask"
	"assay/ui/doc"
	"assay/ui/exporting/dragout"
	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/rows"
	"assay/ui/tabs"
	"assay/ui/thumbnail"
	"assay/ui/work"
)

// Panel is the export panel of a window.
type Panel struct {
	Host

	OnEnd func() // called after an export; may be nil

	window     fyne.Window
	ask        *ask.Asker
	style      *paint.Style
	group      *work.Group
	presetFile string // the file of presets

	assets *exportList
	jobs   int // number of running jobs

	list          *list
	settings      *settings
	footer        *footer
	reportView    *reportView
	dropHighlight *fyne.Container // highlights the list as the target of a drag
	empty         *fyne.Container
	question      *fyne.Container
	main          fyne.CanvasObject // the list and its settings
	body          *fyne.Container   // main or the report
	tabs          *tabs.Tabs        // the list and the report; hidden before the first report
	content       fyne.CanvasObject
	slot          *Slot // slot that contains the panel

	planning   *work.Lane
	plan       *export.Plan // plan of the current list; nil until computed
	firstItem  []int32      // index in the plan of the first item of each row
	isPlanning bool

	latest   latestExport
	failures map[key]string // error messages of listed assets that could not be exported

	exportButtons  *exportButtons
	running        *runningExport
	drags          *drags
	externalOpener *externalOpener
}

// New returns the panel of a window. Its work ends with the group.
func New(h Host, window fyne.Window, asker *ask.Asker, style *paint.Style, group *work.Group,
	presetFile string) *Panel {
	p := &Panel{Host: h, window: window, ask: asker, style: style, group: group, presetFile: presetFile}
	p.assets = newExportList(p.closeDocument)
	p.planning = group.Lane()
	p.failures = map[key]string{}
	p.latest.exportList = newExportList(p.closeDocument)
	p.list = newList(p)
	p.settings = newSettings(p)
	p.footer = newFooter(p.Export, func() { p.StopExport() })
	p.exportButtons = newExportButtons(p)
	p.reportView = newReportView(p)
	p.drags = &drags{p: p, out: dragout.Open(dragout.Options{})}
	p.externalOpener = &externalOpener{p: p}
	p.content = p.layout()
	p.changed()
	return p
}

// layout creates and arranges the widgets.
func (p *Panel) layout() fyne.CanvasObject {
	p.empty = p.invitation()
	p.dropHighlight = container.NewStack(paint.NewTint(theme.ColorNamePrimary, 0x33))
	p.dropHighlight.Hide()
	p.question = container.NewStack()
	middle := container.NewStack(p.list.content, p.empty)
	p.main = container.NewBorder(p.exportButtons.content,
		container.NewVBox(p.question, p.settings.content, p.footer.content), nil, nil, middle)
	p.body = container.NewStack(p.main)
	p.tabs = tabs.New(p.style)
	p.tabs.OnSelect = p.showTab
	p.tabs.Hide()
	// the list and the report have the same minimum width, so that neighboring panels do not move
	steady := paint.StackMinSize(func(minSize fyne.Size) fyne.Size {
		return minSize.Max(fyne.NewSize(max(p.main.MinSize().Width, p.reportView.body.MinSize().Width), 0))
	})
	return container.New(steady, container.NewBorder(p.tabs, nil, nil, nil, p.body), p.dropHighlight)
}

// The tabs of the panel.
const (
	listTab = iota
	reportTab
)

// showTab displays the list with its settings, or the report of the latest export.
func (p *Panel) showTab(i int) {
	p.tabs.SetSelected(i)
	p.body.Objects = []fyne.CanvasObject{[]fyne.CanvasObject{listTab: p.main, reportTab: p.reportView.body}[i]}
	p.body.Refresh()
}

// invitation returns the hint below the header of an empty list. It is clipped if the list is too small.
func (p *Panel) invitation() *fyne.Container {
	text := widget.NewLabel("Drag assets here, or select some and press " + p.Keys().Text("export.add") + ".")
	text.Alignment = fyne.TextAlignCenter
	text.Importance = widget.LowImportance
	text.Wrapping = fyne.TextWrapWord
	header := paint.StackMinSize(func(fyne.Size) fyne.Size { return fyne.NewSize(0, float32(p.style.RowHeight(1))) })
	return container.NewBorder(container.New(header), nil, nil, nil,
		container.NewVScroll(container.NewVBox(layout.NewSpacer(), text, layout.NewSpacer())))
}

// Slot is a container for the panel in the pane of a tab. The panel is in one slot at a time.
type Slot struct {
	p     *Panel
	box   *fyne.Container
	offer *Offer
}

// NewSlot returns a slot for a pane of several documents, or of none.
func (p *Panel) NewSlot() *Slot { return &Slot{p: p, box: container.NewStack()} }

// NewDocumentSlot returns a slot for the pane of a document, whose assets can be exported without adding them to the
// list.
func (p *Panel) NewDocumentSlot(o Offer) *Slot {
	return &Slot{p: p, box: container.NewStack(), offer: &o}
}

// Title returns the title of the panel.
func (s *Slot) Title() string { return "Export" }

// Content returns the canvas object of the slot.
func (s *Slot) Content() fyne.CanvasObject { return s.box }

// Take moves the panel to this slot.
func (s *Slot) Take() {
	if s.p.slot == s {
		return
	}
	if s.p.slot != nil {
		s.p.slot.box.Objects = nil
	}
	s.p.slot = s
	s.p.reportView.showListTab() // the report may be of another file
	paint.SetVisible(s.p.exportButtons.content, s.offer != nil)
	if s.p.running == nil {
		s.p.settings.suggestFolder(s.p.suggestion())
	}
	s.box.Objects = []fyne.CanvasObject{s.p.content}
	s.box.Refresh()
}

// Len returns the number of assets in the list.
func (p *Panel) Len() int { return len(p.assets.items) }

// Focus focuses the list.
func (p *Panel) Focus() { p.list.rows.Focus() }

// Clear removes all assets from the list.
func (p *Panel) Clear() {
	p.assets.clear()
	p.changed()
}

// suggestion returns the suggestion for the tab if it has all assets in the list, so that adding some does not change
// the folder. Else it returns the suggestion for the documents of the assets.
func (p *Panel) suggestion() suggestion {
	docs := p.assets.documents()
	if p.slot != nil && p.slot.offer != nil && p.slot.offer.has(docs) {
		return p.slot.offer.suggestion()
	}
	return suggestionFor(docs...)
}

// Close cancels all work and removes the files made for other programs. A running export is stopped: it removes its
// unfinished files and writes its report before group.WaitForWrites returns.
func (p *Panel) Close() {
	p.group.Close()
	_ = p.drags.out.Close()
	p.externalOpener.close()
	p.assets.clear()
	p.latest.clear()
}

// closeDocument closes a document in the background, because that may remove a large temporary file.
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
	if p.running == nil {
		return false
	}
	p.running.stop()
	p.footer.showStopping()
	return true
}

// changed updates the panel after a change of the list or the settings.
func (p *Panel) changed() {
	p.list.clearCache()
	if paint.SetVisible(p.empty, p.Len() == 0); p.Len() == 0 {
		clear(p.failures)
	}
	if len(p.assets.items) > 0 && p.running == nil {
		p.settings.suggestFolder(p.suggestion())
	}
	p.replan()
}

// job runs a task that the user can stop.
func (p *Panel) job(task string, do func(ctx context.Context) (func(), error)) {
	ctx, stop := context.WithCancel(p.group.Context())
	p.jobs++
	p.Busy(task, -1, stop)
	p.group.Go(func(context.Context) func() {
		done, err := do(ctx)
		stop()
		return func() {
			if p.jobs--; p.jobs == 0 {
				p.Busy("", 0, nil)
			}
			if err != nil {
				p.notifyError(err)
				return
			}
			done()
		}
	})
}

func (p *Panel) notifyError(err error) {
	if err == nil || errors.Is(err, context.Canceled) {
		return
	}
	p.Notify(host.Notice{Level: host.Error, Text: host.Sentence(err)})
}

// sheetSide is the width and height of an image on a contact sheet, in pixels.
const sheetSide = 192

// SaveSheet draws the assets of nodes, or all of the document if there are fewer than two, on a contact sheet, and asks
// for its file.
func (p *Panel) SaveSheet(d *model.Document, nodes doc.Nodes, o thumbnail.Options) {
	dark := paint.ThemeColors(p.list.rows).Dark
	p.findAssets(d, nodes, func(c *found) {
		p.job("Creating contact sheet", func(ctx context.Context) (func(), error) {
			s := thumbs.Sheet{Side: sheetSide, Dark: dark}
			assets := c.indexes
			if len(assets) < 2 && d.Payloads != nil {
				assets = allIndexes(d.Payloads)
			}
			s.Total = len(assets)
			for _, i := range assets[:min(len(assets), thumbs.MaxPictures)] {
				s.Names = append(s.Names, d.Payloads.At(i).Name)
			}
			s.Picture = func(ctx context.Context, k int) image.Image { return o.Draw(ctx, d, assets[k], sheetSide) }
			img, err := s.Draw(ctx)
			return func() {
				p.ShowHint("Created a contact sheet with " + host.Count(min(s.Total, thumbs.MaxPictures), "image") + ".")
				name := strings.TrimSuffix(path.Base(d.Source.Name()), path.Ext(d.Source.Name()))
				p.Save(name+" contact sheet.png", func(out io.Writer) error { return png.Encode(out, img) })
			}, err
		})
	})
}

// CopyNames copies the names of the assets of nodes to the clipboard, one on each line.
func (p *Panel) CopyNames(d *model.Document, nodes doc.Nodes) {
	p.findAssets(d, nodes, func(c *found) {
		var names []string
		for _, i := range c.indexes {
			names = append(names, model.OneLine(d.Payloads.At(i).Name, maxCopiedName))
		}
		for _, a := range c.derived {
			names = append(names, model.OneLine(a.Name, maxCopiedName))
		}
		p.Copy(strings.Join(names, "\n"))
		p.ShowHint("Copied " + host.Count(len(names), "name") + ".")
	})
}

// maxCopiedName is the maximum length of a copied name, in characters.
const maxCopiedName = 4096

// Remove removes the selected rows from the list.
func (p *Panel) Remove() {
	selected := p.list.selected()
	if selected.Count() == 0 {
		return
	}
	row := selected.All()[0].From
	p.assets.remove(selected)
	p.list.rows.SetSelection(rows.Intervals{})
	p.changed()
	p.list.rows.SetCurrent(min(row, int64(len(p.assets.items))-1))
}

// Host is the part of the window that the panel uses.
type Host interface {
	host.Host
	// ShowExport displays the panel. undo displays the previous one again.
	ShowExport() (undo func())
	// RevealAsset opens the file at a path and selects its i-th asset.
	RevealAsset(path string, i int)
	// OpenFiles returns the paths of the files in the tabs.
	OpenFiles() []string
}
