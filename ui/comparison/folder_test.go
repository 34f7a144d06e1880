package comparison

import (
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/model/compare"
	"assay/ui/paint"
	"assay/ui/paint/painttest"
	"assay/ui/work"
)

func fill(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, content := range files {
		path := filepath.Join(root, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		require.NoError(t, os.WriteFile(path, []byte(content), 0o600))
	}
	return root
}

func twoFolders(t *testing.T) (old, new string) {
	old = fill(t, map[string]string{"same": "same", "sub/longer": "short", "sub/byte": "abcdef", "gone": "gone", "was": "the content stays", ".git/x": "1"})
	new = fill(t, map[string]string{"same": "same", "sub/longer": "longer!", "sub/byte": "abcXef", "came": "come!", "is/now": "the content stays", ".git/x": "2"})
	return old, new
}

func TestFilesOfTwoFolders(t *testing.T) {
	old, new := twoFolders(t)
	files, err := Files(context.Background(), old, new, nil)
	require.NoError(t, err)
	assert.Equal(t, []File{
		{Name: "came", Old: -1, New: 5, Status: compare.Added},
		{Name: "gone", Old: 4, New: -1, Status: compare.Removed},
		{Name: "is/now", OldName: "was", Old: 17, New: 17, Status: compare.Moved},
		{Name: "same", Old: 4, New: 4, Status: compare.Same},
		{Name: "sub/byte", Old: 6, New: 6, Status: compare.Changed, At: 3},
		{Name: "sub/longer", Old: 5, New: 7, Status: compare.Changed},
	}, files)
	_, err = Files(context.Background(), filepath.Join(old, "nothing"), new, nil)
	assert.Error(t, err)
	ended, end := context.WithCancel(context.Background())
	end()
	_, err = Files(ended, old, new, nil)
	assert.ErrorIs(t, err, context.Canceled)
}

func TestFolderOpensPairs(t *testing.T) {
	test.NewTempApp(t)
	old, new := twoFolders(t)
	s := &said{style: paint.NewStyle()}
	f := NewFolder(Deps{Host: s, Style: s.style, Group: work.Inline(context.Background())}, old, new, nil)
	defer f.Close()
	w := test.NewTempWindow(t, f.Content())
	w.Resize(fyne.NewSize(900, 400))
	painttest.Golden(t, "folder", s.style, f.rows)
	require.EqualValues(t, 5, f.rows.Len(), "what is the same is left out")
	for row := range int64(5) {
		f.rows.SetCurrent(row)
		f.rows.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	}
	assert.Equal(t, []string{filepath.Join(new, "came"), filepath.Join(old, "gone")}, s.opened)
	assert.Equal(t, []string{filepath.Join(old, "was"), filepath.Join(new, "is/now"), filepath.Join(old, "sub/byte"), filepath.Join(new, "sub/byte"),
		filepath.Join(old, "sub/longer"), filepath.Join(new, "sub/longer")}, s.compared)
	f.setStates(allStates)
	assert.EqualValues(t, 6, f.rows.Len())
	f.rows.SetCurrent(2)
	f.rows.TypedKey(&fyne.KeyEvent{Name: fyne.KeyF8})
	assert.EqualValues(t, 4, f.rows.Current(), "the same file is passed over")
	_, facts := f.Status()
	assert.Equal(t, "5 differences in 6 files", facts[1].Text)
}

func TestSeriesStepsThroughStates(t *testing.T) {
	test.NewTempApp(t)
	var sides []Side
	for i := range 4 {
		boxes := append([]box(nil), oldBoxes...)
		boxes[0].number = uint32(i / 2) // the states 0 and 1, 2 and 3 are the same
		sides = append(sides, sideOf(shelf(string(rune('a'+i)), "1", boxes...)))
	}
	style := paint.NewStyle()
	s := NewSeries(Deps{Host: new(said), Style: style, Group: work.Inline(context.Background())}, sides)
	defer s.Close()
	w := test.NewTempWindow(t, s.Content())
	w.Resize(fyne.NewSize(1000, 700))
	assert.Equal(t, []int64{0, 2, 0}, s.bars.numbers)
	assert.Equal(t, "Step 1 of 3:   a   →   b", s.label.String())
	s.slider.SetValue(1)
	s.slider.OnChangeEnded(1)
	assert.Equal(t, "Step 2 of 3:   b   →   c", s.label.String())
	require.False(t, s.Present().c.Same())
	s.Present().ToggleLayout()
	s.bars.Tapped(&fyne.PointEvent{Position: fyne.NewPos(s.bars.Size().Width-2, 5)})
	assert.Equal(t, 2, s.step)
	assert.Equal(t, twoTrees, s.Present().list.layout, "the layout stays")
	s.Show(99)
	assert.Equal(t, 2, s.step)
	painttest.Golden(t, "steps", style, s.bars)
}

func TestVersionOfHead(t *testing.T) {
	root := fill(t, map[string]string{"sub/-odd name.bin": "committed\r\n\x00", "sub/new.bin": "never"})
	path := filepath.Join(root, "sub", "-odd name.bin")
	read := func(path string) (string, error) {
		var got string
		side := HeadSide(path, func(_ context.Context, src *model.Source) (*model.Document, error) {
			b, err := io.ReadAll(src.Reader(model.Span{Size: src.Size()}))
			got = string(b)
			return model.NewDocument(src, "bytes", "", &model.Node{}), err
		})
		_, err := side.Open(context.Background())
		return got, err
	}
	t.Setenv("GIT_CEILING_DIRECTORIES", filepath.Dir(root))
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	_, err := read(path)
	assert.ErrorContains(t, err, "is not in a git repository")
	run := func(args ...string) {
		c := exec.Command("git", append([]string{"-c", "user.name=n", "-c", "user.email=e@x"}, args...)...)
		c.Dir = root
		out, err := c.CombinedOutput()
		require.NoError(t, err, string(out))
	}
	run("init", "-q")
	_, err = read(path)
	assert.ErrorContains(t, err, "has no commit yet")
	run("add", "--", "sub/-odd name.bin")
	run("commit", "-q", "-m", "first")
	require.NoError(t, os.WriteFile(path, []byte("later"), 0o600))
	got, err := read(path)
	require.NoError(t, err)
	assert.Equal(t, "committed\r\n\x00", got)
	_, err = read(filepath.Join(root, "sub", "new.bin"))
	assert.EqualError(t, err, "new.bin is not in git's HEAD: it was never committed")
}
