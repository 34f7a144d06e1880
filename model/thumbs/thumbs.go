// Package thumbs caches small pictures of assets on disk, so that they are drawn once. The name of a file is a digest
// of the picture's subject; the folder has a limit, and the least recently used files are removed first.
//
// A file is a PNG, or empty if nothing can be drawn, followed by JSON: the other files and folders that the picture
// depends on, such as textures, materials, and the folders that were searched for them. If one of them changed, the
// picture is drawn again.
//
// It also makes contact sheets: many small pictures on one, each with its name below it.
package thumbs

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"image"
	"image/png"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"assay/model"
	"assay/model/userdata"
)

// Cache is a folder of pictures. It may be used from any goroutine, and by several programs at once.
type Cache struct {
	folder string
	limit  int64 // bytes

	mu        sync.Mutex
	unpruned  int64 // bytes since the folder was last pruned
	wasPruned bool
}

// New returns the cache in a folder, which need not be there yet, of at most limit bytes.
func New(folder string, limit int64) *Cache { return &Cache{folder: folder, limit: limit} }

// keyVersion is part of all keys, and is changed with the format of the files or with the drawing.
const keyVersion = "4"

// Key returns the name of a picture of an item in a file; empty for a file that is not on disk.
func Key(src *model.Source, item string, pixels int) string {
	info, err := os.Stat(src.Path())
	if src.Path() == "" || err != nil {
		return ""
	}
	h := sha256.New()
	for _, part := range []string{keyVersion, src.Path(), strconv.FormatInt(info.Size(), 10),
		strconv.FormatInt(info.ModTime().UnixNano(), 10), item, strconv.Itoa(pixels), src.Resources()} {
		h.Write([]byte(part))
		h.Write([]byte{0})
	}
	return hex.EncodeToString(h.Sum(nil)[:20])
}

func (c *Cache) path(key string) string { return filepath.Join(c.folder, key[:2], key[2:]+".png") }

// stamp detects changes of a file or a folder; Size is -1 if it does not exist.
type stamp struct {
	Path       string
	Size, Time int64
}

func stampOf(path string) stamp {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return stamp{path, -1, 0}
	case info.IsDir(): // its size has no meaning
		return stamp{path, 0, info.ModTime().UnixNano()}
	}
	return stamp{path, info.Size(), info.ModTime().UnixNano()}
}

// Get returns a cached picture. known reports whether it is cached and its dependencies are unchanged; the picture is
// nil if nothing can be drawn.
func (c *Cache) Get(key string) (p image.Image, known bool) {
	if c == nil || key == "" {
		return nil, false
	}
	b, err := model.ReadShared(c.path(key))
	if err != nil {
		return nil, false
	}
	r := bytes.NewReader(b)
	if bytes.HasPrefix(b, []byte("\x89PNG")) {
		if p, err = png.Decode(r); err != nil {
			return nil, false
		}
	}
	var dependencies []stamp
	if json.NewDecoder(r).Decode(&dependencies) != nil {
		return nil, false
	}
	for _, s := range dependencies {
		if stampOf(s.Path) != s {
			return nil, false
		}
	}
	now := time.Now()
	_ = os.Chtimes(c.path(key), now, now) // only the order of removal depends on it
	return p, true
}

// Put stores a picture of a source; nil if nothing can be drawn. One that cannot be written, or depends on too many
// files, is drawn again the next time.
func (c *Cache) Put(key string, p image.Image, src *model.Source) {
	if c == nil || key == "" {
		return
	}
	paths, complete := src.Dependencies()
	if !complete {
		return
	}
	dependencies := make([]stamp, 0, len(paths))
	for _, path := range paths {
		dependencies = append(dependencies, stampOf(path))
	}
	var b bytes.Buffer
	if p != nil {
		if (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&b, p) != nil {
			return
		}
	}
	if json.NewEncoder(&b).Encode(dependencies) != nil {
		return
	}
	if userdata.MakeFolder(filepath.Dir(c.path(key)), 0o700) != nil ||
		model.ReplaceFile(c.path(key), b.Bytes(), 0o600) != nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.unpruned += int64(b.Len()) + fileOverhead; !c.wasPruned || c.unpruned > c.limit/8 {
		c.wasPruned, c.unpruned = true, 0
		c.prune()
	}
}

// fileOverhead is the approximate disk overhead of a file, in bytes.
const fileOverhead = 2048

type cachedFile struct {
	path string
	size int64
	used time.Time
}

// prune removes the least recently used files until three quarters of the limit are left. It removes only files with
// the extension that Put uses.
func (c *Cache) prune() {
	var cachedFiles []cachedFile
	total := int64(0)
	_ = filepath.WalkDir(c.folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || !strings.HasSuffix(path, ".png") {
			return nil
		}
		if info, err := d.Info(); err == nil {
			cachedFiles = append(cachedFiles, cachedFile{path, info.Size() + fileOverhead, info.ModTime()})
			total += info.Size() + fileOverhead
		}
		return nil
	})
	if total <= c.limit {
		return
	}
	slices.SortFunc(cachedFiles, func(a, b cachedFile) int {
		return cmp.Or(a.used.Compare(b.used), strings.Compare(a.path, b.path))
	})
	for _, f := range cachedFiles {
		if total <= c.limit*3/4 {
			return
		}
		if os.Remove(f.path) == nil {
			total -= f.size
		}
	}
}
