//go:build linux || freebsd || netbsd || openbsd || dragonfly || windows

package dragout

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"assay/model/export"
)

const writeBuffer = 256 << 10

// batch is files that were written to be handed to another program.
type batch struct {
	dir      string
	paths    []string
	problems []Problem
}

// progress counts the bytes of a batch that is being written.
type progress struct {
	done  atomic.Int64
	total int64 // less than 0 if not known
}

// named gives the items names that are safe on every file system and differ by more than case.
func named(items []Item) []Item {
	taken := make(map[string]bool, len(items))
	for i := range items {
		name := export.SafeName(items[i].Name)
		ext := filepath.Ext(name)
		stem := strings.TrimSuffix(name, ext)
		for n := 2; taken[strings.ToLower(name)]; n++ {
			mark := " (" + strconv.Itoa(n) + ")"
			name = export.SafeName(shorten(stem, 255-len(mark)-len(ext)) + mark + ext)
		}
		taken[strings.ToLower(name)] = true
		items[i].Name = name
	}
	return items
}

// shorten cuts s to at most limit bytes, between two characters.
func shorten(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	return strings.ToValidUTF8(s[:max(limit, 0)], "")
}

func totalOf(items []Item) int64 {
	var total int64
	for _, it := range items {
		if it.Size < 0 {
			return -1
		}
		total += it.Size
	}
	return total
}

// write makes the files. An item that cannot be written is a problem of the batch; only if none can, or if the context
// ends, there is an error, and no file.
func (f *folder) write(ctx context.Context, items []Item, p *progress) (*batch, error) {
	dir, err := f.make()
	if err != nil {
		return nil, err
	}
	errs := make([]error, len(items))
	var g errgroup.Group
	g.SetLimit(min(runtime.NumCPU(), 4))
	for i := range items {
		g.Go(func() error {
			errs[i] = writeFile(ctx, filepath.Join(dir, items[i].Name), &items[i], p)
			return nil
		})
	}
	_ = g.Wait()
	b := &batch{dir: dir}
	for i, err := range errs {
		if err != nil {
			b.problems = append(b.problems, Problem{items[i].Name, err})
		} else {
			b.paths = append(b.paths, filepath.Join(dir, items[i].Name))
		}
	}
	if err := ctx.Err(); err != nil {
		b.remove()
		return nil, err
	}
	if len(b.paths) == 0 {
		b.remove()
		return nil, fmt.Errorf("%s: %w", b.problems[0].Name, b.problems[0].Err)
	}
	return b, nil
}

func (b *batch) remove() { _ = os.RemoveAll(b.dir) } // what is left goes with the run's folder

// writeFile makes one new file, or none.
func writeFile(ctx context.Context, path string, it *Item, p *progress) (err error) {
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
		if err == nil && !it.ModTime.IsZero() {
			// A time that this file system cannot hold does not make the content worse.
			_ = os.Chtimes(path, time.Time{}, it.ModTime)
		}
		if err != nil {
			os.Remove(path)
		}
	}()
	w := bufio.NewWriterSize(&counted{ctx, file, p}, writeBuffer)
	if err := produce(ctx, it, w); err != nil {
		return err
	}
	return w.Flush()
}

// produce calls Write; a decoder that panics on a damaged file costs that item, not the program.
func produce(ctx context.Context, it *Item, w io.Writer) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("writing it failed: %v", r)
		}
	}()
	if it.Write == nil {
		return errors.New("there is nothing to write")
	}
	return it.Write(ctx, w)
}

// counted ends with its context and counts what passes.
type counted struct {
	ctx context.Context
	w   io.Writer
	p   *progress
}

func (c *counted) Write(b []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := c.w.Write(b)
	c.p.done.Add(int64(n))
	return n, err
}

// uriList is the files as text/uri-list (RFC 2483).
func (b *batch) uriList() []byte {
	var s strings.Builder
	for _, p := range b.paths {
		s.WriteString(fileURI(p))
		s.WriteString("\r\n")
	}
	return []byte(s.String())
}

// plain is the paths, one a line.
func (b *batch) plain() []byte { return []byte(strings.Join(b.paths, "\n")) }

// copied is the files as the file managers of GNOME and its relatives put them on the clipboard.
func (b *batch) copied() []byte {
	var s strings.Builder
	s.WriteString("copy")
	for _, p := range b.paths {
		s.WriteString("\n" + fileURI(p))
	}
	return []byte(s.String())
}

func fileURI(path string) string { return (&url.URL{Scheme: "file", Path: path}).String() }
