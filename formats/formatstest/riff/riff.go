// Package riff reads RIFF files (.wav): chunks of an ID, a size and that many bytes, as published in "Multimedia
// Programming Interface and Data Specifications 1.0" (August 1991). It is the example of a new format.
//
// The structures of the document come first, in its order: chunks, lists of them, the data of some. The document, its
// exports and the registration of the format follow.
package riff

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"

	"assay/formats/decode"
	"assay/model"
)

// Chunk is an ID and the span of its data.
type Chunk struct {
	ID   string
	Data model.Span
}

// chunk reads a chunk. One of an odd size has a byte after it.
func chunk(c *decode.Cursor) (k Chunk) {
	k.ID = c.Text("id", 4)
	c.Key(k.ID)
	size := int64(c.Size("size", model.U32))
	k.Data = model.Span{Offset: c.Pos(), Size: min(size, c.Remaining())}
	c.Frame(size, func() { data(c, k.ID) })
	if size%2 == 1 && c.Remaining() > 0 {
		c.U8("pad")
	}
	return k
}

// list reads the content of a file or a LIST: a form, and chunks up to the end. It returns the node of the chunks.
func list(c *decode.Cursor) *model.Node {
	c.Text("form", 4)
	return c.Struct("chunks", "Chunk[]", func() {
		c.IndexedUntil("Chunk", func(e *decode.Cursor, _ int) bool { return e.Remaining() > 0 },
			func(e *decode.Cursor, _ int) { chunk(e) })
	})
}

// data reads the bytes of a chunk; the document describes the bytes of some ids.
func data(c *decode.Cursor, id string) {
	switch id {
	case "LIST":
		list(c)
	case "fmt ":
		c.Enum("wFormatTag", "WORD", model.U16, decode.Names{1: "PCM", 3: "IEEE_FLOAT", 0xFFFE: "EXTENSIBLE"})
		c.U16("nChannels")
		c.U32("nSamplesPerSec")
		c.U32("nAvgBytesPerSec")
		c.U16("nBlockAlign")
	}
	c.Rest("data", "BYTE[]")
}

// Open reads the chunks of a file. An error in them is a problem in the document.
func Open(ctx context.Context, src *model.Source) (*model.Document, error) {
	c := decode.New(ctx, src, "RIFF", binary.LittleEndian, types)
	c.Magic("id", []byte("RIFF"))
	size := int64(c.Size("size", model.U32))
	if size > c.Remaining() {
		c.Errorf("the file has %d bytes after the size, not %d", c.Remaining(), size)
	}
	var chunks *model.Node
	c.Frame(min(size, c.Remaining()), func() { chunks = list(c) })
	d := model.NewDocument(src, "riff", "1.0", c.Close())
	if chunks != nil {
		d.Payloads = payloads{d, c, chunks}
	}
	return d, ctx.Err()
}

// payloads are the chunks of the file, each as its data. RIFF records no checksum: a format that does sets Verify.
type payloads struct {
	*model.Document
	c      *decode.Cursor
	chunks *model.Node
}

func (p payloads) Len() int { return p.chunks.Len() }

// At describes the i-th chunk.
func (p payloads) At(i int) *model.Payload {
	n := p.chunks.Child(i)
	k := chunk(p.c.Quiet(n.Span))
	out := model.SpanPayload(p.Document, k.Data)
	out.Key, out.Type, out.Node, out.Name = n.PathText(), k.ID, n, fmt.Sprintf("chunk-%d.bin", i)
	return out
}

// Formats returns the line for the table of formats.
func Formats() []decode.Format {
	return []decode.Format{{Name: "riff", Sniff: Sniff, Open: Open, FileType: model.FileType{MIME: "audio/x-wav",
		Title: "RIFF file", Globs: []string{"*.wav"}, Magic: []model.Magic{{Bytes: []byte("RIFF")}}}}}
}

// Sniff reports whether head begins as a RIFF file does.
func Sniff(head []byte, _ int64) decode.Confidence {
	if bytes.HasPrefix(head, []byte("RIFF")) && len(head) >= 12 {
		return decode.Yes
	}
	return decode.No
}

// types are the document's names of numbers, of a string and of bytes.
var types = &decode.Types{Text: "FOURCC", Bytes: "BYTE[]",
	Numbers: [...]string{model.U8: "BYTE", model.U16: "WORD", model.U32: "DWORD", model.Bool: ""}}
