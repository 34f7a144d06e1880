package formats

import "assay/model"

// FileTypes lists what a desktop is told about the files that Assay opens. Extensions that belong to others too (.pac
// to proxy scripts, .world and .state to anyone) are not claimed: there the content tells.
func FileTypes() []model.FileType {
	return []model.FileType{
		{MIME: "application/gpb", Title: "Gameplay bundle", Icon: "gpb", Globs: []string{"*.gpb"},
			Magic: []model.Magic{{Bytes: []byte("\xABGPB\xBB\r\n\x1A\n")}}},
		{MIME: "application/x-crystalengine-asset", Title: "CrystalEngine asset", Icon: "casset", Globs: []string{"*.casset"},
			Magic: []model.Magic{{Bytes: []byte("\x00PACK\x00\x00\n")}, {Bytes: []byte("\x00BUNDLE\x00")}}},
		{MIME: "application/x-ppac", Title: "PhoenixLAB packaged assets", Icon: "ppac", Globs: []string{"*.ppac"}, Shared: []string{"*.pac"},
			Magic: []model.Magic{{Bytes: []byte("PPAC\x00\x04")}}},
		{MIME: "application/x-dprsim-state", Title: "DPRSim world or state", Icon: "world", Shared: []string{"*.world", "*.state"},
			Magic: []model.Magic{{Bytes: []byte("CLAY\x01")}}},
		{MIME: "text/x-dprsim-experiment", Title: "DPRSim experiment", Icon: "experiment", Globs: []string{"*.experiment"}, Parent: "text/plain",
			Magic: []model.Magic{{Bytes: []byte("WORLD="), To: 1024, And: []model.Magic{{Bytes: []byte("TIMESTEPS="), To: 1024}}}}},
	}
}
