package graph

import (
	"context"
	"io"
	"iter"
	"path/filepath"

	"assay/model"
	"assay/model/folder"
)

// Builder reads files, and puts together who uses what.
type Builder struct {
	// OpenFile opens the file at a path, Open an asset that is a file.
	OpenFile func(ctx context.Context, path string) (*model.Document, error)
	Open     func(ctx context.Context, src *model.Source) (*model.Document, error)
	// Opens reports whether a file of that name may refer to others.
	Opens func(name string) bool
	// Compares says that contents are compared, to find what is there twice.
	Compares bool
	// Progress is called with how many files have been read. It may be nil.
	Progress func(files int64)
}

// facts is what is found in a file.
type facts struct {
	*fileThings
	path string
	refs []ref
}

// Build reads a folder, or a file by itself. What cannot be read is a thing with a Problem. The error is that of the
// context, or of a folder that cannot be read.
func (b *Builder) Build(ctx context.Context, root string) (*Graph, error) {
	root, err := filepath.Abs(root)
	if err != nil {
		return nil, err
	}
	g := new(Graph)
	var refs []ref
	var failed error
	err = model.Ordered(ctx, b.tasks(ctx, root, &failed), func(f facts) error {
		first := int32(g.Len())
		g.Paths = append(g.Paths, f.path)
		g.join(&f.things)
		for _, r := range f.refs {
			r.thing = first + r.from + 1
			refs = append(refs, r)
		}
		if b.Progress != nil {
			b.Progress(int64(len(g.Paths)))
		}
		return nil
	})
	if err == nil {
		err = failed
	}
	if err != nil {
		return nil, err
	}
	newResolver(g).resolve(refs)
	g.index()
	if b.Compares {
		g.Twice, err = b.twice(ctx, g)
	}
	return g, err
}

// tasks read the files, in order. failed is why a folder was not read to its end.
func (b *Builder) tasks(ctx context.Context, root string, failed *error) iter.Seq[model.Task[facts]] {
	return func(yield func(model.Task[facts]) bool) {
		visit := func(e folder.Entry) error {
			if !yield(func(ctx context.Context, emit func(facts) error) error { return emit(b.read(ctx, e)) }) {
				return io.EOF
			}
			return nil
		}
		if !model.IsFolder(root) {
			if _, *failed = model.StatFile(root); *failed == nil {
				visit(folder.Entry{Name: filepath.Base(root), Path: root, Size: -1})
			}
			return
		}
		if err := folder.Walk(ctx, root, visit); err != io.EOF {
			*failed = err
		}
	}
}

// read reads what a file refers to.
func (b *Builder) read(ctx context.Context, e folder.Entry) facts {
	f := facts{path: e.Path, fileThings: newFileThings(Thing{Name: e.Name, Size: e.Size, Problem: e.Problem})}
	if e.Problem != "" || !b.Opens(e.Name) && e.Size >= 0 {
		return f
	}
	d, err := b.OpenFile(ctx, e.Path)
	if err != nil {
		f.tell(0, err.Error())
		return f
	}
	defer d.Source.Close()
	f.all[0].size = d.Source.Size()
	c := collector{ctx: ctx, b: b, place: place{folder: filepath.Dir(e.Path)}, facts: &f, from: -1}
	c.document(d)
	return f
}
