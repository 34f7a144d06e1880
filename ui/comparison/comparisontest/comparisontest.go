// Package comparisontest contains the common parts of tests of comparisons: documents in memory, and a window that
// records its calls.
package comparisontest

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"io"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/model/compare"
	"assay/model/notes"
	"assay/ui/comparison/compared"
	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/work"
)

// Box is a box on a shelf: a key, a number, a text, and a block of bytes.
type Box struct {
	Key    string
	Number uint32
	Label  string
	Block  string
}

// NewBox returns a box.
func NewBox(key string, number uint32, label, block string) Box {
	return Box{Key: key, Number: number, Label: label, Block: block}
}

// OldBoxes and NewBoxes are two versions of a shelf: one box changed, two stayed, one was removed, and one was added.
var (
	OldBoxes = []Box{{"apple", 1, "a red apple on the table", "0123456789abcdef"},
		{"pear", 2, "a pear", "the bytes of a pear"}, {"plum", 3, "a plum", "the bytes of a plum, which are many"},
		{"gone", 9, "it will go", "bytes that go away"}}
	NewBoxes = []Box{{"apple", 5, "a green apple on the table", "0123X56789abcdef"},
		{"pear", 2, "a pear", "the bytes of a pear"}, {"plum", 3, "a plum", "the bytes of a plum, which are many"},
		{"come", 8, "it is new and has another shape", "other bytes that came"}}
)

// Shelf returns a document of boxes in memory.
func Shelf(name, variant string, boxes ...Box) *model.Document {
	var data bytes.Buffer
	appendBytes := func(b []byte) model.Span {
		s := model.Span{Offset: int64(data.Len()), Size: int64(len(b))}
		data.Write(b)
		return s
	}
	appendBytes([]byte("SHELF" + variant))
	head := model.Span{Size: int64(data.Len())}
	src := new(model.Source)
	list := &model.Node{Name: "boxes", Type: "Box[]"}
	var nodes model.List
	for i, b := range boxes {
		n := &model.Node{Name: fmt.Sprint(i), Type: "Box", Key: b.Key}
		key := &model.Node{Name: "key", Type: "string", Span: appendBytes([]byte(b.Key + "\x00")), Value: b.Key}
		number := &model.Node{Name: "number", Type: "u32", Span: appendBytes(binary.LittleEndian.AppendUint32(nil,
			b.Number)),
			Value: uint64(b.Number)}
		label := &model.Node{Name: "label", Type: "string", Span: appendBytes([]byte(b.Label + "\x00")), Value: b.Label}
		block := &model.Node{Name: "block", Type: "bytes", Span: appendBytes([]byte(b.Block))}
		n.Span = key.Span.Join(block.Span).Join(label.Span)
		n.SetChildren(model.List{key, number, label, block})
		nodes = append(nodes, n)
		list.Span = list.Span.Join(n.Span)
	}
	*src = *model.NewSource(name, bytes.NewReader(data.Bytes()), int64(data.Len()))
	for _, n := range nodes {
		n.Child(3).Value = model.Blob{Source: src, Span: n.Child(3).Span}
	}
	list.SetChildren(nodes)
	root := &model.Node{Type: "Shelf", Span: model.Span{Size: int64(data.Len())}}
	root.SetChildren(model.List{{Name: "head", Type: "bytes", Span: head, Value: model.Blob{Source: src, Span: head}},
		list})
	return model.NewDocument(src, "shelf", variant, root)
}

// AddIndex adds a list to a shelf, with the key and the number of each box.
func AddIndex(d *model.Document) {
	root := d.Root()
	index := &model.Node{Name: "index", Type: "Entry[]"}
	var entries model.List
	boxes := root.ChildNamed("boxes")
	for i := range boxes.Len() {
		b := boxes.Child(i)
		number := *b.ChildNamed("number")
		entry := &model.Node{Name: b.Name, Type: "Entry", Key: b.Key, Span: number.Span}
		entry.SetChildren(model.List{&number})
		entries = append(entries, entry)
		index.Span = index.Span.Join(number.Span)
	}
	index.SetChildren(entries)
	root.SetChildren(model.List{root.Child(0), index, boxes})
}

// LongList returns a document of n records in one long list; change maps indexes to changed values.
func LongList(name string, n int, change map[int]byte) *model.Document {
	data := make([]byte, n*4)
	for i := range n {
		binary.LittleEndian.PutUint32(data[i*4:], uint32(i))
		if v, ok := change[i]; ok {
			data[i*4+3] = v
		}
	}
	src := model.NewSource(name, bytes.NewReader(data), int64(len(data)))
	root := &model.Node{Type: "Long", Span: model.Span{Size: int64(len(data))}}
	items := &model.Node{Name: "items", Type: "Item[]", Span: root.Span}
	span := func(i int) model.Span { return model.Span{Offset: int64(4 * i), Size: 4} }
	items.SetChildren(&model.Elements{Count: n, Solid: true,
		Make: func(i int) *model.Node {
			item := &model.Node{Type: "Item", Key: fmt.Sprint("k", i), Span: span(i), Parent: items}
			item.SetChildren(model.List{{Name: "value", Type: "u32", Span: span(i),
				Value: uint64(binary.LittleEndian.Uint32(data[i*4:]))}})
			return item
		},
		Sums: &model.Summaries{Keyed: true, Distinct: true, Fill: func(_ context.Context, first int,
			out []model.Summary) error {
			for i := range out {
				at := first + i
				out[i] = model.Summary{Key: uint64(at + 1), Digest: uint64(binary.LittleEndian.Uint32(data[at*4:])),
					Span: span(at)}
			}
			return nil
		}},
	})
	root.SetChildren(model.List{items})
	return model.NewDocument(src, "long", "1", root)
}

// MatrixFile returns a document with one 4×4 matrix.
func MatrixFile(values [16]float32) *model.Document {
	var data []byte
	for _, v := range values {
		data = binary.LittleEndian.AppendUint32(data, math.Float32bits(v))
	}
	src := model.NewSource("m", bytes.NewReader(data), 64)
	root := &model.Node{Type: "M", Span: model.Span{Size: 64}}
	root.SetChildren(model.List{{Name: "transform", Type: "float[16]", Span: root.Span,
		Value: model.Numbers{Source: src, Count: 16, Form: model.F32, Order: binary.LittleEndian}}})
	return model.NewDocument(src, "m", "1", root)
}

// Side returns a document in memory as a side.
func Side(d *model.Document) compared.Side {
	return compared.Side{Title: d.Source.Name(), Open: func(context.Context) (*model.Document, error) { return d, nil }}
}

// Window is the window of a comparison. It records its calls.
type Window struct {
	host.None
	Notes                           *notes.Store // may be nil
	Copied, Hints, Opened, Compared []string
	Pair                            [2]compared.Side // sides to compare
	Watched                         []string
	Saved                           bytes.Buffer
	ChangedCalls                    int // calls of Changed
	Style                           *paint.Style
	OnExport                        func(d *model.Document, nodes []*model.Node)
	OnReveal                        func(d *model.Document, n *model.Node)
}

// NewWindow returns a window without recorded calls.
func NewWindow() *Window { return &Window{Style: paint.NewStyle()} }

// Deps returns the dependencies of a tab; background work runs synchronously.
func (s *Window) Deps() compared.Deps {
	return compared.Deps{Host: s, Style: s.Style, Group: work.Inline(context.Background())}
}

// PlaceNotes finds the notes of a document.
func (s *Window) PlaceNotes(ctx context.Context, d *model.Document, old *notes.Placement) (*notes.Placement, error) {
	if s.Notes == nil {
		return nil, nil
	}
	sheets, err := s.Notes.Sheets()
	if err != nil {
		return nil, err
	}
	return notes.Place(ctx, d, sheets, old)
}

// Compare compares two documents.
func Compare(t testing.TB, old, new *model.Document) *compare.Comparison {
	t.Helper()
	found, err := compare.Documents(t.Context(), old, new, compare.Options{}, nil)
	require.NoError(t, err)
	return found
}

// Copy records a text for the clipboard.
func (s *Window) Copy(text string) { s.Copied = append(s.Copied, text) }

// ShowHint records a hint.
func (s *Window) ShowHint(text string) { s.Hints = append(s.Hints, text) }

// Changed counts the requests to update the status line.
func (s *Window) Changed() { s.ChangedCalls++ }

// Open records the file of a side.
func (s *Window) Open(side compared.Side, _ model.Path) { s.Opened = append(s.Opened, side.Path) }

// Compare records the files of both sides.
func (s *Window) Compare(old, new compared.Side) {
	s.Pair = [2]compared.Side{old, new}
	s.Compared = append(s.Compared, old.Path, new.Path)
}

// Watch records the watched files.
func (s *Window) Watch(paths ...string) { s.Watched = paths }

// AddToExport calls OnExport.
func (s *Window) AddToExport(d *model.Document, nodes []*model.Node) { s.OnExport(d, nodes) }

// Reveal calls OnReveal.
func (s *Window) Reveal(d *model.Document, n *model.Node) {
	if s.OnReveal != nil {
		s.OnReveal(d, n)
	}
}

// Save records the written file.
func (s *Window) Save(_ string, write func(w io.Writer) error) {
	s.Saved.Reset()
	if err := write(&s.Saved); err != nil {
		panic(err)
	}
}

// Files are files on disk that are opened as bytes.
type Files struct {
	Sides  []compared.Side
	Opened []*model.Document // since the test last emptied it
	Then   func()            // called after each file is opened; may be nil
}

// NewFiles writes files of these names.
func NewFiles(t testing.TB, names ...string) *Files {
	t.Helper()
	f := new(Files)
	folder := t.TempDir()
	for _, name := range names {
		path := filepath.Join(folder, name)
		require.NoError(t, os.WriteFile(path, []byte(name), 0o600))
		f.Sides = append(f.Sides, compared.File(path, name, f.open))
	}
	return f
}

func (f *Files) open(_ context.Context, path string) (*model.Document, error) {
	src, err := model.OpenFile(path)
	if err != nil {
		return nil, err
	}
	d := model.NewDocument(src, "bytes", "", &model.Node{Span: model.Span{Size: src.Size()}})
	if f.Opened = append(f.Opened, d); f.Then != nil {
		f.Then()
	}
	return d, nil
}

// CheckClosedWhenStopped tests that run closes the files it opened if stop is called when all are open.
func (f *Files) CheckClosedWhenStopped(t testing.TB, run, stop func()) {
	t.Helper()
	f.Opened = nil
	f.Then = func() {
		if len(f.Opened) == len(f.Sides) {
			stop()
		}
	}
	run()
	require.Len(t, f.Opened, len(f.Sides))
	for _, d := range f.Opened {
		assert.False(t, d.Source.IsIntact(), d.Source.Name())
	}
}

// Pictured returns a shelf whose nodes all have a gray picture as view.
func Pictured(name string, grey uint8) *model.Document {
	d := Shelf(name, "1", NewBox("a", uint32(grey), "one", "x"))
	d.View = func(context.Context, *model.Node) (model.View, error) {
		img := image.NewGray(image.Rect(0, 0, 4, 2))
		img.SetGray(1, 1, color.Gray{Y: grey})
		return model.Picture{Image: img}, nil
	}
	return d
}
