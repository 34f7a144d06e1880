package window

import (
	"context"

	"assay/model"
	"assay/ui/notice"
	"assay/ui/preview"
	"assay/ui/reading"
	"assay/ui/wording"
)

// documentOf returns the document of a tab, or the one that a folder's tab shows; nil if there is none.
func documentOf(t Tab) *model.Document {
	switch t := t.(type) {
	case *docTab:
		return t.pane.Document()
	case *folderTab:
		return t.Document()
	}
	return nil
}

// canLackFiles reports whether a tab has a file that can refer to others.
func canLackFiles(t Tab) bool {
	d := documentOf(t)
	return d != nil && d.Project != "" && d.Source.Home() != ""
}

// hasResources reports whether a tab has a file with a resource folder.
func hasResources(t Tab) bool {
	d := documentOf(t)
	return d != nil && d.Source.Resources() != ""
}

// askResources asks for the resource folder of a document's project.
func (w *Window) askResources(d *model.Document) {
	project := preview.ProjectOf(d)
	if project == "" {
		return
	}
	from := d.Source.Resources()
	if from == "" {
		from = project
	}
	w.ask.Folder("The folder with materials and textures", from, func(path string) {
		reading.Resources.Keep(project, path)
		w.rereadResources()
	})
}

// forgetResources goes back to what is around a document.
func (w *Window) forgetResources(d *model.Document) {
	reading.Resources.Forget(d.Source.Home())
	w.rereadResources()
}

// rereadResources reads those open files again that have another resource folder than before.
func (w *Window) rereadResources() {
	for _, t := range w.tabs.all {
		switch t := t.(type) {
		case *docTab:
			src := t.pane.Document().Source
			switch {
			case reading.HasItsResources(src):
			case t.Path != "":
				t.reload()
			default:
				t.reopen(src)
			}
		case *folderTab:
			t.ResourcesChanged()
		}
	}
}

// reopen reads what is inside of a file again.
func (t *docTab) reopen(src *model.Source) {
	src.SetResources(reading.ResourcesOf(src.Home()))
	t.group.Open(func(ctx context.Context) (done, dropped func()) {
		d, err := t.w.opener.Reads(t.as)(ctx, src)
		dropped = func() {}
		if err == nil && d.Source != src { // which the pane closes
			dropped = func() { model.CloseDocuments(d) }
		}
		return func() {
			if err != nil {
				t.Notify(notice.Notice{Level: notice.Error, Text: wording.Sentence(err)})
				return
			}
			t.pane.SetDocument(d)
		}, dropped
	})
}
