// Package compared has what all rooms of comparisons are made with: the sides that are compared and what they ask of
// the window, what stands for a pair of nodes in a line (its sign, tone, values and change), and the head above a
// comparison (its title, and the states with their numbers).
//
// It also asks what counts as a change, and keeps it for later comparisons.
package compared

import (
	"context"

	"assay/model"
	"assay/model/compare"
	"assay/model/git"
)

// Side is one of the two things that are compared.
type Side struct {
	Title string
	Hint  string // where it comes from, such as a path
	Path  string // of the file; empty for what is no file of its own
	At    string // where a comparison with this as the new side begins: the path of a node; empty for the first change
	// revision tells versions of files in git apart; empty for all else.
	revision string
	// Open opens it; the document's source is closed when it is not needed any more. It is called again when the
	// comparison is made again.
	Open func(ctx context.Context) (*model.Document, error)
	// Neighbor returns the pair that is so many further in the list that the pair of this new side is of; false if
	// there is none. It is nil if there is no list.
	Neighbor func(by int) (old, new Side, ok bool)
	// Rules are what counts as a change in that list; nil: the rules that are kept.
	Rules *compare.Options
}

// Same reports whether two sides are one file, or one version of it in git.
func (s Side) Same(o Side) bool {
	return s.Path == o.Path && s.revision == o.revision && s.Path+s.revision != ""
}

// Opener opens the file at a path.
type Opener = func(ctx context.Context, path string) (*model.Document, error)

// File is the file at a path as a side.
func File(path, title string, open Opener) Side {
	return Side{Title: title, Hint: path, Path: path, Open: func(ctx context.Context) (*model.Document, error) {
		return open(ctx, path)
	}}
}

// Document is a document that is shown elsewhere too.
func Document(d *model.Document, title, hint string) Side {
	return Side{Title: title, Hint: hint, Open: func(context.Context) (*model.Document, error) {
		d.Source.Hold()
		return d, nil
	}}
}

// Head is the version of a file in the HEAD of the git repository that it is in. git must be installed.
func Head(path string, open SourceOpener) Side {
	return gitSide(path, "HEAD", open, func(ctx context.Context) (*model.Source, error) { return git.Head(ctx, path) })
}

// Revision is the version of a file in a revision of the git repository that it is in.
func Revision(path string, r git.Revision, open SourceOpener) Side {
	return gitSide(path, r.Short(), open,
		func(ctx context.Context) (*model.Source, error) { return git.At(ctx, path, r) })
}

// SourceOpener opens bytes that are no file of their own.
type SourceOpener = func(ctx context.Context, src *model.Source) (*model.Document, error)

func gitSide(path, revision string, open SourceOpener, read func(ctx context.Context) (*model.Source, error)) Side {
	title := model.FileName(path) + " (" + revision + ")"
	return Side{Title: title, Hint: path + " in git's " + revision, revision: path + ":" + revision,
		Open: func(ctx context.Context) (*model.Document, error) {
			src, err := read(ctx)
			if err != nil {
				return nil, err
			}
			d, err := open(ctx, src)
			if err != nil {
				src.Close()
			}
			return d, err
		}}
}
