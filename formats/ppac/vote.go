package ppac

import (
	"context"
	"sync"
)

const (
	votersMax = 16        // assets that decide what Adler-32 sums are over
	voterMax  = 256 << 10 // stored bytes of the largest of them
	askedMax  = 256       // index entries that are tried to find them
)

// adlerVote keeps what the file's Adler-32 sums are over, once it is asked for.
type adlerVote struct {
	once sync.Once
	over over
}

// adlerOver returns what the file's Adler-32 sums are over.
func (f *file) adlerOver() over {
	f.adler.once.Do(func() { f.adler.over = f.voteOnAdler() })
	return f.adler.over
}

// voteOnAdler returns what the Adler-32 sums of most of some small assets match, and of two that match as many, the
// first.
func (f *file) voteOnAdler() (most over) {
	var votes [overUnknown]int
	voters, n := 0, f.assets.count
	asked := min(n, askedMax)
	for k := 0; k < asked && voters < votersMax; k++ {
		a, ok := f.voter(f.assets.record(k * n / asked))
		if !ok {
			continue
		}
		voters++
		for _, o := range f.adlerMatches(&a) {
			votes[o]++
		}
	}
	for o, n := range votes {
		if n > votes[most] {
			most = over(o)
		}
	}
	if votes[most] == 0 && voters < 2 {
		return overUnknown
	}
	return most
}

// voter returns the asset of the i-th index entry, and reports whether it is sound and small enough to vote.
func (f *file) voter(i int) (a asset, ok bool) {
	x := f.entry(i)
	a, wrong := f.find(i, &x)
	return a, wrong == nil && a.place.Size <= voterMax && a.findData()
}

// adlerMatches returns each of the bytes of an asset that its Adler-32 matches.
func (f *file) adlerMatches(a *asset) (matches []over) {
	ctx, kind := context.Background(), a.codec(context.Background())
	for o := range overUnknown {
		if o == overContent && kind == unknownCodec {
			continue // nothing is expanded, and the checksum of nothing says nothing
		}
		sum, err := f.newHash(), error(nil)
		if o != overContent || kind == notCompressed {
			sum, err = f.sumOfStored(ctx, a, o)
		} else {
			_, err = a.expandInto(ctx, sum, kind, smallExpansion*voterMax)
		}
		if err == nil && f.matches(a, sum) {
			matches = append(matches, o)
		}
	}
	return matches
}
