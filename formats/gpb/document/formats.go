// Package document opens bundles and the texts around them for people: it puts what the rooms beside the decoder make
// of a file into its document.
//
//	formats.go       the entries of the table of formats
//	bundle.go        a bundle, and the views of its objects
//	view.go          what its nodes look like
//	fontpreview.go   its fonts
//	describe.go      what these are to people
//	keytable.go      the keys of its animations as rows
//	text.go          a text
//	picture.go       the pictures that a text names
//
// It lists what can leave bundles and the texts around them, and writes it.
package document

import (
	_ "embed"

	"assay/formats/decode"
	"assay/formats/gpb"
	"assay/formats/gpb/properties"
	"assay/model"
	"assay/model/scene"
)

//go:embed icon.png
var iconPNG []byte

// Formats returns what the program and desktops know of bundles and of the texts around them. The extensions of the
// texts belong to others too.
func Formats() []decode.Format {
	return []decode.Format{
		{Name: "gpb", Sniff: gpb.Sniff, Open: Open, Altered: gpb.CorruptedSignature, Page: gpb.Fields.Page,
			FileType: model.FileType{
				MIME: "application/gpb", Title: "gameplay bundle", Icon: "gpb", Picture: iconPNG,
				Globs: []string{"*.gpb"},
				Magic: []model.Magic{{Bytes: []byte(gpb.Identifier)}}},
			Forms: map[string][]model.Form{".gpb": scene.WholeForms()}},
		{Name: "gpb", Sniff: properties.Sniff, Open: OpenText, Page: properties.Fields.Page, FileType: model.FileType{
			MIME: "text/x-gameplay-properties", Title: "gameplay properties", Icon: "properties", Picture: iconPNG,
			Shared: []string{"*.material", "*.scene", "*.animation", "*.physics", "*.terrain", "*.particle",
				"*.config"},
			Parent: "text/plain", Magic: properties.Magic()},
			Forms: map[string][]model.Form{".scene": scene.WholeForms()}},
	}
}
