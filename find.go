package main

import (
	"path"
	"slices"
	"strings"

	"assay/formats"
	"assay/model/find"
	"assay/model/search"
	"assay/model/verbs"
)

type findCommand struct {
	formatFlag
	What       string   `arg:"" help:"What to find: a text; with --in names or values a filter, such as *.png or 'class ~ texture'."`
	Files      []string `arg:"" optional:"" name:"file" help:"The files and folders; this folder by default. Folders are entered, and so are packages in them."`
	In         string   `enum:"names,values,text,bytes" default:"text" help:"What is searched: names (of files, assets, objects), values (of fields), text or bytes. Default: text."`
	As         string   `placeholder:"WAY" help:"How what to find is read, in text: text (any encoding), utf-8, utf-16le or utf-16be; in bytes: hex, integer, int8 to int64, float, float32 or float64."`
	Order      string   `enum:"any,little,big" default:"any" help:"The byte order of numbers: any, little or big."`
	IgnoreCase bool     `short:"i" help:"In text, upper and lower case are the same."`
	Only       string   `placeholder:"FILTER" help:"Search only files and assets that fit, and what is in them: '*.png', 'size > 1 MB'."`
	Most       int      `placeholder:"N" help:"The most hits of a file."`
	JSON       bool     `name:"json" xor:"form" help:"Print each hit as a JSON object in a line."`
	CSV        bool     `name:"csv" xor:"form" help:"Print the hits as a table."`
	Names      bool     `short:"l" name:"files" xor:"form" help:"Print only the files in which something is found."`
	Count      bool     `short:"c" xor:"form" help:"Print only how many hits each file has."`
}

func (c *findCommand) Run(s *session) error {
	if err := c.use(s); err != nil {
		return err
	}
	if len(c.Files) == 0 {
		c.Files = []string{"."}
	}
	s.status = s.runner.Find(s.ctx, c.Files, verbs.FindOptions{Most: c.Most, Formats: searched(),
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
