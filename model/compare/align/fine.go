package align

import (
	"encoding/binary"

	"assay/model"
)

const (
	gramSize = 8       // bytes that must be the same, and occur once, to align a small part by them
	maxTable = 1 << 20 // cells of the table that aligns the smallest parts exactly
	minRun   = 4       // bytes that must be the same to interrupt an edit, unless their index is the same
)

// alignInMemory aligns small spans in memory.
func (a *aligner) alignInMemory(l, r model.Span) {
	x := make([]byte, l.Size)
	y := make([]byte, r.Size)
	if a.fail(readFull(a.l, x, l.Offset)) || a.fail(readFull(a.r, y, r.Offset)) {
		return
	}
	f := &memoryAligner{a: a, x: x, y: y, l: l.Offset, r: r.Offset}
	f.align(0, len(x), 0, len(y))
}

// memoryAligner aligns bytes in memory; l and r are their offsets in the files.
type memoryAligner struct {
	a    *aligner
	x, y []byte
	l, r int64
}

func (a *memoryAligner) add(i, iEnd, j, jEnd int) {
	a.a.add(model.Span{Offset: a.l + int64(i), Size: int64(iEnd - i)},
		model.Span{Offset: a.r + int64(j), Size: int64(jEnd - j)})
}

// align finds the edits between x[i:iEnd] and y[j:jEnd].
func (a *memoryAligner) align(i, iEnd, j, jEnd int) {
	k := commonPrefix(a.x[i:iEnd], a.y[j:jEnd])
	i, j = i+k, j+k
	k = commonSuffix(a.x[i:iEnd], a.y[j:jEnd])
	iEnd, jEnd = iEnd-k, jEnd-k
	if i == iEnd || j == jEnd {
		a.add(i, iEnd, j, jEnd)
		return
	}
	if runs := a.grams(i, iEnd, j, jEnd); len(runs) > 0 {
		for _, m := range runs {
			a.align(i, int(m.l), j, int(m.r))
			i, j = int(m.l+m.n), int(m.r+m.n)
		}
		a.align(i, iEnd, j, jEnd)
		return
	}
	if iEnd-i == jEnd-j {
		a.inPlace(i, iEnd, j)
		return
	}
	if (iEnd-i)*(jEnd-j) <= maxTable {
		a.table(i, iEnd, j, jEnd)
		return
	}
	a.add(i, iEnd, j, jEnd)
}

// grams finds runs that begin with eight bytes which occur once on either side.
func (a *memoryAligner) grams(i, iEnd, j, jEnd int) []anchor {
	if iEnd-i < gramSize || jEnd-j < gramSize {
		return nil
	}
	gramAt := func(b []byte, from int) func(k int) uint64 {
		return func(k int) uint64 { return binary.LittleEndian.Uint64(b[from+k:]) }
	}
	var out []anchor
	endL, endR := i, j
	for _, u := range Uniques(iEnd-i-gramSize+1, jEnd-j-gramSize+1, gramAt(a.x, i), gramAt(a.y, j)) {
		l, r := i+int(u.A), j+int(u.B)
		if !u.InOrder || l < endL || r < endR {
			continue
		}
		n := commonPrefix(a.x[l:iEnd], a.y[r:jEnd])
		back := commonSuffix(a.x[endL:l], a.y[endR:r])
		l, r, n = l-back, r-back, n+back
		out = append(out, anchor{int64(l), int64(r), int64(n)})
		endL, endR = l+n, r+n
	}
	return out
}

// inPlace compares x[i:iEnd] with as many bytes of y from j on.
func (a *memoryAligner) inPlace(i, iEnd, j int) {
	for i < iEnd {
		k := commonPrefix(a.x[i:iEnd], a.y[j:j+iEnd-i])
		i, j = i+k, j+k
		fromL, fromR := i, j
		for i < iEnd && a.x[i] != a.y[j] {
			i++
			j++
		}
		a.add(fromL, i, fromR, j)
	}
}

// table aligns by the longest common subsequence; short runs count little.
func (a *memoryAligner) table(i, iEnd, j, jEnd int) {
	n, m := iEnd-i, jEnd-j
	best := make([]int32, (n+1)*(m+1))
	w := m + 1
	for p := n - 1; p >= 0; p-- {
		for q := m - 1; q >= 0; q-- {
			b := max(best[(p+1)*w+q], best[p*w+q+1])
			if a.x[i+p] == a.y[j+q] {
				b = max(b, best[(p+1)*w+q+1]+1)
			}
			best[p*w+q] = b
		}
	}
	fromL, fromR := i, j
	for p, q := 0, 0; p < n && q < m; {
		if a.x[i+p] != a.y[j+q] {
			if best[(p+1)*w+q] >= best[p*w+q+1] {
				p++
			} else {
				q++
			}
			continue
		}
		k := 0
		for p+k < n && q+k < m && a.x[i+p+k] == a.y[j+q+k] {
			k++
		}
		if k >= minRun {
			a.replace(fromL, i+p, fromR, j+q)
			fromL, fromR = i+p+k, j+q+k
		}
		p, q = p+k, q+k
	}
	a.replace(fromL, iEnd, fromR, jEnd)
}

// replace adds an edit, byte by byte if both sides have one length.
func (a *memoryAligner) replace(i, iEnd, j, jEnd int) {
	if iEnd-i == jEnd-j {
		a.inPlace(i, iEnd, j)
		return
	}
	a.add(i, iEnd, j, jEnd)
}
