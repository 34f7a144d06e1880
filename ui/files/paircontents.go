package files

import (
	"context"
	"errors"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"fyne.io/fyne/v2"

	"assay/model"
	"assay/model/compare"
	"assay/model/compare/changes"
	"assay/model/compare/report"
	"assay/model/folder"
	"assay/model/graph"
	"assay/ui/comparison/compared"
	"assay/ui/host"
	"assay/ui/thumbnail"
)

const (
	maxCompared     = 10_000   // maximum number of files opened to find their changes
	maxComparedSize = 64 << 20 // maximum size of such a file, in bytes
)

// isOpenable reports whether a file is opened in the background.
func isOpenable(f *compare.File) bool {
	return f.Problem == "" && f.Link == "" && max(f.OldSize, f.NewSize) <= maxComparedSize
}

// compareContents finds the formats of the files and their changes by the rules, in the background.
func (p *Pair) compareContents() {
	if p.Opener == nil {
		return
	}
	var pending []compare.File
	for i := range p.files {
		if file := p.files[i]; file.Status != compare.Same && isOpenable(&file) && len(pending) < maxCompared {
			pending = append(pending, file)
		}
	}
	options, sides, roots, files := p.options, p.sides, p.Roots, slices.Clone(p.files)
	b := graph.Builder{OpenFile: p.Opener, Open: p.OpenSource, Opens: p.Refers}
	stop := func() {
		p.contentLane.Stop()
		p.Busy("", 0, nil)
		p.ShowHint("Stopped. Press " + p.Keys().Text("compare.again") + " to compare again.")
	}
	p.contentLane.Go(func(ctx context.Context) func() {
		progress := p.Group.Progress(ctx, func(done, total int64) {
			p.Busy("Comparing files", float64(done)/float64(max(1, total)), stop)
			p.list.Refresh()
		})
		changed := false // the set of listed files changed
		for i, file := range pending {
			if ctx.Err() != nil {
				return nil
			}
			old, new := sides(&file)
			if found, ok := compareFile(ctx, file, old, new, options); ok {
				p.contents.Store(file.Name, found)
				changed = changed || found.Same
			}
			progress(int64(i+1), int64(len(pending)))
		}
		if b.Opens != nil { // a folder that cannot be read is in the list
			compare.FindUses(ctx, b, roots, files, func(i int) compare.Status { return p.status(&files[i]) })
		}
		return func() {
			p.Busy("", 0, nil)
			for i := range p.files {
				changed = changed || p.files[i].Uses != nil || files[i].Uses != nil
				p.files[i].Uses = files[i].Uses
			}
			if p.count(); changed {
				p.show()
			}
			p.list.Refresh()
		}
	})
}

// compareFile opens the files of a row and returns their format and changes. If a file cannot be opened, the summary is
// the error. It returns false if ctx ended or the comparison failed.
func compareFile(ctx context.Context, file compare.File, old, new compared.Side, o compare.Options) (
	found compare.ContentResult, ok bool) {
	var docs [2]*model.Document
	for i, s := range []compared.Side{old, new} {
		if i == 0 && file.Status == compare.Added || i == 1 && file.Status == compare.Removed {
			continue
		}
		d, err := s.Open(ctx)
		if err != nil {
			return compare.ContentResult{Summary: model.OneLine(err.Error(), 200)}, ctx.Err() == nil
		}
		defer d.Source.Close()
		docs[i] = d
	}
	for i, other := range []int{1, 0} {
		if docs[other] == nil {
			return compare.ContentResult{Format: docs[i].Format + " " + docs[i].Variant}, true
		}
	}
	c, err := changes.CompareDocuments(ctx, docs[0], docs[1], o, nil)
	if err != nil {
		return found, false
	}
	if hasUnknownFormat(docs[0]) && hasUnknownFormat(docs[1]) {
		return found, true // sizes and the first different byte are more useful
	}
	found.Format = compared.Formats(c)
	if file.Status == compare.Changed {
		found.Same = c.Same()
		all, err := changes.Collect(ctx, c)
		if err != nil {
			return found, false
		}
		found.Summary = changes.Brief(c, all)
	}
	return found, true
}

// hasUnknownFormat reports whether a document has an unknown format.
func hasUnknownFormat(d *model.Document) bool {
	return d.Format == model.UnknownFormat && !d.Content && d.Source.Size() > 0
}

var errNoPicture = errors.New("no preview of this file")

// thumbnailOptions returns the options of the thumbnails, of the new version of a file if there is one.
func (p *Pair) thumbnailOptions() thumbnail.Options {
	return thumbnail.Options{Open: p.OpenSource,
		File: func(ctx context.Context, listed *model.Document, i int) (*model.Document, error) {
			payload := listed.Payloads.At(i)
			if p.Opener == nil || payload.Problem != "" || payload.Size > maxComparedSize {
				return nil, errNoPicture
			}
			return p.Opener(ctx, folder.PathOf(listed, i))
		}}
}

// menu opens the menu for the selected files.
func (p *Pair) menu(pos fyne.Position) {
	p.withSelected(func(files []compare.File) {
		old, new := p.sides(&files[0])
		var items []*fyne.MenuItem
		if files[0].OldSize >= 0 && files[0].NewSize >= 0 {
			items = append(items, fyne.NewMenuItem("Compare", p.openSelected))
		}
		if files[0].OldSize >= 0 {
			items = append(items, fyne.NewMenuItem("Open Old File", func() { p.Open(old, nil) }))
		}
		if files[0].NewSize >= 0 {
			items = append(items, fyne.NewMenuItem("Open New File", func() { p.Open(new, nil) }))
		}
		items = append(items, fyne.NewMenuItemSeparator(),
			fyne.NewMenuItem("Copy as Files", p.list.CopyFiles),
			fyne.NewMenuItem("Copy Name", func() { p.copyNames(files) }),
			fyne.NewMenuItem("Copy List", p.copyList),
			fyne.NewMenuItem("Export New and Changed Files", p.AddChangedToExport),
			fyne.NewMenuItem("Save Report…", p.saveReport))
		p.Menu(fyne.NewMenu("", items...), pos)
	})
}

// copyNames copies the names of files to the clipboard.
func (p *Pair) copyNames(files []compare.File) {
	var names []string
	for i := range files {
		names = append(names, files[i].Name)
	}
	p.Copy(strings.Join(names, "\n"))
}

func (p *Pair) copyList() {
	var b strings.Builder
	for i := range p.listed {
		file := &p.listed[i]
		found := p.contentsOf(file.Name)
		b.WriteString(strings.Join([]string{file.Status.String(), file.Name, found.Format,
			file.Change(found.Summary)}, "\t") + "\n")
	}
	p.Copy(b.String())
	p.ShowHint("Copied " + host.Count(len(p.listed), "row") + ".")
}

// saveReport saves the listed rows, with the comparison of each pair, as an HTML page.
func (p *Pair) saveReport() {
	listed, roots, sides, options, opens := p.listed, p.Roots, p.sides, p.options, p.Opener != nil
	p.SaveWithStop("comparison.html", func(ctx context.Context, out io.Writer) error {
		page := report.NewFoldersPage(out, filepath.Base(roots[0]), filepath.Base(roots[1]))
		var n compare.Counts
		for _, file := range listed {
			if err := ctx.Err(); err != nil {
				return err
			}
			n.Count(file.Status)
			old, new := sides(&file)
			if !opens {
				old.Open, new.Open = nil, nil
			}
			if err := reportFile(ctx, page, &file, old, new, options); err != nil {
				return err
			}
		}
		return page.End(n)
	})
}

// reportFile writes a file of two folders, with the comparison of its versions if they can be opened.
func reportFile(ctx context.Context, page *report.FoldersPage, file *compare.File, old, new compared.Side,
	o compare.Options) error {
	switch {
	case file.Status == compare.Same:
		return nil
	case file.Status == compare.Changed && file.Problem == "" && old.Open != nil:
		docs, err := compared.Open(ctx, [2]compared.Side{old, new}, [2]*model.Document{})
		defer model.CloseDocuments(docs[:]...)
		var c *compare.Comparison
		if err == nil {
			c, err = changes.CompareDocuments(ctx, docs[0], docs[1], o, nil)
		}
		if err == nil {
			return page.File(ctx, file, c)
		}
		file.Problem = model.OneLine(err.Error(), 200)
	}
	return page.File(ctx, file, nil)
}
