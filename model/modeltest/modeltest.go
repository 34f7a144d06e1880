// Package modeltest makes scenes and folders of small files for tests, and checks properties that every comparison has.
package modeltest

import (
	"math"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"assay/model/scene"
)

// Day is the modification time of all files.
var Day = time.Date(2026, 2, 3, 12, 0, 0, 0, time.Local)

// Folder makes a folder with files, by their paths and contents.
func Folder(t testing.TB, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, content := range files {
		path := filepath.Join(root, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(content), 0o644))
		require.NoError(t, os.Chtimes(path, Day, Day))
	}
	return root
}

// Versions makes two folders with every kind of change: "came" is added, "gone" removed, "was" moved to "is/now",
// "sub/longer" and "sub/byte" are changed, and "same" is not.
func Versions(t testing.TB) (old, new string) {
	t.Helper()
	old = Folder(t, map[string]string{"same": "same", "sub/longer": "short", "sub/byte": "abcdef", "gone": "gone",
		"was": "the content stays", ".git/x": "1"})
	new = Folder(t, map[string]string{"same": "same", "sub/longer": "longer!", "sub/byte": "abcXef", "came": "come!",
		"is/now": "the content stays", ".git/x": "2"})
	return old, new
}

// Floats and Indices are a mesh's numbers in memory.
type (
	Floats  = scene.FloatSlice
	Indices = scene.IndexSlice
)

// Torus returns a ring with about that many triangles, and normals.
func Torus(triangles int) *scene.Scene {
	n := int(math.Sqrt(float64(triangles) / 2))
	var v Floats
	var idx Indices
	for i := range n {
		for k := range n {
			sa, ca := math.Sincos(2 * math.Pi * float64(i) / float64(n))
			sb, cb := math.Sincos(2 * math.Pi * float64(k) / float64(n))
			v = append(v, float32((2+cb)*ca), float32(sb), float32((2+cb)*sa), float32(cb*ca), float32(sb),
				float32(cb*sa))
			a, b, c, d := i*n+k, (i+1)%n*n+k, i*n+(k+1)%n, (i+1)%n*n+(k+1)%n
			idx = append(idx, uint32(a), uint32(b), uint32(c), uint32(b), uint32(d), uint32(c))
		}
	}
	m := &scene.Mesh{Elements: []scene.Element{{Usage: scene.Position, Size: 3}, {Usage: scene.Normal, Size: 3}},
		Count: n * n, Vertices: v,
		Parts: []*scene.Part{{Primitive: scene.Triangles, Indices: idx}}}
	return &scene.Scene{Roots: []*scene.Node{{Transform: scene.Identity, Mesh: m}}}
}

// HasLinks reports whether symbolic links can be made and followed. Windows permits them only to some users, and Wine
// makes links that cannot be followed.
var HasLinks = sync.OnceValue(func() bool {
	dir, err := os.MkdirTemp("", "links")
	if err != nil {
		return false
	}
	defer os.RemoveAll(dir)
	file, link := filepath.Join(dir, "file"), filepath.Join(dir, "link")
	if os.WriteFile(file, nil, 0o600) != nil || os.Symlink(file, link) != nil {
		return false
	}
	_, err = os.Stat(link)
	return err == nil
})

// Symlink makes a symbolic link, or skips the test if the system has none.
func Symlink(t testing.TB, target, link string) {
	t.Helper()
	if !HasLinks() {
		t.Skip("SKIPPED: no symbolic links")
	}
	require.NoError(t, os.Symlink(target, link))
}
