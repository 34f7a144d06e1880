package doc

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"assay/model"
	"assay/ui/hex"
	"assay/ui/host"
)

// Follow opens the target of the selected node's link.
func (p *Pane) Follow() {
	s := p.Selection()
	if s.Node == nil || s.Node.Link == nil {
		p.ShowHint("The selected node has no link.")
		return
	}
	p.followLink(s.Document, s.Node.Link)
}

func (p *Pane) followLink(d *model.Document, link *model.Link) {
	if link.File != "" {
		p.followFile(d, link)
		return
	}
	name := link.Key
	if name == "" {
		name = "the link target"
	}
	p.goToFound(func() (model.Path, bool) { return TargetOf(d, link) }, fmt.Errorf("%s is not in this file", name))
}

// SelectKey selects the node with a key. It notifies the user if there is no such node.
func (p *Pane) SelectKey(key string) {
	d := p.Selection().Document
	if d.FindKey == nil {
		notifyError(p, errors.New(d.Source.Name()+" has no keys"))
		return
	}
	p.goToFound(func() (model.Path, bool) { return d.FindKey(key) },
		errors.New("there is no "+key+" in "+d.Source.Name()))
}

// TargetOf returns the path of the target of a link in a document, or false if there is none. It may take long.
func TargetOf(d *model.Document, link *model.Link) (model.Path, bool) {
	if link.Target != nil {
		return link.Target()
	}
	return findKey(d, link.Key)
}

func findKey(d *model.Document, key string) (model.Path, bool) {
	if d.FindKey == nil || key == "" {
		return nil, false
	}
	return d.FindKey(key)
}

// goToFound finds a path in the background and selects it. It reports missing if there is no such path.
func (p *Pane) goToFound(find func() (model.Path, bool), missing error) {
	p.linking.Go(func(context.Context) func() {
		path, ok := find()
		return func() {
			if ok {
				p.Select(path)
			} else {
				notifyError(p, missing)
			}
		}
	})
}

// followFile opens the target file of a link. The target must be in the folder of this file, so that a file cannot open
// arbitrary ones.
func (p *Pane) followFile(d *model.Document, link *model.Link) {
	if d.Source.Path() == "" {
		notifyError(p, fmt.Errorf("cannot open %s: this asset is not a file on disk, so linked files cannot be located", link.File))
		return
	}
	name, folder := filepath.FromSlash(link.File), filepath.Dir(d.Source.Path())
	if !filepath.IsLocal(name) {
		notifyError(p, fmt.Errorf("the link points to %q, outside this file's folder. Open that file manually if you trust it",
			model.OneLine(link.File, 200)))
		return
	}
	path := filepath.Join(folder, name)
	if link.Resolve != nil {
		if found, ok := link.Resolve(folder); ok {
			path = found
		}
	}
	p.Open(path, link.Key)
}

// OpenInside opens the selected asset as a document. An asset that is part of this file but not itself a file is
// selected instead.
func (p *Pane) OpenInside() { p.openInside(p.OpenAsset, false) }

// OpenInsideWith calls open with the content of the selected asset. open must close it.
func (p *Pane) OpenInsideWith(open func(content *model.Source, asset *model.Payload)) {
	p.openInside(open, true)
}

func (p *Pane) openInside(open func(content *model.Source, asset *model.Payload), always bool) {
	s := p.Selection()
	n, d := s.Node, s.Document
	if n == nil || d.Payloads == nil {
		notifyError(p, errors.New("the selected node has no asset to open"))
		return
	}
	p.Busy("Opening asset", -1, p.opening.Stop)
	p.opening.Go(func(ctx context.Context) func() {
		var src *model.Source
		payload, err := payloadOf(ctx, d, n)
		if err == nil && (always || !payload.IsDerived() || payload.Node == nil) {
			src, err = d.Nested(ctx, payload, model.ExpandLimit)
		}
		return func() {
			p.Busy("", 0, nil)
			switch {
			case err != nil:
				notifyError(p, err)
			case src == nil:
				p.Select(payload.Node.Path())
				p.ShowHint(payload.Name + " is part of this file; showing it in the tree.")
			default:
				open(src, payload)
			}
		}
	})
}

// payloadOf returns the only asset at or below a node, or the asset that contains it. Several assets are an error.
func payloadOf(ctx context.Context, d *model.Document, n *model.Node) (*model.Payload, error) {
	index, err := d.AssetIndex(ctx)
	if err != nil {
		return nil, err
	}
	found, _, err := index.AssetsOf(ctx, []*model.Node{n})
	switch {
	case err != nil:
		return nil, err
	case len(found) == 0:
		return nil, fmt.Errorf("%s is not an asset that can be opened", model.OneLine(n.NamePath(), 200))
	case len(found) > 1:
		return nil, fmt.Errorf("%s has %s: select one of them", model.OneLine(n.NamePath(), 200),
			host.Count(len(found), "asset"))
	}
	return d.Payloads.At(found[0]), nil
}

// maxCopied is the maximum number of nodes copied at once.
const maxCopied = 10_000

// copyNodes copies one line for each selected node.
func (p *Pane) copyNodes(line func(n *model.Node) string) {
	var lines []string
	for _, n := range p.Selection().Nodes(maxCopied) {
		lines = append(lines, line(n))
	}
	p.Copy(strings.Join(lines, "\n"))
}

// CopyPath copies the paths of the selected nodes.
func (p *Pane) CopyPath() { p.copyNodes((*model.Node).NamePath) }

// CopyValue copies the values of the selected nodes, or the key or name of a node without a value.
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

// CopyBytes copies the selected bytes, or the bytes of the selected node, in a form.
func (p *Pane) CopyBytes(form hex.Form) {
	s := p.Selection()
	offset, length := p.bytes.hex.Range()
	if length == 0 && s.Node != nil {
		offset, length = s.Node.Offset, s.Node.Size
	}
	if length == 0 {
		notifyError(p, errors.New("select bytes or a node first"))
		return
	}
	p.group.Go(func(context.Context) func() {
		text, err := hex.Format(s.Document.Source, offset, length, form)
		return func() {
			if err != nil {
				notifyError(p, err)
				return
			}
			p.Copy(text)
			p.ShowHint(fmt.Sprintf("Copied %s as %s.", host.Count(length, "byte"), strings.ToLower(form.String())))
		}
	})
}
