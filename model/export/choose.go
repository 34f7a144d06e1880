package export

import (
	"context"
	"fmt"
	"path"
	"strings"

	"assay/model"
)

// Chooser picks assets by what a person writes: keys, paths in the structure, and patterns of names.
type Chooser struct {
	patterns []string
	paths    []*model.PathPattern // of the patterns that are paths; nil for the others
	keys     []map[string]bool    // of assets that the nodes at a path stand for, where they are not in them
	used     []bool
}

// NewChooser makes a chooser; without patterns it takes everything. A pattern that begins with a slash is a path in
// the structure, with numbers, names or globs, and takes what is at it or below it. Any other is a key, whatever the
// case of its letters, or a glob of the key or of the name: of the whole name if it has a slash, else of the last part.
func NewChooser(patterns []string) (*Chooser, error) {
	c := &Chooser{patterns, make([]*model.PathPattern, len(patterns)), make([]map[string]bool, len(patterns)),
		make([]bool, len(patterns))}
	for i, p := range patterns {
		if strings.HasPrefix(p, "/") {
			c.paths[i] = model.NewPathPattern(p)
		}
		if _, err := path.Match(p, ""); err != nil && !strings.HasPrefix(p, "/") {
			return nil, fmt.Errorf("%q is not a pattern: a bracket is not closed", p)
		}
	}
	return c, nil
}

// Wants reports whether an asset is picked.
func (c *Chooser) Wants(p *model.Payload) bool {
	if len(c.patterns) == 0 {
		return true
	}
	found := false
	for i, pattern := range c.patterns {
		if at := c.paths[i]; at != nil && p.Node != nil && at.Holds(p.Node) || c.keys[i][p.Key] || matches(pattern, p) {
			c.used[i], found = true, true
		}
	}
	return found
}

// nodesMost is how many nodes at a path are looked at for their assets.
const nodesMost = 1 << 16

// Follow looks at the nodes of documents at the paths that picked nothing: they may lead to assets, as the content of
// an asset does that is listed elsewhere. It reports whether any does, so that it is worth choosing once more.
func (c *Chooser) Follow(ctx context.Context, documents []*model.Document) (leads bool, err error) {
	for i, at := range c.paths {
		if at == nil || c.used[i] {
			continue
		}
		for _, d := range documents {
			nodes := at.Find(d.Root(), nodesMost)
			if len(nodes) == 0 || d.Payloads == nil {
				continue
			}
			places, err := model.IndexAssets(ctx, d)
			if err != nil {
				return false, err
			}
			found, _, err := places.Of(ctx, nodes)
			if err != nil {
				return false, err
			}
			for _, k := range found {
				if c.keys[i] == nil {
					c.keys[i] = make(map[string]bool)
				}
				c.keys[i][d.Payloads.At(k).Key] = true
				leads = true
			}
		}
	}
	return leads, nil
}

func matches(pattern string, p *model.Payload) bool {
	if strings.EqualFold(pattern, p.Key) || pattern == p.Name {
		return true
	}
	name := strings.ReplaceAll(p.Name, `\`, "/")
	if !strings.Contains(pattern, "/") {
		name = path.Base(name)
	}
	for _, s := range []string{name, p.Key} {
		if ok, _ := path.Match(pattern, s); ok {
			return true
		}
	}
	return false
}

// Unused lists the patterns that picked nothing so far.
func (c *Chooser) Unused() []string {
	var out []string
	for i, u := range c.used {
		if !u {
			out = append(out, c.patterns[i])
		}
	}
	return out
}

// Choose lists the assets of one file that c picks; file is its name, form the form they are to have.
func (c *Chooser) Choose(from model.Payloads, file, form string) []Pick {
	if from == nil {
		return nil
	}
	all := Pick{From: from, Count: from.Len(), Form: form, File: file}
	if len(c.patterns) == 0 {
		if all.Count == 0 {
			return nil
		}
		return []Pick{all}
	}
	var out []Pick
	for i := range all.Count {
		if c.Wants(from.At(i)) {
			out = AddPick(out, Pick{From: from, Index: i, Form: form, File: file})
		}
	}
	return out
}
