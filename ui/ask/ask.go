// Package ask contains the dialogs over the window: Asker asks for files, folders and decisions. It also contains List,
// which opens over the window to go to an item by typing a part of its name.
package ask

import (
	"bytes"
	"context"
	"errors"
	"io"
	"path/filepath"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/widget"

	"assay/model"
	"assay/ui/control"
	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/work"
)

// Asker opens dialogs over a window, one at a time.
type Asker struct {
	host       host.Host
	window     fyne.Window
	group      *work.Group
	dialog     dialog.Dialog // the open dialog, or nil
	systemOpen bool          // the dialog of the desktop is open
	style      *paint.Style

	Extensions []string // extensions of the supported files, in lower case, with dots
	// Recognize reports whether the file at a path is of a supported format. It may be nil.
	Recognize func(path string) bool
	// Described returns the extensions of the other formats that Recognize knows. It may be nil.
	Described func() []string
}

// New returns the asker of a window.
func New(h host.Host, window fyne.Window, group *work.Group, style *paint.Style) *Asker {
	return &Asker{host: h, window: window, group: group, style: style}
}

// File asks for a file with one of some extensions, starting in a folder, in the dialog of the desktop if there is one.
func (a *Asker) File(title, folder string, extensions []string, do func(path string)) {
	a.choosePath(question{title: title, folder: folder, extensions: extensions}, do)
}

// Supported asks for a file that the program supports, as File does: with one of some extensions, or one that Recognize
// recognizes.
func (a *Asker) Supported(title, folder string, extensions []string, do func(path string)) {
	a.choosePath(question{title: title, folder: folder, extensions: extensions, recognize: a.Recognize}, do)
}

// Folder asks for a folder, starting in another one, as File does.
func (a *Asker) Folder(title, folder string, do func(path string)) {
	a.choosePath(question{title: title, folder: folder, directory: true}, do)
}

// question is the request for a path: a file, a folder, or a file to write.
type question struct {
	title     string
	folder    string // the initial folder
	directory bool
	// extensions are the extensions of the files that are listed first.
	extensions []string
	recognize  func(path string) bool // reports whether another file is listed first too; may be nil
	name       string                 // the proposed name of a file to write; empty: an existing file is chosen
}

// choosePath opens the dialog of the desktop, or a picker if there is no such dialog. Only one is open at a time.
func (a *Asker) choosePath(q question, do func(path string)) {
	q.folder = nearestFolder(q.folder)
	openPicker := func() { newPicker(a, q, do).begin(a, q.folder) }
	if a.group.IsInline() || a.systemOpen {
		if !a.systemOpen {
			openPicker()
		}
		return
	}
	a.systemOpen = true
	a.group.Go(func(ctx context.Context) func() {
		path, ok := systemDialog(ctx, a.withExtensions(q))
		return func() {
			a.systemOpen = false
			switch {
			case !ok:
				openPicker()
			case path != "":
				do(path)
			}
		}
	})
}

// withExtensions returns a question for a dialog that does not read the files: it lists them by their extensions.
func (a *Asker) withExtensions(q question) question {
	if q.recognize != nil && a.Described != nil {
		q.extensions = slices.Concat(q.extensions, a.Described())
	}
	return q
}

// NewFile asks for the path of a file to write, starting in a folder, and proposes a name. If name is an absolute path,
// it starts in the folder of the name.
func (a *Asker) NewFile(title, folder, name string, do func(path string)) {
	if filepath.IsAbs(name) {
		folder, name = filepath.Dir(name), filepath.Base(name)
	}
	a.choosePath(question{title: title, folder: folder, name: name}, do)
}

// Save asks for the path of a file to write, as NewFile does, and calls write in a job. The file is replaced only after
// write has succeeded.
func (a *Asker) Save(title, folder, name string, write func(path string, out io.Writer) error) {
	a.NewFile(title, folder, name, func(path string) { a.save(path, write) })
}

func (a *Asker) save(path string, write func(path string, out io.Writer) error) {
	a.group.Write(func(context.Context) func() {
		var buffer bytes.Buffer
		err := write(path, &buffer)
		if err == nil {
			err = model.ReplaceFile(path, buffer.Bytes(), 0o644)
		}
		return func() {
			if errors.Is(err, context.Canceled) {
				a.host.ShowHint(model.FileName(path) + " was not saved: canceled.")
				return
			}
			if err != nil {
				a.host.Notify(host.Notice{Level: host.Error,
					Text: host.SentenceOf("Could not save " + model.FileName(path) + ": " + err.Error())})
				return
			}
			text := "Saved " + model.FileName(path) + "."
			if a.window.Canvas().Overlays().Top() != nil { // the dialog hides the status line
				a.host.Notify(host.Notice{ID: "saved", Text: text})
				return
			}
			a.host.ShowHint(text)
		}
	})
}

// Confirm asks a question and calls do if the user agrees. extra are further answers. withdraw closes the dialog if it
// is still open.
func (a *Asker) Confirm(title, text, yes, cancel string, do func(), extra ...Button) (withdraw func()) {
	label := widget.NewLabel(text)
	label.Wrapping = fyne.TextWrapWord
	d := dialog.NewCustomWithoutButtons(title, label, a.window)
	buttons := []fyne.CanvasObject{a.button(cancel, d.Dismiss)}
	for _, b := range append(extra, Button{yes, do}) {
		buttons = append(buttons, a.button(b.Label, func() {
			d.Hide()
			b.On()
		}))
	}
	confirm := buttons[len(buttons)-1].(*control.Button)
	confirm.Importance = widget.HighImportance
	d.SetButtons(buttons)
	a.present(d, fyne.NewSize(420, 0), confirm)
	return func() {
		if a.dialog == d {
			d.Dismiss()
		}
	}
}

// The width of an explanation, the space around its text, and the maximum height of the text, in device-independent
// pixels.
const (
	explainWidth  = 560
	explainFrame  = 72
	explainHeight = 320
)

// Explain displays a text of several lines, which can be copied.
func (a *Asker) Explain(title, text string) {
	label := widget.NewLabel(text)
	label.Wrapping, label.Selectable = fyne.TextWrapWord, true
	label.Resize(fyne.NewSize(explainWidth-explainFrame, 0)) // for the height of its lines
	scroll := container.NewVScroll(label)
	scroll.SetMinSize(fyne.NewSize(0, min(label.MinSize().Height, explainHeight)))
	a.ShowContent(title, scroll, fyne.NewSize(explainWidth, 0))
}

// ShowContent displays content to read in a dialog that is at most as large as the window.
func (a *Asker) ShowContent(title string, content fyne.CanvasObject, size fyne.Size) {
	d := dialog.NewCustomWithoutButtons(title, content, a.window)
	closeButton := a.button("Close", d.Dismiss)
	d.SetButtons([]fyne.CanvasObject{closeButton})
	a.present(d, size, closeButton)
}

// Form displays fields in a dialog: focus is the field with the keyboard focus, yes is the default button, and extra
// are further buttons. The returned func presses the default button.
func (a *Asker) Form(title string, fields fyne.CanvasObject, size fyne.Size, focus fyne.Focusable, yes Button,
	extra ...Button) (press func()) {
	d := dialog.NewCustomWithoutButtons(title, fields, a.window)
	press = func() {
		d.Hide()
		yes.On()
	}
	buttons := []fyne.CanvasObject{a.button("Cancel", d.Dismiss)}
	for _, o := range extra {
		buttons = append(buttons, a.button(o.Label, func() {
			d.Hide()
			o.On()
		}))
	}
	last := a.button(yes.Label, press)
	last.Importance = widget.HighImportance
	d.SetButtons(append(buttons, last))
	a.present(d, size, focus)
	return press
}

// Button is a button of a dialog, which closes it.
type Button struct {
	Label string
	On    func()
}

// present shows a dialog and focuses an object in it.
func (a *Asker) present(d dialog.Dialog, size fyne.Size, focus fyne.Focusable) {
	a.Show(d)
	room := a.window.Canvas().Size() // a dialog has no size until it is visible
	d.Resize(size.Min(room.SubtractWidthHeight(margin, margin)))
	a.window.Canvas().Focus(focus)
}

// margin is the margin of the window around a dialog, both sides together.
const margin = 40

// Show opens a dialog.
func (a *Asker) Show(d dialog.Dialog) {
	a.dialog = d
	d.SetOnClosed(func() { a.dialog = nil })
	d.Show()
}

// button returns a button of a dialog. Escape closes the dialog.
func (a *Asker) button(label string, do func()) *control.Button {
	return control.NewButton(a.key, label, nil, do)
}

// key handles the keys that a button of a dialog does not use.
func (a *Asker) key(ev *fyne.KeyEvent, _ bool) bool {
	return ev.Name == fyne.KeyEscape && a.Dismiss()
}

// Dismiss closes the open dialog, and returns false if no dialog is open.
func (a *Asker) Dismiss() bool {
	if a.dialog == nil {
		return false
	}
	a.dialog.Dismiss()
	return true
}

// nearestFolder returns a folder, or its nearest parent that exists.
func nearestFolder(folder string) string {
	for folder != filepath.Dir(folder) {
		if model.IsFolder(folder) {
			break
		}
		folder = filepath.Dir(folder)
	}
	return folder
}
