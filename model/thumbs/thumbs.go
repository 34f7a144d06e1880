// Package thumbs keeps small pictures of assets on disk, so that they are drawn once. A picture is a file whose name is
// a digest of what it shows; the folder has a limit, and what was not used for longest goes first.
package thumbs

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
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

	"github.com/moby/sys/atomicwriter"

	"assay/model"
)

// Cache is a folder of pictures. It may be used from any goroutine, and by several programs at once.
type Cache struct {
	folder string
	limit  int64 // bytes

	mu      sync.Mutex
	written int64 // bytes since the folder was last looked at
	looked  bool
}

// New returns the cache in a folder, which need not be there yet, of at most limit bytes.
func New(folder string, limit int64) *Cache { return &Cache{folder: folder, limit: limit} }

// Key returns the name of a picture of a thing in a file; empty for a file that is not on disk.
func Key(src *model.Source, thing string, pixels int) string {
	info, err := os.Stat(src.Path())
	if src.Path() == "" || err != nil {
		return ""
	}
	h := sha256.New()
	for _, part := range []string{src.Path(), strconv.FormatInt(info.Size(), 10),
		strconv.FormatInt(info.ModTime().UnixNano(), 10), thing, strconv.Itoa(pixels), src.Resources()} {
		h.Write([]byte(part))
		h.Write([]byte{0})
	}
	return hex.EncodeToString(h.Sum(nil)[:20])
}

func (c *Cache) path(key string) string { return filepath.Join(c.folder, key[:2], key[2:]+".png") }

// Get returns a picture. known reports whether it was drawn before; the picture is nil where there is nothing to draw.
func (c *Cache) Get(key string) (p image.Image, known bool) {
	if c == nil || key == "" {
		return nil, false
	}
	b, err := os.ReadFile(c.path(key))
	if err != nil {
		return nil, false
	}
	now := time.Now()
	_ = os.Chtimes(c.path(key), now, now) // the order in which files go is all that depends on it
	if len(b) == 0 {
		return nil, true
	}
	p, err = png.Decode(bytes.NewReader(b))
	return p, err == nil
}

// Put keeps a picture, or that there is nothing to draw. What cannot be written is drawn again the next time.
func (c *Cache) Put(key string, p image.Image) {
	if c == nil || key == "" {
		return
	}
	var b bytes.Buffer
	if p != nil {
		if (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&b, p) != nil {
			return
		}
	}
	if os.MkdirAll(filepath.Dir(c.path(key)), 0o700) != nil ||
		atomicwriter.WriteFile(c.path(key), b.Bytes(), 0o600) != nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.written += int64(b.Len()) + block; !c.looked || c.written > c.limit/8 {
		c.looked, c.written = true, 0
		c.prune()
	}
}

// block is what a file takes on disk besides its bytes, about.
const block = 2048

// kept is a file of the cache.
type kept struct {
	path string
	size int64
	used time.Time
}

// prune removes what was not used for longest until three quarters of the limit are left. Only files that are named as
// Put does are touched.
func (c *Cache) prune() {
	var all []kept
	total := int64(0)
	_ = filepath.WalkDir(c.folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || !strings.HasSuffix(path, ".png") {
			return nil
		}
		if info, err := d.Info(); err == nil {
			all = append(all, kept{path, info.Size() + block, info.ModTime()})
			total += info.Size() + block
		}
		return nil
	})
	if total <= c.limit {
		return
	}
	slices.SortFunc(all, func(a, b kept) int {
		return cmp.Or(a.used.Compare(b.used), strings.Compare(a.path, b.path))
	})
	for _, f := range all {
		if total <= c.limit*3/4 {
			return
		}
		if os.Remove(f.path) == nil {
			total -= f.size
		}
	}
}
