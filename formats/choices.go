package formats

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"assay/formats/decode"
	"assay/formats/kaitai"
	"assay/formats/kaitai/gallery"
	"assay/model"
)

// As returns a func that opens files as the named format, regardless of their content: a format of the table, of the
// gallery, or, if the name ends in .ksy, the description in that file.
func (o Opener) As(name string) (model.Opener, error) {
	if strings.HasSuffix(name, ".ksy") {
		g := o.Gallery
		if g == nil {
			g = new(gallery.Gallery)
		}
		d, err := g.Load(name)
		if err != nil {
			return nil, err
		}
		return o.withDescription(d), nil
	}
	var names []string
	var named []decode.Format
	for _, f := range table {
		names = append(names, f.Name)
		if f.Name == name {
			named = append(named, f)
		}
	}
	if len(named) > 0 {
		return func(ctx context.Context, src *model.Source) (*model.Document, error) {
			head, err := headOf(src)
			if err != nil {
				return nil, err
			}
			d, err := openSource(ctx, cmp.Or(recognize(src, head, named), &named[0]), src)
			return o.withAssetForms(d), err
		}, nil
	}
	if o.Gallery != nil {
		for _, e := range o.Gallery.List("") {
			switch {
			case e.Name != name:
			case e.Err != nil:
				return nil, e.Err
			default:
				return o.withDescription(e.Description), nil
			}
			names = append(names, e.Name)
		}
	}
	return nil, fmt.Errorf("unknown format %s; use one of %s, or a description file (.ksy)",
		model.OneLine(name, 100), strings.Join(slices.Compact(names), ", "))
}

// withDescription returns a func that opens files by a description, with the assets in them in all of their forms.
func (o Opener) withDescription(d *kaitai.Description) model.Opener {
	return func(ctx context.Context, src *model.Source) (*model.Document, error) {
		doc, err := d.Open(ctx, src)
		return o.withAssetForms(doc), err
	}
}

// Choice is a format for opening a file.
type Choice struct {
	Name  string // for As
	Title string
	From  string // the path of the description, or empty for a built-in format
	Err   error  // the reason why the description cannot be used, or nil
}

// Choices returns the formats for opening the file at a path: the descriptions beside it, the formats of the table, and
// the other descriptions for it.
func (o Opener) Choices(file string) []Choice {
	var choices []Choice
	listed := make(map[string]bool) // a description of the user overrides a bundled one
	list := func(entries []*gallery.Entry) {
		for _, e := range entries {
			if listed[e.File] || e.Bundled && listed[e.Name] {
				continue
			}
			listed[e.File], listed[e.Name] = true, true
			c := Choice{Name: e.Name, Title: e.Name, Err: e.Err}
			if !e.Bundled {
				c.Name, c.From = e.File, e.File
			}
			if e.Description != nil {
				c.Title = e.Description.Title
			}
			choices = append(choices, c)
		}
	}
	if o.Gallery != nil {
		list(o.Gallery.EntriesBeside(file))
	}
	for _, f := range table {
		if n := len(choices); n > 0 && choices[n-1].Name == f.Name {
			choices[n-1].Title += " or " + f.Title // the content decides between them
			continue
		}
		choices = append(choices, Choice{Name: f.Name, Title: f.Title})
	}
	if o.Gallery != nil {
		list(o.Gallery.List(file))
	}
	return choices
}
