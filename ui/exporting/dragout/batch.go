//go:build linux || freebsd || netbsd || openbsd || dragonfly

package dragout

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"golang.org/x/sync/errgroup"
)

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

// uriList is the files as text/uri-list (RFC 2483).
func (b *batch) uriList() []byte {
	return []byte(strings.Join(b.uris(), "\r\n") + "\r\n")
}

func (b *batch) uris() []string {
	uris := make([]string, len(b.paths))
	for i, path := range b.paths {
		uris[i] = (&url.URL{Scheme: "file", Path: path}).String()
	}
	return uris
}

// plain is the paths, one a line.
func (b *batch) plain() []byte { return []byte(strings.Join(b.paths, "\n")) }

// copied is the files as the file managers of GNOME and its relatives put them on the clipboard.
func (b *batch) copied() []byte {
	return []byte("copy\n" + strings.Join(b.uris(), "\n"))
}
