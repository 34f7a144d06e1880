package packing

import (
	"cmp"
	"context"
	"slices"

	"assay/formats/ppac"
	"assay/model"
)

// stack is Packer.Stack. What is seen of one container, with all that is in it, is that container.
func stack(ctx context.Context, layers []*model.Document) (model.ArchivePlan, error) {
	s, err := sidesOf(ctx, layers...)
	if err != nil {
		return nil, err
	}
	all, a := selection{files: s.files()}, new(arrangement)
	for v := range layers {
		a.addSource(s, v)
	}
	for s.next(ctx) {
		top := len(s.assets) - 1
		for !s.assets[top].exists() {
			top--
		}
		all.add(top, s.assets[top].i, nil)
		a.addAsset(s.assets)
	}
	all.assets = arranged(ctx, a, all.assets)
	top := last(all.files)
	if top != nil && all.isWhole(top) {
		return verbatim{top}, ctx.Err()
	}
	return all.container(ctx, top)
}

// patch is Packer.Patch.
func patch(ctx context.Context, older, newer *model.Document) (*model.Patch, error) {
	s, err := sidesOf(ctx, older, newer)
	if err != nil {
		return nil, err
	}
	p, c, changed := new(model.Patch), new(comparer), selection{files: s.files()}
	for s.next(ctx) {
		from, to := &s.assets[0], &s.assets[1]
		switch {
		case !to.exists():
			p.Removed = append(p.Removed, from.entry.TPU.String())
			continue
		case !from.exists():
			p.Added++
		default:
			d, err := c.compare(ctx, from, to)
			if err != nil {
				return nil, err
			}
			if d == 0 {
				continue
			}
			p.Changed++
		}
		changed.add(1, to.i, nil)
	}
	slices.SortFunc(changed.assets, func(x, y selected) int { return cmp.Compare(x.entry, y.entry) })
	p.ArchivePlan, err = changed.container(ctx, changed.files[1])
	return p, err
}

// replace is Packer.Replace. The container may be damaged: nothing else of it is written.
func replace(ctx context.Context, d *model.Document, i int, with model.PackedFile) (model.ArchivePlan, error) {
	f, err := fileOf(ctx, d)
	if err != nil {
		return nil, err
	}
	s := selection{files: []*ppac.File{f}}
	s.add(0, i, &with)
	return s.container(ctx, f)
}
