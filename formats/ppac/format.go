package ppac

import (
	_ "embed"

	"assay/formats/decode"
	"assay/model"
)

//go:embed icon.png
var iconPNG []byte

// Formats returns what the program and desktops know of the files that the package reads, and how they are written.
func Formats(packer *model.Packer) []decode.Format {
	return []decode.Format{{Name: "ppac", Sniff: Sniff, Open: Open, Packer: packer, Page: fields.Page,
		FileType: model.FileType{
			MIME: "application/x-ppac", Title: "PhoenixLAB packaged asset container", Icon: "ppac", Picture: iconPNG,
			Globs: []string{"*.ppac"}, Shared: []string{"*.pac"},
			Magic: []model.Magic{{Bytes: []byte("PPAC\x00\x04")}}}}}
}
