package graph

import (
	"strings"

	"assay/model"
)

// Thing is a file, or an asset of a package.
type Thing struct {
	Name    string // of a file: below the folder, with forward slashes; of an asset: in its package
	Key     string // of an asset, as the key of its node
	Size    int64  // bytes of its content; -1: unknown
	Stored  model.Span
	File    int32  // the number of the file that it is in; of a file its own
	Asset   int32  // its number among the assets of its file; -1 for a file
	Problem string // why it could not be read; empty if it could
}

// IsFile reports whether the thing is a file.
func (t *Thing) IsFile() bool { return t.Asset < 0 }

// things are files, each before its assets. A package can have a million of these, so their names lie one after the
// other in one text for each file.
type things struct {
	all      []entry
	texts    []string         // by the number of the file: the name and the key of each of its things
	files    []int32          // the things that are files
	problems map[int32]string // by the number of the thing
}

// entry is a thing without its texts.
type entry struct {
	size   int64
	stored model.Span
	text   int64 // where its name begins in the text of its file; its key goes on to the name of the next one
	file   int32
	name   int32 // bytes of its name
}

// Len is the number of things.
func (t *things) Len() int { return len(t.all) }

// Thing returns a thing by its number.
func (t *things) Thing(i int32) Thing {
	e := &t.all[i]
	text := t.texts[e.file]
	if next := int(i) + 1; next < len(t.all) && t.all[next].file == e.file {
		text = text[:t.all[next].text]
	}
	text = text[e.text:]
	return Thing{Name: text[:e.name], Key: text[e.name:], Size: e.size, Stored: e.stored, File: e.file,
		Asset: i - t.files[e.file] - 1, Problem: t.problems[i]}
}

// tell notes what is wrong with a thing; the first of it is kept.
func (t *things) tell(i int32, problem string) {
	if problem == "" || t.problems[i] != "" {
		return
	}
	if t.problems == nil {
		t.problems = make(map[int32]string)
	}
	t.problems[i] = problem
}

// join adds the things of a file.
func (t *things) join(f *things) {
	first, file := int32(len(t.all)), int32(len(t.texts))
	for i := range f.all {
		f.all[i].file = file
	}
	if first == 0 {
		t.all = f.all
	} else {
		t.all = append(t.all, f.all...)
	}
	t.texts, t.files = append(t.texts, f.texts[0]), append(t.files, first)
	for i, problem := range f.problems {
		t.tell(first+i, problem)
	}
}

// fileThings are those of one file.
type fileThings struct {
	things
	text strings.Builder
}

// newFileThings makes those of a file that has no assets yet.
func newFileThings(file Thing) *fileThings {
	f := &fileThings{things: things{texts: []string{""}, files: []int32{0}}}
	f.add(file)
	return f
}

// add adds an asset.
func (f *fileThings) add(t Thing) {
	f.tell(int32(len(f.all)), t.Problem)
	f.all = append(f.all, entry{size: t.Size, stored: t.Stored, text: int64(f.text.Len()), name: int32(len(t.Name))})
	f.text.WriteString(t.Name)
	f.text.WriteString(t.Key)
	f.texts[0] = f.text.String()
}
