package export

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"

	"assay/model"
)

// draft is an item that has no place yet.
type draft struct {
	Item
	pick   int    // the number of its pick
	wanted string // the path that the template makes
	safe   string // that path as every file system takes it
	shared string // what the file is known by, if other assets may need it as well
	alone  string // its path if another file has the one that is shared
	ext    string // that of the file in its form, with its dot
}

const (
	// describedPart is how many assets are described at a time: some parts at once, on all processors.
	describedPart = 1024
	// bulkLeast is how many assets must follow each other to be described in bulk.
	bulkLeast = 64
)

var draftPool = sync.Pool{New: func() any { return new([]draft) }}

// each describes all assets that are picked, and calls place with the drafts of some of them after each other, in
// order. Assets of one file that follow each other are described in bulk where the file can do that; their items have
// no media types then.
func (p *Plan) each(ctx context.Context, place func(all []draft)) error {
	parts := func(yield func(model.Task[[]draft]) bool) {
		for c := (cursor{}); c.pick < len(p.picks); c = c.next(p.picks, describedPart) {
			part := func(ctx context.Context, emit func([]draft) error) error {
				all, err := p.describe(ctx, c)
				if err != nil {
					return err
				}
				return emit(all)
			}
			if !yield(part) {
				return
			}
		}
	}
	return model.Ordered(ctx, parts, func(all []draft) error {
		place(all)
		draftPool.Put(&all)
		return nil
	})
}

// cursor is a place in a list of picks.
type cursor struct {
	pick   int // the number of the pick
	done   int // its assets before the place
	number int // all assets before it
}

// next is the place n assets later, or the end.
func (c cursor) next(picks []Pick, n int) cursor {
	for c.pick < len(picks) && n > 0 {
		step := min(n, picks[c.pick].Len()-c.done)
		c.done, c.number, n = c.done+step, c.number+step, n-step
		if c.done == picks[c.pick].Len() {
			c.pick, c.done = c.pick+1, 0
		}
	}
	return c
}

// describe makes the drafts of a part.
func (p *Plan) describe(ctx context.Context, c cursor) (all []draft, err error) {
	all = (*draftPool.Get().(*[]draft))[:0]
	for left := describedPart; left > 0 && c.pick < len(p.picks) && err == nil; {
		pick := &p.picks[c.pick]
		from, n := pick.Index+c.done, min(left, pick.Len()-c.done)
		bulk, ok := pick.From.(model.Describer)
		k := c.number
		one := func(i int, a *model.Payload) bool {
			k++
			all = p.drafts(ctx, all, c.pick, i, a, k)
			return ctx.Err() == nil
		}
		if ok && n >= bulkLeast {
			err = bulk.DescribeEach(ctx, from, from+n, one)
		}
		for err == nil && k < c.number+n && ctx.Err() == nil {
			i := from + k - c.number
			one(i, pick.From.At(i))
		}
		if err == nil {
			err = ctx.Err()
		}
		c, left = c.next(p.picks, n), left-n
	}
	return all, err
}

// drafts adds the drafts of the i-th asset of its file to a list: one, or one for each file of its form.
func (p *Plan) drafts(ctx context.Context, all []draft, pickAt, i int, a *model.Payload, number int,
) []draft {
	pick := &p.picks[pickAt]
	d := draft{pick: pickAt, Item: Item{From: pick.From, Index: i, File: pick.File, Key: a.Key, Name: a.Name,
		Size: a.Size}}
	kind := Kind{MediaType: a.MediaType, Recorded: a.Recorded, Forms: FormNames(a)}
	form, ok := formOf(a, p.form(pick, a))
	if !ok {
		kind.Problem = fmt.Sprintf("it cannot be exported as %s; available: %s", pick.Form, strings.Join(kind.Forms, ", "))
	} else if form.Files != nil && !p.unopened {
		var err error
		if form, err = form.Files(ctx); err != nil {
			kind.Problem = err.Error()
		}
	}
	if kind.Problem != "" {
		kind.Form, d.Size = pick.Form, 0
		d.Kind = p.kinds.one(kind)
		return append(all, d)
	}
	kind.Form = form.Name
	switch {
	case !form.Own():
		kind.MediaType, d.Size = form.MediaType, -1
	case a.Problem != "":
		kind.MediaType, d.Size = "", a.Stored.Size
	}
	add := func() {
		d.Kind = p.kinds.one(kind)
		d.ext = form.Extension
		d.wanted = p.opts.Names.Name(a, form, number, pick.File)
		if d.shared != "" {
			d.alone = SafePath(d.wanted)
			d.wanted = path.Join(path.Dir(d.wanted), strings.TrimPrefix(form.Extension, "."))
		}
		d.safe = SafePath(d.wanted)
		all = append(all, d)
	}
	if len(form.Extensions) == 0 {
		add()
		return all
	}
	d.files = uint8(len(form.Extensions))
	for i, ext := range form.Extensions {
		form.Extension, d.file = ext, uint8(i)
		if d.shared = ""; i < len(form.Shared) {
			d.shared = form.Shared[i]
		}
		add()
		kind.MediaType = "" // the first file's
	}
	return all
}

// form is the form that an asset is to have; empty is its first.
func (p *Plan) form(pick *Pick, a *model.Payload) string {
	if pick.Form != "" {
		return pick.Form
	}
	if form := p.opts.Forms[a.Type]; form != "" {
		if _, ok := formOf(a, form); ok {
			return form
		}
	}
	switch prefer := p.opts.Prefer; {
	case prefer == "" && p.opts.Usual:
		return usual(a)
	case prefer == "":
		return ""
	case slices.Contains(FormNames(a), prefer):
		return prefer
	case a.Open != nil:
		return rawForm
	}
	return ""
}
