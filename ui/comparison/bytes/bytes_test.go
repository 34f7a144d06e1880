package bytes

import (
	"bytes"
	"context"
	"io"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/model/compare"
	"assay/ui/comparison/comparisontest"
)

func TestStripGoesToChanges(t *testing.T) {
	test.NewTempApp(t)
	found := comparisontest.Compare(t, comparisontest.Shelf("old", "1", comparisontest.OldBoxes...),
		comparisontest.Shelf("new", "1", comparisontest.NewBoxes...))
	w := comparisontest.NewWindow()
	strip := NewStrip(w, w.Style, w.Deps().Group)
	strip.Set(found)
	test.NewTempWindow(t, strip).Resize(fyne.NewSize(1200, 60))
	var at *compare.Pair
	strip.OnGo = func(path model.Path) { at = found.At(path) }
	lanes := strip.lanes(int(strip.Size().Width * strip.Scale()))
	for side, status := range []compare.Status{compare.Removed, compare.Added} {
		strip.Tapped(&fyne.PointEvent{Position: fyne.NewPos(float32(lanes[side].Max.X-4)/strip.Scale(),
			float32(lanes[side].Min.Y+2)/strip.Scale())})
		require.NotNil(t, at)
		assert.Equal(t, status, at.Status)
	}
}

func TestAlignmentShowsBothFiles(t *testing.T) {
	old, new := "the quick brown fox jumps over the lazy dog, and then some more of it",
		"the brown fox leaps over the very lazy dog, and then some more of it!"
	src := func(s string) *model.Document {
		return model.NewDocument(model.NewSource("s", strings.NewReader(s), int64(len(s))), "bytes", "", &model.Node{})
	}
	found := &compare.Comparison{Old: src(old), New: src(new)}
	a, err := alignBytes(context.Background(), found, model.Span{Size: int64(len(old))},
		model.Span{Size: int64(len(new))},
		nil)
	require.NoError(t, err)
	for side, want := range []string{old, new} {
		h := sideReader{a: a, src: []*model.Document{found.Old, found.New}[side].Source, side: side}
		all := make([]byte, a.Size)
		_, err := h.ReadAt(all, 0)
		require.NoError(t, err)
		var got bytes.Buffer
		for at := int64(0); at < a.Size; {
			offset, n, there := h.FileOffset(at)
			require.Positive(t, n)
			if there {
				assert.EqualValues(t, got.Len(), offset)
				assert.Equal(t, at, a.ViewOffset(side, offset))
				got.Write(all[at : at+n])
			}
			at += n
		}
		assert.Equal(t, want, got.String())
		_, err = h.ReadAt(make([]byte, 10), a.Size-5)
		assert.ErrorIs(t, err, io.EOF)
		marked := int64(0)
		for _, m := range h.marks(0, a.Size) {
			marked += m.Length
		}
		assert.Positive(t, marked)
		assert.LessOrEqual(t, marked, a.differentBytes)
	}
}
