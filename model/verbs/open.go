package verbs

import (
	"context"
	"errors"
	"fmt"

	"assay/model"
	"assay/model/folder"
)

// Stdin is the name that stands for the standard input.
const Stdin = "-"

// What to do instead of giving a folder.
const (
	nameAFile = "name a file in it"
	enterIt   = "add -r to read the files in it"
)

// open opens the file at a path, or the standard input. The error has the path as it was given; instead says what to do
// with a folder.
func (r *Runner) open(ctx context.Context, path, instead string) (*model.Document, error) {
	if path == Stdin {
		return r.openStdin(ctx)
	}
	d, err := r.Open(ctx, path)
	var why *model.OpenError
	switch {
	case errors.Is(err, model.ErrFolder):
		return nil, fmt.Errorf("%s is a folder: %s", given(path), instead)
	case errors.As(err, &why):
		return nil, fmt.Errorf("%s %s", given(path), why.Reason)
	}
	return d, err
}

// openStdin keeps the standard input for as long as the document is open.
func (r *Runner) openStdin(ctx context.Context) (*model.Document, error) {
	in := r.In
	if r.In = nil; in == nil {
		return nil, errors.New("the standard input (-) can be read only once")
	}
	src, err := model.Spool(ctx, "stdin", in)
	if err != nil {
		return nil, err
	}
	d, err := r.OpenSource(ctx, src)
	if err != nil {
		src.Close()
	}
	return d, err
}

// given is a path as it was given, in one line.
func given(path string) string { return model.OneLine(path, 4096) }

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
