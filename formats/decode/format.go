package decode

import (
	"context"

	"assay/model"
)

// Sure is how certain a format is that a file is its own, judged by the file's first bytes.
type Sure int

// No: it is another's. Maybe: nothing speaks against it, the extension decides. Yes: it says so itself.
const (
	No Sure = iota
	Maybe
	Yes
)

// Format is a kind of file that Assay opens, and what it says about it to people and to desktops.
type Format struct {
	model.FileType
	Name  string // as Document.Format has it
	Sniff func(head []byte, size int64) Sure
	Open  func(ctx context.Context, src *model.Source) (*model.Document, error)
}
