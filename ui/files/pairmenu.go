package files

import (
	"context"
	"io"
	"path/filepath"
	"strings"

	"fyne.io/fyne/v2"

	"assay/model"
	"assay/model/compare"
	"assay/model/compare/report"
	"assay/ui/comparison/compared"
	"assay/ui/host"
)

// menu offers what can be done with the selected files.
func (f *Pair) menu(at fyne.Position) {
	f.picked(func(files []compare.File) {
		old, new := f.sides(&files[0])
		var items []*fyne.MenuItem
		if files[0].Old >= 0 && files[0].New >= 0 {
			items = append(items, fyne.NewMenuItem("Compare", f.openSelected))
		}
		if files[0].Old >= 0 {
			items = append(items, fyne.NewMenuItem("Open Old File", func() { f.Open(old, nil) }))
		}
		if files[0].New >= 0 {
			items = append(items, fyne.NewMenuItem("Open New File", func() { f.Open(new, nil) }))
		}
		items = append(items, fyne.NewMenuItemSeparator(),
			fyne.NewMenuItem("Copy as Files", f.list.CopyFiles),
			fyne.NewMenuItem("Copy Name", func() { f.copyNames(files) }),
			fyne.NewMenuItem("Copy List", f.copyList),
			fyne.NewMenuItem("Export New and Changed Files", f.ExportChanged),
			fyne.NewMenuItem("Save Report…", f.saveReport))
		f.Menu(fyne.NewMenu("", items...), at)
	})
}

// copyNames puts the names of files on the clipboard.
func (f *Pair) copyNames(files []compare.File) {
	var names []string
	for i := range files {
		names = append(names, files[i].Name)
	}
	f.Copy(strings.Join(names, "\n"))
}

// copyList puts the rows that are shown on the clipboard.
func (f *Pair) copyList() {
	var b strings.Builder
	for i := range f.shown {
		file := &f.shown[i]
		found := f.foundOf(file.Name)
		b.WriteString(strings.Join([]string{file.Status.String(), file.Name, found.Format,
			file.Change(found.Summary)}, "\t") + "\n")
	}
	f.Copy(b.String())
	f.Tell("Copied " + host.Count(int64(len(f.shown)), "row") + ".")
}

// saveReport writes the rows that are shown, with the comparison of each pair, as a page.
func (f *Pair) saveReport() {
	all, roots, sides, options, opens := f.shown, f.Roots, f.sides, f.options, f.Opener != nil
	f.SaveWithStop("comparison.html", func(ctx context.Context, out io.Writer) error {
		page := report.NewFoldersPage(out, filepath.Base(roots[0]), filepath.Base(roots[1]))
		var n compare.Counts
		for _, file := range all {
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
			c, err = compare.Documents(ctx, docs[0], docs[1], o, nil)
		}
		if err == nil {
			return page.File(ctx, file, c)
		}
		file.Problem = model.OneLine(err.Error(), 200)
	}
	return page.File(ctx, file, nil)
}
