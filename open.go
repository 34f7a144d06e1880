package main

import (
	"assay/assets"
	"assay/formats"
	"assay/ui"
	window "assay/ui/session"
)

const version = "0.1.0"

type openCommand struct {
	Files  []string `arg:"" optional:"" name:"file" help:"The files to open."`
	Sample bool     `help:"Open a sample that the program carries inside itself."`
}

func (c *openCommand) Run(s *session) error {
	o := ui.Options{Open: formats.OpenFile, OpenSource: formats.Open, Files: c.Files, Sample: c.Sample, Version: version, Icon: assets.Icon}
	for _, sample := range assets.Samples() {
		o.Samples = append(o.Samples, window.Sample{Name: sample.Name, Title: sample.Title, Bytes: sample.Bytes})
	}
	for _, f := range formats.All() {
		o.Kinds = append(o.Kinds, window.Kind{Title: f.Title, Extensions: f.Extensions})
	}
	return ui.Run(s.ctx, o)
}
