// Package folder visits the files below a folder, and lists those that the program knows by their content.
package folder

import (
	"cmp"
	"context"
	"slices"
	"time"

	"assay/model"
)

// File is a file below a folder.
type File struct {
	Name    string // below the folder, with forward slashes
	Path    string
	System  string // what its content says it is
	Size    int64  // -1: unknown
	ModTime time.Time
	Problem string // why it cannot be read; such a file is listed although its kind is unknown
}

// List lists the files below a folder that recognise knows, and those that cannot be read, as Walk finds them. tell is
// called with what has been found, after every file that was looked at. With an error, what was found until then is
// returned besides.
func List(ctx context.Context, root string, recognise func(src *model.Source) string,
	tell func(found []File, looked int)) ([]File, error) {
	var found []File
	looked := 0
	err := Walk(ctx, root, func(e Entry) error {
		f := File{Name: e.Name, Path: e.Path, Size: e.Size, ModTime: e.ModTime, Problem: e.Problem}
		if f.Problem == "" {
			f.System, f.Problem = kindOf(e.Path, recognise)
		}
		if f.System != "" || f.Problem != "" {
			found = append(found, f)
		}
		looked++
		tell(found, looked)
		return nil
	})
	slices.SortFunc(found, func(a, b File) int {
		return cmp.Or(model.CompareNames(a.Name, b.Name), cmp.Compare(a.Name, b.Name))
	})
	return found, err
}

// kindOf opens a file to see what it is; it may be nothing that is known.
func kindOf(path string, recognise func(src *model.Source) string) (system, problem string) {
	src, err := model.OpenFile(path)
	if err != nil {
		return "", reason(err)
	}
	defer src.Close()
	return recognise(src), ""
}
