package folder

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"assay/model"
)

// DocumentCache describes the assets of many files without keeping the files open: a file is opened again where one of
// its assets is read, and the last few stay open. It may be used by several goroutines at once.
type DocumentCache struct {
	open func(ctx context.Context, path string) (*model.Document, error)

	mu     sync.Mutex
	opened []*model.Document // open documents, the last used at the end
	texts  map[string]string // types and the like, each kept once
}

const (
	maxOpenDocuments  = 8    // files that stay open
	maxDetachedAssets = 1000 // assets of a file that are described; one with more stays open itself
)

// NewDocumentCache makes an empty cache. open opens a file.
func NewDocumentCache(open func(ctx context.Context, path string) (*model.Document, error)) *DocumentCache {
	return &DocumentCache{open: open, texts: map[string]string{}}
}

// Detach returns a document with the name, the path and the assets of d, and closes d; it returns d itself if it has
// very many assets. The caller closes the Source of the result.
func (c *DocumentCache) Detach(d *model.Document) *model.Document {
	if d.Payloads == nil || d.Payloads.Len() > maxDetachedAssets || d.Source.Path() == "" {
		return d
	}
	path := d.Source.Path()
	list := make(model.PayloadList, d.Payloads.Len())
	for i := range list {
		list[i] = c.detachAsset(d.Payloads.At(i), path, i)
	}
	copied := model.NewDocument(d.Source.WithoutFiles(), d.Format, c.intern(d.Variant),
		&model.Node{Type: c.intern(d.Root().Type)})
	copied.Payloads = list
	d.Source.Close()
	return copied
}

// Close closes the files that are open.
func (c *DocumentCache) Close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	model.CloseDocuments(c.opened...)
	c.opened = nil
}

// detachAsset describes an asset without its document.
func (c *DocumentCache) detachAsset(a *model.Payload, path string, i int) *model.Payload {
	key := strings.Clone(a.Key)
	get := func(ctx context.Context) (*model.Document, *model.Payload, error) { return c.asset(ctx, path, i, key) }
	copied := *a
	p := &copied
	p.Key, p.Name, p.Problem = key, strings.Clone(a.Name), strings.Clone(a.Problem)
	p.Type, p.MediaType = c.intern(a.Type), c.intern(a.MediaType)
	p.Codec, p.Recorded = c.intern(a.Codec), c.intern(a.Recorded)
	p.Node, p.Verify, p.Forms = nil, nil, nil
	p.Open = func(ctx context.Context) (io.ReadCloser, error) {
		d, a, err := get(ctx)
		if err != nil {
			return nil, err
		}
		r, err := a.Open(ctx)
		if err != nil {
			d.Source.Close()
			return nil, err
		}
		if c, ok := r.(model.Checked); ok {
			return &checked{c, d.Source}, nil
		}
		return &stream{r, d.Source}, nil
	}
	if a.Verify != nil {
		p.Verify = func(ctx context.Context) (model.Verdict, string, error) {
			d, a, err := get(ctx)
			if err != nil {
				return model.Unknown, "", err
			}
			defer d.Source.Close()
			return a.Verify(ctx)
		}
	}
	for k, f := range a.Forms {
		p.Forms = append(p.Forms, c.form(f, k, get))
	}
	return p
}

// form returns the k-th form of an asset without its document.
func (c *DocumentCache) form(f model.Form, k int,
	get func(ctx context.Context) (*model.Document, *model.Payload, error)) model.Form {
	write, files := f.Write != nil, f.WriteFiles != nil
	f.Write, f.WriteFiles = nil, nil
	reopen := func(ctx context.Context, do func(f *model.Form) error) error {
		d, a, err := get(ctx)
		if err != nil {
			return err
		}
		defer d.Source.Close()
		if k >= len(a.Forms) {
			return errChanged(d)
		}
		return do(&a.Forms[k])
	}
	if write {
		f.Write = func(ctx context.Context, w io.Writer) error {
			return reopen(ctx, func(f *model.Form) error { return f.Write(ctx, w) })
		}
	}
	if files {
		f.WriteFiles = func(ctx context.Context, w io.Writer, file int, names []string) error {
			return reopen(ctx, func(f *model.Form) error { return f.WriteFiles(ctx, w, file, names) })
		}
	}
	return f
}

// asset returns an asset of a file, and its document. The caller closes its Source.
func (c *DocumentCache) asset(ctx context.Context, path string, i int, key string) (
	*model.Document, *model.Payload, error) {
	d, err := c.document(ctx, path)
	if err != nil {
		return nil, nil, err
	}
	if d.Payloads != nil && i < d.Payloads.Len() {
		if a := d.Payloads.At(i); a != nil && a.Key == key {
			return d, a, nil
		}
	}
	defer d.Source.Close()
	return nil, nil, errChanged(d)
}

func errChanged(d *model.Document) error {
	return fmt.Errorf("%s changed after its assets were listed; add them again", d.Source.Name())
}

// document returns the document of a file, which is held for the caller.
func (c *DocumentCache) document(ctx context.Context, path string) (*model.Document, error) {
	if d := c.openedDocument(path); d != nil {
		return d, nil
	}
	d, err := c.open(ctx, path)
	if err != nil {
		return nil, err
	}
	if cached := c.openedDocument(path); cached != nil { // another goroutine was faster
		d.Source.Close()
		return cached, nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	d.Source.Hold()
	c.opened = append(c.opened, d)
	if len(c.opened) > maxOpenDocuments {
		c.opened[0].Source.Close()
		c.opened = slices.Delete(c.opened, 0, 1)
	}
	return d, nil
}

// openedDocument returns the document of a file that is open, held for the caller, or nil.
func (c *DocumentCache) openedDocument(path string) *model.Document {
	c.mu.Lock()
	defer c.mu.Unlock()
	i := slices.IndexFunc(c.opened, func(d *model.Document) bool { return d.Source.Path() == path })
	if i < 0 {
		return nil
	}
	d := c.opened[i]
	c.opened = append(slices.Delete(c.opened, i, i+1), d)
	if d.Source.Changed() != nil {
		c.opened = c.opened[:len(c.opened)-1]
		d.Source.Close()
		return nil
	}
	d.Source.Hold()
	return d
}

// intern keeps a word once.
func (c *DocumentCache) intern(text string) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if shared, ok := c.texts[text]; ok {
		return shared
	}
	text = strings.Clone(text)
	c.texts[text] = text
	return text
}

// stream is a stream of an asset that closes its file.
type stream struct {
	io.ReadCloser
	source *model.Source
}

func (s *stream) Close() error {
	defer s.source.Close()
	return s.ReadCloser.Close()
}

// checked is a Checked stream that closes its file.
type checked struct {
	model.Checked
	source *model.Source
}

func (c *checked) Close() error {
	defer c.source.Close()
	return c.Checked.Close()
}
