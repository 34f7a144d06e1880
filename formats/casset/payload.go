package casset

import (
	"context"
	"io"
	"path"
	"strings"
	"sync"

	"github.com/gabriel-vasile/mimetype"

	"assay/model"
)

// payloads is what can leave the file: every blob that is not empty, then every object as JSON. The blobs are looked
// for when it is asked for the first time.
type payloads struct {
	f   *file
	doc *model.Document

	once  sync.Once
	blobs []blob
}

type blob struct {
	place     model.Path
	key, name string // name is without extension
	span      model.Span
	object    int32
	extension string
	media     string
}

const (
	blobMost   = 200_000 // blobs that are listed
	sniffBytes = 3072
	binaryType = "binary"
)

// Len is the number of payloads.
func (p *payloads) Len() int {
	p.once.Do(p.look)
	return len(p.blobs) + len(p.f.objects.entries)
}

// At returns the i-th payload.
func (p *payloads) At(i int) *model.Payload {
	p.once.Do(p.look)
	if i < len(p.blobs) {
		return p.blob(&p.blobs[i])
	}
	return p.object(i - len(p.blobs))
}

// look finds the blobs. Only objects that have any are decoded; the schema says which classes can.
func (p *payloads) look() {
	f := p.f
	can := f.schema.withBlobs()
	q := f.quiet()
	for i := range f.objects.entries {
		if h, ok := f.head(q, i); ok && f.lay.generation == 3 && (int(h.schema) >= len(can) || !can[h.schema]) {
			continue
		}
		has, v := false, f.reader()
		v.blobs = &has
		q.Reset(f.objects.span(i))
		if f.object(q, v); !has {
			continue
		}
		if n := decoded(p.doc, f, i); n != nil {
			p.lookInto(i, n)
		}
	}
}

// lookInto finds the blobs of one object.
func (p *payloads) lookInto(i int, object *model.Node) {
	fields := object.Named("fields")
	if fields == nil {
		return
	}
	_ = model.Scan(fields, func(b *model.Node) (bool, error) {
		if b.Type != binaryType || b.Leaf() {
			return true, nil
		}
		if v, ok := b.Value.(model.Blob); ok && v.Span.Size > 0 && len(p.blobs) < blobMost {
			p.add(i, object, fields, b, v)
		}
		return false, nil
	}, nil, nil)
}

func (p *payloads) add(i int, object, fields, b *model.Node, v model.Blob) {
	var names []string
	for n := b; n != nil && n != fields; n = n.Parent {
		names = append([]string{n.Name}, names...)
	}
	field := strings.Join(names, ".")
	found := blob{place: b.Path(), key: object.Key + "." + field, name: p.title(i) + "." + field, span: v.Span,
		object: int32(i), extension: ".bin"}
	head := make([]byte, min(sniffBytes, v.Span.Size))
	if n, _ := p.f.src.ReadAt(head, v.Span.Offset); n > 0 {
		kind := mimetype.Detect(head[:n])
		found.media = kind.String()
		if kind.Extension() != "" {
			found.extension = kind.Extension()
		}
	}
	p.blobs = append(p.blobs, found)
}

// title is what an object is called in file names: its path, or the name of the file's own object.
func (p *payloads) title(i int) string {
	h, _ := p.f.head(p.f.quiet(), i)
	switch name := path.Base(p.f.name); {
	case h.path != "":
		return h.path
	case name != "" && name != "." && name != "/":
		return name
	}
	return h.key()
}

func (p *payloads) blob(b *blob) *model.Payload {
	src := p.f.src
	out := &model.Payload{Key: b.key, Name: b.name + b.extension, Type: binaryType, MediaType: b.media,
		Node: p.doc.At(b.place),
		Size: b.span.Size, Stored: b.span,
		Open: func(context.Context) (io.ReadCloser, error) { return io.NopCloser(src.Reader(b.span)), nil }}
	if t, ok := textureOf(decoded(p.doc, p.f, int(b.object)), b.span); ok && t.Drawable() {
		out.Forms = t.Forms()
	}
	return out
}

func (p *payloads) object(i int) *model.Payload {
	h, _ := p.f.head(p.f.quiet(), i)
	e := p.f.objects.entries[i]
	n := decoded(p.doc, p.f, i)
	write := func(ctx context.Context, w io.Writer) error { return model.DumpNode(ctx, w, n) }
	return &model.Payload{Key: h.key(), Name: p.title(i) + ".json", Type: h.class, MediaType: "application/json",
		Node: n,
		Size: -1, Stored: model.Span{Offset: e.off, Size: e.size},
		Open:  model.Streamed(write),
		Forms: []model.Form{{Name: "json", Extension: ".json", MediaType: "application/json", Write: write}}}
}

// withBlobs says of each entry of the schema whether its values can hold a blob.
func (t *schema) withBlobs() []bool {
	has := make([]bool, len(t.entries))
	for changed := true; changed; {
		changed = false
		for i := range t.entries {
			if has[i] {
				continue
			}
			for _, f := range t.entries[i].fields {
				t := f.Type
				if t.elem != nil {
					t = *t.elem
				}
				if t.kind == kBinary || t.kind == kStruct && int64(t.index) < int64(len(has)) && has[t.index] {
					has[i], changed = true, true
					break
				}
			}
		}
	}
	return has
}
