// Package notes stores the user's notes: a color and a text on a node or on a range of bytes. The annotated file is
// never changed.
//
// # The subject of a note
//
// A note belongs to content, not to a path: it reappears for a copy, for another name, and for an asset in another
// package. Content is identified by its size and a digest. Up to a mebibyte, the digest covers all bytes; beyond, those
// at both ends and 62 pieces between them, so that a package of 10 GB takes 64 reads, and only if there are notes on
// content of its size. As the digest of a large file covers only a sample, every note has a digest of its own bytes,
// too: it is displayed if those are unchanged, regardless of changes elsewhere.
//
// In a package, a note on an asset or on bytes of it belongs to the asset as it is stored.
//
// # Earlier versions
//
// A note whose bytes have changed since, or that was made on the previous file at the same path, is of an earlier
// version. It is listed as such, and Carry copies it to the current bytes. The earlier one stays with the content that
// it was made on.
package notes

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"assay/model"
	"assay/model/userdata"
)

// Limits of stored notes.
const (
	MaxCount = 100_000 // notes of this user
	MaxText  = 4096    // bytes of a sentence or a path
	maxBytes = 64 << 20
)

// Color is the color of a note.
type Color uint8

// The colors. The first one is the default.
const (
	Yellow Color = iota
	Orange
	Red
	Purple
	Blue
	Green
)

var colorNames = [...]string{Yellow: "yellow", Orange: "orange", Red: "red", Purple: "purple", Blue: "blue",
	Green: "green"}

// Colors returns all colors in the order of the menu.
func Colors() []Color { return []Color{Yellow, Orange, Red, Purple, Blue, Green} }

// String returns the name of the color.
func (c Color) String() string { return colorNames[c] }

// MarshalText writes the name.
func (c Color) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// UnmarshalText reads a name; an unknown one is the default color.
func (c *Color) UnmarshalText(text []byte) error {
	*c = Color(max(0, slices.Index(colorNames[:], string(text))))
	return nil
}

// Content is some bytes, by their number and a digest (see digest).
type Content struct {
	Size   int64  `json:"size"`
	Digest string `json:"digest"`
}

// Note is a color and a sentence on a node or on a range of bytes.
type Note struct {
	ID    string `json:"id"`
	Color Color  `json:"color"`
	Text  string `json:"text"` // a sentence; empty for a mere bookmark
	// Node is the path of the node, by names, or of the deepest one that contains the range; empty if unknown.
	Node    string `json:"node,omitempty"`
	IsRange bool   `json:"range,omitempty"` // it is on bytes, not on the node
	// Offset and Size are the span of its bytes in the content, NodeOffset their offset in the node.
	Offset     int64  `json:"offset"`
	Size       int64  `json:"size"`
	NodeOffset int64  `json:"within,omitempty"`
	Digest     string `json:"bytes"` // of its bytes
	// CopiedFrom is the ID of the note of an earlier version that was copied to this one; may be empty.
	CopiedFrom string    `json:"from,omitempty"`
	Created    time.Time `json:"made,omitzero"`
}

// Span returns the span of the bytes of the note in the content.
func (n *Note) Span() model.Span { return model.Span{Offset: n.Offset, Size: n.Size} }

// valid reports whether a note may belong to content of that size.
func (n *Note) valid(size int64) bool {
	return n.ID != "" && len(n.ID) <= 64 && len(n.CopiedFrom) <= 64 && len(n.Text) <= MaxText && len(n.Node) <= MaxText &&
		utf8.ValidString(n.ID+n.CopiedFrom+n.Text+n.Node) && isDigest(n.Digest) && n.Span().Within(size)
}

func isDigest(text string) bool {
	b, err := hex.DecodeString(text)
	return err == nil && len(b) == digestSize
}

// Sheet is the notes on some content.
type Sheet struct {
	Content
	Name string `json:"name"` // of the file or the asset when the notes were made
	// Locations are the locations of the content on this machine; see sourceLocation. They are not exported.
	Locations []string `json:"places,omitempty"`
	Notes     []Note   `json:"notes"`
}

// File returns the path of the file on this machine that last had the content, or "".
func (s *Sheet) File() string {
	if len(s.Locations) == 0 {
		return ""
	}
	path, _, _ := strings.Cut(s.Locations[len(s.Locations)-1], "\t")
	return model.DecodePath(path)
}

// withoutInvalid returns the sheet without invalid notes; false if the sheet is invalid or no note remains.
func (s Sheet) withoutInvalid() (Sheet, bool) {
	if s.Size < 0 || !isDigest(s.Digest) || len(s.Name) > MaxText {
		return s, false
	}
	visited := make(map[string]bool, len(s.Notes))
	s.Notes = slices.DeleteFunc(s.Notes, func(n Note) bool {
		bad := !n.valid(s.Size) || visited[n.ID]
		visited[n.ID] = true
		return bad
	})
	s.Locations = slices.DeleteFunc(s.Locations, func(p string) bool { return p == "" || len(p) > MaxText })
	s.Locations = s.Locations[max(0, len(s.Locations)-maxLocations):]
	return s, len(s.Notes) > 0
}

// maxLocations is the number of locations that are stored of content, the last ones.
const maxLocations = 8

// Folder returns the folder with the notes of this user.
func Folder() string { return filepath.Join(userdata.Data(), "assay", "notes") }

// NewNote returns the change that adds a note on a node, or on a range of bytes of a document; its color and its text
// are the caller's to set.
func NewNote(ctx context.Context, d *model.Document, n *model.Node, bytes *model.Span) (Change, error) {
	note := Note{ID: rand.Text(), IsRange: bytes != nil, Created: time.Now().UTC().Truncate(time.Second)}
	span := model.Span{}
	if bytes != nil {
		span, n = *bytes, enclosingNode(d, *bytes)
	}
	if n != nil {
		note.Node = n.NamePath()
		if bytes == nil {
			span = n.Span
		}
		note.NodeOffset = max(0, span.Offset-n.Offset)
	}
	span.Offset = min(max(0, span.Offset), d.Source.Size())
	span.Size = min(max(0, span.Size), d.Source.Size()-span.Offset)
	c := Change{Name: d.Source.Name(), Location: sourceLocation(d.Source)}
	content := model.Span{Size: d.Source.Size()}
	asset, err := assetOf(ctx, d, n, span)
	if err != nil {
		return c, err
	}
	if asset != nil {
		content, c.Name, c.Location = asset.Stored, asset.Name, assetLocation(d.Source, asset.Name)
		if bytes == nil && (isNodeOf(n, asset) || span == content) {
			note.Node, note.NodeOffset, span = "/", 0, content
		} else {
			note.putInAsset(asset)
		}
	}
	if len(note.Node) > MaxText {
		note.Node, note.IsRange = "", true
	}
	if c.Content, err = contentOf(ctx, d.Source, content); err != nil {
		return c, err
	}
	if note.Digest, err = digest(ctx, d.Source, span); err != nil {
		return c, err
	}
	note.Offset, note.Size = span.Offset-content.Offset, span.Size
	c.Put = []Note{note}
	return c, nil
}

// putInAsset makes the path of a note on a part of an asset relative to the node of the asset.
func (n *Note) putInAsset(asset *model.Payload) {
	below, isPart := strings.CutPrefix(n.Node, asset.Node.NamePath())
	if isPart {
		n.Node = cmp.Or(below, "/")
	} else { // the node of the asset does not contain the bytes
		n.Node, n.NodeOffset, n.IsRange = "", 0, true
	}
}

// isNodeOf reports whether n is the node of an asset, or has its key.
func isNodeOf(n *model.Node, asset *model.Payload) bool {
	return n.Path().Equal(asset.Node.Path()) || n.Key != "" && n.Key == asset.Key
}

// assetOf returns the asset of a package that a node is, or that contains a span of the node, or nil.
func assetOf(ctx context.Context, d *model.Document, n *model.Node, span model.Span) (*model.Payload, error) {
	if !d.IsPackage || d.Payloads == nil || n == nil {
		return nil, nil
	}
	i, err := d.OnlyAsset(ctx, n)
	if i < 0 {
		return nil, err
	}
	p := d.Payloads.At(i)
	if p == nil || p.Node == nil || p.Stored.Size < minAsset || !p.Stored.Within(d.Source.Size()) {
		return nil, nil
	}
	if isNodeOf(n, p) || span.Size > 0 && p.Stored.Contains(span.Offset) && span.End() <= p.Stored.End() {
		return p, nil
	}
	return nil, nil
}

// Carry returns the changes that copy the notes of an earlier version to their nodes, and the number of notes whose
// nodes or bytes do not exist.
func Carry(ctx context.Context, d *model.Document, p *Placement) (changes []Change, skipped int, err error) {
	for _, old := range p.Earlier() {
		n := d.At(old.Path)
		if old.Node == "" || n == nil ||
			old.IsRange && (!old.Bytes.Within(d.Source.Size()) || old.Bytes.End() > n.End()) {
			skipped++
			continue
		}
		var bytes *model.Span
		if old.IsRange {
			bytes = &old.Bytes
		}
		c, err := NewNote(ctx, d, n, bytes)
		if err != nil {
			return nil, 0, err
		}
		c.Put[0].Color, c.Put[0].Text, c.Put[0].CopiedFrom = old.Color, old.Text, old.ID
		changes = append(changes, c)
	}
	return changes, skipped, nil
}

// The bytes that a digest covers: all of them up to maxFullDigest; beyond, two ends, and evenly distributed pieces
// between them.
const (
	maxFullDigest = 1 << 20
	endSize       = 64 << 10
	pieceSize     = 4 << 10
	pieces        = 62
	digestSize    = 20 // bytes of SHA-256 that are kept
)

// digest returns the digest of a span of a source, in hex.
func digest(ctx context.Context, src *model.Source, span model.Span) (string, error) {
	h := sha256.New()
	_ = binary.Write(h, binary.LittleEndian, span.Size)
	buf := make([]byte, min(span.Size, endSize))
	for _, part := range sample(span) {
		for part.Size > 0 {
			if err := ctx.Err(); err != nil {
				return "", err
			}
			b := buf[:min(part.Size, int64(len(buf)))]
			if n, err := src.ReadAt(b, part.Offset); n < len(b) {
				return "", err
			}
			h.Write(b)
			part.Offset += int64(len(b))
			part.Size -= int64(len(b))
		}
	}
	return hex.EncodeToString(h.Sum(nil)[:digestSize]), nil
}

// sample returns the parts of a span that count for its digest.
func sample(span model.Span) []model.Span {
	if span.Size <= maxFullDigest {
		return []model.Span{span}
	}
	parts := []model.Span{{Offset: span.Offset, Size: endSize}}
	step := (span.Size - 2*endSize) / (pieces + 1)
	for i := range int64(pieces) {
		parts = append(parts, model.Span{Offset: span.Offset + endSize + (i+1)*step, Size: pieceSize})
	}
	return append(parts, model.Span{Offset: span.End() - endSize, Size: endSize})
}

// contentOf returns the identity of a span of a source.
func contentOf(ctx context.Context, src *model.Source, span model.Span) (Content, error) {
	sum, err := digest(ctx, src, span)
	return Content{span.Size, sum}, err
}
