package host

import (
	"fmt"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"assay/ui/paint"
)

// Level is the severity of a notice.
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

// Notice is a message to the user, displayed in a Bar until it is closed.
type Notice struct {
	// ID identifies the notice: it replaces an older one with the same ID. It may be empty.
	ID      string
	Level   Level
	Text    string
	Actions []Action
	OnClose func()
	// Owner is the owner of the notice, such as a tab: the notice is visible while its owner is. nil: the window.
	Owner any
}

// maxNotices is the maximum number of notices of one owner. A further one removes the oldest, preferably one without
// actions.
const maxNotices = 3

// noticeBackground is the background of a notice. It blocks clicks on the objects below.
type noticeBackground struct{ widget.BaseWidget }

var _ desktop.Mouseable = (*noticeBackground)(nil)

func newNoticeBackground() *noticeBackground {
	g := new(noticeBackground)
	g.ExtendBaseWidget(g)
	return g
}

func (*noticeBackground) CreateRenderer() fyne.WidgetRenderer {
	return widget.NewSimpleRenderer(paint.NewBackdrop(theme.ColorNameOverlayBackground))
}

// MouseDown does nothing.
func (*noticeBackground) MouseDown(*desktop.MouseEvent) {}

// MouseUp does nothing.
func (*noticeBackground) MouseUp(*desktop.MouseEvent) {}

// Bar displays notices. Its height depends on them.
type Bar struct {
	box      *fyne.Container
	notices  []Notice
	owner    any  // owner whose notices are visible
	expanded bool // all notices are visible, not only the latest
}

// NewBar returns an empty bar.
func NewBar() *Bar {
	return &Bar{box: container.New(layout.NewCustomPaddedVBoxLayout(0))}
}

// Content returns the object to add to the window.
func (b *Bar) Content() fyne.CanvasObject { return b.box }

// Show adds a notice. One without a text removes the notice with its ID.
func (b *Bar) Show(n Notice) {
	if n.Text == "" {
		b.Remove(n.ID)
		return
	}
	for i, old := range b.notices {
		if n.ID != "" && old.ID == n.ID || old.Text == n.Text && old.Owner == n.Owner {
			b.notices[i] = n
			b.rebuild()
			return
		}
	}
	b.notices = append(b.notices, n)
	b.dropOldest(n.Owner)
	b.rebuild()
}

// dropOldest removes the oldest notice of an owner that has too many, preferably one without actions.
func (b *Bar) dropOldest(owner any) {
	var listed []int
	for i, n := range b.notices {
		if n.Owner == owner {
			listed = append(listed, i)
		}
	}
	if len(listed) <= maxNotices {
		return
	}
	oldest := listed[0]
	if i := slices.IndexFunc(listed[:maxNotices], func(i int) bool { return len(b.notices[i].Actions) == 0 }); i >= 0 {
		oldest = listed[i]
	}
	b.notices = slices.Delete(b.notices, oldest, oldest+1)
}

// SetOwner displays the notices of the owner in view and of the window.
func (b *Bar) SetOwner(owner any) {
	if b.owner != owner {
		b.owner, b.expanded = owner, false
		b.rebuild()
	}
}

// Forget removes the notices of a closed owner.
func (b *Bar) Forget(owner any) {
	b.notices = slices.DeleteFunc(b.notices, func(n Notice) bool { return n.Owner == owner })
	b.rebuild()
}

// visible returns the notices of the window and of the owner in view, the oldest first.
func (b *Bar) visible() []Notice {
	var all []Notice
	for _, n := range b.notices {
		if n.Owner == nil || n.Owner == b.owner {
			all = append(all, n)
		}
	}
	return all
}

// Remove removes a notice.
func (b *Bar) Remove(id string) {
	for i, n := range b.notices {
		if n.ID == id {
			b.notices = append(b.notices[:i:i], b.notices[i+1:]...)
			b.rebuild()
			return
		}
	}
}

// Texts returns the texts of the notices in view, the oldest first.
func (b *Bar) Texts() []string {
	var t []string
	for _, n := range b.visible() {
		t = append(t, n.Text)
	}
	return t
}

// CloseLatest closes the latest notice in view, and returns false if there is no notice.
func (b *Bar) CloseLatest() bool {
	all := b.visible()
	if len(all) == 0 {
		return false
	}
	b.close(all[len(all)-1])
	return true
}

// close removes a notice that the user closed.
func (b *Bar) close(n Notice) {
	for i := range b.notices {
		if b.notices[i].Text == n.Text && b.notices[i].Owner == n.Owner {
			b.notices = append(b.notices[:i:i], b.notices[i+1:]...)
			break
		}
	}
	b.rebuild()
	if n.OnClose != nil {
		n.OnClose()
	}
}

func (b *Bar) rebuild() {
	b.box.RemoveAll()
	all := b.visible()
	if rest := len(all) - 1; rest > 0 && !b.expanded {
		worst := all[rest]
		for _, n := range slices.Backward(all) {
			if n.Level > worst.Level {
				worst = n
			}
		}
		if worst.Level > all[rest].Level { // the latest notice must not hide an error
			b.box.Add(b.line(worst, nil))
			rest--
		}
		var more *Action
		if rest > 0 {
			more = &Action{fmt.Sprintf("%d more", rest), func() {
				b.expanded = true
				b.rebuild()
			}}
		}
		b.box.Add(b.line(all[len(all)-1], more))
	} else {
		for _, n := range all {
			b.box.Add(b.line(n, nil))
		}
	}
	b.box.Refresh()
}

// line returns the row of a notice. more, if not nil, is a button that displays the hidden notices.
func (b *Bar) line(n Notice, more *Action) fyne.CanvasObject {
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
	if more != nil {
		buttons.Add(widget.NewButton(more.Label, more.On))
	}
	closeButton := widget.NewButtonWithIcon("", theme.CancelIcon(), func() { b.close(n) })
	closeButton.Importance = widget.LowImportance
	buttons.Add(closeButton)
	mark := container.NewStack(container.NewGridWrap(fyne.NewSize(3, 1), layout.NewSpacer()), paint.NewBackdrop(name))
	row := container.NewBorder(nil, nil, container.NewHBox(mark, container.NewCenter(widget.NewIcon(icon))),
		container.NewCenter(buttons), label)
	return container.NewStack(newNoticeBackground(), paint.NewTint(name, 0x2a), row)
}
