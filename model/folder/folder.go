// Package folder visits the files below a folder, and lists them with their formats and problems.
package folder

import (
	"bytes"
	"cmp"
	"context"
	"io"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"assay/model"
)

// File is a file below a folder.
type File struct {
	Name    string // below the folder, with forward slashes
	Path    string
	Format  string // the format of its content; empty if unknown
	Size    int64  // -1: unknown
	ModTime time.Time
	Problem string // why it cannot be read
	Export  bool   // it is in a default export folder
}

// IsUnknown reports whether a file can be read but is of no kind that the program knows.
func (f *File) IsUnknown() bool { return f.Format == "" && f.Problem == "" }

// Kind returns the display name of the file's type: a format, else a word for its extension.
func (f *File) Kind() string {
	extension := strings.TrimPrefix(path.Ext(f.Name), ".")
	switch {
	case f.Format != "":
		return f.Format
	case extension == "":
		return "File"
	}
	return strings.ToUpper(model.OneLine(extension, 12)) + " file"
}

// List lists up to limit files below a folder with the result of recognize for each, and unreadable files, as Walk
// finds them. onFound is called with the files so far, after every file. With an error, it returns the files found
// before it.
func List(ctx context.Context, root string, limit int, recognize func(src *model.Source) string,
	onFound func(found []File)) ([]File, error) {
	var found []File
	err := Walk(ctx, root, func(e Entry) error {
		if len(found) == limit {
			return errTooMany(limit)
		}
		f := File{Name: e.Name, Path: e.Path, Size: e.Size, ModTime: e.ModTime, Problem: e.Problem,
			Export: e.Export}
		if f.Problem == "" {
			f.Format, f.Problem = formatOf(e.Path, recognize)
		}
		found = append(found, f)
		onFound(found)
		return nil
	})
	slices.SortFunc(found, func(a, b File) int {
		return cmp.Or(model.CompareNames(a.Name, b.Name), cmp.Compare(a.Name, b.Name))
	})
	return found, err
}

// formatOf opens a file to recognize its format, which is "" if unknown.
func formatOf(path string, recognize func(src *model.Source) string) (system, problem string) {
	src, err := model.OpenFile(path)
	if err != nil {
		return "", reason(err)
	}
	defer src.Close()
	return recognize(src), ""
}

// Facts holds properties of files that are read after they are listed. It may be used by several goroutines at once.
type Facts struct {
	mu    sync.Mutex
	files map[string]fact
}

type fact struct {
	version   string
	problems  uint64
	worst     string
	isChecked bool
}

// NewFacts returns empty Facts.
func NewFacts() *Facts { return &Facts{files: make(map[string]fact)} }

// Set records the properties of a file.
func (f *Facts) Set(path, version string, problems int, worst string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.files[path] = fact{version, uint64(max(0, problems)), worst, true}
}

// Report returns the worst problem of each file that has any.
func (f *Facts) Report(files []File) *model.Report {
	r := &model.Report{}
	for _, file := range files {
		if known := f.factOf(file.Path); known.worst != "" {
			r.Add(model.Problem{Severity: model.Warning, Path: file.Name,
				Message: path.Base(file.Name) + ": " + known.worst})
		}
	}
	return r
}

func (f *Facts) factOf(path string) fact {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.files[path]
}

// Document returns files as the assets of a document, each at a node of its own. The rows of fields hold their further
// properties.
func Document(name string, files []File, fields *model.Table) *model.Document {
	top := &model.Node{Name: name, Type: "Folder"}
	list := make(model.List, len(files))
	for i, f := range files {
		list[i] = &model.Node{Name: f.Name, Type: f.Kind()}
	}
	top.SetChildren(list)
	d := model.NewDocument(model.NewSource(name, bytes.NewReader(nil), 0), "folder", "", top)
	d.Payloads = newPayloads(files, top)
	d.Tables = []model.TableSource{{Name: "Files", Assets: true, Open: func(context.Context) (*model.Table, error) {
		return fields, nil
	}}}
	return d
}

// Worst returns the first of the worst problems of a file, or "".
func (f *Facts) Worst(path string) string { return f.factOf(path).worst }

// Table returns a table of the properties of files, as they are when a cell is read.
func (f *Facts) Table(files []File) *model.Table {
	return &model.Table{Rows: int64(len(files)), Columns: []model.Column{
		{Name: "version", Type: "string", IsGroupable: true}, {Name: "problems", Type: "integer", Numeric: true, Sum: true},
		{Name: "remark", Type: "string"},
	}, Cell: func(row int64, column int) any {
		file := &files[row]
		known := f.factOf(file.Path)
		switch {
		case column == 0 && known.version != "":
			return known.version
		case column == 1 && known.isChecked:
			return known.problems
		case column == 2 && file.Problem != "":
			return file.Problem
		case column == 2 && known.worst != "":
			return known.worst
		}
		return nil
	}}
}

type payloads struct {
	files   []File
	offsets []int64 // where each would begin if they followed each other
	top     *model.Node
}

func newPayloads(files []File, top *model.Node) *payloads {
	p := &payloads{files, make([]int64, len(files)), top}
	for i, end := 0, int64(0); i < len(files); i++ {
		p.offsets[i], end = end, end+max(0, files[i].Size)
	}
	return p
}

func (p *payloads) Len() int { return len(p.files) }

// PathOf returns the path of the i-th file of a listing, or "" if the document is not one.
func PathOf(listing *model.Document, i int) string {
	if files, ok := listing.Payloads.(*payloads); ok {
		return files.files[i].Path
	}
	return ""
}

func (p *payloads) At(i int) *model.Payload {
	f := &p.files[i]
	return &model.Payload{Key: f.Name, Name: f.Name, Type: f.Kind(), Node: p.top.Child(i), Size: f.Size,
		Stored: model.Span{Offset: p.offsets[i], Size: max(0, f.Size)}, ModTime: f.ModTime, Problem: f.Problem,
		Open: func(context.Context) (io.ReadCloser, error) { return model.OpenShared(f.Path) }}
}
