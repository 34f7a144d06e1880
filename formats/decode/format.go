package decode

import "assay/model"

// Confidence is how certain a format is that a file is its own, judged by the file's first bytes.
type Confidence int

// No: another format. Maybe: possible, so the extension decides. Yes: recognized by the content.
const (
	No Confidence = iota
	Maybe
	Yes
)

// Format is a file format that Assay opens, and its description for users and desktops.
type Format struct {
	model.FileType
	Name  string // as Document.Format has it
	Sniff func(head []byte, size int64) Confidence
	Open  model.Opener
	// Altered returns why a file that begins almost like this format cannot be read: a text conversion changed its
	// bytes, or the variant is unsupported. It returns "" for other files. Altered may be nil.
	Altered func(head []byte) string
	// Page returns the documentation of the format, which formats may share. It may be nil.
	Page   func() *model.Page
	Packer *model.Packer // writes packages of the format; may be nil
	// Forms holds the export forms of whole files that are assets of other files, by extension. The decoded file
	// supplies the function that writes a form.
	Forms map[string][]model.Form
}
