package cli

import (
	"cmp"

	"assay/model/export"
)

type extractCommand struct {
	resourcesFlag
	formatFlag
	Files     []string `arg:"" name:"file" help:"Files, or folders with --recursive. Of several packages, later ones override earlier ones."`
	Recursive bool     `short:"r" help:"Include recognized files in folders."`
	Output    string   `short:"o" placeholder:"DIR" help:"Output folder, created if missing. Default: the current folder."`
	List      bool     `help:"List the files without writing them."`
	JSON      bool     `name:"json" help:"Print the report as JSON."`
	As        string   `predictor:"form" placeholder:"FORM" help:"Export format, such as raw, json, png, glb, obj, or csv (see --list). Default: the first format of each asset."`
	Only      []string `sep:"none" predictor:"path" placeholder:"FILTER" help:"Export only matching assets: a key, name, path (/...), or filter such as '*.png size > 1 MB' (see assay help filters). Can be repeated."`
	Names     string   `placeholder:"TEMPLATE" help:"Names of the files: {dir} {name} {ext} {key} {type} {index} {file}. Default: {dir}{name}{ext}."`
	Conflict  string   `enum:"number,skip,overwrite," default:"" placeholder:"number" help:"If a file already exists: number, skip, or overwrite. Default: number."`
	Preset    string   `predictor:"preset" placeholder:"NAME" help:"Use an export preset saved in the window. Other flags override it."`
	AnySize   bool     `help:"Allow assets that expand to more than 1 GiB and more than 100 times their stored size (possible decompression bombs)."`
	Limit     byteSize `placeholder:"SIZE" help:"Maximum expanded size of an asset, such as 64MB or 1GiB. Default: 4GiB."`
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
	s.status = s.runner.Extract(s.ctx, c.Files, ExtractOptions{Folder: cmp.Or(c.Output, "."),
		Recursive: c.Recursive, List: c.List, JSON: c.JSON, Form: c.As, Preset: preset, Only: c.Only,
		AnySize: c.AnySize, Options: export.Options{Names: names, Conflict: conflict, Limit: int64(c.Limit)}})
	return nil
}
