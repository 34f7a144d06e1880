package ppac

import "context"

const (
	votersMax = 16        // assets that decide what Adler-32 sums are over
	voterMax  = 256 << 10 // stored bytes of the largest of them
	triedMax  = 256       // index entries that are tried to find them
)

// voteOnAdler returns what the Adler-32 sums of most of some small assets match, and of two that match as many, the
// first.
func (f *file) voteOnAdler() (most coverage) {
	var votes [overUnknown]int
	voters := 0
	for k := range spread(f.assets.count, triedMax) {
		a, wrong := f.assetAt(f.assets.record(k))
		if wrong != nil || a.place.Size > voterMax || !a.findData(nil) {
			continue
		}
		if voters++; voters > votersMax {
			break
		}
		s := sums{kind: a.codec(context.Background()), most: smallExpansion * voterMax}
		for o := range overUnknown {
			if sum, _ := a.sumOver(context.Background(), o, &s); sum == equal {
				votes[o]++
			}
		}
	}
	for o, n := range votes {
		if n > votes[most] {
			most = coverage(o)
		}
	}
	if votes[most] == 0 && voters < 2 {
		return overUnknown
	}
	return most
}
