package ppac

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"

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
	f := p.f
	ent := f.entry(i)
	out := &model.Payload{Key: ent.TPU.String(), Type: typeName(ent.Type), Node: f.index.entries.Child(i), Size: -1}
	s, wrong := f.locate(ent.Location, ent.Size)
	a := f.assetAt(i, ent, s)
	switch {
	case wrong != nil:
		missing(out, ent, misplacedAt(&ent, wrong))
	case !f.find(a):
		missing(out, ent, dataMisfit(&ent))
	default:
		f.describe(out, a)
	}
	return out
}

// missing makes out a payload of which there is nothing but a problem.
func missing(out *model.Payload, ent Entry, problem string) {
	out.Problem = problem
	out.Name = out.Key + extensionOf(ent.Type, nil, "")
	gone := fmt.Errorf("ppac: %s: %s", out.Key, problem)
	out.Open = func(context.Context) (io.ReadCloser, error) { return nil, gone }
	out.Verify = func(context.Context) (model.Verdict, string, error) { return model.Unknown, problem, nil }
}

// describe says of an asset how it is stored, what its content is and what it is called.
func (f *file) describe(out *model.Payload, a *asset) {
	ent := a.ent
	out.Stored = a.data
	buf := copyBuffers.Get().(*[]byte)
	defer copyBuffers.Put(buf)
	kind, head, sound := a.expand(context.Background(), (*buf)[:firstLook])
	out.Codec = kind.String()
	media := mimetype.Detect(head)
	switch {
	case kind == unknownCodec && ent.Compression != Deflate:
		out.Codec = fmt.Sprintf("unknown (%d)", ent.Compression)
		out.Problem = fmt.Sprintf("compression %d is not known; the stored bytes are given", ent.Compression)
		media = nil
	case kind == unknownCodec:
		out.Codec = "unknown (1)"
		out.Problem = "the stored bytes are no zlib, gzip or raw deflate stream; they are given as they are"
		media = nil
	case kind == plain:
		out.Size = a.data.Size
	case f.layout.Later || f.layout.MemorySize:
		out.Size = int64(min(ent.MemorySize, 1<<62))
	}
	if kind != unknownCodec && !sound && kind != plain && len(head) == 0 {
		media = nil
	}
	if media != nil {
		out.MediaType = media.String()
		if bytes.HasPrefix(head, magic) {
			out.MediaType = "application/x-ppac"
		}
	}
	entries := a.times.Metadata
	if f.layout.Later {
		look := f.looks.Get().(*decode.Cursor)
		entries = f.metadataOf(look, ent.TPU)
		f.looks.Put(look)
	} else if t, ok := timeOf(a.times.Modified); ok {
		out.ModTime = t
	}
	if out.Name = filename(entries); strings.Trim(out.Name, "/. ") == "" {
		ext := ""
		if media != nil {
			ext = media.Extension()
		}
		out.Name = out.Key + extensionOf(ent.Type, head, ext)
	}
	out.Open = func(ctx context.Context) (io.ReadCloser, error) { return f.open(ctx, a) }
	out.Verify = func(ctx context.Context) (model.Verdict, string, error) { return f.verify(ctx, a) }
	if kind != plain && kind != unknownCodec {
		out.Forms = []model.Form{{Name: "raw"}, {Name: "stored", Extension: kind.extension(), MediaType: "application/octet-stream",
			Write: func(ctx context.Context, w io.Writer) error {
				r, err := a.stream(ctx, plain)
				if err == nil {
					_, err = io.Copy(w, r)
				}
				return err
			}}}
	}
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

// extensionOf gives the extension for an asset without a file name: what its content shows, then what its type says.
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
