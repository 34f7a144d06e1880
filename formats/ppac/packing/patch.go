package packing

import (
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
	all := selection{files: s.files()}
	for s.next(ctx) {
		for v, a := range slices.Backward(s.assets) {
			if a != nil {
				all.add(v, a.i)
				break
			}
		}
	}
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
		from, to := s.assets[0], s.assets[1]
		switch {
		case to == nil:
			p.Removed = append(p.Removed, from.entry.TPU.String())
			continue
		case from == nil:
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
		changed.add(1, to.i)
	}
	p.ArchivePlan, err = changed.container(ctx, last(changed.files))
	return p, err
}

// replace is Packer.Replace.
func replace(ctx context.Context, d *model.Document, i int, with model.PackedFile) (model.ArchivePlan, error) {
	f, err := fileOf(ctx, d)
	if err != nil {
		return nil, err
	}
	s := selection{files: []*ppac.File{f}, content: map[int]*model.PackedFile{0: &with}}
	s.add(0, i)
	return s.container(ctx, f)
}
