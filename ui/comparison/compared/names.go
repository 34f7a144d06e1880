package compared

import (
	"path/filepath"
	"slices"
	"strings"
)

// Names returns the names of sides for headings and tabs: their titles, with the folders that differ if titles are
// equal.
func Names(sides []Side) []string {
	titles, paths := make([]string, len(sides)), make([]string, len(sides))
	for i, s := range sides {
		titles[i], paths[i] = s.Title, s.Path
	}
	return distinct(titles, paths)
}

// FolderNames returns the names of folders, with the parent folders that differ if names are equal.
func FolderNames(paths []string) []string {
	names := make([]string, len(paths))
	for i, p := range paths {
		names[i] = filepath.Base(p)
	}
	return distinct(names, paths)
}

// distinct makes equal names distinct by their paths.
func distinct(names, paths []string) []string {
	out := slices.Clone(names)
	for i, name := range names {
		isDuplicate := func(k int) bool { return k != i && names[k] == name && paths[k] != "" && paths[k] != paths[i] }
		for k := range names {
			if isDuplicate(k) && paths[i] != "" {
				out[i] = distinctFolder(paths[i], paths[k]) + name
				break
			}
		}
	}
	return out
}

// distinctFolder returns the nearest folder of a path that differs from another path's, with its separator and with
// dots for folders between it and the file; "" if no folder differs.
func distinctFolder(path, rival string) string {
	dirs, otherDirs := folders(path), folders(rival)
	for i, name := range slices.Backward(dirs) { // from the file on, as the nearest names are the most helpful
		k := len(otherDirs) - (len(dirs) - i)
		if k >= 0 && otherDirs[k] == name {
			continue
		}
		if i == len(dirs)-1 {
			return name + "/"
		}
		return name + "/…/"
	}
	if len(dirs) > 0 {
		return dirs[len(dirs)-1] + "/"
	}
	return "/"
}

// folders returns the names of the folders that contain a file.
func folders(path string) []string {
	return strings.FieldsFunc(filepath.ToSlash(filepath.Dir(path)), func(r rune) bool { return r == '/' })
}
