package compared

import (
	"context"
	"io"

	"assay/model"
	"assay/ui/host"
	"assay/ui/noted"
	"assay/ui/paint"
	"assay/ui/work"
)

// StaleNotice says that a file on disk is not the one that was compared.
func StaleNotice(err error, again func()) host.Notice {
	return host.Notice{ID: "stale", Level: host.Warning,
		Text:    host.Sentence(err) + " Showing the version loaded earlier.",
		Actions: []host.Action{{Label: "Compare Again", On: again}}}
}

// Deps is what the panes of this package are made with.
type Deps struct {
	Host
	Style *paint.Style
	Group *work.Group // owned by the pane from now on
	// OpenSource opens a file inside of a file, for pictures of it; nil leaves those out.
	OpenSource SourceOpener
}

// Host is what a comparison asks of the window.
type Host interface {
	host.Host
	noted.Placer
	// Open opens a side as a document of its own, at a node.
	Open(s Side, at model.Path)
	// Export adds the assets of nodes to what is exported.
	Export(d *model.Document, nodes []*model.Node)
	// Compare opens a comparison of its own.
	Compare(old, new Side)
	// Watch has FilesChanged of the tab called when files change on disk: those at paths, and no others any more. Empty
	// paths are left out.
	Watch(paths ...string)
}

// WritingReport is what the status line says while a report is written.
const WritingReport = "Writing report"

// SaveWithStop asks for a file and has write fill it, which the user can stop.
func (d Deps) SaveWithStop(name string, write func(ctx context.Context, w io.Writer) error) {
	d.Save(name, func(w io.Writer) error {
		ctx, stop := context.WithCancel(d.Group.Context())
		defer stop()
		d.Group.Show(ctx, func() { d.Busy(WritingReport, -1, stop) })
		defer d.Group.Show(d.Group.Context(), func() { d.Busy("", 0, nil) })
		return write(ctx, w)
	})
}
