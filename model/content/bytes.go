package content

import (
	"context"
	"io"
	"math"

	"assay/model"
)

const (
	lookMost    = 64 << 20 // bytes that are looked at
	segments    = 512      // parts of them whose entropy is told
	stringLeast = 5        // characters of a string that is listed
	stringMost  = 200      // characters of one that are kept
	stringsMost = 2000
)

// Bytes is the view of bytes of which nothing is known.
type Bytes struct {
	Span    model.Span
	Looked  int64      // how many bytes were looked at
	Counts  [256]int64 // of each value
	Entropy []float32  // bits a byte of each part, in order
	Step    int64      // bytes of a part
	Strings []Found    // runs of letters
	More    bool       // there are more strings
	Broken  error      // why the content is not shown as what it is; nil: nothing is known of it
}

// Found is a string in bytes.
type Found struct {
	Offset int64
	Text   string
}

// ViewKind implements model.View.
func (*Bytes) ViewKind() model.ViewKind { return model.BytesView }

// Whole is the entropy of all that was looked at, in bits a byte.
func (b *Bytes) Whole() float64 { return entropy(&b.Counts, b.Looked) }

// Look reads bytes of a source.
func Look(ctx context.Context, src *model.Source, span model.Span) (*Bytes, error) {
	b := &Bytes{Span: span, Looked: max(0, min(span.Size, lookMost, src.Size()-span.Offset))}
	b.Step = max(64, (b.Looked+segments-1)/segments)
	r := src.Reader(model.Span{Offset: span.Offset, Size: b.Looked})
	part := make([]byte, b.Step)
	found := finder{at: span.Offset}
	for at := int64(0); at < b.Looked; at += b.Step {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		p := part[:min(b.Step, b.Looked-at)]
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
		found.look(p)
	}
	found.end()
	b.Strings, b.More = found.all, found.more
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

// finder finds strings.
type finder struct {
	at   int64 // of the next byte
	from int64
	run  []byte
	long int
	all  []Found
	more bool
}

func (f *finder) look(p []byte) {
	for _, c := range p {
		if c >= 0x20 && c < 0x7f || c == '\t' {
			if f.long == 0 {
				f.from = f.at
			}
			if f.long++; len(f.run) < stringMost {
				f.run = append(f.run, c)
			}
		} else if f.long > 0 {
			f.end()
		}
		f.at++
	}
}

func (f *finder) end() {
	if f.long >= stringLeast {
		if len(f.all) < stringsMost {
			f.all = append(f.all, Found{f.from, string(f.run)})
		} else {
			f.more = true
		}
	}
	f.run, f.long = f.run[:0], 0
}
