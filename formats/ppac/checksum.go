package ppac

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"math"
	"sync"
	"sync/atomic"

	"assay/formats/decode"
	"assay/model"
	"assay/model/checksum"
)

const (
	glanceMax    = 64 << 10  // stored bytes of an asset that is checked when it is looked at
	glanceTotal  = 256 << 20 // and of all such assets of a file
	glanceExpand = 16        // how many times longer its content may be

	voters     = 16        // assets that tell what Adler-32 is over
	voterMax   = 256 << 10 // the biggest of them
	askedMax   = 256       // index entries among which they are looked for
	verdictMax = 8192      // verdicts that are kept
)

// over is what Adler-32 sums are over.
type over int32

const (
	overStored over = iota
	overEntry
	overContent
	overUnknown // no asset told
)

// String is it in words.
func (o over) String() string {
	return [...]string{"stored bytes", "whole data entry", "expanded content", "stored bytes, data entry or content"}[o]
}

// sums is what is known of a file's checksums.
type sums struct {
	vote     sync.Once
	over     over
	once     sync.Once
	verdicts []atomic.Uint64 // entry number + 1, and its verdict in the lowest byte
}

var errTooLong = errors.New("the content is longer than is read for a check")

func (f *file) sumName() string {
	if f.layout.Later {
		return "SHA-256"
	}
	return "Adler-32"
}

// glanceLimit is how many stored bytes an asset of the file may have that is checked whenever it is looked at.
func (f *file) glanceLimit() int64 { return int64(min(glanceMax, glanceTotal/max(f.index.n, 1))) }

// glance returns the verdict on an asset that is small enough to be checked whenever it is looked at, or was verified.
func (f *file) glance(a *asset) (model.Verdict, bool) {
	if a.later && a.ent.SHA256 == ([32]byte{}) {
		return model.Unrecorded, true
	}
	if v, ok := f.verdict(a.record); ok {
		return v, true
	}
	limit := f.glanceLimit()
	if a.entry.Size > limit+16<<10 || !f.find(a) || a.data.Size > limit {
		return model.Unknown, false
	}
	v, err := model.Unknown, error(nil)
	if a.later {
		v, err = a.verifySHA(context.Background(), glanceExpand*limit)
	} else {
		v, _, err = f.verifyAdler(context.Background(), a, glanceExpand*limit)
	}
	if err != nil {
		return model.Unknown, false
	}
	f.remember(a.record, v)
	return v, true
}

// glanceHeld is glance for an asset whose bytes the cursor has just read, if they are stored plainly.
func (f *file) glanceHeld(e *decode.Cursor, ent *Entry, entry, data model.Span) (model.Verdict, bool) {
	switch {
	case data.Size > f.glanceLimit():
		return model.Unknown, false
	case f.layout.Later:
		return ent.matchesSHA(e.Held(data))
	}
	return ent.matchesAdler(e, f.adlerOver(), entry, data)
}

func verdictOf(same bool) model.Verdict {
	if same {
		return model.Valid
	}
	return model.Invalid
}

func (ent *Entry) matchesSHA(data []byte) (model.Verdict, bool) {
	switch {
	case ent.SHA256 == ([32]byte{}):
		return model.Unrecorded, true
	case data == nil || ent.Compression != Stored || ent.Size != ent.MemorySize:
		return model.Unknown, false
	}
	return verdictOf(sha256.Sum256(data) == ent.SHA256), true
}

func (ent *Entry) matchesAdler(e *decode.Cursor, o over, entry, data model.Span) (model.Verdict, bool) {
	b := e.Held(data)
	switch {
	case o == overEntry:
		b = e.Held(entry)
	case o == overUnknown, o == overContent && ent.Compression != Stored:
		b = nil
	}
	if b == nil {
		return model.Unknown, false
	}
	return verdictOf(checksum.Adler32(b) == ent.Adler32), true
}

func (f *file) slot(record int) *atomic.Uint64 {
	f.sums.once.Do(func() { f.sums.verdicts = make([]atomic.Uint64, min(f.index.n, verdictMax)) })
	return &f.sums.verdicts[record%len(f.sums.verdicts)]
}

func (f *file) verdict(record int) (model.Verdict, bool) {
	v := f.slot(record).Load()
	return model.Verdict(v), v>>8 == uint64(record)+1
}

func (f *file) remember(record int, v model.Verdict) {
	f.slot(record).Store((uint64(record)+1)<<8 | uint64(v))
}

// copyTo expands an asset into a hash. More than limit bytes are an error, unless they are stored plainly: the file
// bounds those.
func (a *asset) copyTo(ctx context.Context, w hash.Hash, kind codec, limit int64) (int64, error) {
	r, err := a.stream(ctx, kind)
	if err != nil {
		return 0, err
	}
	if kind == plain {
		return r.(*storedReader).WriteTo(w)
	}
	buf := copyBuffers.Get().(*[]byte)
	defer copyBuffers.Put(buf)
	if limit == math.MaxInt64 {
		return io.CopyBuffer(w, r, *buf)
	}
	n, err := io.CopyBuffer(w, io.LimitReader(r, limit+1), *buf)
	if err == nil && n > limit {
		err = errTooLong
	}
	return n, err
}

// hash is the SHA-256 of an asset expanded by kind, and its length.
func (a *asset) hash(ctx context.Context, kind codec, limit int64) (sum [32]byte, n int64, err error) {
	h := sha256.New()
	n, err = a.copyTo(ctx, h, kind, limit)
	h.Sum(sum[:0])
	return sum, n, err
}

// verifySHA compares with the SHA-256 of the later revision. The library computed it over the content, and over the
// compressed bytes where it took those over from another file.
func (a *asset) verifySHA(ctx context.Context, limit int64) (model.Verdict, error) {
	if a.ent.SHA256 == ([32]byte{}) {
		return model.Unrecorded, nil
	}
	kinds := []codec{plain}
	if a.ent.Compression == Deflate || a.ent.Compression == Stored && a.ent.Size != a.ent.MemorySize {
		if kind, _, sound := a.expand(ctx, make([]byte, firstLook)); sound && kind != plain {
			kinds = []codec{kind, plain}
		}
	}
	long := false
	for _, kind := range kinds {
		sum, _, err := a.hash(ctx, kind, limit)
		switch {
		case ctx.Err() != nil:
			return model.Unknown, ctx.Err()
		case errors.Is(err, errTooLong):
			long = true
		case err != nil && kind == plain:
			return model.Unknown, err
		case err == nil && sum == a.ent.SHA256:
			return model.Valid, nil
		}
	}
	switch {
	case long:
		return model.Unknown, errTooLong
	case a.ent.Compression > Deflate:
		return model.Unknown, nil // it may be over a content that cannot be expanded
	}
	return model.Invalid, nil
}

// adler is the Adler-32 of an asset over one of the things it may be over.
func (a *asset) adler(ctx context.Context, o over, limit int64) (uint32, error) {
	h := checksum.NewAdler32()
	kind := plain
	b := *a
	switch o {
	case overEntry:
		b.data = a.entry
	case overContent:
		if a.ent.Compression != Stored {
			k, _, sound := a.expand(ctx, make([]byte, firstLook))
			if !sound {
				return 0, fmt.Errorf("ppac: the content at %#x cannot be expanded", a.data.Offset)
			}
			kind = k
		}
	}
	_, err := b.copyTo(ctx, h, kind, limit)
	return h.Sum32(), err
}

// adlerOver tells what the file's Adler-32 sums are over. Of two that match as many, the first is it.
func (f *file) adlerOver() over {
	f.sums.vote.Do(func() {
		var votes [3]int
		looked := 0
		n := f.assets.count
		asked := min(n, askedMax)
		for k := 0; k < asked && looked < voters; k++ {
			record := f.assets.at(k * n / asked)
			ent := f.entry(record)
			s, wrong := f.locate(ent.Location, ent.Size)
			if wrong != nil || s.Size > voterMax {
				continue
			}
			a := f.assetAt(record, ent, s)
			if !f.find(a) {
				continue
			}
			looked++
			for o := range overUnknown {
				if sum, err := a.adler(context.Background(), o, glanceExpand*voterMax); err == nil &&
					sum == ent.Adler32 {
					votes[o]++
				}
			}
		}
		f.sums.over = overStored
		for o := range overUnknown {
			if votes[o] > votes[f.sums.over] {
				f.sums.over = o
			}
		}
		if votes[f.sums.over] == 0 && looked < 2 {
			f.sums.over = overUnknown
		}
	})
	return f.sums.over
}

// verifyAdler compares with the Adler-32 of the published revision. It returns what a sum that matches is over.
func (f *file) verifyAdler(ctx context.Context, a *asset, limit int64) (v model.Verdict, o over, err error) {
	first, last := overStored, overContent
	if vote := f.adlerOver(); vote != overUnknown {
		first, last = vote, vote
	}
	v = model.Unknown
	for o = first; o <= last; o++ {
		sum, err := a.adler(ctx, o, limit)
		switch {
		case ctx.Err() != nil:
			return model.Unknown, o, ctx.Err()
		case err != nil && o != overContent:
			return model.Unknown, o, err
		case err != nil:
			continue // it cannot be expanded
		case sum == a.ent.Adler32:
			return model.Valid, o, nil
		}
		v = model.Invalid
	}
	return v, overUnknown, nil
}
