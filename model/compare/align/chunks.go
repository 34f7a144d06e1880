package align

import (
	"io"

	"github.com/zeebo/xxh3"

	"assay/model"
)

// gear is a table of random numbers: what a byte adds to the rolling hash that says where a chunk ends.
var gear = func() (g [256]uint64) {
	x := uint64(0x41737361) // any number; it must never change, or two runs would differ
	for i := range g {
		x += 0x9e3779b97f4a7c15
		z := x
		z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
		z = (z ^ z>>27) * 0x94d049bb133111eb
		g[i] = z ^ z>>31
	}
	return g
}()

// chunk is a part of a file whose ends its content decides.
type chunk struct {
	at, n int64
	hash  uint64
}

// anchor is n bytes that are the same at l and at r.
type anchor struct {
	l, r, n int64
}

// cut divides a span into chunks of about the average size.
func (a *aligner) cut(src io.ReaderAt, s model.Span, average int64) []chunk {
	mask := uint64(average-1) << 40
	least, most := average/4, average*8
	var out []chunk
	buf := make([]byte, max(streamSize, 2*most))
	at := s.Offset // of buf[0]
	held := 0      // bytes in buf
	next := s.Offset
	for at < s.End() {
		n := min(int64(len(buf)-held), s.End()-next)
		if a.report(at) || a.fail(readFull(src, buf[held:int64(held)+n], next)) {
			return nil
		}
		next += n
		held += int(n)
		last := next == s.End()
		used := 0
		for used < held && (last || int64(held-used) >= most) {
			size := chunkEnd(buf[used:held], least, most, mask)
			out = append(out, chunk{at: at + int64(used), n: int64(size), hash: xxh3.Hash(buf[used : used+size])})
			used += size
		}
		copy(buf, buf[used:held])
		held -= used
		at += int64(used)
	}
	return out
}

func chunkEnd(b []byte, least, most int64, mask uint64) int {
	n := min(int64(len(b)), most)
	var h uint64
	// The hash forgets a byte after 64 more; it needs no more to settle.
	for i := max(0, least-64); i < n; i++ {
		h = h<<1 + gear[b[i]]
		if i >= least && h&mask == 0 {
			return int(i) + 1
		}
	}
	return int(n)
}

// anchors finds runs of bytes that both spans have in one order: chunks that occur once on either side, and what
// follows on and before them.
func (a *aligner) anchors(l, r model.Span, average int64) []anchor {
	cl, cr := a.cut(a.l, l, average), a.cut(a.r, r, average)
	var out []anchor
	for _, u := range Uniques(len(cl), len(cr), func(i int) uint64 { return cl[i].hash },
		func(i int) uint64 { return cr[i].hash }) {
		l, r := cl[u.A], cr[u.B]
		if !u.InOrder || l.n != r.n {
			continue
		}
		m := anchor{l.at, r.at, l.n}
		if n := len(out); n > 0 && out[n-1].l+out[n-1].n == m.l && out[n-1].r+out[n-1].n == m.r {
			out[n-1].n += m.n
			continue
		}
		out = append(out, m)
	}
	return a.prove(out, l, r)
}

// prove compares the bytes of anchors, which so far only their hashes say are the same, and lets them grow to both
// sides.
func (a *aligner) prove(found []anchor, l, r model.Span) []anchor {
	out := found[:0]
	endL, endR := l.Offset, r.Offset
	for k, m := range found {
		if m.l < endL || m.r < endR {
			skip := max(endL-m.l, endR-m.r)
			if skip >= m.n {
				continue
			}
			m = anchor{m.l + skip, m.r + skip, m.n - skip}
		}
		limitL, limitR := l.End(), r.End()
		if k+1 < len(found) {
			// The next one proves itself; growing into it would only read it twice.
			limitL, limitR = found[k+1].l, found[k+1].r
		}
		n := max(m.n, min(limitL-m.l, limitR-m.r))
		same := a.same(m.l, m.r, n)
		if same < m.n {
			continue // two contents with one hash
		}
		m.n = same
		back := a.sameBefore(m, endL, endR)
		if a.err != nil {
			return nil
		}
		m = anchor{m.l - back, m.r - back, m.n + back}
		endL, endR = m.l+m.n, m.r+m.n
		out = append(out, m)
	}
	return out
}

// sameBefore is the number of bytes before an anchor that are the same, at most down to the ends given.
func (a *aligner) sameBefore(m anchor, endL, endR int64) int64 {
	most := min(m.l-endL, m.r-endR)
	for back := int64(0); back < most && a.err == nil; {
		n := min(most-back, 4096)
		x, y := a.load(model.Span{Offset: m.l - back - n, Size: n}, model.Span{Offset: m.r - back - n, Size: n})
		k := int64(commonSuffix(x, y))
		back += k
		if k < n {
			return back
		}
	}
	return most
}
