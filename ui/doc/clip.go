package doc

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"assay/model"
	"assay/ui/hex"
	"assay/ui/wording"
	"assay/ui/work"
)

// copyMax is how many nodes are copied at once.
const copyMax = 10_000

// clip copies what is selected.
type clip struct {
	Host
	group    *work.Group
	hex      *hex.Hex
	selected func() Selection
}

// copyNodes copies a line for each selected node.
func (c *clip) copyNodes(line func(n *model.Node) string) {
	var lines []string
	for _, n := range c.selected().Nodes(copyMax) {
		lines = append(lines, line(n))
	}
	c.Copy(strings.Join(lines, "\n"))
}

// CopyPath copies the paths of the selected nodes.
func (c *clip) CopyPath() { c.copyNodes((*model.Node).NamePath) }

// CopyValue copies the values of the selected nodes; of one without a value, its key or name.
func (c *clip) CopyValue() {
	c.copyNodes(func(n *model.Node) string {
		switch v := n.Value.(type) {
		case string:
			return v
		case nil:
			if n.Key != "" {
				return n.Key
			}
			return n.Name
		}
		return n.ValueText()
	})
}

// CopyOffset copies the offsets of the selected nodes.
func (c *clip) CopyOffset() {
	c.copyNodes(func(n *model.Node) string { return fmt.Sprintf("%#x", n.Offset) })
}

// CopyCaret copies the offset of the caret in the hex view.
func (c *clip) CopyCaret() { c.Copy(fmt.Sprintf("%#x", c.hex.Caret())) }

// CopyBytes copies the selected range of bytes, or the selected node's, in a form.
func (c *clip) CopyBytes(form hex.Form) {
	s := c.selected()
	offset, length := c.hex.Range()
	if length == 0 && s.Node != nil {
		offset, length = s.Node.Offset, s.Node.Size
	}
	if length == 0 {
		complain(c, errors.New("nothing is selected: select bytes or a node first"))
		return
	}
	c.group.Go(func(context.Context) func() {
		text, err := hex.Format(s.Document.Source, offset, length, form)
		return func() {
			if err != nil {
				complain(c, err)
				return
			}
			c.Copy(text)
			c.Tell(fmt.Sprintf("Copied %s as %s.", wording.Count(length, "byte"), strings.ToLower(form.String())))
		}
	})
}
