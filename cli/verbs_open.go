package cli

import (
	"context"
	"errors"
	"fmt"
	"io"

	"assay/model"
	"assay/model/folder"
)

// Stdin is the name that stands for the standard input.
const Stdin = "-"

// What to do instead of giving a folder.
const (
	nameAFile = "choose a file in it"
	enterIt   = "use -r to include its files"
)

// open opens the file at a path, or the standard input. The error has the path as it was given; instead says what to do
// with a folder.
func (r *Runner) open(ctx context.Context, path, instead string) (*model.Document, error) {
	d, err := r.openAny(ctx, path)
	var why *model.OpenError
	switch {
	case errors.Is(err, model.ErrFolder):
		return nil, fmt.Errorf("%s is a folder: %s", given(path), instead)
	case errors.As(err, &why):
		return nil, fmt.Errorf("%s %s", given(path), why.Reason)
	}
	return d, err
}

// openEach opens several files, or none of them.
func (r *Runner) openEach(ctx context.Context, instead string, paths ...string) (docs []*model.Document, err error) {
	for _, path := range paths {
		d, err := r.open(ctx, path, instead)
		if err != nil {
			model.CloseDocuments(docs...)
			return nil, err
		}
		docs = append(docs, d)
	}
	return docs, nil
}

// openAny opens a file, the standard input or a pipe.
func (r *Runner) openAny(ctx context.Context, path string) (*model.Document, error) {
	if path == Stdin {
		return r.openStdin(ctx)
	}
	d, err := r.Open(ctx, path)
	if errors.Is(err, model.ErrPipe) { // what a shell puts in place of <(command)
		return r.openStream(ctx, model.FileName(path), func() (io.ReadCloser, error) { return model.OpenShared(path) })
	}
	return d, err
}

// openStdin opens the bytes of the standard input.
func (r *Runner) openStdin(ctx context.Context) (*model.Document, error) {
	in := r.In
	if r.In = nil; in == nil {
		return nil, errors.New("the standard input (-) can be read only once")
	}
	return r.openStream(ctx, "stdin", func() (io.ReadCloser, error) { return io.NopCloser(in), nil })
}

// openStream reads a stream to its end, and keeps its bytes for as long as the document is open.
func (r *Runner) openStream(ctx context.Context, name string, open func() (io.ReadCloser, error)) (*model.Document,
	error) {
	in, out := io.Pipe()
	defer in.Close()
	stop := context.AfterFunc(ctx, func() { out.CloseWithError(ctx.Err()) })
	defer stop()
	// Opening a pipe and reading from it wait for the one who writes, and nothing ends that but the end of the process:
	// after a cancellation they are left to themselves.
	go func() {
		stream, err := open()
		if err == nil {
			_, err = io.CopyBuffer(out, stream, make([]byte, 1<<20))
			stream.Close()
		}
		out.CloseWithError(err)
	}()
	src, err := model.Spool(ctx, name, in)
	if err != nil {
		return nil, err
	}
	d, err := r.OpenStream(ctx, src)
	if err != nil {
		src.Close()
	}
	return d, err
}

// given is a path as it was given, in one line.
func given(path string) string {
	if path == "" {
		return `""`
	}
	return model.OneLine(path, 4096)
}

// paths are a path itself, or with recursive the files in the folder and below it.
func paths(ctx context.Context, root string, recursive bool) func(yield func(string, error) bool) {
	return func(yield func(string, error) bool) {
		if !recursive || !isFolder(root) {
			yield(root, nil)
			return
		}
		errEnough := errors.New("enough")
		err := folder.Walk(ctx, root, func(e folder.Entry) error {
			var err error
			if e.Problem != "" {
				err = fmt.Errorf("%s %s", given(e.Path), e.Problem)
			}
			if !yield(e.Path, err) {
				return errEnough
			}
			return nil
		})
		if err != nil && err != errEnough {
			yield(root, fmt.Errorf("%s: %w", given(root), err))
		}
	}
}
