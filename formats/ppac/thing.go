package ppac

import (
	"strconv"

	"assay/model"
)

// thing says that the content of an entry is an asset to people, of which type, and how it is stored.
func (f *file) thing(n *model.Node) (model.Thing, bool) {
	if n.Parent != f.assetList || n.Key == "" {
		return model.Thing{}, false
	}
	id, err := strconv.ParseUint(n.Key[:min(4, len(n.Key))], 16, 16)
	if err != nil {
		return model.Thing{}, false
	}
	return model.Thing{Kind: "asset", Group: typeName(uint16(id)), Bytes: n.Size}, true
}
