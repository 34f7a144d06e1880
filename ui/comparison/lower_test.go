package comparison

import (
	"testing"

	"fyne.io/fyne/v2/test"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/model/notes"
	"assay/ui/comparison/comparisontest"
	"assay/ui/hex"
	"assay/ui/paint"
)

// note keeps a note on the node at a path of a document.
func note(t *testing.T, kept *notes.Store, d *model.Document, path, text string, color notes.Color) {
	t.Helper()
	n, err := d.Find(path)
	require.NoError(t, err)
	c, err := notes.NewNote(t.Context(), d, n, nil)
	require.NoError(t, err)
	c.Put[0].Text, c.Put[0].Color = text, color
	_, err = kept.Apply(c)
	require.NoError(t, err)
}

func TestNotesAreShownOnBothSides(t *testing.T) {
	old := shelf("a", "1", comparisontest.OldBoxes...)
	new := shelf("b", "1", comparisontest.NewBoxes...)
	test.NewTempApp(t)
	s := comparisontest.NewWindow()
	s.Notes = notes.StoreIn(t.TempDir())
	note(t, s.Notes, old, "/boxes/apple/label", "was red", notes.Red)
	c := New(s.Deps(), comparisontest.Side(old), comparisontest.Side(new))
	t.Cleanup(c.Close)
	test.NewTempWindow(t, c.Content())
	require.NotNil(t, c.result)
	label, err := old.Find("/boxes/apple/label")
	require.NoError(t, err)
	flag, tip := c.noteMark(0, label)
	assert.Equal(t, paint.Red, flag.Tone)
	assert.Equal(t, "was red", tip)
	flag, _ = c.noteMark(1, label)
	assert.Nil(t, flag.Paint)

	c.goTo(c.result.PairOf(label, true).Path())
	row, ok := c.list.View.Current()
	require.True(t, ok)
	cell := c.list.Describe(row).Cells[1]
	assert.Equal(t, paint.Red, cell.Flag.Tone)
	assert.Equal(t, "Old: was red", cell.Tip)
	lines := c.noteLines(c.pair)
	require.Len(t, lines, 1)
	assert.Equal(t, "was red", lines[0].Cells[1].Text, "below Old")

	note(t, s.Notes, new, "/boxes/apple/label", "is green", notes.Green)
	c.ReadNotes()
	cell = c.list.Describe(row).Cells[1]
	assert.Equal(t, "Old: was red   New: is green", cell.Tip)
	lines = c.noteLines(c.pair)
	require.Len(t, lines, 2)
	assert.Equal(t, "is green", lines[1].Cells[2].Text)
	for side, tone := range []paint.Tone{paint.Red, paint.Green} {
		h := c.bytes.Views[side]
		var marked []paint.Tone
		for _, m := range h.Marks(h.VisibleRange()) {
			if m.Kind == hex.Noted {
				marked = append(marked, m.Tone)
			}
		}
		assert.Contains(t, marked, tone)
		for _, m := range marked {
			assert.Equal(t, tone, m)
		}
	}
}
