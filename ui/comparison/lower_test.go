package comparison

import (
	"testing"

	"fyne.io/fyne/v2/test"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/model/compare"
	"assay/model/notes"
	"assay/ui/comparison/comparisontest"
	"assay/ui/hex"
	"assay/ui/paint"
)

// note stores a note on the node at a path of a document.
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
	row, ok := c.tree.View.Current()
	require.True(t, ok)
	cell := c.tree.Describe(row).Cells[1]
	assert.Equal(t, paint.Red, cell.Flag.Tone)
	assert.Equal(t, "Old: was red", cell.Tip)
	lines := c.noteLines(c.pair)
	require.Len(t, lines, 1)
	assert.Equal(t, "was red", lines[0].Cells[1].Text, "below Old")

	note(t, s.Notes, new, "/boxes/apple/label", "is green", notes.Green)
	c.ReadNotes()
	cell = c.tree.Describe(row).Cells[1]
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

func TestFilesWithPicturesShowThem(t *testing.T) {
	c, _, _ := opened(t, comparisontest.Pictured("a", 10), comparisontest.Pictured("b", 30))
	assert.True(t, c.previews.Visible, "pictures are displayed by default")
	assert.Equal(t, c.previews.Content, c.lower.Objects[0])

	test.Tap(c.header.previews.Button)
	assert.Equal(t, c.bytes.Content, c.lower.Objects[0])
	c.Reload()
	assert.Equal(t, c.bytes.Content, c.lower.Objects[0], "the chosen panel stays")
}

func TestFilesWithoutPicturesShowTheirBytes(t *testing.T) {
	c, _, _ := opened(t, shelf("a", "1", box("a", 1, "one", "x")), shelf("b", "1", box("a", 2, "one", "x")))
	assert.Equal(t, c.bytes.Content, c.lower.Objects[0])
	assert.False(t, c.previews.Visible)
}

func TestListsAreOneTable(t *testing.T) {
	from := shelf("from", "1", box("a", 1, "one", "x"), box("b", 2, "two", "y"), box("c", 3, "three", "z"))
	to := shelf("to", "1", box("a", 1, "one", "x"), box("c", 30, "three", "z"), box("d", 4, "four", ""))
	c, _, _ := opened(t, from, to)
	assert.True(t, c.header.table.Disabled(), "the whole file is not a list")
	var changed *compare.Pair
	for p := c.result.Root().Next(); p != nil; p = p.Next() {
		if p.Status == compare.Changed && p.Leaf() {
			changed = p
		}
	}
	c.goTo(changed.Path())
	assert.False(t, c.header.table.Disabled())
	c.ToggleTable()
	assert.Equal(t, c.tables.Sheet.Content(), c.lower.Objects[0])
	var removed model.Path
	for p := c.result.Root().Next(); p != nil; p = p.Next() {
		if p.Status == compare.Removed {
			removed = p.Path()
		}
	}
	c.tables.Sheet.OnPath(removed)
	assert.Equal(t, removed, c.selected, "the tree follows")
	c.goTo(model.Path{})
	assert.Equal(t, tableBelow, c.lowerShown, "the chosen panel stays")
	c.ToggleTable()
	assert.NotEqual(t, tableBelow, c.lowerShown)
	assert.True(t, c.header.table.Disabled())
}
