package formats

import (
	"slices"

	"assay/model"
)

// Pages returns what people read about the formats, one page each: those of the table, then the descriptions.
func (o Opener) Pages() []*model.Page {
	var all []*model.Page
	for _, f := range table {
		if f.Page != nil && !slices.Contains(all, f.Page()) {
			all = append(all, f.Page())
		}
	}
	if o.Gallery == nil {
		return all
	}
	for _, e := range o.Gallery.List("") {
		if e.Err == nil {
			all = append(all, e.Description.Page())
		}
	}
	return all
}
