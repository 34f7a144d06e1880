package ppac

import "context"

const (
	votersMax = 16        // assets that decide what Adler-32 sums are over
	voterMax  = 256 << 10 // stored bytes of the largest of them
	triedMax  = 256       // index entries that are tried to find them
)

// voteOnAdler returns what the Adler-32 sums of most of some small assets match, and of two that match as many, the
// first. It is overUnknown if there is no match, and fewer than two of them can be compared with all of that.
func (f *File) voteOnAdler() (most coverage) {
	var votes [overUnknown]int
	voters, undecided := 0, 0
	for k := range spread(f.assets.count, triedMax) {
		a, wrong := f.assetAt(f.assets.record(k))
		if wrong != nil || a.Place.Size > voterMax || !a.findData(nil) {
			continue
		}
		if voters == votersMax {
			break
		}
		voters++
		kind, _ := a.codec(context.Background(), openLook, nil)
		s := sums{kind: kind, most: smallExpansion * voterMax}
		for o := range overUnknown {
			if sum, _ := a.sumOver(context.Background(), o, &s); sum == equal {
				votes[o]++
			}
		}
		if s.kind == unknownCodec && s.fault == "" {
			undecided++ // its sum may be over the content that cannot be expanded
		}
	}
	for o, n := range votes {
		if n > votes[most] {
			most = coverage(o)
		}
	}
	if votes[most] == 0 && voters-undecided < 2 {
		return overUnknown
	}
	return most
}
