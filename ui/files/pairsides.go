package files

import (
	"cmp"
	"path/filepath"
	"slices"

	"assay/model/compare"
	"assay/model/compare/folders"
	"assay/ui/comparison/compared"
)

// pair are both files of a row, which know those beside them in the list.
func (f *Pair) pair(file folders.File) (old, new compared.Side) {
	old, new = f.sides(file)
	new.Neighbor = func(by int) (a, b compared.Side, ok bool) {
		row := slices.IndexFunc(f.shown, func(i int) bool { return f.files[i].Name == file.Name })
		if row < 0 {
			return a, b, false
		}
		for row += by; row >= 0 && row < len(f.shown); row += by {
			if next := f.files[f.shown[row]]; next.Old >= 0 && next.New >= 0 && next.Status != compare.Same {
				f.rows.SetCurrent(int64(row))
				f.rows.ScrollTo(int64(row))
				a, b = f.pair(next)
				return a, b, true
			}
		}
		return a, b, false
	}
	return old, new
}

// sides are both files of a row.
func (f *Pair) sides(file folders.File) (old, new compared.Side) {
	side := func(i int, name string) compared.Side {
		path := filepath.Join(f.roots[i], filepath.FromSlash(name))
		return compared.File(path, filepath.Base(f.roots[i])+"/"+name, f.open)
	}
	return side(0, cmp.Or(file.OldName, file.Name)), side(1, file.Name)
}
