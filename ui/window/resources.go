package window

import (
	"assay/model"
	"assay/ui/host"
	"assay/ui/opening"
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
	project := host.ProjectOf(d)
	if project == "" {
		return
	}
	from := d.Source.Resources()
	if from == "" {
		from = project
	}
	w.ask.Folder("Choose the folder with materials and textures", from, func(path string) {
		opening.Resources.Keep(project, path)
		w.rereadResources()
	})
}

// forgetResources goes back to what is around a document.
func (w *Window) forgetResources(d *model.Document) {
	opening.Resources.Forget(d.Source.Home())
	w.rereadResources()
}

// rereadResources reads those open files again that have another resource folder than before.
func (w *Window) rereadResources() {
	for _, t := range w.tabs.all {
		switch t := t.(type) {
		case *docTab:
			if !opening.HasItsResources(t.pane.Document().Source) {
				t.reload()
			}
		case *folderTab:
			t.ResourcesChanged()
		}
	}
}
