package changes

import (
	"cmp"
	"fmt"

	"assay/model"
	"assay/model/compare/contents"
)

const (
	maxComparedFiles = 64 // assets of a comparison that are compared as files, including assets in nested packages
	maxFileDepth     = 3  // maximum nesting of compared files
)

// nestedFiles bounds the comparison of assets as files: by their number, and by their nesting.
type nestedFiles struct {
	remaining *int // assets that may still be compared
	depth     int  // number of files around the compared ones
}

// compareAsFiles compares both versions of an asset as files. It returns false if they are not files of one format. If
// the files were not compared, the overview is nil and the part has the reason.
func (s *changeCollector) compareAsFiles(old, new model.Item) (*Overview, contents.PartChange, bool) {
	if old.File == nil || new.File == nil {
		return nil, contents.PartChange{}, false
	}
	o, reason, err := s.compareFiles(old, new)
	switch {
	case err != nil:
		reason = model.OneLine(err.Error(), 200)
	case o == nil && reason == "":
		return nil, contents.PartChange{}, false
	}
	if reason != "" {
		return nil, stated("contents not compared: " + reason)[0], true
	}
	return o, stated(o.nestedText)[0], true
}

// compareFiles opens two assets and compares them. reason says why they were not compared. If it is empty and the
// overview is nil, they are not files of one format, or equal.
func (s *changeCollector) compareFiles(old, new model.Item) (o *Overview, reason string, err error) {
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
	case s.inner.depth == maxFileDepth:
		return nil, fmt.Sprintf("it is nested %d files deep", maxFileDepth), nil
	case *s.inner.remaining == 0:
		return nil, fmt.Sprintf("only the first %d assets of a file are compared", maxComparedFiles), nil
	}
	*s.inner.remaining--
	options := s.c.Options
	options.Pairs = nil // they are nodes of the files around these
	c, err := CompareDocuments(s.ctx, a, b, options, nil)
	if err != nil || c.Same() {
		return nil, "", err
	}
	o, err = overviewOf(s.ctx, c, nestedFiles{s.inner.remaining, s.inner.depth + 1})
	if err == nil {
		o.nestedText = cmp.Or(o.Headline(), o.Sentence(), c.Counts().String()+" in its structure")
	}
	return o, "", err
}
