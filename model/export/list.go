package export

import (
	"context"
	"io"
	"slices"
)

// List calls visit with the items of the plan that NewPlan makes, and keeps none of them: an item is good until visit
// returns.
func List(ctx context.Context, folder Folder, picks []Pick, opts Options, visit func(*Item)) error {
	p, err := NewPlan(ctx, folder, nil, opts)
	if err != nil {
		return err
	}
	p.taken = newTaken(len(picks))
	return p.addEach(ctx, picks, func(int) {
		for i := range p.Items {
			visit(&p.Items[i])
		}
		p.Items = p.Items[:0]
	})
}

// listed is how many assets WriteListing plans at a time.
const listed = 1024

// WriteListing writes the rows that a run into Nowhere has as WriteJSON does, with the media types and forms of the
// assets: everything is read and checked, nothing is written or kept. It returns the number of files, and reports
// whether anything went wrong with them.
func WriteListing(ctx context.Context, out io.Writer, picks []Pick, opts Options) (files int, bad bool, err error) {
	p, err := NewPlan(ctx, Nowhere{}, nil, opts)
	if err != nil {
		return 0, false, err
	}
	p.taken = newTaken(len(picks))
	part := listed
	if opts.Once { // each file is compared with all others of its name
		part = len(picks)
	}
	several := slices.ContainsFunc(picks, func(pick Pick) bool { return pick.File != picks[0].File })
	err = writeRows(out, func(yield func(jsonRow) bool) {
		for from := 0; from < len(picks) && ctx.Err() == nil; from += part {
			p.Items, p.held = p.Items[:0], p.held[:0]
			for i, pick := range picks[from:min(from+part, len(picks))] {
				a := pick.From.At(pick.Index)
				p.add(&picks[from+i], a, from+i+1)
				for len(p.held) < len(p.Items) {
					p.held = append(p.held, a)
				}
			}
			n, _ := p.Counts()
			report := p.Run(ctx)
			files, bad = files+n, bad || report.Bad()
			for i := range report.Rows {
				row := report.Rows[i].json(several)
				row.MediaType, row.Forms = &report.Rows[i].MediaType, report.Rows[i].Forms
				if !yield(row) {
					return
				}
			}
		}
	})
	if err == nil {
		err = ctx.Err()
	}
	return files, bad, err
}
