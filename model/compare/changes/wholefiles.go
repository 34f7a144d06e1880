package changes

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"strings"

	"assay/model"
	"assay/model/compare"
	"assay/model/compare/contents"
	"assay/model/content"
)

// CompareDocuments compares two documents as compare.Documents does, and applies the rules of texts to whole files.
func CompareDocuments(ctx context.Context, old, new *model.Document, o compare.Options, progress model.Progress) (
	*compare.Comparison, error) {
	c, err := compare.Documents(ctx, old, new, o, progress)
	if err != nil || !o.Texts.Any() || c.Same() || !content.KindOf(old.Source).Text ||
		!content.KindOf(new.Source).Text {
		return c, err
	}
	a, errA := content.View(ctx, old.Source)
	b, errB := content.View(ctx, new.Source)
	if t := contents.DiffOf(a, b, o.Texts); errA == nil && errB == nil && t != nil && t.IsSame() {
		c.IgnoreAll()
	}
	return c, ctx.Err()
}

// maxSearchedAssets is the maximum number of assets of a file that are searched for a name.
const maxSearchedAssets = 1 << 14

// Representatives returns the nodes with the previews of two files that are compared as a whole: their roots, or the
// asset of a package with the name of the other file, a picture.
func Representatives(c *compare.Comparison) (old, new *model.Node) {
	return representative(c.Old, c.New), representative(c.New, c.Old)
}

func representative(d, other *model.Document) *model.Node {
	if !other.Content || d.Content || d.Payloads == nil {
		return d.Root()
	}
	found, name := d.Root(), stem(other.Source.Name())
	for i := range min(d.Payloads.Len(), maxSearchedAssets) {
		p := d.Payloads.At(i)
		if p == nil || p.Node == nil || !strings.EqualFold(stem(p.Name), name) {
			continue
		}
		if found != d.Root() && found != p.Node { // several are called so
			return d.Root()
		}
		found = p.Node
	}
	return found
}

func stem(name string) string {
	name = path.Base(name)
	return strings.TrimSuffix(name, path.Ext(name))
}

// WholeFileViews returns the views of two files that are compared as a whole, if both can be displayed.
func WholeFileViews(ctx context.Context, c *compare.Comparison) (old, new model.View, err error) {
	if content.KindOf(c.Old.Source).IsKnown() && content.KindOf(c.New.Source).IsKnown() {
		if old, err = content.View(ctx, c.Old.Source); err != nil {
			return nil, nil, err
		}
		new, err = content.View(ctx, c.New.Source)
		return old, new, err
	}
	if c.Old.Format == c.New.Format {
		return nil, nil, nil
	}
	a, b := Representatives(c)
	if old, err = pictureOf(ctx, c.Old, a); old == nil || err != nil {
		return nil, nil, err
	}
	if new, err = pictureOf(ctx, c.New, b); new == nil || err != nil {
		return nil, nil, err
	}
	return old, new, nil
}

// pictureOf returns the picture of a node, or nil if its view is not a picture.
func pictureOf(ctx context.Context, d *model.Document, n *model.Node) (model.View, error) {
	view, err := (&content.ViewFinder{}).Find(ctx, d, n)
	if err != nil {
		return nil, err
	}
	defer view.Close()
	if p, ok := view.View.(model.Picture); ok && p.Image != nil {
		return p, nil
	}
	return nil, nil
}

// isDescribedMedia reports whether two files that were read with a description are pictures or sounds. Their visible or
// audible changes come before the changed parts of the files, which the rows list.
func isDescribedMedia(c *compare.Comparison) bool {
	for _, d := range []*model.Document{c.Old, c.New} {
		if k := content.KindOf(d.Source); d.Description == nil || !k.IsKnown() || k.Text {
			return false
		}
	}
	return true
}

// compareWholeFiles adds the changes between two pictures, sounds or texts as a whole. It reports whether it
// added any.
func (s *changeCollector) compareWholeFiles() bool {
	old, new, err := WholeFileViews(s.ctx, s.c)
	if err != nil || old == nil {
		return false
	}
	found, err := contents.Compare(s.ctx, old, new, contentOptions(s.c))
	if err == nil && len(found) == 0 && old.ViewKind() == model.PictureView && new.ViewKind() == model.PictureView {
		found = stated("all pixels are identical")
	}
	if err == nil && len(found) > 0 {
		s.o.Values, s.o.Whole = found, true
	}
	return s.o.Whole
}

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
