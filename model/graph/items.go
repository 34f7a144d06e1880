package graph

import (
	"strings"

	"assay/model"
)

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
func (t *Item) IsFile() bool { return t.Asset < 0 }

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
	text      int64 // the start of its name in the text of its file; its key extends to the name of the next one
	fileIndex int32
	name      int32 // bytes of its name
}

func (t *itemTable) Len() int { return len(t.entries) }

// Item returns the item with a number.
func (t *itemTable) Item(i int32) Item {
	e := &t.entries[i]
	text := t.texts[e.fileIndex]
	if next := int(i) + 1; next < len(t.entries) && t.entries[next].fileIndex == e.fileIndex {
		text = text[:t.entries[next].text]
	}
	text = text[e.text:]
	return Item{Name: text[:e.name], Key: text[e.name:], Size: e.size, Stored: e.stored, FileIndex: e.fileIndex,
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
	f.entries = append(f.entries, entry{size: t.Size, stored: t.Stored, text: int64(f.text.Len()),
		name: int32(len(t.Name))})
	f.text.WriteString(t.Name)
	f.text.WriteString(t.Key)
	f.texts[0] = f.text.String()
}
