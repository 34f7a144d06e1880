package doc

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"assay/model"
	"assay/ui/wording"
	"assay/ui/work"
)

// links goes where the values of a document lead: to its nodes, to files beside it, into its assets.
type links struct {
	Host
	lane     *work.Lane
	opening  *work.Lane
	selected func() Selection
	show     func(path model.Path)
}

// Follow goes where the selected node's value leads.
func (l *links) Follow() {
	s := l.selected()
	if s.Node == nil || s.Node.Link == nil {
		l.Tell("The selected node has no link.")
		return
	}
	l.follow(s.Document, s.Node.Link)
}

func (l *links) follow(d *model.Document, link *model.Link) {
	if link.File != "" {
		l.followFile(d, link)
		return
	}
	name := link.Key
	if name == "" {
		name = "what this leads to"
	}
	find := link.Target
	if find == nil {
		find = func() (model.Path, bool) { return findKey(d, link.Key) }
	}
	l.find(find, fmt.Errorf("%s is not in this file", name))
}

// SelectKey goes to the node with a key; it reports in a sentence where there is none.
func (l *links) SelectKey(key string) {
	d := l.selected().Document
	if d.FindKey == nil {
		complain(l, errors.New(d.Source.Name()+" has no keys to go to"))
		return
	}
	l.find(func() (model.Path, bool) { return d.FindKey(key) }, errors.New("there is no "+key+" in "+d.Source.Name()))
}

func findKey(d *model.Document, key string) (model.Path, bool) {
	if d.FindKey == nil || key == "" {
		return nil, false
	}
	return d.FindKey(key)
}

// find goes to what is found in the background.
func (l *links) find(find func() (model.Path, bool), missing error) {
	l.lane.Go(func(context.Context) func() {
		path, ok := find()
		return func() {
			if ok {
				l.show(path)
			} else {
				complain(l, missing)
			}
		}
	})
}

// followFile opens the file that a link names, which must be beside this one: a file may not lead anywhere it likes.
func (l *links) followFile(d *model.Document, link *model.Link) {
	if d.Source.Path() == "" {
		complain(l, fmt.Errorf("%s cannot be found: this document is not a file on disk", link.File))
		return
	}
	name, folder := filepath.FromSlash(link.File), filepath.Dir(d.Source.Path())
	if !filepath.IsLocal(name) {
		complain(l, fmt.Errorf("the link leads to %q, outside of this file's folder: open it yourself if you trust it",
			model.OneLine(link.File, 200)))
		return
	}
	path := filepath.Join(folder, name)
	if link.Look != nil {
		if found, ok := link.Look(folder); ok {
			path = found
		}
	}
	l.Open(path, link.Key)
}

// OpenInside opens the selected asset as a file of its own. One that is a part of this file and no file is shown where
// it is.
func (l *links) OpenInside() { l.openInside(l.OpenAsset, false) }

// OpenInsideWith calls open with the content of the selected asset, which it closes.
func (l *links) OpenInsideWith(open func(content *model.Source, asset *model.Payload)) {
	l.openInside(open, true)
}

func (l *links) openInside(open func(content *model.Source, asset *model.Payload), always bool) {
	s := l.selected()
	n, d := s.Node, s.Document
	if n == nil || d.Payloads == nil {
		complain(l, errors.New("there is no asset to open here"))
		return
	}
	l.Busy("Opening the asset", -1, l.opening.Stop)
	l.opening.Go(func(ctx context.Context) func() {
		var src *model.Source
		payload, err := payloadOf(ctx, d, n)
		if err == nil && (always || !payload.IsMade() || payload.Node == nil) {
			src, err = d.Nested(ctx, payload, model.ExpandLimit)
		}
		return func() {
			l.Busy("", 0, nil)
			switch {
			case err != nil:
				complain(l, err)
			case src == nil:
				l.show(payload.Node.Path())
				l.Tell(payload.Name + " is made of a part of this file: here it is.")
			default:
				open(src, payload)
			}
		}
	})
}

// payloadOf is the only asset that a node stands for: at it, below it, or the one that it is a part of.
func payloadOf(ctx context.Context, d *model.Document, n *model.Node) (*model.Payload, error) {
	places, err := model.IndexAssets(ctx, d)
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
			wording.Count(len(found), "asset"))
	}
	return d.Payloads.At(found[0]), nil
}
