package export

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/dustin/go-humanize"

	"assay/model"
)

// Excess is what an export comes to that is out of all proportion to the bytes that it is made of: assets that share
// their stored bytes with many others, or that expand without an end.
type Excess struct {
	Assets int
	Bytes  int64 // that they take as files, or that were written when it was noticed
	Stored int64 // that they take in the files that they come from
}

// Error says what is wrong.
func (x Excess) Error() string {
	return fmt.Sprintf("exporting %s would write at least %s, %s times the %s stored. The assets share "+
		"stored bytes or are a decompression bomb", model.Count(x.Assets, "asset"), humanize.Bytes(uint64(x.Bytes)),
		humanize.Comma(x.Bytes/max(1, x.Stored)), humanize.Bytes(uint64(x.Stored)))
}

// FindExcess reports whether the assets of picks, which take a number of bytes as files, are an Excess.
func FindExcess(ctx context.Context, picks []Pick, bytes int64) (Excess, bool, error) {
	if bytes <= model.ExcessLeast {
		return Excess{}, false, nil
	}
	stored, err := storedOf(ctx, picks)
	return Excess{CountPicks(picks), bytes, stored}, err == nil && bytes/model.ExcessTimes > stored, err
}

// Excess reports whether the files of the plan are an Excess, as far as their sizes are known.
func (p *Plan) Excess(ctx context.Context) (Excess, bool, error) {
	_, bytes := p.Counts()
	return FindExcess(ctx, p.picks, bytes)
}

// Allow has the plan written whatever it comes to.
func (p *Plan) Allow() { p.guard.allowed.Store(true) }

// guard stops an export that comes to an Excess, unless a person allows it.
type guard struct {
	bytes   atomic.Int64 // that were read so far, of all assets
	allowed atomic.Bool
	mu      sync.Mutex
	most    int64 // bytes that are no Excess; 0 until it is known
	excess  *Excess
}

// spend counts bytes that are read of assets, and returns an error where they are too many.
func (p *Plan) spend(ctx context.Context, n int64) error {
	g := &p.guard
	bytes := g.bytes.Add(n)
	if bytes <= model.ExcessLeast || g.allowed.Load() {
		return nil
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	switch {
	case g.excess != nil:
		return *g.excess
	case bytes <= g.most || g.allowed.Load():
		return nil
	}
	x, is, err := FindExcess(ctx, p.picks, bytes)
	switch {
	case err != nil:
		return err
	case !is:
		g.most = max(bytes, model.ExcessTimes*x.Stored)
		return nil
	case p.opts.Excess != nil && p.opts.Excess(ctx, x):
		g.allowed.Store(true)
		return nil
	}
	g.excess = &x
	return x
}

// storedOf is how many bytes of their files assets take; bytes that several share count once.
func storedOf(ctx context.Context, picks []Pick) (total int64, err error) {
	for _, of := range byFile(picks) {
		var spans []model.Span
		for i := range of {
			from := of[i].Index
			err := model.DescribeEach(ctx, of[i].From, from, from+of[i].Len(), func(_ int, a *model.Payload) bool {
				if a.Stored.Size == 0 && a.Codec == "" { // it comes from elsewhere
					total += max(0, a.Size)
				}
				spans = append(spans, a.Stored)
				return ctx.Err() == nil
			})
			if err != nil {
				return 0, err
			}
		}
		total += covered(spans)
	}
	return total, ctx.Err()
}

// byFile puts picks of the same assets together.
func byFile(picks []Pick) (all [][]Pick) {
	at := map[any]int{}
	for _, p := range picks {
		k, ok := at[identity(p.From)]
		if !ok {
			k, all = len(all), append(all, nil)
			at[identity(p.From)] = k
		}
		all[k] = append(all[k], p)
	}
	return all
}

// covered is how many bytes are in any of some spans.
func covered(spans []model.Span) (total int64) {
	slices.SortFunc(spans, func(a, b model.Span) int { return cmp.Compare(a.Offset, b.Offset) })
	var end int64
	for _, s := range spans {
		if s.End() > end {
			total += s.End() - max(end, s.Offset)
			end = s.End()
		}
	}
	return total
}
