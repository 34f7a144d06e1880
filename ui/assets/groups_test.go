package assets

import (
	"testing"

	"fyne.io/fyne/v2"
	"github.com/stretchr/testify/assert"

	"assay/ui/rows"
)

func TestATreeIsOpenedAndClosed(t *testing.T) {
	s := show(t, document("b.png", "art/t10.png", "art/t2.png", "sound/low/a.wav", "sound/b.wav"))
	s.groupingChoice.SetSelected("Tree")
	assert.Equal(t, []string{"art", "t2.png", "t10.png", "sound", "low", "a.wav", "b.wav", "b.png"}, s.listed())
	assert.Equal(t, "3 folders, 5 assets", s.count.Text)
	s.rows.SetCurrent(3)
	s.press(fyne.KeyLeft)
	assert.Equal(t, []string{"art", "t2.png", "t10.png", "sound", "b.png"}, s.listed())
	assert.EqualValues(t, 3, s.rows.Current())
	s.press(fyne.KeyReturn)
	s.press(fyne.KeyRight)
	assert.EqualValues(t, 4, s.rows.Current(), "it is open, so the key goes on")
	s.press(fyne.KeyLeft)
	s.press(fyne.KeyLeft)
	assert.EqualValues(t, 3, s.rows.Current(), "from a closed folder the key goes to the one around it")
	s.sort(bySize, rows.Descending)
	assert.Equal(t, []string{"sound", "low", "b.wav", "art", "t2.png", "t10.png", "b.png"}, s.listed(),
		"what is closed stays so")
	s.rows.SetCurrent(0)
	s.selectionChanged()
	assert.ElementsMatch(t, []string{"/3", "/4"}, s.taken(t), "a folder stands for all that is in it")
	s.filterField.SetText("wav")
	assert.Equal(t, []string{"b.wav", "a.wav"}, s.listed())
}

func TestAStepGoesIntoClosedFolders(t *testing.T) {
	s := show(t, document("b.png", "art/t10.png", "sound/low/z.wav"))
	for _, grouping := range []string{"Folders", "Tree", "Flat list"} {
		s.groupingChoice.SetSelected(grouping)
		s.closed = map[string]bool{"/sound": true}
		s.update(0)
		assert.Equal(t, 2, s.Step(-1, 1, func(i int) bool { return i == 2 }), grouping)
		assert.Equal(t, 2, s.Current(), grouping)
		assert.Equal(t, []string{"/2"}, s.taken(t), "it is selected as if the user had gone there")
		assert.Equal(t, -1, s.Step(2, 1, func(i int) bool { return i == 1 }), "%s: that is before it", grouping)
	}
}

func TestTilesOfATreeAreThoseOfAFolder(t *testing.T) {
	s := show(t, document("b.png", "art/t10.png"))
	s.groupingChoice.SetSelected("Tree")
	assert.Contains(t, s.groupingChoice.Options, "Tree")
	for _, m := range []mode{tileMode, listMode} {
		s.modeChoice.SetSelectedIndex(int(m))
		assert.Equal(t, []string{"art", "b.png"}, s.listed())
		assert.Equal(t, "Folders", s.groupingChoice.Selected, "as displayed")
		assert.NotContains(t, s.groupingChoice.Options, "Tree")
	}
	s.modeChoice.SetSelectedIndex(int(detailsMode))
	assert.Equal(t, []string{"art", "t10.png", "b.png"}, s.listed())
	assert.Equal(t, "Tree", s.groupingChoice.Selected)
	s.modeChoice.SetSelectedIndex(int(listMode))
	s.groupingChoice.SetSelected("Folders")
	s.modeChoice.SetSelectedIndex(int(detailsMode))
	assert.Equal(t, []string{"art", "b.png"}, s.listed(), "chosen for all modes")
}
