package ppac

import (
	"context"
	"crypto/sha256"
	"hash"

	"assay/formats/decode"
	"assay/model"
	"assay/model/checksum"
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
	case a.Layout.Later && a.Entry.SHA256 == [32]byte{}:
		return nil
	case a.Layout.Later && a.mayBeCompressed():
		// The library computed it over the content, and over the compressed bytes where it took those from another
		// file.
		return []coverage{overContent, overStored}
	case a.Layout.Later:
		return storedOnly
	}
	switch o := a.adlerCoverage(); o {
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

// sums are the checksums of an asset over each coverage. Each is computed when it is asked for, once.
type sums struct {
	kind  codec  // how the asset is stored
	most  int64  // how many bytes of the content are read
	fault string // what is wrong with the expanded content, if that was read
	known [overUnknown]agreement
}

// sumOver compares the checksum over some bytes of an asset with the recorded one. The error is errTooLong if the
// content has more than most bytes.
func (a *Asset) sumOver(ctx context.Context, o coverage, s *sums) (agreement, error) {
	if o == overContent && s.kind == notCompressed {
		o = overStored
	}
	if s.known[o] != notCompared {
		return s.known[o], nil
	}
	var err error
	switch o {
	case overStored:
		s.known[o], err = a.sumOverPart(ctx, a.Data)
	case overEntry:
		s.known[o], err = a.sumOverPart(ctx, a.Place)
	default:
		s.known[o], err = a.sumOverContent(ctx, s)
	}
	return s.known[o], err
}

// sumOverPart is sumOver for a part of the file.
func (a *Asset) sumOverPart(ctx context.Context, part model.Span) (got agreement, err error) {
	switch {
	case a.loaded != nil:
		from := part.Offset - a.Place.Offset
		return a.agreement(a.loaded[from : from+part.Size]), nil
	case part.Size <= smallMax:
		got = impossible
		a.quiet.borrow(nil, func(quiet *decode.Cursor) {
			quiet.Reset(part)
			if b := quiet.Peek(part.Size); int64(len(b)) == part.Size {
				got = a.agreement(b)
			}
		})
		return got, nil
	}
	h := a.Layout.newHash()
	if _, err := a.stored(ctx, part).WriteTo(h); err != nil {
		return notCompared, err
	}
	return a.agreementOf(h), nil
}

// sumOverContent is sumOver for content that is expanded. It finds what is wrong with that, too.
func (a *Asset) sumOverContent(ctx context.Context, s *sums) (_ agreement, err error) {
	if s.kind == unknownCodec {
		if a.Entry.Compression == Deflate {
			s.fault = "the stored bytes are not a zlib, gzip or raw deflate stream"
		}
		return impossible, nil
	}
	h := a.Layout.newHash()
	whole := false
	switch whole, s.fault, err = a.expandInto(ctx, h, s.kind, s.most); {
	case err != nil:
		return notCompared, err
	case !whole:
		return impossible, nil // what was expanded is not the content; it may be nothing
	}
	return a.agreementOf(h), nil
}

// agreement is how a checksum over some bytes of an asset compares with the recorded one.
type agreement uint8

const (
	notCompared agreement = iota
	impossible            // the bytes cannot be had: unsound content, an unknown compression, or the file was cut
	different
	equal
)

// agrees returns equal or different.
func agrees(same bool) agreement {
	if same {
		return equal
	}
	return different
}

// agreement compares the checksum over bytes with the recorded one.
func (a *Asset) agreement(b []byte) agreement {
	if a.Layout.Later {
		return agrees(sha256.Sum256(b) == a.Entry.SHA256)
	}
	return agrees(checksum.Adler32(b) == a.Entry.Adler32)
}

// agreementOf compares the checksum of what h was given with the recorded one.
func (a *Asset) agreementOf(h hash.Hash) agreement {
	sum := h.Sum(nil)
	if a.Layout.Later {
		return agrees([sha256.Size]byte(sum) == a.Entry.SHA256)
	}
	return agrees(order.Uint32(sum) == a.Entry.Adler32)
}

// newHash returns the hash that index entries have of their assets.
func (l Layout) newHash() hash.Hash {
	if l.Later {
		return sha256.New()
	}
	return checksum.NewAdler32()
}

// sumName is what it is called.
func (l Layout) sumName() string {
	if l.Later {
		return "SHA-256"
	}
	return "Adler-32"
}

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
		if err != nil || a.Place.Size > voterMax || !a.findData(nil) {
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
