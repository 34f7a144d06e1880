package export

import (
	"context"
	"slices"
	"strings"

	"assay/model"
	"assay/model/find"
)

// Chooser selects assets by patterns of the user: keys, names, paths in the structure, and filters.
type Chooser struct {
	texts   []string
	filters []*find.AssetQuery   // nil if the text is the key or the name of one asset
	paths   []*model.PathPattern // of the texts that are a path; nil for the others
	keys    []map[string]bool    // of assets of the nodes at a path, if they are elsewhere
	isUsed  []bool
}

// NewChooser makes a chooser; without texts it selects all assets. A text that begins with a slash is a path in the
// structure, with numbers, names or globs, and selects the assets at it or below it. One without patterns and
// conditions is a key, in any case, or a name. Any other is a filter of package query, such as *.png size > 1 MB.
func NewChooser(texts []string) (*Chooser, error) {
	n := len(texts)
	c := &Chooser{texts, make([]*find.AssetQuery, n), make([]*model.PathPattern, n), make([]map[string]bool, n),
		make([]bool, n)}
	for i, text := range texts {
		if strings.HasPrefix(text, "/") && !strings.ContainsAny(text, " \t=<>!") { // ~ is a part of paths
			c.paths[i] = model.NewPathPattern(text)
			continue
		}
		q, err := find.NewAssetQuery(text)
		if err != nil {
			return nil, err
		}
		switch f := q.Filter(); {
		case strings.HasPrefix(text, "/") && (f.IsSingleWord() || f.IsPlain()):
			c.paths[i] = model.NewPathPattern(text)
		case !f.IsPlain():
			c.filters[i] = q
		}
	}
	return c, nil
}

// Selects reports whether an asset is picked.
func (c *Chooser) Selects(ctx context.Context, p *model.Payload) bool {
	if len(c.texts) == 0 {
		return true
	}
	found := false
	for i, text := range c.texts {
		if c.keys[i][p.Key] || strings.EqualFold(text, p.Key) || text == p.Name || c.isMatch(ctx, i, p) {
			c.isUsed[i], found = true, true
		}
	}
	return found
}

// isMatch reports whether an asset is at the i-th path, or matches the i-th filter.
func (c *Chooser) isMatch(ctx context.Context, i int, p *model.Payload) bool {
	if pattern := c.paths[i]; pattern != nil {
		return p.Node != nil && pattern.Matches(p.Node)
	}
	return c.filters[i] != nil && c.filters[i].Match(ctx, p)
}

// maxNodes is the number of nodes at a path that are searched for their assets.
const maxNodes = 1 << 16

// Follow searches the nodes at the paths that matched no asset for links to assets, such as from the content of an
// asset that is listed elsewhere. It reports whether a link exists, so that Choose should be called again.
func (c *Chooser) Follow(ctx context.Context, documents []*model.Document) (linked bool, err error) {
	for i, pattern := range c.paths {
		if pattern == nil || c.isUsed[i] {
			continue
		}
		for _, d := range documents {
			nodes := pattern.Find(d.Root(), maxNodes)
			if len(nodes) == 0 || d.Payloads == nil {
				continue
			}
			index, err := d.AssetIndex(ctx)
			if err != nil {
				return false, err
			}
			found, _, err := index.AssetsOf(ctx, nodes)
			if err != nil {
				return false, err
			}
			for _, k := range found {
				if c.keys[i] == nil {
					c.keys[i] = make(map[string]bool)
				}
				c.keys[i][d.Payloads.At(k).Key] = true
				linked = true
			}
		}
	}
	return linked, nil
}

// UnusedTexts lists the texts that picked nothing so far.
func (c *Chooser) UnusedTexts() []string {
	var out []string
	for i, u := range c.isUsed {
		if !u {
			out = append(out, c.texts[i])
		}
	}
	return out
}

// Choose lists the assets of one file that c picks, to be written in a form.
func (c *Chooser) Choose(ctx context.Context, from model.Payloads, file, form string) []Pick {
	if from == nil {
		return nil
	}
	pick := Pick{From: from, Count: from.Len(), Form: form, File: file}
	if len(c.texts) == 0 {
		if pick.Count == 0 {
			return nil
		}
		return []Pick{pick}
	}
	var out []Pick
	for i := range pick.Count {
		if ctx.Err() == nil && c.Selects(ctx, from.At(i)) {
			out = AddPick(out, Pick{From: from, Index: i, Form: form, File: file})
		}
	}
	return out
}

// usualTypes are the media types of the forms that Options.Usual chooses.
var usualTypes = []string{"model/gltf-binary", "image/png"}

// formTitles are the display names of forms.
var formTitles = map[string]string{
	"raw": "Original", "stored": "Stored (compressed)", "json": "JSON", "txt": "Text", "csv": "CSV table",
	"png": "PNG picture", "png-all": "PNG, all pictures", "png-alpha": "PNG with alpha", "exr": "OpenEXR", "fnt": "BMFont",
	"glb": "glTF binary", "glb-unlit": "glTF binary, unlit extension",
	"glb-lights": "glTF binary, with fill lights", "glb-as-stored": "glTF binary, original axes",
	"obj": "Wavefront OBJ", "ply": "PLY points",
}

// FormTitle returns the display name of a form.
func FormTitle(form string) string {
	if t, ok := formTitles[form]; ok {
		return t
	}
	return form
}

// usualForm returns the first form of an asset that is a picture or a scene and not FromContent, or "" for its first
// form of any type.
func usualForm(p *model.Payload) string {
	for _, f := range p.Forms {
		if !f.FromContent && slices.Contains(usualTypes, f.MediaType) {
			return f.Name
		}
	}
	return ""
}

// rawForm is an asset's own bytes.
const rawForm = "raw"

var onlyRaw = []string{rawForm}

// formOf returns the named form, or the first one. Every asset with bytes of its own has the form raw.
func formOf(p *model.Payload, name string) (model.Form, bool) {
	for _, f := range p.Forms {
		if name == "" || f.Name == name {
			return f, !f.IsRaw() || p.Open != nil
		}
	}
	return model.Form{Name: rawForm}, p.Open != nil && (name == "" || name == rawForm)
}

// FormNames lists the forms that an asset can be written in, the default first.
func FormNames(p *model.Payload) []string {
	if len(p.Forms) == 0 && p.Open != nil {
		return onlyRaw // by far the most; a million of them share it
	}
	var out []string
	raw := p.Open != nil
	for _, f := range p.Forms {
		out = append(out, f.Name)
		raw = raw && f.Name != rawForm
	}
	if raw {
		out = append(out, rawForm)
	}
	return out
}
