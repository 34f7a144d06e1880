package export

import (
	"slices"

	"assay/model"
)

// usualTypes are the media types of forms that are preferred to the bytes of an asset.
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

// usualForm returns the preferred form of an asset: its first one, or a picture or a scene instead of its bytes.
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
