package doc

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"assay/model"
	"assay/ui/host"
)

// Follow goes where the selected node's value leads.
func (p *Pane) Follow() {
	s := p.Selection()
	if s.Node == nil || s.Node.Link == nil {
		p.Tell("The selected node has no link.")
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
	find := link.Target
	if find == nil {
		find = func() (model.Path, bool) { return findKey(d, link.Key) }
	}
	p.goToFound(find, fmt.Errorf("%s is not in this file", name))
}

// SelectKey goes to the node with a key; it reports in a sentence where there is none.
func (p *Pane) SelectKey(key string) {
	d := p.Selection().Document
	if d.FindKey == nil {
		complain(p, errors.New(d.Source.Name()+" has no keys"))
		return
	}
	p.goToFound(func() (model.Path, bool) { return d.FindKey(key) },
		errors.New("there is no "+key+" in "+d.Source.Name()))
}

func findKey(d *model.Document, key string) (model.Path, bool) {
	if d.FindKey == nil || key == "" {
		return nil, false
	}
	return d.FindKey(key)
}

// goToFound goes to what is found in the background.
func (p *Pane) goToFound(find func() (model.Path, bool), missing error) {
	p.linking.Go(func(context.Context) func() {
		path, ok := find()
		return func() {
			if ok {
				p.Select(path)
			} else {
				complain(p, missing)
			}
		}
	})
}

// followFile opens the file that a link names, which must be beside this one: a file may not lead anywhere it likes.
func (p *Pane) followFile(d *model.Document, link *model.Link) {
	if d.Source.Path() == "" {
		complain(p, fmt.Errorf("cannot open %s: this asset is not a file on disk, so linked files cannot be located", link.File))
		return
	}
	name, folder := filepath.FromSlash(link.File), filepath.Dir(d.Source.Path())
	if !filepath.IsLocal(name) {
		complain(p, fmt.Errorf("the link points to %q, outside this file's folder. Open that file manually if you trust it",
			model.OneLine(link.File, 200)))
		return
	}
	path := filepath.Join(folder, name)
	if link.Look != nil {
		if found, ok := link.Look(folder); ok {
			path = found
		}
	}
	p.Open(path, link.Key)
}

// OpenInside opens the selected asset as a file of its own. One that is a part of this file and no file is shown where
// it is.
func (p *Pane) OpenInside() { p.openInside(p.OpenAsset, false) }

// OpenInsideWith calls open with the content of the selected asset, which it closes.
func (p *Pane) OpenInsideWith(open func(content *model.Source, asset *model.Payload)) {
	p.openInside(open, true)
}

func (p *Pane) openInside(open func(content *model.Source, asset *model.Payload), always bool) {
	s := p.Selection()
	n, d := s.Node, s.Document
	if n == nil || d.Payloads == nil {
		complain(p, errors.New("the selected node has no asset to open"))
		return
	}
	p.Busy("Opening asset", -1, p.opening.Stop)
	p.opening.Go(func(ctx context.Context) func() {
		var src *model.Source
		payload, err := payloadOf(ctx, d, n)
		if err == nil && (always || !payload.IsMade() || payload.Node == nil) {
			src, err = d.Nested(ctx, payload, model.ExpandLimit)
		}
		return func() {
			p.Busy("", 0, nil)
			switch {
			case err != nil:
				complain(p, err)
			case src == nil:
				p.Select(payload.Node.Path())
				p.Tell(payload.Name + " is part of this file; showing it in the tree.")
			default:
				open(src, payload)
			}
		}
	})
}

// payloadOf is the only asset that a node stands for: at it, below it, or the one that it is a part of.
func payloadOf(ctx context.Context, d *model.Document, n *model.Node) (*model.Payload, error) {
	places, err := d.AssetIndex(ctx)
	if err != nil {
		return nil, err
	}
	found, _, err := places.Of(ctx, []*model.Node{n})
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
