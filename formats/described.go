package formats

import (
	"context"
	"fmt"
	"strings"

	"assay/formats/kaitai"
	"assay/model"
)

// As returns what opens files as the format of that name, whatever their content says; a name that ends in .ksy is the
// path of a description.
func As(name string) (func(ctx context.Context, src *model.Source) (*model.Document, error), error) {
	if strings.HasSuffix(name, ".ksy") {
		library := &kaitai.Library{Own: true}
		d, err := library.Load(name)
		if err != nil {
			return nil, err
		}
		return func(ctx context.Context, src *model.Source) (*model.Document, error) { return kaitai.Open(ctx, src, d) }, nil
	}
	for _, f := range table {
		if f.Name == name {
			return f.Open, nil
		}
	}
	var names []string
	for _, f := range table {
		names = append(names, f.Name)
	}
	return nil, fmt.Errorf("there is no format %s; give one of %s, or the path of a description (.ksy)",
		model.OneLine(name, 100), strings.Join(names, ", "))
}
