package align

import (
	"encoding/binary"

	"assay/model"
)

const (
	gram       = 8       // bytes that must be the same, and occur once, to align a small part by them
	tableMax   = 1 << 20 // cells of the table that aligns the smallest parts exactly
	worthLeast = 4       // bytes that must be the same to interrupt an edit, unless they stand in place
)

// fine aligns small spans in memory.
func (a *aligner) fine(l, r model.Span) {
	x := make([]byte, l.Size)
	y := make([]byte, r.Size)
	if a.fail(readFull(a.l, x, l.Offset)) || a.fail(readFull(a.r, y, r.Offset)) {
		return
	}
	f := &finer{a: a, x: x, y: y, l: l.Offset, r: r.Offset}
	f.align(0, len(x), 0, len(y))
}

// finer aligns bytes in memory; l and r are where they are in the files.
type finer struct {
	a    *aligner
	x, y []byte
	l, r int64
}

func (f *finer) add(i, ii, j, jj int) {
	f.a.add(model.Span{Offset: f.l + int64(i), Size: int64(ii - i)},
		model.Span{Offset: f.r + int64(j), Size: int64(jj - j)})
}

// align finds the edits between x[i:ii] and y[j:jj].
func (f *finer) align(i, ii, j, jj int) {
	k := commonPrefix(f.x[i:ii], f.y[j:jj])
	i, j = i+k, j+k
	k = commonSuffix(f.x[i:ii], f.y[j:jj])
	ii, jj = ii-k, jj-k
	if i == ii || j == jj {
		f.add(i, ii, j, jj)
		return
	}
	if runs := f.grams(i, ii, j, jj); len(runs) > 0 {
		for _, m := range runs {
			f.align(i, int(m.l), j, int(m.r))
			i, j = int(m.l+m.n), int(m.r+m.n)
		}
		f.align(i, ii, j, jj)
		return
	}
	if ii-i == jj-j {
		f.inPlace(i, ii, j)
		return
	}
	if (ii-i)*(jj-j) <= tableMax {
		f.table(i, ii, j, jj)
		return
	}
	f.add(i, ii, j, jj)
}

// grams finds runs that begin with eight bytes which occur once on either side.
func (f *finer) grams(i, ii, j, jj int) []anchor {
	if ii-i < gram || jj-j < gram {
		return nil
	}
	gramAt := func(b []byte, from int) func(k int) uint64 {
		return func(k int) uint64 { return binary.LittleEndian.Uint64(b[from+k:]) }
	}
	var out []anchor
	endL, endR := i, j
	for _, u := range Uniques(ii-i-gram+1, jj-j-gram+1, gramAt(f.x, i), gramAt(f.y, j)) {
		l, r := i+int(u.A), j+int(u.B)
		if !u.InOrder || l < endL || r < endR {
			continue
		}
		n := commonPrefix(f.x[l:ii], f.y[r:jj])
		back := commonSuffix(f.x[endL:l], f.y[endR:r])
		l, r, n = l-back, r-back, n+back
		out = append(out, anchor{int64(l), int64(r), int64(n)})
		endL, endR = l+n, r+n
	}
	return out
}

// inPlace compares x[i:ii] with as many bytes of y from j on.
func (f *finer) inPlace(i, ii, j int) {
	for i < ii {
		k := commonPrefix(f.x[i:ii], f.y[j:j+ii-i])
		i, j = i+k, j+k
		from, to := i, j
		for i < ii && f.x[i] != f.y[j] {
			i++
			j++
		}
		f.add(from, i, to, j)
	}
}

// table aligns by the longest common subsequence in which short runs count little.
func (f *finer) table(i, ii, j, jj int) {
	n, m := ii-i, jj-j
	best := make([]int32, (n+1)*(m+1))
	w := m + 1
	for p := n - 1; p >= 0; p-- {
		for q := m - 1; q >= 0; q-- {
			b := max(best[(p+1)*w+q], best[p*w+q+1])
			if f.x[i+p] == f.y[j+q] {
				b = max(b, best[(p+1)*w+q+1]+1)
			}
			best[p*w+q] = b
		}
	}
	fromL, fromR := i, j
	for p, q := 0, 0; p < n && q < m; {
		if f.x[i+p] != f.y[j+q] {
			if best[(p+1)*w+q] >= best[p*w+q+1] {
				p++
			} else {
				q++
			}
			continue
		}
		k := 0
		for p+k < n && q+k < m && f.x[i+p+k] == f.y[j+q+k] {
			k++
		}
		if k >= worthLeast {
			f.replaced(fromL, i+p, fromR, j+q)
			fromL, fromR = i+p+k, j+q+k
		}
		p, q = p+k, q+k
	}
	f.replaced(fromL, ii, fromR, jj)
}

// replaced adds an edit, byte by byte where both sides are of one length.
func (f *finer) replaced(i, ii, j, jj int) {
	if ii-i == jj-j {
		f.inPlace(i, ii, j)
		return
	}
	f.add(i, ii, j, jj)
}
