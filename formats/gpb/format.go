package gpb

import (
	_ "embed"

	"assay/formats/decode"
	"assay/model"
)

//go:embed icon.png
var iconPNG []byte

// Formats returns what the program and desktops know of the files that the package reads.
func Formats() []decode.Format {
	return []decode.Format{{Name: "gpb", Sniff: Sniff, Open: Open, FileType: model.FileType{
		MIME: "application/gpb", Title: "gameplay bundle", Icon: "gpb", Picture: iconPNG,
		Globs: []string{"*.gpb"},
		Magic: []model.Magic{{Bytes: magic}}}}}
}
