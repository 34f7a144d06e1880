package details_test

import (
	"bytes"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"github.com/stretchr/testify/assert"

	"assay/model"
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

// texts goes through the rows and copies each.
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
	n.Warn(model.Error, n.Span, "%s", "gpb: the count is larger than the "+strings.Repeat("file and ", 20)+"all")
	d, r, _ := show(t, n, []byte{0, 4, 0, 0})
	uitest.Golden(t, "node", d.style, d.Details)
	assert.Contains(t, texts(d, r), "0x1a4  (420)", "what is copied is the value")
}

func TestFieldsAreWaysOn(t *testing.T) {
	n := &model.Node{Name: "struct"}
	n.SetChildren(model.List{{Name: "a", Value: uint64(1)}, {Name: "b", Value: "two"}, {Name: "c", Key: "key"}})
	d, r, _ := show(t, n, nil)
	var went string
	d.OnGo = func(n *model.Node) { went = n.Name }
	all := texts(d, r)
	r.OnActivate(int64(len(all) - 2))
	assert.Equal(t, "b", went)
	assert.Equal(t, []string{"1", "two", "key"}, all[len(all)-3:])
}

func TestArraysAreReadWhereTheyAreLookedAt(t *testing.T) {
	data := bytes.NewReader(make([]byte, 4_000_000))
	src := model.NewSource("made", data, 4_000_000)
	n := &model.Node{Name: "indices", Value: model.Numbers{Source: src, Count: 2_000_000, Form: model.U16, Order: nil}}
	n.Value = model.Scalars(make([]any, 3))
	for i := range 3 {
		n.Value.(model.Scalars)[i] = uint64(i * 10)
	}
	d, _, _ := show(t, n, nil)
	all := uitest.Lines(t, d.style, d.Details)
	assert.Equal(t, []string{"Values", "0          0", "1          10", "2          20"}, all[len(all)-4:])
}

func TestAsManyBytesInALineAsFit(t *testing.T) {
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

func TestTheProblemsOfTheFileStandAtTheTopOfItsRoot(t *testing.T) {
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
	d.SetNode(model.NewDocument(model.NewSource("made.bin", bytes.NewReader(nil), 0), "made", "", root), root, nil)
	all := texts(d, list)
	assert.Equal(t, []string{"made.bin", "Problems in This File", "0x5  the worst", "0x0  doubt"}, all[:4])
	assert.Contains(t, all, "… 4 more problems")
	list.OnActivate(2)
	assert.Equal(t, "the worst", went.Message)
	r.Problems = nil
	d.SetNode(model.NewDocument(model.NewSource("made.bin", bytes.NewReader(nil), 0), "made", "", root), root, nil)
	assert.NotContains(t, texts(d, list), "Problems in This File")
}

func TestNothingIsNoHarm(t *testing.T) {
	d, _, _ := show(t, nil, nil)
	assert.Empty(t, uitest.Lines(t, d.style, d.Details))
}
