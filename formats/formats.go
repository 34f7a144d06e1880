// Package formats recognises files and opens them. Content decides; the extension only where content leaves it open.
// A new format is one new folder and one line in the table: recognising and opening, registering with desktops and
// icons all come from there. open.go opens files; choices.go has what a file can be read as instead, and which archives
// can be written.
//
// A file of no known format opens as one gap, with what its content looks like.
package formats

import (
	"cmp"
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"assay/formats/casset"
	"assay/formats/decode"
	"assay/formats/dprsim"
	"assay/formats/gpb/document"
	"assay/formats/ppac"
	"assay/formats/ppac/packing"
	"assay/model"
	"assay/model/content"
)

// headSize is how many of a file's first bytes the formats judge.
const headSize = 64 << 10

// table has all formats; a format is one folder and one line here.
var table = slices.Concat(
	document.Formats(),
	casset.Formats(),
	ppac.Formats(packing.Packer),
	dprsim.Formats(),
)

// All returns the formats.
func All() []decode.Format { return slices.Clone(table) }

// FileTypes returns what desktops are told about the files that Assay opens.
func FileTypes() []model.FileType {
	types := make([]model.FileType, len(table))
	for i, f := range table {
		types[i] = f.FileType
		types[i].Icon = cmp.Or(f.Icon, f.Name)
	}
	return types
}

func init() { content.Know(FileTypes()) } // assets of packages that are files of the table are named as such

// Recognise returns the format of src, or nil if it is none of them or cannot be read. It reads the first bytes only.
func Recognise(src *model.Source) *decode.Format {
	head, err := headOf(src)
	if err != nil {
		return nil
	}
	return recognise(src, head, table)
}

// recognise returns the format, among some, of a file that begins with head; nil if it is none of them.
func recognise(src *model.Source, head []byte, among []decode.Format) (maybe *decode.Format) {
	extension := strings.ToLower(filepath.Ext(src.Name()))
	for _, f := range among {
		switch f.Sniff(head, src.Size()) {
		case decode.Yes:
			return &f
		case decode.Maybe:
			if slices.Contains(f.Extensions(), extension) {
				maybe = &f
			}
		}
	}
	return maybe
}

// headOf returns the first bytes of src, by which formats are recognized. The error is a *model.OpenError: a file
// whose beginning cannot be read must not pass for a file of no known format.
func headOf(src *model.Source) ([]byte, error) {
	head, err := src.Bytes(model.Span{Size: min(headSize, src.Size())})
	if err == nil {
		return head, nil
	}
	cause := err
	var read *model.ReadError
	if errors.As(src.Failed(), &read) {
		cause = read.Err
	}
	return nil, &model.OpenError{Path: src.Name(), Reason: "cannot be read: " + cause.Error(), Err: err}
}
