package thumbs_test

import (
	"image"
	"image/color"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/model/thumbs"
)

func picture(c color.Color) image.Image {
	p := image.NewNRGBA(image.Rect(0, 0, 4, 3))
	p.Set(1, 1, c)
	return p
}

func TestAPictureIsDrawnOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	require.NoError(t, os.WriteFile(path, []byte("1"), 0o600))
	src, err := model.OpenFile(path)
	require.NoError(t, err)
	defer src.Close()
	c := thumbs.New(filepath.Join(t.TempDir(), "new", "folder"), 1<<20)
	key := thumbs.Key(src, "0", 96)
	_, known := c.Get(key)
	assert.False(t, known)

	c.Put(key, picture(color.NRGBA{R: 200, A: 255}), src)
	got, known := c.Get(key)
	require.True(t, known)
	assert.Equal(t, image.Pt(4, 3), got.Bounds().Size())
	r, _, _, _ := got.At(1, 1).RGBA()
	assert.Equal(t, uint32(200*0x101), r)

	nothing := thumbs.Key(src, "1", 96)
	c.Put(nothing, nil, src)
	got, known = c.Get(nothing)
	assert.True(t, known, "an asset without a picture is cached, too")
	assert.Nil(t, got)

	assert.NotEqual(t, key, thumbs.Key(src, "0", 128))
	require.NoError(t, os.Chtimes(path, time.Unix(1, 0), time.Unix(1, 0)))
	assert.NotEqual(t, key, thumbs.Key(src, "0", 96), "another version of the file")
	assert.Empty(t, thumbs.Key(model.NewSource("inside", nil, 0), "0", 96))
}

func TestPictureIsRedrawnWhenADependencyChanged(t *testing.T) {
	folder := t.TempDir()
	path, texture := filepath.Join(folder, "a"), filepath.Join(folder, "textures", "wood.png")
	require.NoError(t, os.WriteFile(path, []byte("1"), 0o600))
	require.NoError(t, os.Mkdir(filepath.Dir(texture), 0o700))
	long := time.Unix(1000, 0)
	require.NoError(t, os.Chtimes(filepath.Dir(texture), long, long))
	src, err := model.OpenFile(path)
	require.NoError(t, err)
	defer src.Close()
	src.NoteDependency(texture)
	src.NoteDependency(filepath.Dir(texture))
	c := thumbs.New(t.TempDir(), 1<<20)
	key := thumbs.Key(src, "0", 96)
	for _, p := range []image.Image{picture(color.White), nil} {
		known := func() bool {
			_, known := c.Get(key)
			return known
		}
		c.Put(key, p, src)
		assert.True(t, known())
		require.NoError(t, os.WriteFile(texture, []byte("picture"), 0o600))
		assert.False(t, known(), "the missing file was created")
		c.Put(key, p, src)
		assert.True(t, known())
		require.NoError(t, os.Chtimes(texture, long, long))
		assert.False(t, known(), "it changed")
		c.Put(key, p, src)
		require.NoError(t, os.WriteFile(filepath.Join(filepath.Dir(texture), "other.png"), nil, 0o600))
		assert.False(t, known(), "the folder has another file")
		require.NoError(t, os.RemoveAll(filepath.Dir(texture)))
		require.NoError(t, os.Mkdir(filepath.Dir(texture), 0o700))
	}
	for i := range 20_000 {
		src.NoteDependency(strconv.Itoa(i))
	}
	c.Put(key, picture(color.Black), src)
	_, known := c.Get(key)
	assert.False(t, known, "too many dependencies to check")
}

func TestCacheFolderHasALimit(t *testing.T) {
	folder := t.TempDir()
	other := filepath.Join(folder, "notes.txt")
	require.NoError(t, os.WriteFile(other, make([]byte, 100_000), 0o600))
	c := thumbs.New(folder, 50_000)
	key := func(i int) string { return "ab" + strconv.Itoa(1000+i) }
	src := model.NewSource("a", nil, 0)
	for i := range 60 {
		c.Put(key(i), picture(color.White), src)
		old := time.Unix(int64(1000+i), 0)
		_ = os.Chtimes(filepath.Join(folder, "ab", key(i)[2:]+".png"), old, old)
	}
	_, first := c.Get(key(0))
	_, last := c.Get(key(59))
	assert.False(t, first, "the oldest was removed")
	assert.True(t, last)
	left, err := os.ReadDir(filepath.Join(folder, "ab"))
	require.NoError(t, err)
	assert.Less(t, len(left), 30)
	assert.FileExists(t, other, "files of others are kept")
}
