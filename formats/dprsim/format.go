package dprsim

import (
	_ "embed"

	"assay/formats/decode"
	"assay/model"
)

var (
	//go:embed world.png
	worldIcon []byte
	//go:embed experiment.png
	experimentIcon []byte
)

// Formats returns what the program and desktops know of the files that the package reads. The extensions of worlds and
// states belong to anyone.
func Formats() []decode.Format {
	return []decode.Format{
		{Name: "dprsim", Sniff: SniffState, Open: Open, FileType: model.FileType{
			MIME: "application/x-dprsim-state", Title: "DPRSim world or state", Icon: "world", Picture: worldIcon,
			Shared: []string{"*.world", "*.state"},
			Magic:  []model.Magic{{Bytes: []byte("CLAY\x01")}}}},
		{Name: "dprsim", Sniff: SniffExperiment, Open: Open, FileType: model.FileType{
			MIME: "text/x-dprsim-experiment", Title: "DPRSim experiment", Icon: "experiment", Picture: experimentIcon,
			Globs: []string{"*.experiment"}, Parent: "text/plain",
			Magic: []model.Magic{{Bytes: []byte("WORLD="), To: 1024,
				And: []model.Magic{{Bytes: []byte("TIMESTEPS="), To: 1024}}}}}},
	}
}
