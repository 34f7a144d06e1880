package changes

import (
	"cmp"
	"context"
	"fmt"

	"assay/model"
	"assay/model/compare"
	"assay/model/compare/contents"
)

const (
	filesCompared = 64 // assets of a comparison that are compared as files, those in packages in packages among them
	deepest       = 3  // how many files inside of each other are
)

// inner is how many assets may still be compared as the files that they are.
type inner struct {
	left  *int
	depth int // how many files the compared ones are in
}

// file compares both versions of an asset as the two files are compared that they are; false if they are none of one
// format. The overview is nil if it was not to be made, which the part says.
func (s *changeCollector) file(old, new model.Thing) (*Overview, contents.Part, bool) {
	if old.File == nil || new.File == nil {
		return nil, contents.Part{}, false
	}
	o, why, err := s.compareFiles(old, new)
	switch {
	case err != nil:
		why = model.OneLine(err.Error(), 200)
	case o == nil && why == "":
		return nil, contents.Part{}, false
	}
	if why != "" {
		return nil, stated("contents not compared: " + why)[0], true
	}
	return o, stated(o.inside)[0], true
}

// compareFiles opens two assets and compares them. why says what is in the way of that; an empty one with a nil
// overview says that there is nothing to be said of them as files.
func (s *changeCollector) compareFiles(old, new model.Thing) (o *Overview, why string, err error) {
	a, err := old.File(s.ctx)
	if a == nil || err != nil {
		return nil, "", err
	}
	defer a.Source.Close()
	b, err := new.File(s.ctx)
	if b == nil || err != nil {
		return nil, "", err
	}
	defer b.Source.Close()
	switch {
	case a.Format != b.Format:
		return nil, "", nil
	case s.inner.depth == deepest:
		return nil, fmt.Sprintf("it is nested %d files deep", deepest), nil
	case *s.inner.left == 0:
		return nil, fmt.Sprintf("only the first %d assets of a file are compared", filesCompared), nil
	}
	*s.inner.left--
	options := s.c.Options
	options.Pairs = nil // they are nodes of the files around these
	c, err := compare.Documents(s.ctx, a, b, options, nil)
	if err != nil || c.Same() {
		return nil, "", err
	}
	o, err = collect(s.ctx, c, inner{s.inner.left, s.inner.depth + 1})
	if err == nil {
		o.inside = cmp.Or(o.Headline(), o.Sentence(), c.Counts().String()+" in its structure")
	}
	return o, "", err
}

// Collect returns what changed in things. It reads what changed of meshes, pictures and animations, and of assets that
// are files themselves what changed in these; the error is the context's.
func Collect(ctx context.Context, c *compare.Comparison) (*Overview, error) {
	if o, ok := c.Memo.Load(overviewKept{}); ok {
		return o.(*Overview), nil
	}
	left := filesCompared
	o, err := collect(ctx, c, inner{left: &left})
	if err == nil {
		c.Memo.Store(overviewKept{}, o)
	}
	return o, err
}
