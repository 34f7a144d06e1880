package compare

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"time"

	"assay/model"
	"assay/model/compare/align"
	"assay/model/folder"
	"assay/model/graph"
)

// File is a file of one or both of two folders.
type File struct {
	Name            string // below the folder, with forward slashes
	OldName         string // of a moved file
	OldSize         int64  // sizes; -1: not there
	NewSize         int64
	Status          Status
	FirstDifference int64     // of a changed file of the same size: the first byte that differs
	OldTime         time.Time // when it was changed last; zero: not there
	NewTime         time.Time
	Link            string   // target of a broken link
	Problem         string   // why it could not be compared
	Pending         bool     // not examined yet: of listed files only
	Uses            []string // other files that it uses and that are not the same, if its own bytes are (see FindUses)
}

// Folders compares the files of two folders, as folder.Walk finds them: which are the same byte for byte, changed,
// moved, added or removed. Files that cannot be compared have a Problem: pipes, broken links, unreadable folders.
// listed, which may be nil, is called with all files as soon as their names and sizes are read.
func Folders(ctx context.Context, old, new string, listed func(files []File), progress model.Progress) ([]File, error) {
	var entries [2]map[string]folder.Entry
	for i, root := range []string{old, new} {
		var err error
		if entries[i], err = listFiles(ctx, root); err != nil {
			return nil, err
		}
	}
	files := pairByName(entries)
	total, done := int64(0), int64(0)
	for _, f := range files {
		if f.Pending {
			total += f.NewSize
		}
	}
	if listed != nil {
		listed(slices.Clone(files))
	}
	report := func(offset, _ int64) {
		if progress != nil {
			progress(done+offset, total)
		}
	}
	for i := range files {
		f := &files[i]
		if err := ctx.Err(); err != nil {
			return files, err
		}
		if !f.Pending {
			continue
		}
		f.Pending = false
		offset, err := firstDifference(ctx, filepath.Join(old, f.Name), filepath.Join(new, f.Name), report)
		done += f.NewSize
		switch {
		case err != nil && ctx.Err() != nil:
			return files, ctx.Err()
		case err != nil:
			f.Problem = model.OneLine(err.Error(), 200)
		case offset < 0:
			f.Status = Same
		default:
			f.FirstDifference = offset
		}
	}
	files, err := pairSameContents(ctx, files, old, new)
	if err != nil {
		return files, err
	}
	if files, err = pairSimilar(ctx, pairSameNames(files, model.FoldName), old, new); err != nil {
		return files, err
	}
	return pairSameNames(files, func(name string) string { return model.FoldName(path.Base(name)) }), nil
}

// pairByName returns the list of files of both folders, by name.
func pairByName(entries [2]map[string]folder.Entry) []File {
	var files []File
	for name, e := range entries[1] {
		f := File{Name: name, OldSize: -1, NewSize: e.Size, NewTime: e.ModTime, Status: Added, Link: e.Link,
			Problem: e.Problem}
		if old, ok := entries[0][name]; ok {
			f.OldSize, f.OldTime, f.Status = old.Size, old.ModTime, Changed
			f.Problem = cmp.Or(f.Problem, old.Problem)
			switch {
			case old.Link != "" || e.Link != "":
				if old.Link == e.Link {
					f.Status, f.Problem = Same, ""
				}
			case f.Problem == "":
				f.Pending = old.Size == e.Size
			}
		}
		files = append(files, f)
	}
	for name, e := range entries[0] {
		if _, ok := entries[1][name]; !ok {
			files = append(files, File{Name: name, OldSize: e.Size, NewSize: -1, OldTime: e.ModTime, Status: Removed,
				Link: e.Link, Problem: e.Problem})
		}
	}
	for i := range files {
		f := &files[i]
		switch f.Status {
		case Added:
			f.Problem = cmp.Or(f.Problem, unreadableParent(entries[0], f.Name, "old"))
		case Removed:
			f.Problem = cmp.Or(f.Problem, unreadableParent(entries[1], f.Name, "new"))
		}
	}
	slices.SortFunc(files, func(a, b File) int { return cmp.Compare(a.Name, b.Name) })
	return files
}

// unreadableParent explains that a file may also be in the other folder, because a folder above it could not be read.
// It returns "" if all could.
func unreadableParent(other map[string]folder.Entry, name, side string) string {
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		if other[dir].Problem != "" {
			return "cannot read the " + side + " folder " + model.OneLine(dir, 100) + "; this file may be in it too"
		}
	}
	return ""
}

// onlySide returns the only folder that a file is in, the old one (0) or the new one (1); false if it is in both, or
// cannot be compared.
func (f *File) onlySide() (side int, ok bool) {
	side = slices.Index([]Status{Removed, Added}, f.Status)
	return side, side >= 0 && f.Problem == "" && f.Link == ""
}

// pairSameContents pairs files that only have another name.
func pairSameContents(ctx context.Context, files []File, old, new string) ([]File, error) {
	removed := map[int64][]int{}
	for i, f := range files {
		if side, ok := f.onlySide(); ok && side == 0 && f.OldSize > 0 {
			removed[f.OldSize] = append(removed[f.OldSize], i)
		}
	}
	paired := map[int]bool{}
	for i := range files {
		f := &files[i]
		if side, ok := f.onlySide(); !ok || side != 1 {
			continue
		}
		for k, r := range removed[f.NewSize] {
			offset, err := firstDifference(ctx, filepath.Join(old, files[r].Name), filepath.Join(new, f.Name), nil)
			if ctx.Err() != nil {
				return files, ctx.Err()
			}
			if err == nil && offset < 0 {
				f.setOld(files[r], Moved)
				paired[r] = true
				removed[f.NewSize] = slices.Delete(removed[f.NewSize], k, k+1)
				break
			}
		}
	}
	return removeFiles(files, paired), nil
}

// pairSameNames pairs the unmatched files if exactly one old and one new file have the same key: the name as Windows
// and macOS compare it, or the name without the folder.
func pairSameNames(files []File, key func(string) string) []File {
	unmatched := map[string][2][]int{}
	for i, f := range files {
		if side, ok := f.onlySide(); ok {
			same := unmatched[key(f.Name)]
			same[side] = append(same[side], i)
			unmatched[key(f.Name)] = same
		}
	}
	removed := map[int]bool{}
	for _, same := range unmatched {
		if len(same[0]) == 1 && len(same[1]) == 1 {
			files[same[1][0]].setOld(files[same[0][0]], Changed)
			removed[same[0][0]] = true
		}
	}
	return removeFiles(files, removed)
}

// setOld makes f the new version of a file that had another name.
func (f *File) setOld(from File, status Status) {
	f.Status, f.OldName, f.OldSize, f.OldTime = status, from.Name, from.OldSize, from.OldTime
}

func removeFiles(files []File, removed map[int]bool) (out []File) {
	for i, f := range files {
		if !removed[i] {
			out = append(out, f)
		}
	}
	return out
}

const (
	maxSimilarFiles    = 256     // unmatched files of either folder that are compared
	maxSimilarFileSize = 4 << 20 // bytes of a compared file
	minSimilarFileSize = 32
)

// pairSimilar pairs files that have another name and much of the same content.
func pairSimilar(ctx context.Context, files []File, old, new string) ([]File, error) {
	var indexes [2][]int
	for i, f := range files {
		if k, ok := f.onlySide(); ok && max(f.OldSize, f.NewSize) >= minSimilarFileSize &&
			max(f.OldSize, f.NewSize) <= maxSimilarFileSize {
			indexes[k] = append(indexes[k], i)
		}
	}
	if min(len(indexes[0]), len(indexes[1])) == 0 || max(len(indexes[0]), len(indexes[1])) > maxSimilarFiles {
		return files, nil
	}
	var sides [2][][]uint64
	for k, root := range []string{old, new} {
		for _, i := range indexes[k] {
			if err := ctx.Err(); err != nil {
				return files, err
			}
			b, err := model.ReadShared(filepath.Join(root, filepath.FromSlash(files[i].Name)))
			if err != nil {
				b = nil // it has nothing in common with others
			}
			sides[k] = append(sides[k], align.Features(b))
		}
	}
	distinctive := align.Distinctive(sides[0], sides[1])
	var found []align.Match
	for i, l := range sides[0] {
		for j, r := range sides[1] {
			o, n := indexes[0][i], indexes[1][j]
			if share := align.Share(l, r, distinctive); share >= align.MinShare &&
				path.Ext(files[o].Name) == path.Ext(files[n].Name) {
				found = append(found, align.Match{Old: o, New: n, Share: share})
			}
		}
	}
	removed := map[int]bool{}
	for _, m := range align.BestMatches(found) {
		files[m.New].setOld(files[m.Old], Changed)
		removed[m.Old] = true
	}
	return removeFiles(files, removed), nil
}

// listFiles returns the entries below a folder, by name.
func listFiles(ctx context.Context, root string) (map[string]folder.Entry, error) {
	files := map[string]folder.Entry{}
	return files, folder.Walk(ctx, root, func(e folder.Entry) error {
		if e.Problem == "" {
			e.Link = "" // the target is compared
		} else {
			e.Problem = "this " + model.OneLine(e.Problem, 200)
		}
		e.Size = max(e.Size, 0)
		files[e.Name] = e
		return nil
	})
}

// firstDifference returns the offset of the first different byte of two files, or -1.
func firstDifference(ctx context.Context, old, new string, progress model.Progress) (int64, error) {
	var files [2]*os.File
	var sizes [2]int64
	for i, name := range []string{old, new} {
		f, err := model.OpenShared(name)
		if err != nil {
			return 0, err
		}
		defer f.Close()
		info, err := f.Stat()
		if err != nil {
			return 0, err
		}
		files[i], sizes[i] = f, info.Size() // it may have changed since it was listed
	}
	offset, err := align.FirstDifference(ctx, files[0], 0, files[1], 0, min(sizes[0], sizes[1]), progress)
	if err == nil && offset == sizes[0] && offset == sizes[1] {
		return -1, nil
	}
	return offset, err
}

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

const (
	maxUserFiles = 10_000   // files that are opened to find their references
	maxUserSize  = 64 << 20 // bytes of an opened file
)

// FindUses sets Uses of the files whose bytes are the same in both folders: a model is not drawn as before after a
// change of its texture. status returns the status by the rules of the file with an index.
func FindUses(ctx context.Context, b graph.Builder, roots [2]string, files []File, status func(i int) Status) error {
	same, others := map[string]int{}, [2]map[string]string{{}, {}}
	for i := range files {
		f := &files[i]
		f.Uses = nil
		switch {
		case f.Status == Same && f.Link == "" && f.NewSize <= maxUserSize && b.Opens(f.Name) && len(same) < maxUserFiles:
			same[f.Name] = i
		case f.Status != Same && status(i) != Same:
			others[0][f.OldPath()], others[1][f.Name] = f.Name, f.Name
		}
	}
	if len(same) == 0 || len(others[0]) == 0 {
		return nil
	}
	b.Opens = func(name string) bool { _, ok := same[name]; return ok }
	for side, root := range roots {
		g, err := b.Build(ctx, root)
		if err != nil {
			return err
		}
		for item := range int32(g.Len()) {
			if i, ok := same[g.FileName(item)]; ok && g.IsFile(item) {
				files[i].Uses = append(files[i].Uses, usesOf(g, item, others[side])...)
			}
		}
	}
	for _, i := range same {
		slices.Sort(files[i].Uses)
		files[i].Uses = slices.Compact(files[i].Uses)
	}
	return nil
}

// usesOf returns the named files that a file uses, directly or through others.
func usesOf(g *graph.Graph, item int32, names map[string]string) (used []string) {
	visited, queue := map[int32]bool{item: true}, []int32{item}
	for len(queue) > 0 {
		next := queue[0]
		queue = queue[1:]
		for _, u := range g.Needs(next) {
			if u.To == graph.Missing || visited[g.FileOf(u.To)] {
				continue
			}
			file := g.FileOf(u.To)
			visited[file] = true
			if name, ok := names[g.FileName(file)]; ok {
				used = append(used, name)
				continue
			}
			queue = append(queue, file)
		}
	}
	return used
}
