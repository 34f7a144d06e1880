package packing

import (
	"context"

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
		top := len(s.assets) - 1
		for !s.assets[top].exists() {
			top--
		}
		all.add(top, s.assets[top].i, nil)
	}
	header := last(all.files)
	if header != nil && all.isWhole(header) {
		return verbatim{header}, ctx.Err()
	}
	return all.container(ctx, header)
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
	all, err := changed.container(ctx, last(changed.files))
	if changed.files[1] == nil { // the older one has only the layout
		all.Created, all.Modified, all.Metadata = 0, 0, nil
	}
	p.ArchivePlan = all
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
