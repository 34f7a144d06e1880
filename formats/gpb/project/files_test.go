package project

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
)

// counted counts how often each file is opened.
type counted struct {
	fs.FS
	opened map[string]int
}

func (c counted) Open(name string) (fs.File, error) {
	c.opened[name]++
	return c.FS.Open(name)
}

func TestDroppedFilesAreReadAgain(t *testing.T) {
	all := fstest.MapFS{}
	const count, size = 5, 1000
	for i := range count {
		all[fmt.Sprintf("%d.gpb", i)] = &fstest.MapFile{Data: bytes.Repeat([]byte{byte(i)}, size)}
	}
	reads := make(map[string]int)
	p := New(counted{all, reads}, "a.scene")
	p.cache.limit = 2 * size
	var sources []*model.Source
	for i := range count {
		src, err := p.CachedFile(fmt.Sprintf("%d.gpb", i))
		require.NoError(t, err)
		sources = append(sources, src)
		assert.LessOrEqual(t, p.cache.size, p.cache.limit)
	}
	read := func(i int) {
		b, err := sources[i].Bytes(model.Span{Offset: 10, Size: size - 10})
		require.NoError(t, err)
		assert.Equal(t, bytes.Repeat([]byte{byte(i)}, size-10), b)
		assert.LessOrEqual(t, p.cache.size, p.cache.limit)
	}
	for range 3 {
		read(0)
		read(4)
	}
	assert.Equal(t, map[string]int{"0.gpb": 2, "1.gpb": 1, "2.gpb": 1, "3.gpb": 1, "4.gpb": 1}, reads)
	all["2.gpb"].Data = []byte("shorter")
	_, err := sources[2].Bytes(model.Span{Size: 5})
	assert.ErrorIs(t, err, model.ErrChanged)
	assert.LessOrEqual(t, p.cache.size, p.cache.limit)
}

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
