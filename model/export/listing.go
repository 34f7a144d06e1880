package export

import (
	"context"
	"io"
)

// List calls visit with the items of the plan that NewPlan makes, and keeps no items: an item is good until visit
// returns.
func List(ctx context.Context, folder Folder, picks []Pick, opts Options, visit func(*Item)) error {
	p := newPlan(folder, picks, opts)
	return p.eachBatch(ctx, func(drafts []draft) {
		for i := range drafts {
			visit(p.assignPath(&drafts[i]))
		}
	})
}

// WriteListing writes the rows that a run into a DiscardFolder has as WriteJSON does, with the media types and forms of
// the assets: everything is read and checked, nothing is written or kept. It returns the number of files, and reports
// whether anything went wrong with them.
func WriteListing(ctx context.Context, out io.Writer, picks []Pick, opts Options) (files int, bad bool, err error) {
	p := newPlan(DiscardFolder{}, picks, opts)
	several := severalFiles(picks)
	position := cursor{}
	count := itemsPerText
	if opts.Once { // each file is compared with all others of its name
		count = CountPicks(picks)
	}
	err = writeRows(out, func(yield func(jsonRow) bool) {
		for position.pick < len(picks) && ctx.Err() == nil {
			position = p.loadNext(ctx, position, count)
			n, _ := p.Counts()
			report := p.Run(ctx)
			files, bad = files+n, bad || report.Bad()
			for r := range report.Rows() {
				row := r.toJSON(several)
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

// loadNext plans the next n assets, replacing the previous ones, and keeps them in memory.
func (p *Plan) loadNext(ctx context.Context, cur cursor, n int) cursor {
	p.items.clear()
	p.payloads = p.payloads[:0]
	for ; n > 0 && cur.pick < len(p.picks); n, cur = n-1, cur.next(p.picks, 1) {
		pick := &p.picks[cur.pick]
		i := pick.Index + cur.inPick
		a := pick.From.At(i)
		for _, d := range p.appendDrafts(ctx, nil, cur.pick, i, a, cur.number+1) {
			p.items.add(p.assignPath(&d), d.pick)
			p.payloads = append(p.payloads, a)
		}
	}
	p.items.seal()
	return cur
}
