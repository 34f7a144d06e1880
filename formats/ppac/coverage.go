package ppac

import (
	"context"
)

// coverage is which bytes of an asset a checksum is computed over.
type coverage int

const (
	overStored coverage = iota
	overEntry
	overContent
	overUnknown // no asset decides it
)

// String returns the name of the bytes in a sentence: "stored bytes".
func (o coverage) String() string {
	return [...]string{"stored bytes", "whole data entry", "expanded content", "stored bytes, data entry or content"}[o]
}

// coverages lists what the recorded checksum of an asset may be over; nothing if none is recorded.
func (a *Asset) coverages() []coverage {
	switch {
	case a.container.Layout.Later && a.Entry.SHA256 == [32]byte{}:
		return nil
	case a.container.Layout.Later && a.mayBeCompressed():
		// The library computed it over the content, and over the compressed bytes where it took those from another
		// file.
		return []coverage{overContent, overStored}
	case a.container.Layout.Later:
		return storedOnly
	}
	switch o := a.container.adlerCoverage(); o {
	case overStored:
		return storedOnly
	case overUnknown:
		return []coverage{overStored, overEntry, overContent}
	default:
		return []coverage{o}
	}
}

var storedOnly = []coverage{overStored}

// SumsAreOfContent reports whether the recorded checksums of a container say nothing but what the contents are, as
// SHA-256 does, and Adler-32 over the stored bytes. Others may change with the widths of numbers, times and metadata.
func (f *File) SumsAreOfContent() bool { return f.Layout.Later || f.adlerCoverage() == overStored }

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
	for k := range samples(f.assets.count, triedMax) {
		a, err := f.Asset(f.assets.record(k))
		if err != nil || a.Place.Size > voterMax || a.fit == fitNot {
			continue
		}
		if voters == votersMax {
			break
		}
		voters++
		s := sums{most: smallExpansion * voterMax}
		s.kind, _ = a.provenCodec(context.Background())
		for o := range overUnknown {
			if sum, _ := a.sumOver(context.Background(), o, &s); sum == equal {
				votes[o]++
			}
		}
		if s.kind == unknownCodec && s.fault == nil {
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
