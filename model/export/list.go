package export

import (
	"context"
	"io"
)

// List calls visit with the items of the plan that NewPlan makes, and keeps none of them: an item is good until visit
// returns.
func List(ctx context.Context, folder Folder, picks []Pick, opts Options, visit func(*Item)) error {
	p := newPlan(folder, picks, opts)
	return p.each(ctx, func(all []draft) {
		for i := range all {
			visit(p.place(&all[i]))
		}
	})
}

// WriteListing writes the rows that a run into Nowhere has as WriteJSON does, with the media types and forms of the
// assets: everything is read and checked, nothing is written or kept. It returns the number of files, and reports
// whether anything went wrong with them.
func WriteListing(ctx context.Context, out io.Writer, picks []Pick, opts Options) (files int, bad bool, err error) {
	p := newPlan(Nowhere{}, picks, opts)
	several := severalFiles(picks)
	at := cursor{}
	least := textsOf
	if opts.Once { // each file is compared with all others of its name
		least = CountPicks(picks)
	}
	err = writeRows(out, func(yield func(jsonRow) bool) {
		for at.pick < len(picks) && ctx.Err() == nil {
			at = p.hold(ctx, at, least)
			n, _ := p.Counts()
			report := p.Run(ctx)
			files, bad = files+n, bad || report.Bad()
			for r := range report.Rows() {
				row := r.json(several)
				row.MediaType, row.Recorded, row.Forms = &r.MediaType, r.Recorded, r.Forms
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

// hold plans the next n assets in place of those before, and keeps them at hand.
func (p *Plan) hold(ctx context.Context, at cursor, n int) cursor {
	p.items.clear()
	p.held = p.held[:0]
	for ; n > 0 && at.pick < len(p.picks); n, at = n-1, at.next(p.picks, 1) {
		pick := &p.picks[at.pick]
		i := pick.Index + at.done
		a := pick.From.At(i)
		for _, d := range p.drafts(ctx, nil, at.pick, i, a, at.number+1) {
			p.items.add(p.place(&d), d.pick)
			p.held = append(p.held, a)
		}
	}
	p.items.seal()
	return at
}
