package folder

import (
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// ExportSuffix is the end of the names of the folders that assets are exported to by default. Before it is the name of
// the file without its extension, or that of the folder around it.
const ExportSuffix = " export"

// Content returns the files of a folder except those in default export folders.
func Content(root string, found []File) []File {
	stems := map[string]bool{}
	for i := range found {
		name := found[i].Name
		stems[strings.TrimSuffix(name, path.Ext(name))] = true
	}
	base := filepath.Base(root)
	exports := map[string]bool{}
	var isExport func(dir string) bool
	isExport = func(dir string) bool {
		if dir == "." {
			return false
		}
		is, ok := exports[dir]
		if !ok {
			parent := path.Dir(dir)
			around := path.Base(parent)
			if parent == "." {
				around = base
			}
			of, named := strings.CutSuffix(dir, ExportSuffix)
			is = named && (stems[of] || path.Base(of) == around) || isExport(parent)
			exports[dir] = is
		}
		return is
	}
	return slices.DeleteFunc(slices.Clone(found), func(f File) bool { return isExport(path.Dir(f.Name)) })
}
