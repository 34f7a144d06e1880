package exporting

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
	"sync"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver"

	"assay/model"
	"assay/model/export"
	"assay/ui/doc"
	"assay/ui/exporting/dragout"
	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/rows"
	"assay/ui/work"
)

// maxDragged is the maximum number of files in a drag or on the clipboard. All are written before the target reads any.
const maxDragged = 2000

// drags handles drags out of the window and onto the panel.
type drags struct {
	p   *Panel
	out *dragout.Source

	current         *drag
	saidUnavailable bool // the user was notified that dragging out is unavailable

	mu       sync.Mutex
	warnings []string // problems of the written files
}

type drag struct {
	doc         *model.Document // nil for rows of the panel
	nodes       doc.Nodes
	stop        context.CancelFunc
	started     bool  // the files are offered to other programs
	released    bool  // the button was released before the files were offered
	overTarget  bool  // the pointer is over the panel or, for rows, over its list
	targetIndex int64 // target index of dragged rows
	unavailable error // why the rows cannot be dragged out of the window; may be nil
	panelShown  bool  // the drag has displayed the panel
	hidePanel   func()
}

// Connect connects the panel with the window, which must be open, for dragging out. It is called on the UI thread.
func (p *Panel) Connect() {
	native, ok := p.window.(driver.NativeWindow)
	if !ok {
		return
	}
	o := dragout.Options{Scale: p.window.Canvas().Scale(), OnState: func(e dragout.Event) {
		work.Do(func() { p.drags.onEvent(e) })
	}}
	native.RunNative(o.SetNative)
	p.group.Open(func(context.Context) (finish, dropped func()) {
		out := dragout.Open(o)
		return func() { p.drags.out = out }, func() { _ = out.Close() }
	})
}

// Drag starts to drag the assets of nodes. Assets in one of the folders, which have slashes in their names, are dropped
// in that folder.
func (p *Panel) Drag(d *model.Document, nodes doc.Nodes, folders ...string) rows.Drag {
	p.drags.begin(&drag{doc: d, nodes: nodes}, picksOf(d, nodes), folders...)
	return p
}

// picker finds the assets to drag. It runs in the background.
type picker func(ctx context.Context) ([]export.Pick, error)

// picksOf returns a picker of the assets of nodes.
func picksOf(d *model.Document, nodes doc.Nodes) picker {
	return func(ctx context.Context) ([]export.Pick, error) {
		f, err := assetsOf(ctx, d, nodes)
		if err != nil {
			return nil, err
		}
		return f.picks(d), nil
	}
}

// picks returns the found assets as picks of an export.
func (f *found) picks(d *model.Document) []export.Pick {
	var picks []export.Pick
	for _, i := range f.indexes {
		picks = export.AddPick(picks, export.Pick{From: d.Payloads, Index: i, File: d.Source.Name()})
	}
	if len(f.derived) > 0 {
		picks = append(picks, export.Pick{From: f.derived, Count: len(f.derived), File: d.Source.Name()})
	}
	return picks
}

// dragRows starts to drag the selected rows of the list.
func (p *Panel) dragRows() rows.Drag {
	picks := p.assets.picks(p.list.selected())
	if len(picks) == 0 {
		return nil
	}
	p.drags.begin(&drag{}, func(context.Context) ([]export.Pick, error) { return picks, nil })
	return p
}

// begin starts finding the files of a drag while the pointer moves.
func (g *drags) begin(d *drag, find picker, folders ...string) {
	g.cancel()
	g.current = d
	p := g.p
	ok, reason := g.out.Available()
	switch {
	case ok:
	case d.doc == nil: // rows can still be moved within the list
		d.unavailable = errors.New(reason)
		return
	default:
		if !g.saidUnavailable {
			g.saidUnavailable = true
			p.Notify(host.Notice{ID: "dragout", Text: reason})
		}
		return
	}
	ctx, stop := context.WithCancel(p.group.Context())
	d.stop = stop
	preset := p.settings.preset
	p.group.Go(func(context.Context) func() {
		items, err := g.items(ctx, find, preset, folders...)
		return func() {
			if g.current != d || d.released {
				return
			}
			if err == nil {
				err = g.out.Start(items)
			}
			switch {
			case err == nil:
				d.started = true
			case d.doc == nil:
				d.unavailable = err
			default:
				p.notifyError(err)
			}
		}
	})
}

// items returns the files to drag, in the dragged folders.
func (g *drags) items(ctx context.Context, find picker, preset export.Preset, folders ...string) ([]dragout.Item,
	error) {
	picks, err := find(ctx)
	if err != nil {
		return nil, err
	}
	if n := export.CountPicks(picks); n > maxDragged {
		return nil, fmt.Errorf("cannot drag %s at once; use the export panel", host.Count(n, "file"))
	}
	names := export.Flat
	if len(folders) > 0 {
		names = export.Keep
	}
	plan, err := planFor(ctx, export.DiscardFolder{}, picks, preset, names)
	if err != nil {
		return nil, err
	}
	var items []dragout.Item
	problem := ""
	for i := range plan.Len() {
		planned := plan.Item(i)
		if planned.Target == "" {
			problem = planned.Name + ": " + planned.Problem
			continue
		}
		asset := planned.From.At(planned.Index)
		folder, name := path.Split(relativeTarget(folders, asset.Name, planned.Target))
		items = append(items, dragout.Item{Name: name, Folder: folder, Size: planned.Size, ModTime: asset.ModTime,
			Write: func(ctx context.Context, w io.Writer) error {
				row, err := plan.Write(ctx, i, w)
				if err == nil && row.Problem != "" {
					g.warn(row.Path + ": " + row.Problem)
				}
				return err
			}})
	}
	if len(items) == 0 && problem != "" {
		return nil, errors.New(problem)
	}
	return items, nil
}

// relativeTarget returns the last part of the target of an asset: from the dragged folder on that contains the asset.
func relativeTarget(folders []string, asset, target string) string {
	asset = strings.Trim(strings.ReplaceAll(asset, `\`, "/"), "/")
	for _, folder := range folders {
		if strings.HasPrefix(asset, folder+"/") {
			parts := strings.Split(target, "/")
			return path.Join(parts[min(strings.Count(folder, "/"), len(parts)-1):]...)
		}
	}
	return path.Base(target)
}

// planFor plans files with a template for their names, in the default or the chosen formats.
func planFor(ctx context.Context, folder export.Folder, picks []export.Pick, preset export.Preset, names string) (
	*export.Plan, error) {
	template, err := export.ParseTemplate(names)
	if err != nil {
		return nil, err
	}
	return export.NewPlan(ctx, folder, picks, export.Options{Names: template, Usual: true, Forms: preset.Forms,
		Prefer: preset.Prefer, NoSync: true})
}

func (g *drags) warn(text string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.warnings = append(g.warnings, text)
}

// Dragged updates a drag for a new position of the pointer. It highlights the panel if a drop would add assets.
func (p *Panel) Dragged(pos fyne.Position) {
	d := p.drags.current
	if d == nil {
		return
	}
	p.movePointer(d, pos)
	if d.started {
		p.drags.out.Move(d.overTarget)
	}
}

func (p *Panel) movePointer(d *drag, pos fyne.Position) {
	if d.doc == nil {
		var y float32
		if d.targetIndex, y, d.overTarget = p.list.gapAt(pos); d.overTarget {
			p.list.showGap(y)
		} else {
			p.list.dropLine.Hide()
		}
		return
	}
	if !d.panelShown {
		d.panelShown = true
		d.hidePanel = p.ShowExport()
	}
	if inside := p.isOver(pos); inside != d.overTarget {
		d.overTarget = inside
		if paint.SetVisible(p.dropHighlight, inside); inside {
			p.ShowHint("Drop to add to the export list.")
		}
	}
}

// isOver reports whether a position in the window is on the panel.
func (p *Panel) isOver(pos fyne.Position) bool {
	return p.slot != nil && p.slot.box.Visible() && fyne.CurrentApp().Driver().CanvasForObject(p.content) != nil &&
		paint.Contains(p.content, pos)
}

// DragEnd ends a drag. If the pointer is over the panel, it adds the dragged assets.
func (p *Panel) DragEnd() {
	d := p.drags.finish()
	if d == nil {
		return
	}
	if d.started {
		p.drags.out.End()
	}
	switch {
	case d.doc == nil && d.overTarget:
		p.moveTo(d.targetIndex)
	case d.doc == nil:
		p.notifyError(d.unavailable)
	case d.overTarget:
		p.Add(d.doc, d.nodes)
	case d.hidePanel != nil:
		d.hidePanel()
	}
}

// finish ends the current drag and returns it, or nil if there is none.
func (g *drags) finish() *drag {
	d := g.current
	if d == nil {
		return nil
	}
	g.current = nil
	g.p.dropHighlight.Hide()
	g.p.list.dropLine.Hide()
	d.released = true
	if d.stop != nil {
		d.stop()
	}
	return d
}

// CancelDrag cancels the current drag. It returns false if there is none.
func (p *Panel) CancelDrag() bool { return p.drags.cancel() }

func (g *drags) cancel() bool {
	d := g.finish()
	if d == nil {
		return false
	}
	if d.started {
		g.out.Cancel()
	}
	if d.hidePanel != nil {
		d.hidePanel()
	}
	g.p.ShowHint("The drag was canceled.")
	return true
}

// onEvent displays the progress of files that are dragged out or copied.
func (g *drags) onEvent(e dragout.Event) {
	p := g.p
	switch e.State {
	case dragout.Preparing:
		text := e.Text
		if e.Total > 0 {
			text = fmt.Sprintf("Preparing %s: %s of %s", host.Count(e.Files, "file"), host.Size(e.Done), host.Size(e.Total))
		}
		p.ShowHint(text)
		return
	case dragout.Ready:
		p.ShowHint(e.Text)
		return
	case dragout.Inside:
		return
	case dragout.Failed:
		p.notifyError(errors.New(e.Text))
	case dragout.Canceled:
		if !e.Clipboard && g.current != nil && g.current.started { // canceled with Escape
			g.current.started = false
			g.cancel()
		}
		p.ShowHint(e.Text)
	default:
		p.ShowHint(e.Text)
	}
	for _, problem := range e.Problems[:min(len(e.Problems), 3)] {
		p.notifyError(fmt.Errorf("%s was skipped: %w", problem.Name, problem.Err))
	}
	g.mu.Lock()
	warnings := g.warnings
	g.warnings = nil
	g.mu.Unlock()
	if len(warnings) > 0 && (e.State == dragout.Dropped || e.State == dragout.Copied) {
		text := warnings[0]
		if len(warnings) > 1 {
			text += fmt.Sprintf(" (and %s more)", host.Number(len(warnings)-1))
		}
		p.Notify(host.Notice{ID: "doubts", Level: host.Warning, Text: host.SentenceOf(text)})
	}
}

// CopyRows copies the selected rows of the list to the clipboard as files.
func (p *Panel) CopyRows() {
	picks := p.assets.picks(p.list.selected())
	p.copyFiles(func(context.Context) ([]export.Pick, error) { return picks, nil })
}

// CopyFiles copies the assets of nodes to the clipboard as files, in folders as Drag does.
func (p *Panel) CopyFiles(d *model.Document, nodes doc.Nodes, folders ...string) {
	p.copyFiles(picksOf(d, nodes), folders...)
}

func (p *Panel) copyFiles(find picker, folders ...string) {
	if ok, reason := p.drags.out.Available(); !ok {
		p.Notify(host.Notice{ID: "dragout", Text: reason})
		return
	}
	preset := p.settings.preset
	p.job("Preparing files", func(ctx context.Context) (func(), error) {
		items, err := p.drags.items(ctx, find, preset, folders...)
		return func() { p.notifyError(p.drags.out.CopyFiles(p.group.Context(), items)) }, err
	})
}
