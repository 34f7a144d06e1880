// Package notice shows sentences to the user in a bar of the window: what went wrong, what changed, what can be done.
package notice

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"assay/ui/look"
)

// Level says how serious a notice is.
type Level uint8

// The levels.
const (
	Info Level = iota
	Warning
	Error
)

// Action is a button of a notice.
type Action struct {
	Label string
	On    func()
}

// Notice is one sentence.
type Notice struct {
	// ID replaces an older notice of the same ID; empty replaces nothing.
	ID      string
	Level   Level
	Text    string
	Actions []Action
	OnClose func()
}

// shownMax is how many notices are shown at once; older ones go, those that offer something to do last.
const shownMax = 3

// Bar is the place for notices. It is as high as what it shows.
type Bar struct {
	box     *fyne.Container
	notices []Notice
}

// NewBar makes an empty bar.
func NewBar() *Bar {
	return &Bar{box: container.New(layout.NewCustomPaddedVBoxLayout(0))}
}

// Content is what goes into the window.
func (b *Bar) Content() fyne.CanvasObject { return b.box }

// Show adds a notice.
func (b *Bar) Show(n Notice) {
	for i, old := range b.notices {
		if n.ID != "" && old.ID == n.ID || old.Text == n.Text {
			b.notices[i] = n
			b.rebuild()
			return
		}
	}
	b.notices = append(b.notices, n)
	if len(b.notices) > shownMax {
		oldest := max(0, slices.IndexFunc(b.notices[:shownMax], func(n Notice) bool { return len(n.Actions) == 0 }))
		b.notices = slices.Delete(b.notices, oldest, oldest+1)
	}
	b.rebuild()
}

// Remove takes a notice away.
func (b *Bar) Remove(id string) {
	for i, n := range b.notices {
		if n.ID == id {
			b.notices = append(b.notices[:i:i], b.notices[i+1:]...)
			b.rebuild()
			return
		}
	}
}

// Texts lists what is shown, the oldest first.
func (b *Bar) Texts() []string {
	var t []string
	for _, n := range b.notices {
		t = append(t, n.Text)
	}
	return t
}

func (b *Bar) rebuild() {
	b.box.RemoveAll()
	for _, n := range b.notices {
		b.box.Add(b.line(n))
	}
	b.box.Refresh()
}

func (b *Bar) line(n Notice) fyne.CanvasObject {
	name, icon := theme.ColorNamePrimary, theme.InfoIcon()
	switch n.Level {
	case Warning:
		name, icon = theme.ColorNameWarning, theme.WarningIcon()
	case Error:
		name, icon = theme.ColorNameError, theme.ErrorIcon()
	}
	label := widget.NewLabel(n.Text)
	label.Wrapping = fyne.TextWrapWord
	buttons := container.NewHBox()
	for _, a := range n.Actions {
		buttons.Add(widget.NewButton(a.Label, a.On))
	}
	shut := widget.NewButtonWithIcon("", theme.CancelIcon(), func() {
		for i := range b.notices {
			if b.notices[i].Text == n.Text {
				b.notices = append(b.notices[:i:i], b.notices[i+1:]...)
				break
			}
		}
		b.rebuild()
		if n.OnClose != nil {
			n.OnClose()
		}
	})
	shut.Importance = widget.LowImportance
	buttons.Add(shut)
	mark := container.NewStack(container.NewGridWrap(fyne.NewSize(3, 1), layout.NewSpacer()), look.NewBackdrop(name))
	row := container.NewBorder(nil, nil, container.NewHBox(mark, container.NewCenter(widget.NewIcon(icon))), container.NewCenter(buttons), label)
	return container.NewStack(look.NewTint(name, 0x2a), row)
}
