package comparison

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"assay/ui/command"
	"assay/ui/control"
)

// tool is a button of the head. Where there is little room it is only an icon. What is shown is the Button.
type tool struct {
	*control.Button
	name string
}

// newTool makes the button of a command.
func newTool(c *Comparison, id command.ID, icon fyne.Resource, do func()) *tool {
	return newNamed(c, command.Of(id).Tool, icon, c.Keys().Hint(id), do)
}

// newNamed makes a button.
func newNamed(c *Comparison, name string, icon fyne.Resource, says string, do func()) *tool {
	t := &tool{control.NewIcon(c, icon, says, do), name}
	t.Text = name
	return t
}

// rename gives the button another name.
func (t *tool) rename(name string) {
	t.name = name
	t.show(t.Text != "")
}

// show shows or hides the name.
func (t *tool) show(named bool) {
	if named {
		t.SetText(t.name)
	} else {
		t.SetText("")
	}
}

// summaryRoom is the width that a summary has beside the names of the tools.
const summaryRoom = 420

// toolLine places a summary and, after it, tools, which have names where there is room for them.
type toolLine struct {
	tools    []*tool
	buttons  *fyne.Container
	wordless bool    // the names are hidden
	full     float32 // width of the buttons with their names, when those were shown last
}

// MinSize is that of the icons.
func (l *toolLine) MinSize(objects []fyne.CanvasObject) fyne.Size {
	size := l.buttons.MinSize()
	for _, o := range objects {
		size.Height = max(size.Height, o.MinSize().Height)
	}
	size.Width -= l.names()
	return size
}

// names is the width that the names take that are shown.
func (l *toolLine) names() (width float32) {
	for _, t := range l.tools {
		if t.Text != "" && t.Visible() {
			width += max(0, t.MinSize().Width-t.MinSize().Height)
		}
	}
	return width
}

// Layout places what is shown.
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

// noteLine places a field and a short text after it, which has at most half of the room and then ends in dots.
type noteLine struct{ note *widget.Label }

// MinSize is that of the field.
func (l *noteLine) MinSize(objects []fyne.CanvasObject) fyne.Size { return objects[0].MinSize() }

// Layout places what is shown.
func (l *noteLine) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	wide := float32(0)
	if l.note.Visible() {
		wide = fyne.MeasureText(l.note.Text, theme.TextSize(), l.note.TextStyle).Width + 2*theme.InnerPadding() + 1
		wide = min(wide, size.Width/2)
	}
	objects[0].Resize(fyne.NewSize(size.Width-wide, size.Height))
	l.note.Move(fyne.NewPos(size.Width-wide, 0))
	l.note.Resize(fyne.NewSize(wide, size.Height))
}
