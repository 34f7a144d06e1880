package doc

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"assay/model"
)

// activate follows a node's link; false if it has none.
func (p *Pane) activate(n *model.Node) bool {
	if p.grouping > 0 && p.resolve(n) != n {
		return false // what only stands for another node opens
	}
	if n.Link == nil {
		return false
	}
	p.follow(n)
	return true
}

// followCurrent follows the selected node's link.
func (p *Pane) followCurrent() {
	if p.node != nil && p.node.Link != nil {
		p.follow(p.node)
	}
}

// Follow goes where the selected node's value leads.
func (p *Pane) Follow() {
	if p.node == nil || p.node.Link == nil {
		p.hint("The selected node leads nowhere.")
		return
	}
	p.follow(p.node)
}

func (p *Pane) follow(n *model.Node) {
	link := n.Link
	if link == nil {
		return
	}
	if link.File != "" {
		p.followFile(link)
		return
	}
	p.going.Go(func(context.Context) func() {
		var path model.Path
		ok := false
		if link.Target != nil {
			path, ok = link.Target()
		} else if p.doc.FindKey != nil {
			path, ok = p.doc.FindKey(link.Key)
		}
		return func() {
			if !ok {
				p.complain(fmt.Errorf("%s is not in this file", linkName(link)))
				return
			}
			p.Select(path)
		}
	})
}

func linkName(l *model.Link) string {
	if l.Key != "" {
		return l.Key
	}
	return "what this leads to"
}

// followFile opens the file that a link names, which must be beside this one: a file may not lead anywhere it likes.
func (p *Pane) followFile(link *model.Link) {
	if p.doc.Source.Path() == "" {
		p.complain(fmt.Errorf("%s cannot be looked for: this is no file of its own", link.File))
		return
	}
	name := filepath.FromSlash(link.File)
	if !filepath.IsLocal(name) {
		p.complain(fmt.Errorf("the link leads to %q, outside of this file's folder: open it yourself if you trust it", model.OneLine(link.File, 200)))
		return
	}
	if link.Look != nil {
		if path, ok := link.Look(filepath.Dir(p.doc.Source.Path())); ok && p.OnOpenFile != nil {
			p.OnOpenFile(path, link.Key)
			return
		}
	}
	if p.OnOpenFile != nil {
		p.OnOpenFile(filepath.Join(filepath.Dir(p.doc.Source.Path()), name), link.Key)
	}
}

// OpenInside opens the selected asset as a file of its own.
func (p *Pane) OpenInside() {
	n, d := p.node, p.doc
	if n == nil || d.Payloads == nil {
		p.complain(errors.New("there is no asset to open here"))
		return
	}
	p.busy("Opening the asset", -1, p.choosing.Stop)
	p.choosing.Go(func(ctx context.Context) func() {
		var src *model.Source
		payload, err := payloadOf(ctx, d.Payloads, n)
		if err == nil {
			src, err = payload.Nested(ctx, d.Source, model.ExpandLimit)
		}
		return func() {
			p.busy("", 0, nil)
			if err != nil {
				p.complain(err)
				return
			}
			if p.OnNested != nil {
				p.OnNested(src)
			}
		}
	})
}

// payloadOf gives the asset that a node or one of those it is in stands for.
func payloadOf(ctx context.Context, all model.Payloads, n *model.Node) (*model.Payload, error) {
	keys := map[string]bool{}
	paths := map[string]bool{}
	for m := n; m != nil && m.Parent != nil; m = m.Parent {
		paths[m.PathText()] = true
		if m.Key != "" {
			keys[m.Key] = true
		}
	}
	matches := func(i int) *model.Payload {
		if i < 0 || i >= all.Len() {
			return nil
		}
		p := all.At(i)
		if p.Node != nil && paths[p.Node.PathText()] {
			return p
		}
		return nil
	}
	// Where the assets are in the order of a list, the node's own place is the asset's.
	for m := n; m != nil && m.Parent != nil; m = m.Parent {
		for _, i := range []int{m.Index, m.Index - 1} {
			if p := matches(i); p != nil {
				return p, nil
			}
		}
	}
	var byKey *model.Payload
	for i := range all.Len() {
		if i%256 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if p := matches(i); p != nil {
			return p, nil
		}
		if p := all.At(i); byKey == nil && p.Key != "" && keys[p.Key] {
			byKey = p
		}
	}
	if byKey != nil {
		return byKey, nil
	}
	return nil, fmt.Errorf("%s is no asset that could be opened", model.OneLine(n.PathText(), 200))
}
