package comparison

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"assay/model"
	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/work"
)

// box is a thing of a made file: a key, a number, a text, a block.
type box struct {
	key    string
	number uint32
	label  string
	block  string
}

// shelf is a document of boxes in memory.
func shelf(name, variant string, boxes ...box) *model.Document {
	var data bytes.Buffer
	put := func(b []byte) model.Span {
		s := model.Span{Offset: int64(data.Len()), Size: int64(len(b))}
		data.Write(b)
		return s
	}
	put([]byte("SHELF" + variant))
	head := model.Span{Size: int64(data.Len())}
	src := new(model.Source)
	list := &model.Node{Name: "boxes", Type: "Box[]"}
	var nodes model.List
	for i, b := range boxes {
		n := &model.Node{Name: fmt.Sprint(i), Type: "Box", Key: b.key}
		key := &model.Node{Name: "key", Type: "string", Span: put([]byte(b.key + "\x00")), Value: b.key}
		number := &model.Node{Name: "number", Type: "u32", Span: put(binary.LittleEndian.AppendUint32(nil, b.number)),
			Value: uint64(b.number)}
		label := &model.Node{Name: "label", Type: "string", Span: put([]byte(b.label + "\x00")), Value: b.label}
		block := &model.Node{Name: "block", Type: "bytes", Span: put([]byte(b.block))}
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

// longList is a document of n records in one long list; what is called for is changed.
func longList(name string, n int, change map[int]byte) *model.Document {
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
		Sums: &model.Summaries{Keyed: true, Distinct: true, Fill: func(first int, out []model.Summary) error {
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

// matrices is a document with one 4x4 matrix.
func matrices(values [16]float32) *model.Document {
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

func sideOf(d *model.Document) Side {
	return Side{Title: d.Source.Name(), Open: func(context.Context) (*model.Document, error) { return d, nil }}
}

// said is the window of a comparison: what it was asked for.
type said struct {
	host.None
	copied, hints, opened, compared []string
	watched                         []string
	saved                           bytes.Buffer
	status                          int
	style                           *paint.Style
	export                          func(d *model.Document, nodes []*model.Node)
}

func (s *said) Copy(text string)                              { s.copied = append(s.copied, text) }
func (s *said) Tell(text string)                              { s.hints = append(s.hints, text) }
func (s *said) Changed()                                      { s.status++ }
func (s *said) Open(side Side, _ model.Path)                  { s.opened = append(s.opened, side.Path) }
func (s *said) Compare(old, new Side)                         { s.compared = append(s.compared, old.Path, new.Path) }
func (s *said) Watch(paths ...string)                         { s.watched = paths }
func (s *said) Export(d *model.Document, nodes []*model.Node) { s.export(d, nodes) }

func (s *said) Save(_ string, write func(w io.Writer) error) {
	s.saved.Reset()
	if err := write(&s.saved); err != nil {
		panic(err)
	}
}

// opened shows a comparison of two documents in a window.
func opened(t testing.TB, from, to *model.Document) (*Comparison, *said, fyne.Window) {
	t.Helper()
	test.NewTempApp(t)
	s := &said{}
	s.style = paint.NewStyle()
	c := New(Deps{Host: s, Style: s.style, Group: work.Inline(context.Background())}, sideOf(from), sideOf(to))
	w := test.NewTempWindow(t, c.Content())
	w.SetPadded(false)
	w.Resize(fyne.NewSize(1200, 800))
	t.Cleanup(c.Close)
	return c, s, w
}
