package decode

import (
	"context"

	"assay/model"
)

// Confidence is how certain a format is that a file is its own, judged by the file's first bytes.
type Confidence int

// No: it is another's. Maybe: nothing speaks against it, the extension decides. Yes: it says so itself.
const (
	No Confidence = iota
	Maybe
	Yes
)

// Format is a kind of file that Assay opens, and what it says about it to people and to desktops.
type Format struct {
	model.FileType
	Name  string // as Document.Format has it
	Sniff func(head []byte, size int64) Confidence
	Open  func(ctx context.Context, src *model.Source) (*model.Document, error)
	// Altered says why a file that begins like one of the format cannot be read: a program that took it for text
	// changed its bytes, or it is a variant that is not known. It is empty for other files; nil if there is nothing to
	// say.
	Altered func(head []byte) string
	// Page returns what people read about the format; formats may share one. nil: there is none.
	Page   func() *model.Page
	Packer *model.Packer // how archives of the format are written; nil if they are not
	// Forms are those of the files as a whole, where they are assets of others, by their extensions. What is written is
	// found in the file.
	Forms map[string][]model.Form
}
