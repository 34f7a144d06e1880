package doc

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"fyne.io/fyne/v2"

	"assay/model"
	"assay/ui/hex"
	"assay/ui/wording"
)

// copyMax is how many nodes are copied at once.
const copyMax = 10_000

func (p *Pane) copyText(text string) {
	if p.OnCopy != nil {
		p.OnCopy(text)
	}
	p.hint("Copied: " + model.OneLine(text, 80))
}

// copyNodes copies a line for each selected node.
func (p *Pane) copyNodes(line func(n *model.Node) string) {
	var lines []string
	for _, n := range p.Selection().Nodes(copyMax) {
		lines = append(lines, line(n))
	}
	p.copyText(strings.Join(lines, "\n"))
}

// CopyPath copies the paths of the selected nodes.
func (p *Pane) CopyPath() { p.copyNodes((*model.Node).PathText) }

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
func (p *Pane) CopyCaret() { p.copyText(fmt.Sprintf("%#x", p.hex.Caret())) }

// CopyBytes copies the selected range of bytes, or the selected node's, in a form.
func (p *Pane) CopyBytes(form hex.Form) {
	offset, length := p.hex.Range()
	if length == 0 && p.node != nil {
		offset, length = p.node.Offset, p.node.Size
	}
	if length == 0 {
		p.complain(errors.New("nothing is selected: select bytes or a node first"))
		return
	}
	data := p.doc.Source
	p.group.Go(func(context.Context) func() {
		text, err := hex.Format(data, offset, length, form)
		return func() {
			if err != nil {
				p.complain(err)
				return
			}
			if p.OnCopy != nil {
				p.OnCopy(text)
			}
			p.hint(fmt.Sprintf("Copied %s as %s.", wording.Count(length, "byte"), strings.ToLower(form.String())))
		}
	})
}

func (p *Pane) showMenu(at fyne.Position, items ...*fyne.MenuItem) {
	if p.OnMenu != nil {
		p.OnMenu(fyne.NewMenu("", items...), at)
	}
}

// nodeMenu is the menu of a node in the tree.
func (p *Pane) nodeMenu(n *model.Node, at fyne.Position) {
	if p.resolve(n) != nil && p.NodeMenu != nil {
		p.NodeMenu(at)
	}
}

// byteMenu is the menu of the hex view.
func (p *Pane) byteMenu(_ int64, at fyne.Position) {
	if p.ByteMenu != nil {
		p.ByteMenu(at)
	}
}
