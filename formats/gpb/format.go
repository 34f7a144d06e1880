package gpb

import (
	_ "embed"

	"assay/formats/decode"
	"assay/formats/gpb/properties"
	"assay/model"
)

//go:embed icon.png
var iconPNG []byte

// Formats returns what the program and desktops know of the files that the package reads. The extensions of the texts
// belong to others too.
func Formats() []decode.Format {
	return []decode.Format{
		{Name: "gpb", Sniff: Sniff, Open: Open, Altered: altered, FileType: model.FileType{
			MIME: "application/gpb", Title: "gameplay bundle", Icon: "gpb", Picture: iconPNG,
			Globs: []string{"*.gpb"},
			Magic: []model.Magic{{Bytes: magic}}}},
		{Name: "gpb", Sniff: properties.Sniff, Open: OpenText, FileType: model.FileType{
			MIME: "text/x-gameplay-properties", Title: "gameplay properties", Icon: "properties", Picture: iconPNG,
			Shared: []string{"*.material", "*.scene", "*.animation", "*.physics", "*.terrain", "*.particle",
				"*.config"},
			Parent: "text/plain"}},
	}
}
