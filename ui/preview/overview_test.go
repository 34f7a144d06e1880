package preview

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/model/archive"
	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/rows"
	"assay/ui/uitest"
)

// document returns a document of n pictures and two texts; the last one is newer and cannot be read.
func document(n int) *model.Document {
	root := &model.Node{Type: "File"}
	d := model.NewDocument(model.NewSource("made.bin", bytes.NewReader(nil), 0), "made", "1", root)
	var all model.PayloadList
	for i := range n {
		all = append(all, &model.Payload{Name: fmt.Sprintf("art/p%d.png", i), Type: "picture", Size: int64(1000 + i)})
	}
	all = append(all, &model.Payload{Name: "a.txt", Type: "text", Size: 5, ModTime: time.Unix(1e9, 0)},
		&model.Payload{Name: "b.txt", Type: "text", Size: 76040, ModTime: time.Unix(2e9, 0), Problem: "it is cut"})
	d.Payloads = all
	return d
}

type shown struct {
	*Overview
	said []string
}

func show(t *testing.T, d *model.Document) *shown {
	t.Helper()
	test.NewTempApp(t)
	s := &shown{Overview: NewOverview(host.None{}, paint.NewStyle(), container.NewStack())}
	s.Events = Events{OnAsset: func(i int) { s.said = append(s.said, fmt.Sprint("asset ", i)) },
		OnKind:     func(name string) { s.said = append(s.said, "kind "+name) },
		OnProblem:  func(p model.Problem) { s.said = append(s.said, p.Message) },
		OnProblems: func() { s.said = append(s.said, "all") }}
	w := test.NewTempWindow(t, s.Content())
	w.SetPadded(false)
	w.Resize(fyne.NewSize(330, 260))
	a, err := archive.Read(context.Background(), d, func(*archive.Archive) {})
	require.NoError(t, err)
	s.Show(a.Overview(), false)
	return s
}

func (s *shown) lines(t *testing.T) []string { return uitest.Lines(t, s.style, s.panel) }

// click clicks the line with a text.
func (s *shown) click(t *testing.T, text string) {
	t.Helper()
	for _, ink := range uitest.Frame(t, s.style, s.panel).Inks {
		if strings.Contains(ink.Text, text) {
			at := fyne.PointEvent{Position: fyne.NewPos(float32(ink.Box.Min.X+2), float32(ink.Box.Max.Y-2))}
			r := test.WidgetRenderer(s.panel).Objects()[0].(*rows.Rows)
			r.MouseDown(&desktop.MouseEvent{PointEvent: at, Button: desktop.MouseButtonPrimary})
			r.MouseUp(&desktop.MouseEvent{PointEvent: at, Button: desktop.MouseButtonPrimary})
			return
		}
	}
	require.Fail(t, "there is no line", text)
}

func TestOverviewListsLargestAndNewest(t *testing.T) {
	s := show(t, document(3))
	assert.Equal(t, "5 assets · 79,048 bytes", s.Overview.Summary(s.Overview.overview))
	rowsOf := test.WidgetRenderer(s.panel).Objects()[0].(*rows.Rows)
	text := strings.Join(s.lines(t), "\n")
	rowsOf.ScrollTo(rowsOf.Len() - 1)
	text += strings.Join(s.lines(t), "\n")
	for _, want := range []string{"1 asset cannot be read", "Checking…", "By type", "76,045",
		"3,003", "Largest", "Newest", "2033-05-18 03:33:20"} {
		assert.Contains(t, text, want)
	}
	s.SetReport(&model.Report{Problems: []model.Problem{{Message: "a sum is wrong", Severity: model.Error}}, Omitted: 8})
	rowsOf.ScrollTo(0)
	s.click(t, "a sum is wrong")
	s.click(t, "All 9 problems")
	s.click(t, "picture")
	s.click(t, "p2.png")
	assert.Equal(t, []string{"a sum is wrong", "all", "kind picture", "asset 2"}, s.said)
}

// The parts of a document from which assets are made may overlap, and are not part of sums.
func TestOverviewWithoutPartsOfAssets(t *testing.T) {
	d := document(0)
	d.Payloads = model.PayloadList{{Name: "blob.bin", Type: "binary", Size: 1000, Stored: model.Span{Size: 1000}},
		{Name: "all.json", Type: "object", Size: -1, Stored: model.Span{Size: 14108}}}
	v := show(t, d).Overview
	o := v.overview
	assert.Equal(t, "2 assets", v.Summary(o))
	assert.Equal(t, []int{1, 0}, o.Largest)
	assert.Equal(t, []archive.Kind{{Name: "object", Count: 1, Size: 14108}, {Name: "binary", Count: 1, Size: 1000}}, o.Kinds)
}

func TestOverviewOfManyAssets(t *testing.T) {
	s := show(t, document(1000))
	o := s.Overview.overview
	assert.Equal(t, []int{1001, 999, 998, 997, 996}, o.Largest)
	assert.Equal(t, []int{1001, 1000}, o.Newest)
	assert.Equal(t, []int{1001}, o.WithProblem)
	assert.Len(t, o.Pictures, 24)
	assert.Equal(t, archive.Kind{Name: "picture", Count: 1000, Size: 1499500}, o.Kinds[0])
	assert.Contains(t, strings.Join(s.lines(t), "\n"), "1,499,500")
}

// A name is not cut for the sake of wide values in other lines.
func TestNamesOfAnOverviewUseTheSpaceBesideSizes(t *testing.T) {
	d := document(0)
	d.Payloads = model.PayloadList{{Name: "a name of several, that is 36 bytes",
		Type: "a type of several, that is 36 bytes", Size: 1, ModTime: time.Unix(1e9, 0)}, {Name: "b", Type: "b", Size: 2, ModTime: time.Unix(1e9, 0)}}
	s := show(t, d)
	text := strings.Join(s.lines(t), "\n")
	assert.Contains(t, text, "2001-09-09")
	assert.Equal(t, 1, strings.Count(text, "a name of several, that is 36 bytes"), "in Largest, and cut in Newest")
	assert.Contains(t, text, "a type of several, that is 36 bytes")
}
