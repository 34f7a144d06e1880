package doc

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"assay/model"
	"assay/ui/hex"
	"assay/ui/host"
)

// copyMax is how many nodes are copied at once.
const copyMax = 10_000

// copyNodes copies a line for each selected node.
func (p *Pane) copyNodes(line func(n *model.Node) string) {
	var lines []string
	for _, n := range p.Selection().Nodes(copyMax) {
		lines = append(lines, line(n))
	}
	p.Copy(strings.Join(lines, "\n"))
}

// CopyPath copies the paths of the selected nodes.
func (p *Pane) CopyPath() { p.copyNodes((*model.Node).NamePath) }

// CopyValue copies the values of the selected nodes; of one without a value, its key or name.
func (p *Pane) CopyValue() {
	p.copyNodes(func(n *model.Node) string {
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
func (p *Pane) CopyOffset() {
	p.copyNodes(func(n *model.Node) string { return fmt.Sprintf("%#x", n.Offset) })
}

// CopyCaret copies the offset of the caret in the hex view.
func (p *Pane) CopyCaret() { p.Copy(fmt.Sprintf("%#x", p.bytes.hex.Caret())) }

// CopyBytes copies the selected range of bytes, or the selected node's, in a form.
func (p *Pane) CopyBytes(form hex.Form) {
	s := p.Selection()
	offset, length := p.bytes.hex.Range()
	if length == 0 && s.Node != nil {
		offset, length = s.Node.Offset, s.Node.Size
	}
	if length == 0 {
		complain(p, errors.New("select bytes or a node first"))
		return
	}
	p.group.Go(func(context.Context) func() {
		text, err := hex.Format(s.Document.Source, offset, length, form)
		return func() {
			if err != nil {
				complain(p, err)
				return
			}
			p.Copy(text)
			p.Tell(fmt.Sprintf("Copied %s as %s.", host.Count(length, "byte"), strings.ToLower(form.String())))
		}
	})
}
