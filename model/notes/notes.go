// Package notes keeps what a person marks in files: a color and a sentence on a node or on a range of bytes. Nothing is
// written into a file that is shown.
//
// # What a note is on
//
// A note is kept for content, not for a path: it comes back for a copy, for another name, and for an asset that lies in
// another package. Content is known by its size and a digest. Of up to a mebibyte all bytes count; of more, those at
// both ends and 62 pieces between them, so that a package of 10 GB is looked at in 64 reads, and only where notes are
// kept for content of its size. As the digest of a large file is of a sample, every note has a digest of its own bytes,
// too: it is shown where those are still the same, whatever changed elsewhere.
//
// In an archive, a note on an asset or on bytes of it is kept for the asset as it is stored.
//
// # Earlier versions
//
// A note whose bytes have changed since, or that was made on the file that was at the same path before, is of an
// earlier version. It is listed as such, and Carry makes a note of it that is on the present bytes. The earlier one
// stays with the content that it was made on.
package notes

import (
	"encoding/hex"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"assay/model"
	"assay/model/userdata"
)

// The bounds of what is kept and read.
const (
	CountMost = 100_000 // notes of this user
	TextMost  = 4096    // bytes of a sentence or a path
	bytesMost = 64 << 20
)

// Color is that of a note.
type Color uint8

// The colors. The first one is what a note has that names none of them.
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

// Colors returns all colors in the order in which they are offered.
func Colors() []Color { return []Color{Yellow, Orange, Red, Purple, Blue, Green} }

// String returns the name of the color.
func (c Color) String() string { return colorNames[c] }

// MarshalText writes the name.
func (c Color) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// UnmarshalText reads a name.
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
	// Node is the path of the node, by names, or of the deepest one that has all bytes of the range; empty if that is
	// not known.
	Node  string `json:"node,omitempty"`
	Range bool   `json:"range,omitempty"` // it is on bytes, not on the node
	// Offset and Size are where its bytes are in the content, Within where they begin in the node.
	Offset int64  `json:"offset"`
	Size   int64  `json:"size"`
	Within int64  `json:"within,omitempty"`
	Digest string `json:"bytes"` // of its bytes
	// From is the ID of the note of an earlier version that was carried over to this one; empty for none.
	From string    `json:"from,omitempty"`
	Made time.Time `json:"made,omitzero"`
}

// Span is where the bytes of the note are in the content.
func (n *Note) Span() model.Span { return model.Span{Offset: n.Offset, Size: n.Size} }

// valid reports whether a note may be one that was written for content of a size.
func (n *Note) valid(size int64) bool {
	return n.ID != "" && len(n.ID) <= 64 && len(n.From) <= 64 && len(n.Text) <= TextMost && len(n.Node) <= TextMost &&
		utf8.ValidString(n.ID+n.From+n.Text+n.Node) && isDigest(n.Digest) && n.Span().Within(size)
}

// isDigest reports whether a text is what digest returns.
func isDigest(text string) bool {
	b, err := hex.DecodeString(text)
	return err == nil && len(b) == digestSize
}

// Sheet is the notes on some content.
type Sheet struct {
	Content
	Name string `json:"name"` // of the file or the asset when the notes were made
	// Places are where the content was on this machine; see place. They do not leave it.
	Places []string `json:"places,omitempty"`
	Notes  []Note   `json:"notes"`
}

// File returns the path of the file on this machine that the content was in last; empty if that is not known.
func (s *Sheet) File() string {
	if len(s.Places) == 0 {
		return ""
	}
	path, _, _ := strings.Cut(s.Places[len(s.Places)-1], "\t")
	return model.DecodePath(path)
}

// valid returns the sheet without what makes no sense; false if nothing is left.
func (s Sheet) valid() (Sheet, bool) {
	if s.Size < 0 || !isDigest(s.Digest) || len(s.Name) > TextMost {
		return s, false
	}
	seen := make(map[string]bool, len(s.Notes))
	s.Notes = slices.DeleteFunc(s.Notes, func(n Note) bool {
		bad := !n.valid(s.Size) || seen[n.ID]
		seen[n.ID] = true
		return bad
	})
	s.Places = slices.DeleteFunc(s.Places, func(p string) bool { return p == "" || len(p) > TextMost })
	s.Places = s.Places[:min(len(s.Places), placesMost)]
	return s, len(s.Notes) > 0
}

// placesMost is how many places are remembered of content, the last ones.
const placesMost = 8

// Folder returns where the notes of this user are.
func Folder() string { return filepath.Join(userdata.Data(), "assay", "notes") }
