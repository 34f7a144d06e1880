package window

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/formats"
	"assay/formats/kaitai"
	"assay/formats/kaitai/gallery"
	"assay/model"
	"assay/ui"
)

// describerOf makes descriptions as the program does.
type describerOf struct{ g *gallery.Gallery }

func (d describerOf) Skeleton(name string, head []byte) string { return kaitai.Skeleton(name, head) }
func (d describerOf) Draft(path string, text []byte)           { d.g.SetDraft(path, text) }
func (d describerOf) Fields(text string, src *model.Source, at model.Span) (all []ui.Field, err error) {
	sketches, err := kaitai.Sketches(text, src, at)
	for _, s := range sketches {
		all = append(all, ui.Field(s))
	}
	return all, err
}

func TestAFileIsDescribedInTheWindow(t *testing.T) {
	w := makeWindow(t)
	g := new(gallery.Gallery)
	opener := formats.Opener{Gallery: g}
	w.options.As, w.options.Describer = opener.As, describerOf{g}
	folder := t.TempDir()
	path, file := write(t, folder, "a.dat", "PAK1\x0c\x00\x00\x00rest"), filepath.Join(folder, "a.ksy")
	w.openFile(path)
	before := w.tabs.present().(*docTab)
	assert.True(t, w.canDescribe(before))
	w.describeBytes(before.pane, model.Span{Offset: 4, Size: 4})
	assert.Nil(t, w.list, "there is no description yet")

	head, err := os.ReadFile(path)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(file, []byte(w.options.Describer.Skeleton("a.dat", head)), 0o600))
	before.openAsThen(file, func(now *docTab) {
		now.rules.Select(now.pane.Selection())
		now.rules.Edit()
	})
	now := w.tabs.present().(*docTab)
	require.NotNil(t, now.rules)
	require.NotNil(t, now.pane.Document().Root().Named("magic"))
	w.describeBytes(now.pane, model.Span{Offset: 4, Size: 4})
	item := itemNamed(t, w, "u4le = 12")
	assert.Equal(t, "it is the size of the file", item.Where)
	w.list.Close()
	item.On()
	field := now.pane.Document().Root().Named("at_4")
	require.NotNil(t, field, "the tree has the field at once")
	assert.EqualValues(t, 12, field.Value)
	assert.NotEmpty(t, unsavedIn(now))
	on, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.NotContains(t, string(on), "at_4", "the file changes when it is saved")

	w.commands.Run("file.save-description", now)
	assert.Empty(t, unsavedIn(now))
	on, err = os.ReadFile(file)
	require.NoError(t, err)
	assert.Contains(t, string(on), "at_4: {pos: 0x4, type: u4le}")
	w.tabs.close(now)
	d, err := g.Load(file)
	require.NoError(t, err)
	assert.Equal(t, "dat", d.ID, "the draft is gone")
}
