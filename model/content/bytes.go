package content

import (
	"context"
	"io"
	"math"

	"assay/model"
)

const (
	maxCounted = 64 << 20 // bytes that are counted
	maxParts   = 512      // parts of them with an entropy each
	minString  = 5        // characters of a string that is listed
	maxString  = 200      // displayed characters of a string
	maxStrings = 2000
)

// Bytes is the view of bytes of unknown type.
type Bytes struct {
	Span    model.Span
	Counted int64         // number of bytes counted
	Counts  [256]int64    // of each value
	Entropy []float32     // bits a byte of each part, in order
	Step    int64         // bytes of a part
	Strings []FoundString // runs of letters
	More    bool          // there are more strings
	Broken  error         // why the content cannot be displayed by its kind; nil if its type is unknown
}

// FoundString is a string in bytes.
type FoundString struct {
	Offset int64
	Text   string
}

// ViewKind implements model.View.
func (*Bytes) ViewKind() model.ViewKind { return model.BytesView }

// TotalEntropy returns the entropy of all counted bytes, in bits a byte.
func (b *Bytes) TotalEntropy() float64 { return entropy(&b.Counts, b.Counted) }

// ReadBytes reads bytes of a source.
func ReadBytes(ctx context.Context, src *model.Source, span model.Span) (*Bytes, error) {
	b := &Bytes{Span: span, Counted: max(0, min(span.Size, maxCounted, src.Size()-span.Offset))}
	b.Step = max(64, (b.Counted+maxParts-1)/maxParts)
	r := src.Reader(model.Span{Offset: span.Offset, Size: b.Counted})
	buffer := make([]byte, b.Step)
	found := stringFinder{offset: span.Offset}
	for offset := int64(0); offset < b.Counted; offset += b.Step {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		p := buffer[:min(b.Step, b.Counted-offset)]
		if _, err := io.ReadFull(r, p); err != nil {
			return nil, err
		}
		var counts [256]int64
		for _, v := range p {
			counts[v]++
		}
		for v, n := range counts {
			b.Counts[v] += n
		}
		b.Entropy = append(b.Entropy, float32(entropy(&counts, int64(len(p)))))
		found.addBytes(p)
	}
	found.endRun()
	b.Strings, b.More = found.found, found.truncated
	return b, nil
}

// entropy is Shannon's, in bits a byte.
func entropy(counts *[256]int64, n int64) float64 {
	h := 0.0
	for _, c := range counts {
		if c > 0 {
			p := float64(c) / float64(n)
			h -= p * math.Log2(p)
		}
	}
	return h
}

// stringFinder finds strings.
type stringFinder struct {
	offset    int64 // of the next byte
	from      int64
	run       []byte
	runLength int
	found     []FoundString
	truncated bool
}

func (f *stringFinder) addBytes(p []byte) {
	for _, c := range p {
		if c >= 0x20 && c < 0x7f || c == '\t' {
			if f.runLength == 0 {
				f.from = f.offset
			}
			if f.runLength++; len(f.run) < maxString {
				f.run = append(f.run, c)
			}
		} else if f.runLength > 0 {
			f.endRun()
		}
		f.offset++
	}
}

func (f *stringFinder) endRun() {
	if f.runLength >= minString {
		if len(f.found) < maxStrings {
			f.found = append(f.found, FoundString{f.from, string(f.run)})
		} else {
			f.truncated = true
		}
	}
	f.run, f.runLength = f.run[:0], 0
}
