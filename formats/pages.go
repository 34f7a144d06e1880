package formats

import (
	"slices"

	"assay/model"
)

// Pages returns what people read about the formats, one page each: of a description that the gallery has, only when it
// is asked for by its name.
func (o Opener) Pages() []*model.Page {
	var all []*model.Page
	for _, f := range table {
		if f.Page != nil && !slices.Contains(all, f.Page()) {
			all = append(all, f.Page())
		}
	}
	return all
}
