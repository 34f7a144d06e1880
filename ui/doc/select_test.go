package doc

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"

	"assay/model"
)

func TestDetailsOfAPackageNodeIncludeItsAsset(t *testing.T) {
	root := &model.Node{Type: "Root"}
	root.SetChildren(model.List{{Name: "duck.gpb", Type: "Entry", Span: model.Span{Size: 4}}, {Name: "count", Type: "u32"}})
	d := model.NewDocument(model.NewSource("a.ppac", bytes.NewReader(make([]byte, 8)), 8), "test", "1", root)
	n := root.Child(0)
	d.Payloads = model.PayloadList{{Name: "duck.gpb", Type: model.UnknownType, Size: 1000, Codec: "deflate",
		Stored: model.Span{Size: 4}, Node: n}}
	assert.Empty(t, assetFacts(t.Context(), d, n), "not a package")
	d.IsPackage = true
	assert.Equal(t, "gpb · 1,000 bytes · 4 stored, deflate", assetFacts(t.Context(), d, n))
	assert.Empty(t, assetFacts(t.Context(), d, root.Child(1)))
	assert.Empty(t, assetFacts(t.Context(), d, root))
}
