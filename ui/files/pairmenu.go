package files

import (
	"context"
	"io"
	"path/filepath"
	"strings"

	"fyne.io/fyne/v2"

	"assay/model"
	"assay/model/compare"
	"assay/model/compare/folders"
	"assay/model/compare/report"
	"assay/ui/comparison/compared"
	"assay/ui/wording"
)

// menu offers what can be done with a row, or with those that are selected.
func (f *Pair) menu(row int64, at fyne.Position) {
	if row < 0 || row >= int64(len(f.shown)) {
		return
	}
	file := f.files[f.shown[row]]
	old, new := f.sides(file)
	var items []*fyne.MenuItem
	if file.Old >= 0 && file.New >= 0 {
		items = append(items, fyne.NewMenuItem("Compare", func() { f.activate(row) }))
	}
	if file.Old >= 0 {
		items = append(items, fyne.NewMenuItem("Open Old File", func() { f.Open(old, nil) }))
	}
	if file.New >= 0 {
		items = append(items, fyne.NewMenuItem("Open New File", func() { f.Open(new, nil) }))
	}
	items = append(items, fyne.NewMenuItemSeparator(), fyne.NewMenuItem("Copy Name", f.copyNames),
		fyne.NewMenuItem("Copy List", f.copyList), fyne.NewMenuItem("Save Report…", f.saveReport))
	f.Menu(fyne.NewMenu("", items...), at)
}

// selected are the numbers of the selected files; of the current one if there are no others.
func (f *Pair) selected() (files []int) {
	chosen := f.rows.Selection()
	for _, in := range chosen.All() {
		for row := in.From; row < min(in.To, int64(len(f.shown))); row++ {
			files = append(files, f.shown[row])
		}
	}
	if i := f.current(); len(files) == 0 && i >= 0 {
		files = append(files, i)
	}
	return files
}

// copyNames puts the names of the selected files on the clipboard.
func (f *Pair) copyNames() {
	var names []string
	for _, i := range f.selected() {
		names = append(names, f.files[i].Name)
	}
	f.Copy(strings.Join(names, "\n"))
}

// copyList puts the rows that are shown on the clipboard.
func (f *Pair) copyList() {
	var b strings.Builder
	for _, i := range f.shown {
		b.WriteString(f.line(f.files[i]) + "\n")
	}
	f.Copy(b.String())
	f.Tell("Copied " + wording.Count(int64(len(f.shown)), "row") + ".")
}

// saveReport writes the rows that are shown, with the comparison of each pair, as a page.
func (f *Pair) saveReport() {
	var all []folders.File
	for _, i := range f.shown {
		all = append(all, f.files[i])
	}
	roots, sides, opens := f.roots, f.sides, f.open != nil
	f.SaveWithStop("comparison.html", func(ctx context.Context, out io.Writer) error {
		page := report.NewFoldersPage(out, filepath.Base(roots[0]), filepath.Base(roots[1]))
		var n compare.Counts
		for i := range all {
			if err := ctx.Err(); err != nil {
				return err
			}
			n.Count(all[i].Status)
			old, new := sides(all[i])
			if !opens {
				old.Open, new.Open = nil, nil
			}
			if err := reportFile(ctx, page, &all[i], old, new); err != nil {
				return err
			}
		}
		return page.End(n)
	})
}

// reportFile writes a file of two folders, with the comparison of its versions if they can be opened.
func reportFile(ctx context.Context, page *report.FoldersPage, file *folders.File, old, new compared.Side) error {
	switch {
	case file.Status == compare.Same:
		return nil
	case file.Status == compare.Changed && file.Problem == "" && old.Open != nil:
		docs, err := compared.Open(ctx, [2]compared.Side{old, new}, [2]*model.Document{})
		defer model.CloseDocuments(docs[:]...)
		var c *compare.Comparison
		if err == nil {
			c, err = compare.Documents(ctx, docs[0], docs[1], compare.Options{}, nil)
		}
		if err == nil {
			return page.File(ctx, file, c)
		}
		file.Problem = model.OneLine(err.Error(), 200)
	}
	return page.File(ctx, file, nil)
}
