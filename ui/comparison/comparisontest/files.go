package comparisontest

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/ui/comparison/compared"
)

// Files are files on disk that are opened as bytes.
type Files struct {
	Sides  []compared.Side
	Opened []*model.Document // since the test last emptied it
	Then   func()            // is called after each; may be nil
}

// NewFiles writes files of these names.
func NewFiles(t testing.TB, names ...string) *Files {
	t.Helper()
	f := new(Files)
	folder := t.TempDir()
	for _, name := range names {
		path := filepath.Join(folder, name)
		require.NoError(t, os.WriteFile(path, []byte(name), 0o600))
		f.Sides = append(f.Sides, compared.File(path, name, f.open))
	}
	return f
}

func (f *Files) open(_ context.Context, path string) (*model.Document, error) {
	src, err := model.OpenFile(path)
	if err != nil {
		return nil, err
	}
	d := model.NewDocument(src, "bytes", "", &model.Node{Span: model.Span{Size: src.Size()}})
	if f.Opened = append(f.Opened, d); f.Then != nil {
		f.Then()
	}
	return d, nil
}

// ClosedWhenStopped holds that what run opens is closed if it is stopped when all files are open.
func (f *Files) ClosedWhenStopped(t testing.TB, run, stop func()) {
	t.Helper()
	f.Opened = nil
	f.Then = func() {
		if len(f.Opened) == len(f.Sides) {
			stop()
		}
	}
	run()
	require.Len(t, f.Opened, len(f.Sides))
	for _, d := range f.Opened {
		assert.False(t, d.Source.Kept(), d.Source.Name())
	}
}
