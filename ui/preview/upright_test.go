package preview_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"fyne.io/fyne/v2/test"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/ui/doc"
	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/preview"
	"assay/ui/thumbnail"
	"assay/ui/work"
)

func TestTheUpAxisIsRememberedForAFolder(t *testing.T) {
	test.NewTempApp(t)
	folder := t.TempDir()
	// look shows a file of a scene.
	look := func(name string) *preview.Preview {
		path := filepath.Join(folder, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, make([]byte, 8), 0o644))
		src, err := model.OpenFile(path)
		require.NoError(t, err)
		t.Cleanup(func() { src.Close() })
		d := model.NewDocument(src, "test", "1", document(nil).Root())
		d.View = func(context.Context, *model.Node) (model.View, error) { return triangle(), nil }
		p := preview.New(host.None{}, paint.NewStyle(), work.Inline(t.Context()), thumbnail.Options{})
		test.NewTempWindow(t, p.Content())
		p.Select(doc.Selection{Document: d, Node: d.Root()})
		return p
	}
	first := look("game/res/boy.scene")
	assert.NotContains(t, caption(first), "z is up")
	first.Viewport().OnUp(true)
	assert.Contains(t, caption(look("game/res/room.scene")), "z is up", "of the same folder")
	assert.Contains(t, caption(look("game/res/far/away.scene")), "z is up", "below it")
	assert.NotContains(t, caption(look("game/other.scene")), "z is up")
	look("game/res/far/away.scene").Viewport().OnUp(false)
	assert.NotContains(t, caption(look("game/res/far/away.scene")), "z is up", "the nearest folder wins")
	assert.Contains(t, caption(look("game/res/room.scene")), "z is up")
}
