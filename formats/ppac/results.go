package ppac

import (
	"context"
	"crypto/sha256"
	"sync"

	"assay/formats/decode"
	"assay/model"
)

// The limits of assets that are checked when they are looked at.
const (
	smallMax       = 64 << 10  // stored bytes of one
	smallTotal     = 256 << 20 // stored bytes of all of a file
	smallExpansion = 16        // how many times its stored bytes the content of one may have
	smallMetadata  = 16 << 10  // bytes of the rest of its DATA ENTRY
)

// smallSize is the most stored bytes of a small asset of the file.
func (f *File) smallSize() int64 {
	if f.Source.Summed() {
		return 0
	}
	return int64(min(smallMax, smallTotal/max(f.entries.n, 1)))
}

// loadSmall returns the bytes of a small asset, with a cursor where they begin; nil if it is not small.
func (f *File) loadSmall(e *decode.Cursor, place model.Span) []byte {
	return load(e, place, f.smallSize()+smallMetadata)
}

// load returns the bytes of an asset of at most so many, with a cursor where they begin; nil if it has more. They are
// good until the cursor goes on to another asset.
func load(e *decode.Cursor, place model.Span, most int64) []byte {
	if place.Size > most {
		return nil
	}
	return e.Peek(place.Size)
}

// checkIfSmall checks an asset if it is small. Of a larger one it returns the result of an earlier check; known is
// false if there is none.
func (f *File) checkIfSmall(a *Asset, loaded []byte) (r result, known bool) {
	if f.Layout.Later && a.Entry.SHA256 == [32]byte{} && !a.mayBeCompressed() {
		return result{verdict: model.Unrecorded}, true
	}
	most := f.smallSize()
	if a.Place.Size > most+smallMetadata || a.fit == fitNot || a.Data.Size > most {
		return f.results.find(a.Entry)
	}
	r, err := a.check(context.Background(), loaded, smallExpansion*most)
	return r, err == nil
}

// resultsMax is how many results and how many checksums of streams are kept, each about 100 bytes.
const resultsMax = 1 << 16

// results keeps the results of checks, and the checksums that they are made of. Index entries that differ only in their
// TPU share a result, and those of one stream share what it expands to, whatever else they record: thousands of entries
// of one large asset must not read it thousands of times. It is safe for concurrent use.
type results struct {
	mu    sync.Mutex
	known map[Entry]result // by the index entry without its TPU
	sums  map[stream]contentSum
}

func newResults() *results {
	return &results{known: make(map[Entry]result), sums: make(map[stream]contentSum)}
}

// stream is stored bytes, and the way they are expanded.
type stream struct {
	stored model.Span
	kind   codec
}

// contentSum is what a stream expands to.
type contentSum struct {
	size int64             // bytes that were expanded
	cut  bool              // there are more bytes, of which the checksum is not known
	err  error             // what is wrong with the stream after these bytes
	sum  [sha256.Size]byte // an Adler-32 has the first four bytes
}

// sumOf returns what is known of a stream.
func (k *results) sumOf(s stream) (c contentSum, ok bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	c, ok = k.sums[s]
	return c, ok
}

// keepSum keeps what was found of a stream.
func (k *results) keepSum(s stream, c contentSum) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if _, ok := k.sums[s]; ok || len(k.sums) < resultsMax {
		k.sums[s] = c
	}
}

func (k *results) find(x Entry) (result, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	x.TPU = TPU{}
	r, ok := k.known[x]
	return r, ok
}

func (k *results) keep(x Entry, r result) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if x.TPU = (TPU{}); len(k.known) < resultsMax {
		k.known[x] = r
	}
}
