// Package search finds names, values of fields, texts and bytes in files, in folders and in the assets of packages.
//
// The bytes of a file are searched as they lie in it, once, on all processors; a hit is then said to be in the asset
// that has those bytes. Only what is packed is expanded, as far as an extraction expands it, and so are packages in
// packages. Results come in the order of the files, and a file that cannot be read is one line among them.
package search

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"path"
	"path/filepath"
	"strings"
	"sync/atomic"

	"assay/model"
	"assay/model/folder"
)

// Search is a search through files and folders.
type Search struct {
	Query *Query
	// OpenFile opens the file at a path, Open an asset that is a file.
	OpenFile func(ctx context.Context, path string) (*model.Document, error)
	Open     func(ctx context.Context, src *model.Source) (*model.Document, error)
	// Formats says what an asset may be, by its name.
	Formats Formats
	// Most is how many hits of a file are found; 0: all of them.
	Most int
	// Limit is the most bytes that an asset may expand to; 0: as many as an extraction writes.
	Limit int64
	// Opened is the most contents of assets in assets of a file that are searched; 0: openedMost.
	Opened int64
	// Bare says that hits in bytes need no Text.
	Bare bool
	// Progress is called now and then with what has been searched so far, from any goroutine. It may be nil.
	Progress func(files, bytes int64)

	files, bytes atomic.Int64
}

// Formats says what files are, by their names; what is nil says of none.
type Formats struct {
	// Opens reports whether a file has names and values: of others only the bytes are searched.
	Opens func(name string) bool
	// Packs reports whether a file may have packed assets.
	Packs func(name string) bool
}

// Hit is a place where what was searched for is.
type Hit struct {
	// Assets are the assets that it is in, from that of the file inwards; none if it is in the file itself.
	Assets []Asset
	// Expanded is how many of these have to be opened to get to it: Path and Span are of the content of the last of
	// them, or of the file.
	Expanded int
	Path     string     // of the node, as Document.Find reads it; empty if only the bytes are known
	Node     string     // the key of the node to go to instead, as Document.FindKey knows it; empty: none
	Span     model.Span // the bytes; of a Size below 0: they are nowhere
	Name     string     // what is there: a file, an asset, a field
	Type     string
	Text     string // the value, or the bytes with some around them
}

// Asset is an asset that a hit is in.
type Asset struct {
	Name  string
	Key   string
	Index int // among the assets of its document
}

// Open opens the content of the asset, in the document in which a search saw it.
func (a *Asset) Open(ctx context.Context, d *model.Document) (*model.Source, error) {
	if d.Payloads != nil && a.Index < d.Payloads.Len() {
		if p := d.Payloads.At(a.Index); p != nil && p.Key == a.Key {
			return d.Nested(ctx, p, model.ExpandLimit)
		}
	}
	return nil, fmt.Errorf("%s: %w", d.Source.Name(), model.ErrChanged)
}

// Found is a part of what was found in a file. All parts of a file follow one another.
type Found struct {
	Name string // of the file below the folder that was searched, with forward slashes; that of a file by itself
	Path string // the folder's, as it was given, and the name
	Hits []Hit
	// Problem says why the file, or an asset of it, was not searched to the end; empty if nothing is wrong.
	Problem string
	// More says that the file has more hits than were asked for.
	More bool
}

// Run searches files and folders, and calls take with what it finds. The error is that of take or of the context.
func (s *Search) Run(ctx context.Context, roots []string, take func(Found) error) error {
	return model.Ordered(ctx, s.tasks(ctx, roots), take)
}

// tasks are the files, in order.
func (s *Search) tasks(ctx context.Context, roots []string) iter.Seq[model.Task[Found]] {
	return func(yield func(model.Task[Found]) bool) {
		for _, root := range roots {
			more := true
			err := walk(ctx, root, func(e folder.Entry) error {
				if more = yield(s.task(e)); !more {
					return fs.SkipAll
				}
				return nil
			})
			if !more || ctx.Err() != nil {
				return
			}
			if err != nil && !yield(tell(Found{Name: model.FileName(root), Path: root, Problem: reason(err)})) {
				return
			}
		}
	}
}

// walk visits the files below a folder, or a file.
func walk(ctx context.Context, root string, visit func(e folder.Entry) error) error {
	if !model.IsFolder(root) {
		return visit(folder.Entry{Name: filepath.Base(root), Path: root})
	}
	return folder.Walk(ctx, root, visit)
}

// tell is a task that found one thing.
func tell(f Found) model.Task[Found] {
	return func(_ context.Context, emit func(Found) error) error { return emit(f) }
}

// task searches a file.
func (s *Search) task(e folder.Entry) model.Task[Found] {
	if e.Problem != "" {
		return tell(Found{Name: e.Name, Path: e.Path, Problem: e.Problem})
	}
	return func(ctx context.Context, emit func(Found) error) error {
		out := &output{search: s, entry: e, emit: emit}
		err := s.file(ctx, e, out)
		if errors.Is(err, errEnough) {
			out.more, err = true, nil
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err != nil {
			out.problem = cmp.Or(out.problem, reason(err))
		}
		s.files.Add(1)
		s.progress(0)
		return out.end()
	}
}

func (s *Search) openedMost() int64 { return cmp.Or(s.Opened, openedMost) }

// progress tells of bytes that were searched.
func (s *Search) progress(bytes int64) {
	n := s.bytes.Add(bytes)
	if s.Progress != nil {
		s.Progress(s.files.Load(), n)
	}
}

// file searches a file.
func (s *Search) file(ctx context.Context, e folder.Entry, out *output) error {
	file := &model.Payload{Name: e.Name, Type: strings.TrimPrefix(path.Ext(e.Name), "."), Size: e.Size,
		ModTime: e.ModTime, Stored: model.Span{Size: -1}} // it lies in nothing
	whole := s.Query.wants(ctx, file)
	if s.Query.Kind == Names && whole && s.Query.assets.Match(ctx, file) {
		if err := out.add(Hit{Span: model.Span{Size: -1}, Name: e.Name, Type: "File"}); err != nil {
			return err
		}
	}
	d, err := s.OpenFile(ctx, e.Path)
	if err != nil {
		return err
	}
	defer d.Source.Close()
	h, err := s.hold(ctx, d, holder{whole: whole})
	if err != nil {
		return err
	}
	defer h.close()
	if err := s.look(ctx, h, out); err != nil {
		return err
	}
	return d.Source.Failed()
}

// reason says why a file cannot be read, without its name.
func reason(err error) string {
	var open *model.OpenError
	if errors.As(err, &open) {
		return open.Reason
	}
	return err.Error()
}

// errEnough ends the search of a file that has more hits than are asked for.
var errEnough = errors.New("enough")

// partMost is how many hits are handed on at a time.
const partMost = 256

// output collects what is found in a file.
type output struct {
	search  *Search
	entry   folder.Entry
	emit    func(Found) error
	hits    []Hit
	found   int
	problem string
	more    bool
}

// add takes a hit.
func (o *output) add(h Hit) error {
	if o.found == o.search.Most && o.found > 0 {
		return errEnough
	}
	o.found++
	if o.hits = append(o.hits, h); len(o.hits) < partMost {
		return nil
	}
	return o.flush()
}

// tell takes a problem of an asset.
func (o *output) tell(problem string) error {
	if o.problem != "" {
		if err := o.flush(); err != nil {
			return err
		}
	}
	o.problem = problem
	return nil
}

func (o *output) flush() error {
	f := Found{Name: o.entry.Name, Path: o.entry.Path, Hits: o.hits, Problem: o.problem, More: o.more}
	o.hits, o.problem = nil, ""
	return o.emit(f)
}

// end hands on what is left.
func (o *output) end() error {
	if len(o.hits) == 0 && o.problem == "" && !o.more {
		return nil
	}
	return o.flush()
}
