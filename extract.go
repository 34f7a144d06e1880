package main

import (
	"cmp"

	"assay/model/export"
	"assay/model/verbs"
)

type extractCommand struct {
	resourcesFlag
	formatFlag
	Files     []string `arg:"" name:"file" help:"The files; with --recursive also folders. Of packages that are loaded one over the other, later ones win."`
	Recursive bool     `short:"r" help:"Enter folders, and read the files in them whose format is recognised."`
	Output    string   `short:"o" placeholder:"DIR" help:"The folder to write into; made if it is not there. Default: the present one."`
	List      bool     `help:"List what would be written, and write nothing."`
	JSON      bool     `name:"json" help:"Print the report as JSON."`
	As        string   `predictor:"form" placeholder:"FORM" help:"The form to write: raw, json, png, glb, obj, csv ... (--list names those of each asset). Default: the first of them."`
	Only      []string `sep:"none" predictor:"path" placeholder:"FILTER" help:"Only these: a key, a name, a path in the structure (/...), or a filter such as '*.png size > 1 MB' (assay help filters). May be repeated."`
	Names     string   `placeholder:"TEMPLATE" help:"Names of the files: {dir} {name} {ext} {key} {type} {index} {file}. Default: {dir}{name}{ext}."`
	Conflict  string   `enum:"number,skip,overwrite," default:"" placeholder:"number" help:"What to do where a file has the name: number, skip, overwrite. Default: number."`
	Preset    string   `predictor:"preset" placeholder:"NAME" help:"Forms, names, conflicts and folder that were saved under a name in the window. Flags on the command line take precedence."`
	AnySize   bool     `help:"Also write assets that expand to more than 1 GiB and 100 times their stored bytes, as a decompression bomb does."`
	Limit     byteSize `placeholder:"SIZE" help:"The most bytes that an asset may expand to, such as 64MB or 1GiB; 4 GiB by default."`
}

func (c *extractCommand) Run(s *session) error {
	if err := cmp.Or(c.formatFlag.use(s), c.resourcesFlag.use(s)); err != nil {
		return err
	}
	s.useAssignments()
	var preset *export.Preset
	if c.Preset != "" {
		saved, err := export.LoadPresets(export.PresetFile())
		if err != nil {
			return err
		}
		p, err := saved.Find(c.Preset)
		if err != nil {
			return err
		}
		preset = &p
		c.Names, c.Conflict, c.Output = cmp.Or(c.Names, p.Names), cmp.Or(c.Conflict, p.Conflict),
			cmp.Or(c.Output, p.Folder)
	}
	names, err := export.ParseTemplate(c.Names)
	if err != nil {
		return err
	}
	conflict, err := export.ParseRule(cmp.Or(c.Conflict, "number"))
	if err != nil {
		return err
	}
	s.status = s.runner.Extract(s.ctx, c.Files, verbs.ExtractOptions{Folder: cmp.Or(c.Output, "."),
		Recursive: c.Recursive, List: c.List, JSON: c.JSON, Form: c.As, Preset: preset, Only: c.Only,
		AnySize: c.AnySize, Options: export.Options{Names: names, Conflict: conflict, Limit: int64(c.Limit)}})
	return nil
}
