package casset

import (
	_ "embed"

	"assay/formats/decode"
	"assay/model"
)

//go:embed icon.png
var iconPNG []byte

// Formats returns what the program and desktops know of the files that the package reads.
func Formats() []decode.Format {
	return []decode.Format{{Name: "casset", Sniff: Sniff, Open: Open, Page: fields.Page, FileType: model.FileType{
		MIME: "application/x-crystalengine-asset", Title: "CrystalEngine package or bundle", Icon: "casset",
		Picture: iconPNG,
		Globs:   []string{"*.casset"},
		Magic:   []model.Magic{{Bytes: packMagic}, {Bytes: bundleMagic}}},
		Forms: map[string][]model.Form{".casset": {{Name: "png", Extension: ".png", MediaType: "image/png"}}}}}
}
