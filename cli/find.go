package cli

import (
	"path"
	"slices"
	"strings"

	"assay/formats"
	"assay/model/find"
	"assay/model/search"
)

type findCommand struct {
	formatFlag
	What       string   `arg:"" help:"Text to find; with --in names or --in values, a filter such as *.png or 'class ~ texture'."`
	Files      []string `arg:"" optional:"" name:"file" help:"Files and folders to search, including packages in them. Default: the current folder."`
	In         string   `enum:"names,values,text,bytes" default:"text" help:"Where to search: text, bytes, names (of files, assets, and objects), or values (of fields). Default: text."`
	As         string   `placeholder:"WAY" help:"How to interpret WHAT. For text: text (any encoding), utf-8, utf-16le, utf-16be. For bytes: hex, integer, int8 to int64, float, float32, float64."`
	Order      string   `enum:"any,little,big" default:"any" help:"The byte order of numbers: any, little or big."`
	IgnoreCase bool     `short:"i" help:"Ignore case."`
	Only       string   `placeholder:"FILTER" help:"Search only matching files and assets, such as '*.png' or 'size > 1 MB'."`
	Most       int      `placeholder:"N" help:"Maximum number of matches per file."`
	JSON       bool     `name:"json" xor:"form" help:"Print one JSON object per match."`
	CSV        bool     `name:"csv" xor:"form" help:"Print the matches as CSV."`
	Names      bool     `short:"l" name:"files" xor:"form" help:"Print only names of files with matches."`
	Count      bool     `short:"c" xor:"form" help:"Print only the number of matches per file."`
}

func (c *findCommand) Run(s *session) error {
	if err := c.use(s); err != nil {
		return err
	}
	if len(c.Files) == 0 {
		c.Files = []string{"."}
	}
	s.status = s.runner.Find(s.ctx, c.Files, FindOptions{Most: c.Most, Formats: searched(),
		JSON: c.JSON, CSV: c.CSV, Files: c.Names, Count: c.Count,
		Terms: search.Terms{Kind: search.Kind(c.In), Text: c.What, Way: c.As, MatchCase: !c.IgnoreCase, Only: c.Only,
			Order: map[string]find.Order{"little": find.LittleEndian, "big": find.BigEndian}[c.Order]}})
	return nil
}

// searched says which assets are searched as files: those with the extension of a format.
func searched() search.Formats {
	var opened, packed []string
	for _, f := range formats.All() {
		opened = append(opened, f.Extensions()...)
		if f.Packer != nil {
			packed = append(packed, f.Extensions()...)
		}
	}
	among := func(all []string) func(name string) bool {
		return func(name string) bool { return slices.Contains(all, strings.ToLower(path.Ext(name))) }
	}
	return search.Formats{Opens: among(opened), Packs: among(packed)}
}
