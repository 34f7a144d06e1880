package compare

import (
	"cmp"
	"fmt"
	"path"
	"path/filepath"
	"time"

	"assay/model"
	"assay/model/folder"
)

// ContentResult is the result of comparing the contents of a pair of files.
type ContentResult struct {
	Format  string // with its variant; of both files, if they differ
	Summary string // changes as a short text
	Same    bool   // by the rules in use, although the bytes differ
}

// DisplayedColumns are the names of the displayed columns of FolderDocument, the most important first.
var DisplayedColumns = []string{"name", "change", "format", "old size", "new size", "old date", "new date"}

// pairColumns are the properties of pairs of files that other lists of assets do not have. Pairs can be grouped and
// filtered by status.
var pairColumns = []struct {
	model.Column
	cell func(f *File, found ContentResult) any // nil for an empty cell
}{
	{model.Column{Name: "change", Type: "string"}, func(f *File, found ContentResult) any { return f.Change(found.Summary) }},
	{model.Column{Name: "format", Type: "string", IsGroupable: true}, func(_ *File, found ContentResult) any {
		if found.Format == "" {
			return nil
		}
		return found.Format
	}},
	{model.Column{Name: "old size", Type: "bytes", Numeric: true}, func(f *File, _ ContentResult) any { return sizeCell(f.OldSize) }},
	{model.Column{Name: "new size", Type: "bytes", Numeric: true}, func(f *File, _ ContentResult) any { return sizeCell(f.NewSize) }},
	{model.Column{Name: "old date", Type: "time", OnlyByName: true}, func(f *File, _ ContentResult) any { return dateCell(f.OldTime) }},
	{model.Column{Name: "new date", Type: "time", OnlyByName: true}, func(f *File, _ ContentResult) any { return dateCell(f.NewTime) }},
	{model.Column{Name: "status", Type: "string", IsGroupable: true}, func(f *File, _ ContentResult) any { return f.Status.String() }},
}

func sizeCell(n int64) any {
	if n < 0 {
		return nil
	}
	return n
}

func dateCell(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t.Format(time.DateTime)
}

// FolderDocument returns pairs of files below two folders as the assets of a document. Each represents its new file, or
// the old one if that was removed. found returns the result so far for the pair with a new name; it is called on any
// goroutine.
func FolderDocument(roots [2]string, files []File, found func(name string) ContentResult) *model.Document {
	listed := make([]folder.File, len(files))
	for i := range files {
		f := &files[i]
		listed[i] = folder.File{Name: f.Name, Path: f.path(roots), Size: f.NewSize, ModTime: f.NewTime,
			Problem: f.Problem}
		if f.Status == Removed {
			listed[i].Size, listed[i].ModTime = f.OldSize, f.OldTime
		}
	}
	fields := &model.Table{Rows: int64(len(files)), Cell: func(row int64, column int) any {
		f := &files[row]
		return pairColumns[column].cell(f, found(f.Name))
	}}
	for _, c := range pairColumns {
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

// IsRename reports whether a file or an asset with the path old has another name as new, and not only another folder:
// it is renamed rather than moved.
func IsRename(old, new string) bool { return path.Base(old) != path.Base(new) }

// Change describes the difference of a pair in a short text. summary describes its content and may be empty.
func (f *File) Change(summary string) string {
	was := ""
	switch {
	case f.OldName == "":
	case IsRename(f.OldName, f.Name):
		was = "renamed from " + f.OldName
	default:
		was = "moved from " + f.OldName
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
	case f.Status == Changed && f.OldSize != f.NewSize:
		growth := model.Count(f.NewSize-f.OldSize, "byte")
		if f.NewSize > f.OldSize {
			growth = "+" + growth
		}
		return growth
	case f.Status == Changed:
		return fmt.Sprintf("first difference at %#x", f.FirstDifference)
	}
	switch {
	case f.Status == Same && len(f.Uses) > 1:
		return fmt.Sprintf("same bytes; uses %s and %s, which differ", f.Uses[0], model.Count(len(f.Uses)-1, "other file"))
	case f.Status == Same && len(f.Uses) > 0:
		return "same bytes; uses " + f.Uses[0] + ", which differs"
	case f.Status == Same:
		return "same bytes"
	}
	return f.Status.String()
}

// OldPath returns the name of the old file below its folder.
func (f *File) OldPath() string { return cmp.Or(f.OldName, f.Name) }
