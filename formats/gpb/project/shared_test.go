package project

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
)

func TestFilesOfAnOperationShareAProject(t *testing.T) {
	folder := t.TempDir()
	for _, name := range []string{"a.gpb", "b.gpb"} {
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), []byte("x"), 0o600))
	}
	around := func(ctx context.Context, name, resources string) *Project {
		d, err := model.OpenDocument(ctx, filepath.Join(folder, name), resources,
			func(_ context.Context, src *model.Source) (*model.Document, error) {
				return model.NewDocument(src, "x", "", new(model.Node)), nil
			})
		require.NoError(t, err)
		t.Cleanup(func() { d.Source.Close() })
		return ForSource(d.Source)
	}
	ctx := model.Sharing(t.Context())
	a, b := around(ctx, "a.gpb", ""), around(ctx, "b.gpb", "")
	assert.Same(t, a.store, b.store)
	assert.Equal(t, "b.gpb", b.Path())
	assert.NotSame(t, a.store, around(ctx, "a.gpb", folder).store, "with other resources, other files are found")
	assert.NotSame(t, a.store, around(t.Context(), "a.gpb", "").store, "a single file sees what is on disk now")
}
