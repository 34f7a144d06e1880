package ppac

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math"
	"strings"
	"sync"

	"github.com/gabriel-vasile/mimetype"

	"assay/formats/decode"
	"assay/model"
)

// payloads are the assets in the order of the index.
type payloads struct{ f *file }

// Len is the number of index entries.
func (p payloads) Len() int { return p.f.index.n }

// At describes the asset of the i-th index entry. It reads its metadata and the beginning of its content.
func (p payloads) At(i int) *model.Payload {
	out := &model.Payload{Node: p.f.index.entries.Child(i)}
	d := p.f.newDescriber()
	d.describe(out, i, p.f.entry(i))
	d.e, d.look = nil, nil // open and verify need the asset alone
	return out
}

// DescribeEach describes assets in the order of the index. Of those with a file name the content is not looked at.
func (p payloads) DescribeEach(ctx context.Context, from, to int, each func(i int, out *model.Payload) bool) error {
	d := p.f.newDescriber()
	d.brief = true
	var out model.Payload
	next, more := from, true
	one := func(i int, ent *Entry) bool {
		out = model.Payload{}
		d.describe(&out, i, *ent)
		next, more = i+1, each(i, &out)
		return more
	}
	err := p.f.each(ctx, from, to, one)
	for err == nil && more && next < to { // the file was cut since it was opened
		one(next, &Entry{Location: math.MaxUint64})
	}
	return err
}

// describer describes assets one after the other.
type describer struct {
	f       *file
	a       asset          // the present one
	e, look *decode.Cursor // read the asset, and its metadata in the later revision
	brief   bool           // what has a name needs no media type
	open    func(context.Context) (io.ReadCloser, error)
	verify  func(context.Context) (model.Verdict, string, error)
}

func (f *file) newDescriber() *describer {
	d := &describer{f: f, e: f.c.Quiet(model.Span{}), look: f.c.Quiet(model.Span{})}
	d.open = func(ctx context.Context) (io.ReadCloser, error) { return f.open(ctx, &d.a) }
	d.verify = func(ctx context.Context) (model.Verdict, string, error) { return f.verify(ctx, &d.a) }
	return d
}

// describe says how the asset of the i-th index entry is stored, what its content is and what it is called.
func (d *describer) describe(out *model.Payload, i int, ent Entry) {
	f, a := d.f, &d.a
	out.Key, out.Type, out.Size = ent.TPU.String(), typeName(ent.Type), -1
	s, wrong := f.locate(ent.Location, ent.Size)
	*a = *f.assetAt(i, ent, s)
	if wrong != nil {
		missing(out, ent, misplacedAt(&ent, wrong))
		return
	}
	var metadata []MetadataEntry
	if f.layout.Later {
		metadata = f.metadataOf(d.look, ent.TPU)
	} else {
		d.e.Reset(s)
		entry, fit, _ := f.layout.readDataEntry(d.e)
		if fit == fitNot {
			missing(out, ent, dataMisfit(&ent))
			return
		}
		a.times, a.data, a.have, metadata = entry, entry.Data, true, entry.Metadata
		if t, ok := timeOf(entry.Modified); ok {
			out.ModTime = t
		}
	}
	out.Stored, out.Open, out.Verify = a.data, d.open, d.verify
	out.Name = filename(metadata)
	d.content(out, strings.Trim(out.Name, "/. ") != "")
}

// missing makes out a payload of which there is nothing but a problem.
func missing(out *model.Payload, ent Entry, problem string) {
	out.Problem = problem
	out.Name = out.Key + extensionOf(ent.Type, nil, "")
	gone := fmt.Errorf("ppac: %s: %s", out.Key, problem)
	out.Open = func(context.Context) (io.ReadCloser, error) { return nil, gone }
	out.Verify = func(context.Context) (model.Verdict, string, error) { return model.Unknown, problem, nil }
}

// content says how the content is stored, and what it is by its first bytes; an asset without a name is called so.
func (d *describer) content(out *model.Payload, named bool) {
	ent := &d.a.ent
	buf := copyBuffers.Get().(*[]byte)
	defer copyBuffers.Put(buf)
	kind, head, sound := d.begin((*buf)[:firstLook], named)
	out.Codec = kind.String()
	var media *mimetype.MIME
	switch {
	case kind == unknownCodec && ent.Compression != Deflate:
		out.Codec = fmt.Sprintf("unknown (%d)", ent.Compression)
		out.Problem = fmt.Sprintf("compression %d is not known; the stored bytes are written", ent.Compression)
	case kind == unknownCodec:
		out.Codec = "unknown (1)"
		out.Problem = "the stored bytes are not a zlib, gzip or raw deflate stream; they are written as they are"
	case named && d.brief:
	case sound || kind == plain || len(head) > 0:
		media = d.detect(head)
	}
	switch {
	case kind == plain:
		out.Size = d.a.data.Size
	case kind != unknownCodec && d.f.layout.sized() && ent.MemorySize/deflateMost <= uint64(d.a.data.Size):
		out.Size = int64(ent.MemorySize)
	}
	ext := ""
	if media != nil {
		out.MediaType, ext = media.String(), media.Extension()
		if bytes.HasPrefix(head, magic) {
			out.MediaType = "application/x-ppac"
		}
	}
	if !named {
		out.Name = out.Key + extensionOf(ent.Type, head, ext)
	}
	if kind != plain && kind != unknownCodec {
		out.Forms = d.forms(kind)
	}
}

// begin tells how the asset is stored and the first bytes of its content. Where only the first matters it does not
// expand what its header tells.
func (d *describer) begin(first []byte, named bool) (kind codec, head []byte, sound bool) {
	a := &d.a
	start := model.Span{Offset: a.data.Offset, Size: min(a.data.Size, int64(len(first)))}
	if a.ent.Compression == Stored && (!a.later || a.ent.Size == a.ent.MemorySize) {
		if d.e.Reset(start); start.Size == 0 || d.e.Peek(start.Size) != nil {
			return plain, d.e.Peek(start.Size), true
		}
	}
	if a.ent.Compression == Deflate && named && d.brief {
		d.e.Reset(start)
		head := d.e.Peek(min(4, start.Size))
		for _, k := range []codec{zlibStream, gzipStream} {
			if looksLike(k, head) {
				return k, nil, true
			}
		}
	}
	return a.expand(context.Background(), first)
}

// wordMost is how long a word or a number is at most. No file of a format that is known by its first bytes is so short.
const wordMost = 16

// isWord reports whether a content is only a few letters, digits and blanks: many small assets are, and asking about
// all formats costs more than all else that is done with them.
func isWord(content []byte) bool {
	if len(content) == 0 || len(content) > wordMost {
		return false
	}
	for _, c := range content {
		if !(c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == ' ') {
			return false
		}
	}
	return true
}

// wordType is what a word is.
var wordType = sync.OnceValue(func() *mimetype.MIME { return mimetype.Detect([]byte("word")) })

// A few verdicts on short contents are kept: in a package of many small assets they are often the same.
const (
	knownSize = 32
	knownMax  = 4096
)

// detect tells what a content is by its beginning.
func (d *describer) detect(head []byte) *mimetype.MIME {
	if isWord(head) {
		return wordType()
	}
	if len(head) > knownSize || !d.brief {
		return mimetype.Detect(head)
	}
	return d.f.media.of(head)
}

// mediaTypes are those of short contents of one file. It is safe for concurrent use.
type mediaTypes struct {
	mu    sync.RWMutex
	known map[string]*mimetype.MIME
}

func (v *mediaTypes) of(head []byte) *mimetype.MIME {
	v.mu.RLock()
	m, ok := v.known[string(head)]
	v.mu.RUnlock()
	if ok {
		return m
	}
	m = mimetype.Detect(head)
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.known == nil || len(v.known) == knownMax {
		v.known = make(map[string]*mimetype.MIME)
	}
	v.known[string(head)] = m
	return m
}

// forms are those of a compressed asset.
func (d *describer) forms(kind codec) []model.Form {
	return []model.Form{{Name: "raw"}, {Name: "stored", Extension: kind.extension(),
		MediaType: "application/octet-stream",
		Write: func(ctx context.Context, w io.Writer) error {
			r, err := d.a.stream(ctx, plain)
			if err == nil {
				_, err = io.Copy(w, r)
			}
			return err
		}}}
}

// kind tells how the asset is stored, as surely as it can be told without reading all of it.
func (a *asset) kind(ctx context.Context) codec {
	if a.ent.Compression == Stored && (!a.later || a.ent.Size == a.ent.MemorySize) {
		return plain
	}
	buf := copyBuffers.Get().(*[]byte)
	defer copyBuffers.Put(buf)
	kind, _, _ := a.expand(ctx, (*buf)[:surely])
	return kind
}

// extensionOf returns the extension for an asset without a file name: what its content shows, then what its type says.
// That a content is text is less than its type says; sniffed is the extension that the content shows.
func extensionOf(id uint16, head []byte, sniffed string) string {
	registered, ok := extensions[uint64(id)]
	switch {
	case bytes.HasPrefix(head, magic):
		return ".pac"
	case sniffed != "" && (sniffed != ".txt" || !ok || registered == "bin"):
		return sniffed
	case ok:
		return "." + registered
	}
	return ".bin"
}
