package export

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"

	"assay/model"
)

// draft is an item without a path in the folder yet.
type draft struct {
	Item
	pick         int    // the number of its pick
	templatePath string // the path that the template makes
	safe         string // made safe for every file system
	shared       string // identity of the file, if other assets may need it as well
	ownPath      string // the path of the item's own file, if another asset has the shared one
	ext          string // the extension of the form, with its dot
}

const (
	// draftsPerTask is the number of assets that a task describes; several run at once, on all processors.
	draftsPerTask = 1024
	// minBulkAssets is the minimum number of successive assets for a description in bulk.
	minBulkAssets = 64
)

var draftPool = sync.Pool{New: func() any { return new([]draft) }}

// eachBatch describes all picked assets, and calls visit with the drafts in batches, in order. Successive assets of one
// file are described in bulk, without media types, if the file supports it.
func (p *Plan) eachBatch(ctx context.Context, visit func(drafts []draft)) error {
	parts := func(yield func(model.Task[[]draft]) bool) {
		for c := (cursor{}); c.pick < len(p.picks); c = c.next(p.picks, draftsPerTask) {
			part := func(ctx context.Context, emit func([]draft) error) error {
				drafts, err := p.describe(ctx, c)
				if err != nil {
					return err
				}
				return emit(drafts)
			}
			if !yield(part) {
				return
			}
		}
	}
	return model.RunOrdered(ctx, parts, func(drafts []draft) error {
		visit(drafts)
		draftPool.Put(&drafts)
		return nil
	})
}

// cursor is a position in a list of picks.
type cursor struct {
	pick   int // the number of the pick
	inPick int // its assets before the cursor
	number int // all assets before it
}

// next returns the cursor n assets later, or at the end.
func (c cursor) next(picks []Pick, n int) cursor {
	for c.pick < len(picks) && n > 0 {
		step := min(n, picks[c.pick].Len()-c.inPick)
		c.inPick, c.number, n = c.inPick+step, c.number+step, n-step
		if c.inPick == picks[c.pick].Len() {
			c.pick, c.inPick = c.pick+1, 0
		}
	}
	return c
}

func (p *Plan) describe(ctx context.Context, c cursor) (drafts []draft, err error) {
	drafts = (*draftPool.Get().(*[]draft))[:0]
	for remaining := draftsPerTask; remaining > 0 && c.pick < len(p.picks) && err == nil; {
		pick := &p.picks[c.pick]
		from, n := pick.Index+c.inPick, min(remaining, pick.Len()-c.inPick)
		bulk, ok := pick.From.(model.Describer)
		k := c.number
		add := func(i int, a *model.Payload) bool {
			k++
			drafts = p.appendDrafts(ctx, drafts, c.pick, i, a, k)
			return ctx.Err() == nil
		}
		if ok && n >= minBulkAssets {
			err = bulk.DescribeEach(ctx, from, from+n, add)
		}
		for err == nil && k < c.number+n && ctx.Err() == nil {
			i := from + k - c.number
			add(i, pick.From.At(i))
		}
		if err == nil {
			err = ctx.Err()
		}
		c, remaining = c.next(p.picks, n), remaining-n
	}
	return drafts, err
}

// appendDrafts adds the drafts of the i-th asset of its file to a list: one, or one for each file of its form.
func (p *Plan) appendDrafts(ctx context.Context, drafts []draft, pickIndex, i int, a *model.Payload, number int,
) []draft {
	pick := &p.picks[pickIndex]
	d := draft{pick: pickIndex, Item: Item{From: pick.From, Index: i, File: pick.File, Key: a.Key, Name: a.Name,
		Size: a.Size}}
	kind := Kind{MediaType: a.MediaType, Recorded: a.Recorded, Forms: FormNames(a)}
	form, ok := formOf(a, p.form(pick, a))
	if !ok {
		kind.Problem = fmt.Sprintf("it cannot be exported as %s; available: %s", pick.Form, strings.Join(kind.Forms, ", "))
	} else if !p.unopened {
		var err error
		if form, err = p.openForm(ctx, pick, a, form); err != nil {
			kind.Problem = err.Error()
		}
	}
	if kind.Problem != "" {
		kind.Form, d.Size = pick.Form, 0
		d.Kind = p.kinds.intern(kind)
		return append(drafts, d)
	}
	kind.Form = form.Name
	switch {
	case !form.IsRaw():
		kind.MediaType, d.Size = form.MediaType, -1
	case a.Problem != "":
		kind.MediaType, d.Size = "", a.Stored.Size
	}
	if len(form.Extensions) == 0 {
		d.Kind = p.kinds.intern(kind)
		return append(drafts, p.withTarget(d, a, form, number))
	}
	d.isOneOfSeveral = true
	for i, ext := range form.Extensions {
		d.Kind = p.kinds.intern(kind)
		form.Extension, d.file = ext, uint16(i)
		if d.shared = ""; i < len(form.Shared) {
			d.shared = form.Shared[i]
		}
		drafts = append(drafts, p.withTarget(d, a, form, number))
		kind.MediaType = "" // only the first file has it
	}
	return drafts
}

// withTarget returns a draft with the path that the template makes for a file of a form.
func (p *Plan) withTarget(d draft, a *model.Payload, form model.Form, number int) draft {
	pick := &p.picks[d.pick]
	d.ext = form.Extension
	d.templatePath = p.opts.Names.Name(a, form, number, pick.File)
	d.templatePath = strings.TrimLeft(strings.ReplaceAll(d.templatePath, "//", "/"), "/") // a field may be empty
	if pick.Folder != "" && p.opts.Names.HasFolders() {
		d.templatePath = pick.Folder + "/" + d.templatePath
	}
	if d.shared != "" {
		d.ownPath = SafePath(d.templatePath)
		d.templatePath = path.Join(path.Dir(d.templatePath), strings.TrimPrefix(form.Extension, "."))
	}
	d.safe = SafePath(d.templatePath)
	return d
}

// openForm returns a form after opening the asset, if that is needed to know its files, or whether it has the form. The
// form of a preset is a guess for assets that are files: those without it are copied.
func (p *Plan) openForm(ctx context.Context, pick *Pick, a *model.Payload, form model.Form) (model.Form, error) {
	guess := pick.Form == "" && form.Name == p.opts.Prefer && a.Open != nil
	var err error
	switch {
	case form.Files != nil:
		form, err = form.Files(ctx)
	case guess && form.Has != nil:
		err = form.Has(ctx)
	}
	switch {
	case !guess || err == nil:
		return form, err
	case errors.Is(err, model.ErrNoForm):
		return model.Form{Name: rawForm}, nil
	case form.Has != nil:
		return form, nil // the report has the error
	}
	return form, err
}

// form returns the form that an asset is to have; empty is its first.
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
	case prefer != "" && slices.Contains(FormNames(a), prefer):
		return prefer
	case p.opts.Usual:
		return usualForm(a)
	}
	return ""
}
