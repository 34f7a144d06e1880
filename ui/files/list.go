package files

import (
	"context"

	"fyne.io/fyne/v2"

	"assay/model"
	"assay/ui/assets"
	"assay/ui/doc"
	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/rows"
	"assay/ui/thumbnail"
	"assay/ui/work"
)

// Exporter is the interface of the export list for a list of files. Documents are lists of files.
type Exporter interface {
	Drag(d *model.Document, nodes doc.Nodes, folders ...string) rows.Drag
	CopyFiles(d *model.Document, nodes doc.Nodes, folders ...string)
	CopyNames(d *model.Document, nodes doc.Nodes)
	SaveSheet(d *model.Document, nodes doc.Nodes, o thumbnail.Options)
	// AddFiles adds all assets of files in a listed folder and returns their number.
	AddFiles(folder string, all []*model.Document) int
}

type list struct {
	host.Host
	*assets.Panel
	group    *work.Group
	export   Exporter
	document *model.Document
	selected doc.Nodes
	next     string // name of the file to make current once a document is listed; "" for the present one
}

var _ assets.Host = (*list)(nil)

// newList returns the list of the assets of a document. menu opens the menu of the selected ones.
func newList(h host.Host, style *paint.Style, group *work.Group, export Exporter, d *model.Document, o assets.Options,
	menu func(pos fyne.Position)) *list {
	l := &list{Host: h, group: group, export: export, document: d}
	o.Word, o.OnPreview, o.OnCopy, o.OnMenu = "file", func() {}, export.CopyFiles, menu
	onSelect := o.OnSelect
	o.OnSelect = func(path model.Path, all doc.Nodes) {
		if l.selected, l.next = all, ""; onSelect != nil {
			onSelect(path, all)
		}
	}
	l.Panel = assets.New(l, style, group, d, o)
	return l
}

// set lists the assets of another document. The current file stays current, or the one at index first becomes current.
func (l *list) set(d *model.Document, first int) {
	if i := l.Current(); i >= 0 && l.next == "" {
		l.next = l.document.Root().Child(i).Name
	}
	for k := range d.Root().Len() {
		if d.Root().Child(k).Name == l.next {
			first = k
			break
		}
	}
	l.document, l.selected = d, nil
	l.List(d, first)
}

// withSelected calls done with the indexes of the selected files.
func (l *list) withSelected(done func(files []int)) {
	all, d := l.selected, l.document
	if all == nil {
		l.Host.ShowHint("Select files or folders first.")
		return
	}
	l.group.Go(func(ctx context.Context) func() {
		nodes, _, err := all(ctx)
		var files []int
		for _, n := range nodes {
			files = append(files, n.Index)
		}
		if err != nil || len(files) == 0 {
			return nil
		}
		return func() {
			if l.document == d {
				done(files)
			}
		}
	})
}

func (l *list) nodes() doc.Nodes {
	if l.selected == nil {
		return func(context.Context) ([]*model.Node, bool, error) { return nil, false, nil }
	}
	return l.selected
}

// CopyFiles copies the selected files to the clipboard.
func (l *list) CopyFiles() {
	if l.selected != nil {
		l.export.CopyFiles(l.document, l.selected, l.SelectedFolders()...)
	}
}

// CopyNames copies the names of the selected files to the clipboard.
func (l *list) CopyNames() {
	if l.selected != nil {
		l.export.CopyNames(l.document, l.selected)
	}
}

// SaveSheet saves an image with thumbnails of the files of the open folder, or of several selected ones.
func (l *list) SaveSheet() {
	l.export.SaveSheet(l.document, doc.AssetNodes(l.document, l.CommandAssets(), false), l.Options.Options)
}

func (l *list) Drag(d *model.Document, nodes doc.Nodes, folders ...string) rows.Drag {
	return l.export.Drag(d, nodes, folders...)
}
