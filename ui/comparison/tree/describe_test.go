package tree_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"assay/model"
	"assay/model/compare"
	"assay/model/modeltest"
	"assay/ui/comparison/tree"
)

// TestAnAssetThatIsAFileShowsItsChanges selects an asset whose content is a file with nodes.
func TestAnAssetThatIsAFileShowsItsChanges(t *testing.T) {
	scene := func(mass uint64) *model.Document {
		d := modeltest.Document("1", modeltest.Node("", "Scene", "", modeltest.List("nodes", "Node",
			modeltest.Node("", "Node", "hero", modeltest.Leaf("mass", mass)))))
		d.Item = func(n *model.Node) (model.Item, bool) { return model.Item{Kind: "node"}, n.Type == "Node" }
		return d
	}
	file := func(mass uint64) *model.Document {
		d := modeltest.Document("1", modeltest.Node("", "File", "", modeltest.List("assets", "Asset",
			modeltest.Node("", "Asset", "scene", modeltest.Leaf("data", mass)))))
		d.Item = func(n *model.Node) (model.Item, bool) {
			return model.Item{Kind: "asset", File: func(context.Context) (*model.Document, error) {
				return scene(mass), nil
			}}, n.Type == "Asset"
		}
		return d
	}
	c := modeltest.Compare(t, file(1), file(2), compare.Options{})
	p := c.At(model.Path{0, 1})
	assert.Equal(t, "Asset", p.Node().Type)
	var said []string
	for _, l := range tree.ReadDetails(t.Context(), c, p, nil) {
		said = append(said, strings.TrimSpace(l.Cells[0].Text))
	}
	assert.Equal(t, []string{"1 node changed; data 1 → 2 (+1)", "~ node hero: mass 1 → 2 (+1)",
		"Changes in this node", "~  data", ""}, said)
}
