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
			Parent: "text/plain", Magic: propertiesMagic()},
			Forms: map[string][]model.Form{".scene": scene.WholeForms()}},
	}
}

// propertiesMagic returns how texts of properties begin: with a namespace of the published documents and its brace, or
// with a comment before one.
func propertiesMagic() []model.Magic {
	brace := []model.Magic{{Bytes: []byte("{"), From: 1, To: 128}}
	var all, lines []model.Magic
	for _, named := range []string{"material ", "animation ", "collisionObject ", "rigidBody ", "rigidbody ",
		"ghostObject ", "character ", "vehicle ", "vehicleWheel ", "terrain ", "particle "} {
		all = append(all, model.Magic{Bytes: []byte(named), And: brace})
		lines = append(lines, model.Magic{Bytes: []byte("\n" + named), From: 1, To: 1024})
	}
	for _, plain := range []string{"scene", "terrain", "window", "graphics", "gamepad"} {
		for _, end := range []string{"\n{", "\r\n{", " {", "{", "\t{", " \n{", " \r\n{"} {
			all = append(all, model.Magic{Bytes: []byte(plain + end)})
		}
		lines = append(lines, model.Magic{Bytes: []byte("\n" + plain + "\n{"), From: 1, To: 1024})
	}
	for _, comment := range []string{"//", "/*"} {
		all = append(all, model.Magic{Bytes: []byte(comment), And: lines})
	}
	return all
}
