package comparison

import (
	"context"
	"errors"

	"assay/model"
	"assay/model/compare"
)

// exportedMost is how many nodes are handed to the export at once.
const exportedMost = 100_000

var errEnough = errors.New("there are more than can be exported at once")

// exportSelected hands the new nodes of the selected pairs to the export.
func (c *Comparison) exportSelected() {
	var nodes []*model.Node
	for _, p := range c.list.selected(exportedMost) {
		if p.New != nil {
			nodes = append(nodes, p.New)
		}
	}
	c.export(c.c, nodes)
}

// ExportChanged hands everything to the export that is new or changed in the new file and has a key: only such things are
// assets.
func (c *Comparison) ExportChanged() {
	if c.c == nil {
		return
	}
	found := c.c
	c.Busy("Gathering what changed", -1, nil)
	c.Group.Go(func(ctx context.Context) func() {
		var nodes []*model.Node
		err := found.Rows(func(p *compare.Pair) error {
			if len(nodes) >= exportedMost {
				return errEnough
			}
			if p.New != nil && p.New.Key != "" && (p.Status == compare.Added || p.Status == compare.Changed) {
				nodes = append(nodes, p.New)
			}
			return ctx.Err()
		})
		return func() {
			c.Busy("", 0, nil)
			if err != nil {
				c.complain(err)
			}
			c.export(found, nodes)
		}
	})
}

func (c *Comparison) export(found *compare.Comparison, nodes []*model.Node) {
	if len(nodes) == 0 {
		c.Tell("There is nothing here that could leave the new file.")
		return
	}
	c.Export(found.New, nodes)
}
