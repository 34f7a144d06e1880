package compared

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"assay/ui/command"
	"assay/ui/control"
	"assay/ui/host"
)

// Tool is a button of the head. If the width is small it is only an icon. Button is the widget.
type Tool struct {
	*control.Button
	name string
}

// NewTool makes the button of a command.
func NewTool(h host.Host, id command.ID, icon fyne.Resource, do func()) *Tool {
	return NewNamedTool(h, command.ByID(id).Tool, icon, h.Keys().HintOf(id), do)
}

// NewNamedTool makes a button with a hint.
func NewNamedTool(h host.Host, name string, icon fyne.Resource, hint func() string, do func()) *Tool {
	t := &Tool{control.NewTool(h, icon, hint, do), name}
	t.Text = name
	return t
}

// Rename gives the button a name and reports whether it had another one.
func (t *Tool) Rename(name string) bool {
	prefix := t.name
	t.name = name
	t.show(t.Text != "")
	return name != prefix
}

// show shows or hides the name.
func (t *Tool) show(named bool) {
	if named {
		t.SetText(t.name)
	} else {
		t.SetText("")
	}
}

// summaryRoom is the width that a summary has beside the names of the tools.
const summaryRoom = 420

// NewToolLine returns a line with a summary and buttons; the tools have labels if the width suffices.
func NewToolLine(summary fyne.CanvasObject, buttons *fyne.Container, tools ...*Tool) *fyne.Container {
	return container.New(&toolLine{tools: tools, buttons: buttons}, summary, buttons)
}

// toolLine is the layout of a summary with tools.
type toolLine struct {
	tools    []*Tool
	buttons  *fyne.Container
	wordless bool    // the names are hidden
	full     float32 // width of the buttons with labels, at the last layout
}

func (l *toolLine) MinSize(objects []fyne.CanvasObject) fyne.Size {
	size := l.buttons.MinSize()
	for _, o := range objects {
		size.Height = max(size.Height, o.MinSize().Height)
	}
	size.Width -= l.names()
	return size
}

// names returns the width of the displayed labels.
func (l *toolLine) names() (width float32) {
	for _, t := range l.tools {
		if t.Text != "" && t.Visible() {
			width += max(0, t.MinSize().Width-t.MinSize().Height)
		}
	}
	return width
}

func (l *toolLine) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	if !l.wordless {
		l.full = l.buttons.MinSize().Width
	}
	if wordless := size.Width-l.full < summaryRoom; wordless != l.wordless {
		l.wordless = wordless
		for _, t := range l.tools {
			t.show(!wordless)
		}
		l.buttons.Refresh()
	}
	wide := l.buttons.MinSize().Width
	for _, o := range objects {
		if o == l.buttons {
			o.Move(fyne.NewPos(size.Width-wide, 0))
			o.Resize(fyne.NewSize(wide, size.Height))
		} else {
			o.Move(fyne.Position{})
			o.Resize(fyne.NewSize(max(0, size.Width-wide), size.Height))
		}
	}
}
