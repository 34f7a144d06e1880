package details_test

import (
	"bytes"
	"encoding/binary"
	"io"
	"math"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"github.com/stretchr/testify/assert"

	"assay/model"
	"assay/model/archive"
	"assay/ui/details"
	"assay/ui/paint"
	"assay/ui/rows"
	"assay/ui/uitest"
)

// panel is the details in a window.
type panel struct {
	*details.Details
	log   uitest.Log
	style *paint.Style
}

func show(t *testing.T, n *model.Node, raw []byte) (*panel, *rows.Rows, fyne.Window) {
	t.Helper()
	test.NewTempApp(t)
	d := &panel{style: paint.NewStyle()}
	d.Details = details.New(&d.log, d.style)
	w := test.NewTempWindow(t, d)
	w.Resize(fyne.NewSize(300, 500))
	src := model.NewSource("made.bin", bytes.NewReader(make([]byte, 1000)), 1000)
	d.SetNode(model.NewDocument(src, "made", "", n), n, raw)
	uitest.Lines(t, d.style, d.Details)
	return d, test.WidgetRenderer(d.Details).Objects()[0].(*rows.Rows), w
}

// texts copies each row.
func texts(d *panel, r *rows.Rows) []string {
	for i := range r.Len() {
		r.SetCurrent(i)
		r.TypedShortcut(&fyne.ShortcutCopy{})
	}
	all := d.log.Take()
	for i := range all {
		all[i] = strings.TrimPrefix(all[i], "copy ")
	}
	return all
}

func TestNodeIsDescribed(t *testing.T) {
	n := &model.Node{Name: "vertexCount", Type: "uint", Key: "#k", Value: uint64(1024),
		Span: model.Span{Offset: 0x1a4, Size: 4}, Parent: &model.Node{}}
	n.Warnf(model.Error, n.Span, "%s", "gpb: the count is larger than the "+strings.Repeat("file and ", 20)+"all")
	d, r, _ := show(t, n, []byte{0, 4, 0, 0})
	uitest.Golden(t, "node", d.style, d.Details)
	assert.Contains(t, texts(d, r), "0x1a4  (420)", "what is copied is the value")
}

func TestFieldsAndOffsetsAreLinks(t *testing.T) {
	n := &model.Node{Name: "struct"}
	n.SetChildren(model.List{{Name: "a", Value: uint64(1)}, {Name: "b", Value: "two"}, {Name: "c", Key: "key"}})
	d, r, _ := show(t, n, nil)
	var went string
	d.OnField = func(n *model.Node) { went = n.Name }
	all := texts(d, r)
	r.OnActivate(int64(len(all) - 2))
	assert.Equal(t, "b", went)
	assert.Equal(t, []string{"1", "two", "key"}, all[len(all)-3:])
}

// countingReader counts the bytes that are read.
type countingReader struct {
	io.ReaderAt
	count int
}

func (r *countingReader) ReadAt(b []byte, offset int64) (int, error) {
	n, err := r.ReaderAt.ReadAt(b, offset)
	r.count += n
	return n, err
}

func TestOnlyVisibleValuesOfAnArrayAreRead(t *testing.T) {
	const count = 2_000_000
	data := &countingReader{ReaderAt: bytes.NewReader(make([]byte, 2*count))}
	n := &model.Node{Name: "indices", Value: model.Numbers{Source: model.NewSource("made", data, 2*count),
		Count: count, Form: model.U16, Order: binary.LittleEndian}}
	d, r, _ := show(t, n, nil)
	assert.Greater(t, r.Len(), int64(count), "a row for each value")
	assert.Contains(t, uitest.Lines(t, d.style, d.Details), "Values")
	assert.NotZero(t, data.count)
	assert.Less(t, data.count, count/10)
}

func TestValuesOfAnArrayAreListed(t *testing.T) {
	d, _, _ := show(t, &model.Node{Name: "indices", Value: model.Scalars{uint64(0), uint64(10), uint64(20)}}, nil)
	all := uitest.Lines(t, d.style, d.Details)
	assert.Equal(t, []string{"Values", "0          0", "1          10", "2          20"}, all[len(all)-4:])
}

func TestBytesFillTheWidth(t *testing.T) {
	n := &model.Node{Name: "data", Type: "bytes", Span: model.Span{Offset: 0x100, Size: 32}}
	d, r, w := show(t, n, []byte("0123456789abcdefghijklmnopqrstuv"))
	var went []int64
	d.OnOffset = func(off int64) { went = append(went, off) }
	for width, lines := range map[float32]int64{200: 8, 300: 4, 600: 2} {
		w.Resize(fyne.NewSize(width, 500))
		uitest.Lines(t, d.style, d.Details)
		all := texts(d, r)
		assert.Equal(t, "Bytes", all[len(all)-1-int(lines)], width)
		went = nil
		r.OnActivate(r.Len() - 1)
		assert.Equal(t, []int64{0x100 + 32 - 32/lines}, went, "the offset of the line")
	}
}

func TestLinkIsFollowed(t *testing.T) {
	n := &model.Node{Name: "ref", Value: "#a", Link: &model.Link{File: "other.bin", Key: "#a",
		Name: func() string { return "Duck" }}}
	d, r, _ := show(t, n, nil)
	assert.Contains(t, texts(d, r), "Duck in other.bin")
	followed := false
	d.OnFollow = func(*model.Node) { followed = true }
	for i := range r.Len() {
		r.OnActivate(i)
	}
	assert.True(t, followed)
}

func TestLongTextIsWrappedToTheWidth(t *testing.T) {
	long := &model.Node{Name: "source", Value: "void main() {\n" + strings.Repeat("x = y; ", 100) + "\n}\n"}
	d, r, w := show(t, long, nil)
	uitest.Golden(t, "text.narrow", d.style, d.Details)
	narrow := r.Len()
	w.Resize(fyne.NewSize(900, 500))
	uitest.Golden(t, "text.wide", d.style, d.Details)
	assert.Less(t, r.Len(), narrow)
}

func TestRootListsProblemsOfTheFile(t *testing.T) {
	root, r := &model.Node{Type: "File"}, &model.Report{Omitted: 3}
	for i := range 6 {
		p := model.Problem{Severity: model.Warning, Span: model.Span{Offset: int64(i)}, Message: "doubt"}
		if i == 5 {
			p.Severity, p.Message = model.Error, "the worst"
		}
		r.Problems = append(r.Problems, p)
	}
	d, list, _ := show(t, root, nil)
	var went model.Problem
	d.Report, d.OnProblem = func() *model.Report { return r }, func(p model.Problem) { went = p }
	doc := model.NewDocument(model.NewSource("made.bin", bytes.NewReader(nil), 0), "made", "", root)
	d.SetNode(doc, root, nil)
	all := texts(d, list)
	assert.Equal(t, []string{"made.bin", "Problems in This File", "0x5  the worst", "0x0  doubt"}, all[:4])
	assert.Contains(t, all, "… 4 more problems")
	list.OnActivate(2)
	assert.Equal(t, "the worst", went.Message)
	root.Warnf(model.Warning, model.Span{Offset: 1}, "doubt")
	d.SetNode(doc, root, nil)
	assert.NotContains(t, texts(d, list), "Problems", "it is listed above")
	root.Warnf(model.Warning, model.Span{Offset: 4}, "doubt")
	d.SetNode(doc, root, nil)
	assert.Contains(t, texts(d, list), "Problems", "of the others there is only the number above")
	r.Problems = nil
	d.SetNode(doc, root, nil)
	assert.NotContains(t, texts(d, list), "Problems in This File")
}

func TestDetailsWithoutANodeAreEmpty(t *testing.T) {
	d, _, _ := show(t, nil, nil)
	assert.Empty(t, uitest.Lines(t, d.style, d.Details))
}

// The first sentence takes at most three lines, so that the value stays in view; the rest follows below, with all
// values of an enum.
func TestMeaningOfANodeListsValuesAndReferences(t *testing.T) {
	test.NewTempApp(t)
	p := &panel{style: paint.NewStyle()}
	p.Details = details.New(&p.log, p.style)
	w := test.NewTempWindow(t, p)
	w.Resize(fyne.NewSize(300, 500))
	n := &model.Node{Name: "kind", Type: "u8", Value: uint64(2), Symbols: model.Names{1: "one", 2: "two", 300: "many"},
		Parent: &model.Node{}}
	d := model.NewDocument(model.NewSource("made", strings.NewReader("x"), 1), "made", "", n)
	d.Meaning = func(*model.Node) model.Meaning {
		return model.Meaning{Field: strings.Repeat("very ", 60) + "long. The rest of it.", Type: "And of its type.",
			Source: "Published: Kinds.", Written: "0-0-2",
			References: []model.Reference{{Title: "The paper", URL: "https://a.org/paper"}, {Title: "A book"}}}
	}
	went := false
	p.OnPage = func() { went = true }
	address := ""
	p.OnURL = func(to string) { address = to }
	m := d.Meaning(n)
	m.Page = &model.Page{}
	d.Meaning = func(*model.Node) model.Meaning { return m }
	p.SetNode(d, n, nil)
	uitest.Lines(t, p.style, p.Details)
	r := test.WidgetRenderer(p.Details).Objects()[0].(*rows.Rows)
	all := texts(p, r)
	assert.Equal(t, "u8", all[4], "the type, after the name and three lines")
	assert.Equal(t, []string{"All values", "one", "two", "many", "Meaning", "The rest of it.\nAnd of its type.",
		"The rest of it.\nAnd of its type.", "Published: Kinds.", "https://a.org/paper", "A book", "Open format reference"},
		all[len(all)-11:])
	r.OnActivate(int64(len(all) - 1))
	assert.True(t, went)
	r.OnActivate(int64(len(all) - 2))
	assert.Empty(t, address)
	r.OnActivate(int64(len(all) - 3))
	assert.Equal(t, "https://a.org/paper", address)
	assert.Contains(t, all, "0-0-2")
}

func find(lines []details.Value, name string) details.Value {
	for _, l := range lines {
		if l.Name == name {
			return l
		}
	}
	return details.Value{}
}

func TestBytesAreInterpretedInBothByteOrders(t *testing.T) {
	le := binary.LittleEndian
	filetime := le.AppendUint64(nil, 132537600000000000) // 2020-12-30
	for _, tt := range []struct {
		name, little, big string
		bytes             []byte
	}{
		{"binary", "1010 0101", "", []byte{0xa5}},
		{"u8", "255", "", []byte{255}},
		{"s8", "-1", "", []byte{255}},
		{"u16", "513", "258", []byte{1, 2}},
		{"s16", "-2", "-257", []byte{0xfe, 0xff}},
		{"u32", "67305985", "16909060", []byte{1, 2, 3, 4}},
		{"s64", "-1", "-1", []byte{255, 255, 255, 255, 255, 255, 255, 255}},
		{"u64", "18446744073709551615", "18446744073709551615", []byte{255, 255, 255, 255, 255, 255, 255, 255}},
		{"f16", "1", "3.5763e-06", []byte{0x00, 0x3c}[0:2]},
		{"f32", "1.5", "6.8965e-41", le.AppendUint32(nil, math.Float32bits(1.5))},
		{"f64", "-2.25", "", le.AppendUint64(nil, math.Float64bits(-2.25))},
		{"Unix 32-bit", "2001-09-09 01:46:40", "", le.AppendUint32(nil, 1_000_000_000)},
		{"Unix ms", "2001-09-09 01:46:40.123", "", le.AppendUint64(nil, 1_000_000_000_123)},
		{"FILETIME", "2020-12-30 00:00:00", "", filetime},
		{"UUID", "03020100-0504-0706-0809-0a0b0c0d0e0f", "00010203-0405-0607-0809-0a0b0c0d0e0f",
			[]byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}},
		{"RGBA8", "#ff800a00  (255, 128, 10, 0)", "", []byte{255, 128, 10, 0}},
		{"UTF-8", "größe", "", []byte("größe\x00rest")},
		{"UTF-16", "ab", "", []byte{'a', 0, 'b', 0, 0, 0}},
		{"u32", "", "", []byte{1, 2, 3}},
		{"UUID", "", "", []byte{1, 2, 3}},
	} {
		got := find(details.Interpret(tt.bytes), tt.name)
		assert.Equal(t, tt.little, got.Little, tt.name)
		if tt.big != "" {
			assert.Equal(t, tt.big, got.Big, tt.name)
		}
	}
}

func TestHalfFloatsIncludeSpecialValues(t *testing.T) {
	for bits, want := range map[uint16]string{0x0000: "0", 0x8000: "-0", 0x7c00: "+Inf", 0xfc00: "-Inf", 0x7e00: "NaN",
		0x0001: "5.9605e-08", 0xc000: "-2", 0x7bff: "65504"} {
		assert.Equal(t, want, find(details.Interpret(binary.LittleEndian.AppendUint16(nil, bits)), "f16").Little)
	}
}

func TestLongValuesAreNotCut(t *testing.T) {
	test.NewTempApp(t)
	var log uitest.Log
	style := paint.NewStyle()
	p := details.NewInspector(&log, style)
	w := test.NewTempWindow(t, p.Content())
	w.SetPadded(false)
	w.Resize(fyne.NewSize(290, 700))
	bytes := binary.LittleEndian.AppendUint64(nil, 132537600000000000)
	p.Show(binary.BigEndian.AppendUint64(bytes, math.MaxUint64/3))
	uitest.Golden(t, "values", style, p.Content())
	r := test.WidgetRenderer(p.Content().(fyne.Widget)).Objects()[0].(*rows.Rows)
	r.SetCurrent(7)
	r.TypedShortcut(&fyne.ShortcutCopy{})
	r.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	assert.Equal(t, []string{"copy 132537600000000000", "copy 132537600000000000"}, log.Take())
}

func TestCharactersWithoutAGlyphAreDots(t *testing.T) {
	test.NewTempApp(t)
	var log uitest.Log
	style := paint.NewStyle()
	p := details.NewInspector(&log, style)
	w := test.NewTempWindow(t, p.Content())
	w.Resize(fyne.NewSize(400, 700))
	p.Show([]byte{0xab, 0x47, 0x50, 0x42, 'a', 0})
	lines := strings.Join(uitest.Lines(t, style, p.Content()), "\n")
	assert.Contains(t, lines, "..a")
	assert.NotContains(t, lines, "\u47ab")
	r := test.WidgetRenderer(p.Content().(fyne.Widget)).Objects()[0].(*rows.Rows)
	for row := range r.Len() {
		r.SetCurrent(row)
		r.TypedShortcut(&fyne.ShortcutCopy{})
	}
	assert.Contains(t, log.Take(), "copy \u47ab\u4250a")
}

func TestTitlesFit(t *testing.T) {
	test.NewTempApp(t)
	style := paint.NewStyle()
	p := details.NewInspector(&uitest.Log{}, style)
	w := test.NewTempWindow(t, p.Content())
	w.SetPadded(false)
	for width, want := range map[float32]string{236: "LE BE", 400: "Little endian Big endian"} {
		w.Resize(fyne.NewSize(width, 200))
		title := uitest.Lines(t, style, p.Content())[0]
		assert.Equal(t, "Type "+want, strings.Join(strings.Fields(title), " "))
	}
}

func TestAGroupOfAssetsHasItsCommonFacts(t *testing.T) {
	d, r, _ := show(t, nil, nil)
	d.SetFacts("duck", archive.Facts{Count: 1200, Size: 2500, Stored: 900, Folder: "art/duck/",
		Same: []archive.Fact{{Column: "type", Value: "png"}}})
	assert.Equal(t, []string{"duck", "1,200", "art/duck/", "2.5 KB", "900 B", "png"}, texts(d, r))
	assert.Nil(t, d.Node())
}
