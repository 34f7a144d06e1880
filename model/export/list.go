package export

import (
	"context"

	"assay/model"
)

// List calls visit with the items of the plan that NewPlan makes, and keeps none of them: an item is good until visit
// returns. Assets that are described in bulk have no media types.
func List(ctx context.Context, folder Folder, picks []Pick, opts Options, visit func(*Item)) error {
	p, err := NewPlan(ctx, folder, nil, opts)
	if err != nil {
		return err
	}
	p.taken = newTaken(len(picks))
	next := 0
	one := func(a *model.Payload) {
		p.add(picks[next], a, next+1)
		for i := range p.Items {
			visit(&p.Items[i])
		}
		p.Items = p.Items[:0]
		next++
	}
	for next < len(picks) {
		if err := ctx.Err(); err != nil {
			return err
		}
		first := picks[next]
		all, ok := first.From.(model.Describer)
		if !ok {
			one(first.From.At(first.Index))
			continue
		}
		to := next + 1
		for to < len(picks) && picks[to].From == first.From && picks[to].Index == first.Index+to-next {
			to++
		}
		err := all.DescribeEach(ctx, first.Index, first.Index+to-next, func(_ int, a *model.Payload) bool { one(a); return true })
		if err != nil {
			return err
		}
	}
	return nil
}
