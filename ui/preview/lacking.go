package preview

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"assay/model"
	"assay/model/scene"
	"assay/ui/wording"
)

// lacking says below a scene which file it lacks, and offers to look for it.
type lacking struct {
	text *widget.Label
	bar  *fyne.Container
}

func newLacking(choose func()) *lacking {
	l := &lacking{text: widget.NewLabel("")}
	l.text.Truncation = fyne.TextTruncateEllipsis
	l.text.SizeName = theme.SizeNameCaptionText
	l.text.Importance = widget.WarningImportance
	l.bar = container.NewBorder(nil, nil, nil, widget.NewButton("Choose Resource Folder…", choose), l.text)
	l.bar.Hide()
	return l
}

// show says what a view lacks; nothing is said of one that is complete.
func (l *lacking) show(v model.View) {
	s, ok := v.(*scene.Scene)
	if !ok || !s.Incomplete || len(s.Missing) == 0 {
		l.bar.Hide()
		return
	}
	l.text.SetText(wording.SentenceOf(s.Missing[0]))
	l.bar.Show()
}
