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
	voters, n := 0, f.assets.count
	tried := min(n, triedMax)
	for k := 0; k < tried && voters < votersMax; k++ {
		i := f.assets.record(k * n / tried)
		x := f.entries.at(nil, i)
		a, wrong := f.find(i, &x)
		if wrong != nil || a.place.Size > voterMax || !a.findData(nil) {
			continue
		}
		voters++
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
