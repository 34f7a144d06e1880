package compare

import (
	"cmp"
	"fmt"
	"path/filepath"
	"time"

	"assay/model"
	"assay/model/folder"
)

// Found is what was found out about a pair after its files were listed.
type Found struct {
	Format  string // and its variant; that of both, if they differ
	Summary string // what changed, in a few words
	Same    bool   // by the rules that are in force, although the bytes differ
}

// Columns are the names of the columns of Document that are shown, in the order of their importance.
var Columns = []string{"name", "change", "format", "old size", "new size", "old date", "new date"}

// columns tell of a pair what no other list of assets does. By the status, pairs can be grouped and found.
var columns = []struct {
	model.Column
	cell func(f *File, found Found) any // nil where there is nothing to say
}{
	{model.Column{Name: "change", Type: "string"}, func(f *File, found Found) any { return f.Change(found.Summary) }},
	{model.Column{Name: "format", Type: "string", Class: true}, func(_ *File, found Found) any {
		if found.Format == "" {
			return nil
		}
		return found.Format
	}},
	{model.Column{Name: "old size", Type: "bytes", Numeric: true}, func(f *File, _ Found) any { return size(f.Old) }},
	{model.Column{Name: "new size", Type: "bytes", Numeric: true}, func(f *File, _ Found) any { return size(f.New) }},
	{model.Column{Name: "old date", Type: "time", Measure: true}, func(f *File, _ Found) any { return date(f.OldTime) }},
	{model.Column{Name: "new date", Type: "time", Measure: true}, func(f *File, _ Found) any { return date(f.NewTime) }},
	{model.Column{Name: "status", Type: "string", Class: true}, func(f *File, _ Found) any { return f.Status.String() }},
}

func size(n int64) any {
	if n < 0 {
		return nil
	}
	return n
}

func date(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t.Format(time.DateTime)
}

// Document returns pairs of files below two folders as the assets of a document. Each stands for its new file; one that
// was removed, for its old one. found returns what is known of the pair with a new name by now; it is called on any
// goroutine.
func Document(roots [2]string, files []File, found func(name string) Found) *model.Document {
	listed := make([]folder.File, len(files))
	for i := range files {
		f := &files[i]
		listed[i] = folder.File{Name: f.Name, Path: f.path(roots), Size: f.New, ModTime: f.NewTime, Problem: f.Problem}
		if f.Status == Removed {
			listed[i].Size, listed[i].ModTime = f.Old, f.OldTime
		}
	}
	fields := &model.Table{Rows: int64(len(files)), Cell: func(row int64, column int) any {
		f := &files[row]
		return columns[column].cell(f, found(f.Name))
	}}
	for _, c := range columns {
		fields.Columns = append(fields.Columns, c.Column)
	}
	return folder.Document(filepath.Base(roots[1]), listed, fields)
}

// path returns the path of the new file, or of one that was removed.
func (f *File) path(roots [2]string) string {
	if f.Status == Removed {
		return filepath.Join(roots[0], filepath.FromSlash(f.Name))
	}
	return filepath.Join(roots[1], filepath.FromSlash(f.Name))
}

// Change describes the difference of a pair in a few words. The summary is what is known of its content; it may be
// empty.
func (f *File) Change(summary string) string {
	was := ""
	if f.OldName != "" {
		was = "renamed from " + f.OldName
	}
	switch {
	case f.Problem != "":
		return f.Problem
	case f.Pending:
		return "not compared yet"
	case f.Status == Moved:
		return was
	case summary != "" && was != "":
		return was + "; " + summary
	case summary != "":
		return summary
	case was != "":
		return was + ", edited"
	case f.Status == Changed && f.Old != f.New:
		more := model.Count(f.New-f.Old, "byte")
		if f.New > f.Old {
			more = "+" + more
		}
		return more
	case f.Status == Changed:
		return fmt.Sprintf("first difference at %#x", f.At)
	}
	return f.Status.String()
}

// OldPath returns the name of the old file below its folder.
func (f *File) OldPath() string { return cmp.Or(f.OldName, f.Name) }
