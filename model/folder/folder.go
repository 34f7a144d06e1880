// Package folder visits the files below a folder, and lists them with what the program knows of their content.
package folder

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strings"
	"time"

	"assay/model"
)

// File is a file below a folder.
type File struct {
	Name    string // below the folder, with forward slashes
	Path    string
	System  string // what its content says it is; empty if that is nothing that the program knows
	Size    int64  // -1: unknown
	ModTime time.Time
	Problem string // why it cannot be read
}

// Other reports whether a file can be read but is of no kind that the program knows.
func (f *File) Other() bool { return f.System == "" && f.Problem == "" }

// Kind is what a person calls the kind of the file: a system, else a word from its extension.
func (f *File) Kind() string {
	extension := strings.TrimPrefix(path.Ext(f.Name), ".")
	switch {
	case f.System != "":
		return f.System
	case extension == "":
		return "File"
	}
	return strings.ToUpper(model.OneLine(extension, 12)) + " file"
}

// List lists the files below a folder, at most so many, with what recognise says of each, and those that cannot be
// read, as Walk finds them. tell is called with what has been found, after every file. With an error, what was found
// until then is returned besides.
func List(ctx context.Context, root string, most int, recognise func(src *model.Source) string,
	tell func(found []File)) ([]File, error) {
	var found []File
	err := Walk(ctx, root, func(e Entry) error {
		if len(found) == most {
			return tooMany(most)
		}
		f := File{Name: e.Name, Path: e.Path, Size: e.Size, ModTime: e.ModTime, Problem: e.Problem}
		if f.Problem == "" {
			f.System, f.Problem = kindOf(e.Path, recognise)
		}
		found = append(found, f)
		tell(found)
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
