package preview

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"assay/model"
	"assay/model/scene"
	"assay/ui/control"
	"assay/ui/host"
	"assay/ui/paint"
)

// missingResources says below a scene that it lacks files, and offers to look for them. Which they are, the caption
// says.
type missingResources struct {
	text *widget.Label
	bar  *fyne.Container
}

func newMissing(h host.Host, choose func()) *missingResources {
	l := &missingResources{text: widget.NewLabel("Missing files")}
	button := control.NewIcon(h, nil, "Choose another folder to search for missing materials and textures",
		choose)
	button.Text, button.Importance = "Choose Folder…", widget.MediumImportance
	l.text.Truncation = fyne.TextTruncateEllipsis
	l.text.SizeName = theme.SizeNameCaptionText
	l.text.Importance = widget.WarningImportance
	l.bar = container.NewBorder(nil, nil, nil, button, l.text)
	l.bar.Hide()
	return l
}

// show says that a view lacks files; nothing is said of one that is complete.
func (l *missingResources) show(v model.View) {
	s, ok := v.(*scene.Scene)
	paint.Show(l.bar, ok && s.Incomplete)
}
