// Package graph finds the references between the files and the package assets of a folder. It reports broken
// references, unused items and duplicates.
//
// References are the links of a file (model.Link) and the materials that its scene uses by name. References that only
// the game's code makes are not included: an unused item may still be needed.
package graph

import (
	"cmp"
	"context"
	"io"
	"iter"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	"assay/model"
	"assay/model/folder"
)

// Missing is the value of Use.To if the target does not exist.
const Missing = -1

// Use is a reference from one item to another.
type Use struct {
	From int32 // the number of an item
	To   int32 // the number of an item, or Missing
	// Name is the target as the reference names it.
	Name string
	// Path is the path of the first node with the reference, in the document of the file, or of the asset that is
	// opened as a file; empty for a use that is Guessed.
	Path string
	Span model.Span // of the node
	// Keys are the first keys of nodes in the target file that the references name.
	Keys    []string
	Count   int  // number of references
	Nested  bool // the node is in the content of an asset, which is opened as a file
	Guessed bool // matched by name, as the files have no reference
}

// Duplicates is a set of items with identical content.
type Duplicates struct {
	Items []int32
	Size  int64 // bytes of the content
	Saved int64 // bytes of all stored contents but the first
}

// Graph is the dependencies between items. It is not changed once it is built.
type Graph struct {
	itemTable
	Uses       []Use        // by From
	Duplicates []Duplicates // the largest Saved first
	Paths      []string     // of the files, indexed by Item.FileIndex

	HasPackage bool // a file is a package, which may have no assets

	to           []int32 // numbers of Uses, by To
	ofSingleFile bool    // it was built from a single file, whose uses are unknown
}

// index sorts the uses for lookups.
func (g *Graph) index() {
	slices.SortStableFunc(g.Uses, func(a, b Use) int { return cmp.Compare(a.From, b.From) })
	g.to = make([]int32, len(g.Uses))
	for i := range g.to {
		g.to[i] = int32(i)
	}
	slices.SortStableFunc(g.to, func(a, b int32) int { return cmp.Compare(g.Uses[a].To, g.Uses[b].To) })
}

// FileAt returns the item number of the file at an index of Paths.
func (g *Graph) FileAt(index int32) int32 { return g.files[index] }

// FileOf returns the item number of the file that contains an item.
func (g *Graph) FileOf(item int32) int32 { return g.files[g.entries[item].fileIndex] }

// FileName returns the name of the file of an item.
func (g *Graph) FileName(item int32) string { return g.Item(g.FileOf(item)).Name }

// IsFile reports whether an item is a file.
func (g *Graph) IsFile(item int32) bool { return g.FileOf(item) == item }

// Title returns the title of an item: the file, and the asset in it.
func (g *Graph) Title(item int32) string {
	t := g.Item(item)
	if t.IsFile() {
		return t.Name
	}
	return g.FileName(item) + ": " + cmp.Or(t.Name, t.Key)
}

// Needs returns the references of an item.
func (g *Graph) Needs(item int32) []Use {
	from := sort.Search(len(g.Uses), func(i int) bool { return g.Uses[i].From >= item })
	to := from + sort.Search(len(g.Uses)-from, func(i int) bool { return g.Uses[from+i].From > item })
	return g.Uses[from:to]
}

// UsedBy returns the references to an item, or with Missing the broken ones.
func (g *Graph) UsedBy(item int32) iter.Seq[Use] {
	return func(yield func(Use) bool) {
		for _, i := range g.to[g.firstTo(item):] {
			if g.Uses[i].To != item || !yield(g.Uses[i]) {
				return
			}
		}
	}
}

// UserCount returns the number of items that refer to an item, or with Missing the number of broken references.
func (g *Graph) UserCount(item int32) int { return g.firstTo(item+1) - g.firstTo(item) }

// firstTo returns the index in g.to of the first reference to an item or a later one.
func (g *Graph) firstTo(item int32) int {
	return sort.Search(len(g.to), func(i int) bool { return g.Uses[g.to[i]].To >= item })
}

// SavedBytes returns the number of bytes that removing all duplicates would save.
func (g *Graph) SavedBytes() (n int64) {
	for _, t := range g.Duplicates {
		n += t.Saved
	}
	return n
}

// Unused returns the items without references to them; not a single file that the graph was built from. Assets are
// included only if others of their package have references: the assets of most packages are requested by the code of
// the game.
func (g *Graph) Unused() []int32 {
	linked := make([]bool, len(g.Paths))
	used := make([]bool, g.Len())
	for i := range g.Uses {
		to := g.Uses[i].To
		if to == Missing {
			continue
		}
		used[to] = true
		if !g.IsFile(to) {
			linked[g.entries[to].fileIndex] = true
		}
		if file := g.FileOf(to); file != g.FileOf(g.Uses[i].From) {
			used[file] = true
		}
	}
	var items []int32
	for i := range int32(g.Len()) {
		if i == 0 && g.ofSingleFile {
			continue
		}
		if !used[i] && (g.IsFile(i) || linked[g.entries[i].fileIndex]) {
			items = append(items, i)
		}
	}
	return items
}

// Builder reads files, and builds a graph of their dependencies.
type Builder struct {
	// OpenFile opens the file at a path, Open an asset that is a file.
	OpenFile func(ctx context.Context, path string) (*model.Document, error)
	Open     model.Opener
	// Opens reports whether a file with that name may refer to others.
	Opens func(name string) bool
	// FindDuplicates enables the comparison of contents, to find duplicates.
	FindDuplicates bool
	// Progress is called with the number of files read so far. It may be nil.
	Progress func(files int64)
}

// fileFacts is the result of reading a file.
type fileFacts struct {
	*fileItems
	path      string
	refs      []ref
	isPackage bool
}

// Build reads a folder, or a single file. Unreadable files become items with a Problem. The error is from ctx, or an
// unreadable folder.
func (b *Builder) Build(ctx context.Context, root string) (*Graph, error) {
	root, err := filepath.Abs(root)
	if err != nil {
		return nil, err
	}
	ctx = model.Sharing(ctx)
	g := &Graph{ofSingleFile: !model.IsFolder(root)}
	var refs []ref
	var walkErr error
	err = model.RunOrdered(ctx, b.tasks(ctx, root, &walkErr), func(f fileFacts) error {
		first := int32(g.Len())
		g.Paths = append(g.Paths, f.path)
		g.HasPackage = g.HasPackage || f.isPackage
		g.addFile(&f.itemTable)
		for _, r := range f.refs {
			r.item = first + r.asset + 1
			refs = append(refs, r)
		}
		if b.Progress != nil {
			b.Progress(int64(len(g.Paths)))
		}
		return nil
	})
	if err == nil {
		err = walkErr
	}
	if err != nil {
		return nil, err
	}
	newResolver(g).resolve(refs)
	g.index()
	if b.FindDuplicates {
		g.Duplicates, err = b.findDuplicates(ctx, g)
	}
	return g, err
}

// tasks read the files, in order. walkErr is set if a folder was not read to its end.
func (b *Builder) tasks(ctx context.Context, root string, walkErr *error) iter.Seq[model.Task[fileFacts]] {
	return func(yield func(model.Task[fileFacts]) bool) {
		visit := func(e folder.Entry) error {
			if e.Export { // copies of content
				return nil
			}
			opens := e.Path == root || b.Opens(e.Name)
			read := func(ctx context.Context, emit func(fileFacts) error) error { return emit(b.read(ctx, e, opens)) }
			if !yield(read) {
				return io.EOF
			}
			return nil
		}
		if _, err := model.StatFile(root); err != nil && !model.IsFolder(root) {
			*walkErr = err
		} else if err := folder.WalkAny(ctx, root, visit); err != io.EOF {
			*walkErr = err
		}
	}
}

// read reads the references of a file. Without opens it does not open the file.
func (b *Builder) read(ctx context.Context, e folder.Entry, opens bool) fileFacts {
	f := fileFacts{path: e.Path, fileItems: newFileItems(Item{Name: e.Name, Size: e.Size, Problem: e.Problem})}
	if e.Problem != "" || !opens {
		return f
	}
	d, err := b.OpenFile(ctx, e.Path)
	if err != nil {
		f.addProblem(0, err.Error())
		return f
	}
	defer d.Source.Close()
	f.entries[0].size, f.isPackage = d.Source.Size(), d.IsPackage
	c := collector{ctx: ctx, b: b, location: location{folder: filepath.Dir(e.Path)}, facts: &f, asset: -1}
	c.collectDocument(d)
	if err := d.Source.Err(); err != nil { // a decoder may have taken the missing bytes for the end of the file
		f.addProblem(0, err.Error())
	}
	return f
}

// Item is a file, or an asset of a package.
type Item struct {
	Name      string // of a file: below the folder, with forward slashes; of an asset: in its package
	Key       string // of an asset, as the key of its node
	Size      int64  // bytes of its content; -1: unknown
	Stored    model.Span
	FileIndex int32  // the index of its file in Paths
	Asset     int32  // its number among the assets of its file; -1 for a file
	Problem   string // why it could not be read; empty if it could
}

// IsFile reports whether the item is a file.
func (i *Item) IsFile() bool { return i.Asset < 0 }

// itemTable is files, each before its assets. A package can have a million assets, so their names are joined in one
// text for each file.
type itemTable struct {
	entries  []entry
	texts    []string         // by FileIndex: the names and the keys of the items
	files    []int32          // by FileIndex: the item number of the file
	problems map[int32]string // by item number
}

// entry is an item without its texts.
type entry struct {
	size      int64
	stored    model.Span
	textStart int64 // the start of its name in the text of its file; its key extends to the name of the next one
	fileIndex int32
	nameSize  int32 // bytes of its name
}

func (t *itemTable) Len() int { return len(t.entries) }

// Item returns the item with a number.
func (t *itemTable) Item(i int32) Item {
	e := &t.entries[i]
	text := t.texts[e.fileIndex]
	if next := int(i) + 1; next < len(t.entries) && t.entries[next].fileIndex == e.fileIndex {
		text = text[:t.entries[next].textStart]
	}
	text = text[e.textStart:]
	return Item{Name: text[:e.nameSize], Key: text[e.nameSize:], Size: e.size, Stored: e.stored, FileIndex: e.fileIndex,
		Asset: i - t.files[e.fileIndex] - 1, Problem: t.problems[i]}
}

// addProblem records the first problem of an item.
func (t *itemTable) addProblem(i int32, problem string) {
	if problem == "" || t.problems[i] != "" {
		return
	}
	if t.problems == nil {
		t.problems = make(map[int32]string)
	}
	t.problems[i] = problem
}

// addFile adds the items of a file.
func (t *itemTable) addFile(f *itemTable) {
	first, fileIndex := int32(len(t.entries)), int32(len(t.texts))
	for i := range f.entries {
		f.entries[i].fileIndex = fileIndex
	}
	if first == 0 {
		t.entries = f.entries
	} else {
		t.entries = append(t.entries, f.entries...)
	}
	t.texts, t.files = append(t.texts, f.texts[0]), append(t.files, first)
	for i, problem := range f.problems {
		t.addProblem(first+i, problem)
	}
}

type fileItems struct {
	itemTable
	text strings.Builder
}

// newFileItems returns the items of a file without assets.
func newFileItems(file Item) *fileItems {
	f := &fileItems{itemTable: itemTable{texts: []string{""}, files: []int32{0}}}
	f.add(file)
	return f
}

func (f *fileItems) add(t Item) {
	f.addProblem(int32(len(f.entries)), t.Problem)
	f.entries = append(f.entries, entry{size: t.Size, stored: t.Stored, textStart: int64(f.text.Len()),
		nameSize: int32(len(t.Name))})
	f.text.WriteString(t.Name)
	f.text.WriteString(t.Key)
	f.texts[0] = f.text.String()
}
