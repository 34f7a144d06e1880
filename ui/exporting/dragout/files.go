//go:build linux || freebsd || netbsd || openbsd || dragonfly || windows

package dragout

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"assay/model/export"
)

const (
	runPrefix   = "run-"
	createTries = 20
)

// folder is the private folder of one run, below a base folder shared by all runs. It is created when first needed. The
// run holds a lock on it, which is released when the process ends for any reason.
type folder struct {
	base string

	mu     sync.Mutex
	path   string
	lock   *os.File
	closed bool
}

// baseFolder returns the default folder for the folders of all runs.
func baseFolder() string {
	if cache, err := os.UserCacheDir(); err == nil && filepath.IsAbs(cache) {
		return filepath.Join(cache, "assay", "drag-out")
	}
	return filepath.Join(os.TempDir(), "assay-drag-out-"+strconv.Itoa(os.Getuid()))
}

// newBatchFolder creates an empty folder in this run's folder.
func (f *folder) newBatchFolder() (string, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return "", os.ErrClosed
	}
	if f.lock == nil {
		if err := f.create(); err != nil {
			return "", fmt.Errorf("cannot create the folder for dragged files: %w", err)
		}
	}
	return os.MkdirTemp(f.path, "")
}

func (f *folder) create() error {
	if err := makePrivate(f.base); err != nil {
		return err
	}
	for range createTries {
		path, err := os.MkdirTemp(f.base, runPrefix)
		if err != nil {
			return err
		}
		lock, err := lockFolder(path)
		if err != nil {
			// another starting run removed the folder as abandoned
			continue
		}
		f.path, f.lock = path, lock
		return nil
	}
	return errors.New("another program keeps deleting it")
}

// removeAbandoned removes the folders of ended runs. It removes nothing if locks do not work.
func removeAbandoned(base string) {
	entries, err := os.ReadDir(base)
	if err != nil || makePrivate(base) != nil {
		return
	}
	for _, e := range entries {
		if !e.IsDir() || !strings.HasPrefix(e.Name(), runPrefix) {
			continue
		}
		path := filepath.Join(base, e.Name())
		lock, err := lockFolder(path)
		if err != nil {
			continue
		}
		_ = os.RemoveAll(path) // the next start removes the rest
		lock.Close()
	}
}

// close removes everything.
func (f *folder) close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.closed = true
	if f.lock == nil {
		return nil
	}
	err := os.RemoveAll(f.path)
	err = errors.Join(err, f.lock.Close())
	f.lock = nil
	return err
}

const writeBuffer = 256 << 10

// batch is a set of written files for another program.
type batch struct {
	dir      string
	paths    []string // the files and folders directly in dir
	files    int      // number of written files
	problems []Problem
	key      string // key of the document portal, for sandboxed programs; may be ""
}

// add adds a written file in dir: its path, or once the path of the topmost folder in its name.
func (b *batch) add(dir, name string) {
	b.files++
	top, _, _ := strings.Cut(name, "/")
	if path := filepath.Join(dir, top); !slices.Contains(b.paths, path) {
		b.paths = append(b.paths, path)
	}
}

// progress counts the written bytes of a batch.
type progress struct {
	done  atomic.Int64
	total int64 // negative if unknown
}

// Maximum lengths in bytes of a name that every file system supports, and of an extension.
const (
	maxName      = 255
	maxExtension = 32
)

// withSafeNames changes the names of the items: each has at most maxLength bytes, is valid on every file system, and
// differs from the others by more than case. The Name of an item then includes its Folder, with slashes.
func withSafeNames(items []Item, maxLength int) []Item {
	used := make(map[string]bool, len(items))
	last := make(map[string]int) // the last number appended to a name, because many items may have equal names
	folders := make([]string, len(items))
	for i := range items {
		for name := range strings.SplitSeq(items[i].Folder, "/") {
			if name != "" {
				folders[i] = path.Join(folders[i], shorten(export.SafeName(name), maxLength))
				used[strings.ToLower(folders[i])] = true
			}
		}
	}
	for i := range items {
		safeName := export.SafeName(items[i].Name)
		ext := filepath.Ext(safeName)
		if len(ext) > maxExtension {
			ext = ""
		}
		stem := strings.TrimSuffix(safeName, ext)
		marked := func(mark string) string {
			return path.Join(folders[i], export.SafeName(shorten(stem, maxLength-len(mark)-len(ext))+mark+ext))
		}
		name := marked("")
		folded := strings.ToLower(name)
		for n := max(last[folded]+1, 2); used[strings.ToLower(name)]; n++ {
			last[folded] = n
			name = marked(" (" + strconv.Itoa(n) + ")")
		}
		used[strings.ToLower(name)] = true
		items[i].Name = name
	}
	return items
}

// shorten cuts s to at most limit bytes, without splitting a character.
func shorten(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	return strings.ToValidUTF8(s[:max(limit, 0)], "")
}

func totalOf(items []Item) int64 {
	var total int64
	for _, item := range items {
		if item.Size < 0 {
			return -1
		}
		total += item.Size
	}
	return total
}

// writeFile creates one file. On error it leaves none.
func writeFile(ctx context.Context, path string, item *Item, p *progress) (err error) {
	if err := ctx.Err(); err != nil {
		return err
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	defer func() {
		if cerr := file.Close(); err == nil {
			err = cerr
		}
		if err == nil && !item.ModTime.IsZero() {
			// the file system may not support the time
			_ = os.Chtimes(path, time.Time{}, item.ModTime)
		}
		if err != nil {
			os.Remove(path)
		}
	}()
	w := bufio.NewWriterSize(&countingWriter{ctx, file, p}, writeBuffer)
	if err := callWrite(ctx, item, w); err != nil {
		return err
	}
	return w.Flush()
}

// callWrite calls item.Write and turns a panic into an error, so that a damaged file affects only its item.
func callWrite(ctx context.Context, item *Item, w io.Writer) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("internal error: %v", r)
		}
	}()
	if item.Write == nil {
		return errors.New("no data to write")
	}
	return item.Write(ctx, w)
}

// countingWriter counts the written bytes, and fails once its context ends.
type countingWriter struct {
	ctx context.Context
	w   io.Writer
	p   *progress
}

func (c *countingWriter) Write(b []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := c.w.Write(b)
	c.p.done.Add(int64(n))
	return n, err
}

// withFailures appends the number of files that could not be written to a sentence.
func withFailures(b *batch, text string) string {
	if b == nil || len(b.problems) == 0 {
		return text
	}
	p := b.problems[0]
	return fmt.Sprintf("%s %d of %d could not be written; the first is %s: %v.", text, len(b.problems),
		len(b.problems)+b.files, p.Name, p.Err)
}

// sentence returns the message for an error.
func sentence(err error) string {
	if isCancel(err) {
		return "Canceled."
	}
	return "Cannot export the dragged files: " + err.Error() + "."
}

func isCancel(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}
