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
		if h, ok := f.head(q, i); ok && int64(h.schema) < int64(len(classes)) && !classes[h.schema].sizes.hasBlobs {
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
		for k := first; k < len(p.blobs) && ok && t.Drawable(); k++ {
			if b := &p.blobs[k]; b.span == t.Blob.Span {
				b.forms = t.Forms()
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

// stem returns the file name of an object without its extension: its path, or the name of the file's own object.
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

type objectKeys struct {
	once   sync.Once
	byID   map[id]int32
	byPath map[string]int32
}

// indexKeys returns the keys after it has read the head of each object, which the first call does.
func (f *file) indexKeys() *objectKeys {
	k := &f.keys
	k.once.Do(func() {
		n := len(f.objects.entries)
		k.byID, k.byPath = make(map[id]int32, n), make(map[string]int32, n)
		_ = f.heads(context.Background(), func(i int, h head, ok bool) {
			if !ok {
				return
			}
			if _, known := k.byID[h.uuid]; !known {
				k.byID[h.uuid] = int32(i)
			}
			if _, known := k.byPath[h.path]; !known && h.path != "" {
				k.byPath[h.path] = int32(i)
			}
		})
	})
	return k
}

// link returns a link to an object in this file, or to another file. name is the package's path if the reference has
// one. If the file of a bundle is not found, the target is the object of this file with the UUID.
func (f *file) link(object, bundle id, name string) *model.Link {
	key := object.String()
	link := &model.Link{Key: key, Name: f.nameOf(object),
		Target: func() (model.Path, bool) { return f.pathOfObject(object) }}
	switch {
	case name != "" && name != f.header.name:
		return &model.Link{File: f.dependencies.byName(f, name), Key: key}
	case name != "" || bundle.isNull() || bundle == f.header.uuid:
		return link
	}
	other := f.dependencies.byUUID(f, bundle)
	if _, ok := f.indexKeys().byID[object]; ok && other == "" {
		return link
	}
	return &model.Link{File: other, Key: key}
}

// pathOfObject returns the path of the first object with a UUID.
func (f *file) pathOfObject(key id) (path model.Path, ok bool) {
	i, ok := f.indexKeys().byID[key]
	if ok {
		path = f.objectPath(int(i))
	}
	return path, ok
}

// maxNames bounds the objects that are searched for a title, because the user waits for it.
const maxNames = 50_000

// nameOf returns a function that returns the title of the object with a UUID; empty if there is no such object, or more
// than maxNames objects.
func (f *file) nameOf(key id) func() string {
	return func() string {
		if len(f.objects.entries) > maxNames {
			return ""
		}
		i, ok := f.indexKeys().byID[key]
		if !ok {
			return ""
		}
		h, _ := f.head(f.quiet(), int(i))
		return h.title()
	}
}

// findKey returns the path of the node with a key: an object's UUID, its path, or the name of a schema entry.
func (f *file) findKey(key string) (model.Path, bool) {
	if u, ok := f.parseKey(key); ok {
		if path, ok := f.pathOfObject(u); ok {
			return path, true
		}
	}
	if i, ok := f.indexKeys().byPath[key]; ok {
		return f.objectPath(int(i)), true
	}
	for i := range f.schema.entries {
		if f.schema.entries[i].name == key {
			return f.schema.path(i)
		}
	}
	return nil, false
}
