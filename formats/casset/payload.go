package casset

import (
	"cmp"
	"context"
	"io"
	"path"
	"strings"
	"sync"

	"assay/formats/decode"
	"assay/model"
	"assay/model/content"
)

// payloads lists the exportable parts of the file: every blob that is not empty, then every object as JSON. The blobs
// are found by findBlobs, which Len and At call too.
type payloads struct {
	f   *file
	doc *model.Document

	mu        sync.Mutex // held during the search
	collected bool
	blobs     []blob
}

// blob is a value that can leave the file.
type blob struct {
	field     string // names of the enclosing fields and elements, separated by dots
	span      model.Span
	object    int32
	extension string
	media     string
	forms     []model.Form // of the pixels of a texture
}

// sniffBytes is the number of bytes of a blob for detecting its type.
const sniffBytes = 3072

func (p *payloads) Len() int {
	p.findBlobs(context.Background())
	return len(p.blobs) + len(p.f.objects.entries)
}

func (p *payloads) At(i int) *model.Payload {
	p.findBlobs(context.Background())
	if i < len(p.blobs) {
		return p.blob(&p.blobs[i])
	}
	return p.object(i - len(p.blobs))
}

// findBlobs finds the blobs, once. After an error of ctx the next call starts again.
func (p *payloads) findBlobs(ctx context.Context) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.collected {
		return nil
	}
	p.blobs = nil
	err := p.listBlobs(ctx)
	p.collected = err == nil
	return err
}

// listBlobs lists the blobs. In 3.0 it reads only objects of classes that can have blobs by the schema.
func (p *payloads) listBlobs(ctx context.Context) error {
	f := p.f
	q, classes := f.quiet(), f.schema.entries
	for i := range f.objects.entries {
		if i%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		h, ok := f.head(q, i)
		if ok && int64(h.schemaIndex) < int64(len(classes)) && !classes[h.schemaIndex].sizes.hasBlobs {
			continue
		}
		first, fields := len(p.blobs), textureFields{}
		f.visit(q, i, &visitor{number: fields.setNumber, blob: func(names []string, b model.Blob) {
			fields.setBlob(names, b)
			if b.Span.Size > 0 {
				p.add(i, decode.ValidUTF8(strings.Join(names, ".")), b.Span)
			}
		}})
		t, ok := fields.texture()
		for k := first; k < len(p.blobs) && ok && t.isDrawable(); k++ {
			if b := &p.blobs[k]; b.span == t.blob.Span {
				b.forms = t.exportForms()
			}
		}
	}
	return nil
}

// add adds a blob of the i-th object, with a file name extension for the type of its first bytes.
func (p *payloads) add(i int, field string, span model.Span) {
	b := blob{field: field, span: span, object: int32(i), extension: ".bin"}
	head := make([]byte, min(sniffBytes, span.Size))
	if n, _ := p.f.src.ReadAt(head, span.Offset); n > 0 {
		kind := content.TypeOf(head[:n])
		b.media, b.extension = kind.Media, cmp.Or(kind.Extension, b.extension)
	}
	p.blobs = append(p.blobs, b)
}

// node returns the node of a blob, which is the parent of the leaf with its bytes.
func (p *payloads) node(b *blob) *model.Node {
	if leaf := p.doc.Owner(b.span.Offset); leaf != nil {
		return leaf.Parent
	}
	return nil
}

// stem returns the file name of an object without its extension: its path, else the last part of the file's name,
// else its UUID.
func (p *payloads) stem(h head) string {
	switch name := path.Base(p.f.header.name); {
	case h.path != "":
		return h.path
	case name != "" && name != "." && name != "/":
		return name
	}
	return h.uuid.String()
}

func (p *payloads) blob(b *blob) *model.Payload {
	f := p.f
	h, _ := f.head(f.quiet(), int(b.object))
	return &model.Payload{Key: h.uuid.String() + "." + b.field, Name: p.stem(h) + "." + b.field + b.extension,
		Type: "binary", MediaType: b.media, Node: p.node(b), Size: b.span.Size, Stored: b.span, Forms: b.forms,
		Open: func(context.Context) (io.ReadCloser, error) { return io.NopCloser(f.src.Reader(b.span)), nil }}
}

func (p *payloads) object(i int) *model.Payload {
	h, _ := p.f.head(p.f.quiet(), i)
	n := p.doc.At(p.f.objectPath(i))
	write := func(ctx context.Context, w io.Writer) error { return model.DumpNode(ctx, w, n) }
	return &model.Payload{Key: h.uuid.String(), Name: p.stem(h) + ".json", Type: h.class,
		MediaType: "application/json", Node: n, Size: -1, Stored: p.f.objects.span(i),
		Open:  model.OpenPipe(write),
		Forms: []model.Form{{Name: "json", Extension: ".json", MediaType: "application/json", Write: write}}}
}
