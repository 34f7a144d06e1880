package ppac

import (
	"math"
	"runtime"
	"sync"

	"golang.org/x/sync/errgroup"
)

// scanned is what a look at each of some index entries tells.
type scanned struct {
	bad                 int  // assets that cannot be where they say
	inside, giga, empty bool // as in index
	rising              bool // the TPUs come in their order
	regular             bool // the assets come in the order of the file, and none shares a byte
	first, end          int64
}

// scan looks at each index entry once: is its asset in the file, are the assets in order, is a TPU used twice?
func (f *file) scan() error {
	x := &f.index
	tpus := make([]uint64, x.n)
	parts, err := f.parts(func(from, to int) (scanned, error) { return f.scanPart(tpus, from, to) })
	if err != nil {
		return err
	}
	x.bad, x.inside, x.giga, x.empty, x.shared, x.twice = 0, false, false, false, false, nil
	regular, rising, end, next := true, true, int64(0), 0
	for _, p := range parts {
		x.inside, x.giga, x.empty = x.inside || p.inside, x.giga || p.giga, x.empty || p.empty
		regular = regular && p.regular && p.first >= end
		rising = rising && p.rising && (next == 0 || tpus[next] > tpus[next-1])
		x.bad, end, next = x.bad+p.bad, max(end, p.end), next+f.partSize()
	}
	f.assets = places{count: x.n, record: f.span}
	var wait sync.WaitGroup
	if !rising {
		wait.Go(func() { x.twice = twice(tpus) })
	}
	if !regular || x.bad > 0 {
		err = f.order(parts)
	}
	wait.Wait()
	return err
}

func (f *file) partSize() int { return max(1<<14, (f.index.n+runtime.NumCPU()-1)/runtime.NumCPU()) }

// parts calls one for parts of the index, on all cores.
func (f *file) parts(one func(from, to int) (scanned, error)) ([]scanned, error) {
	n, size := f.index.n, f.partSize()
	all := make([]scanned, (n+size-1)/size)
	g := new(errgroup.Group)
	for k := range all {
		g.Go(func() (err error) {
			all[k], err = one(k*size, min((k+1)*size, n))
			return err
		})
	}
	return all, g.Wait()
}

func (f *file) scanPart(tpus []uint64, from, to int) (p scanned, err error) {
	p.regular, p.rising, p.first = true, true, math.MaxInt64
	unread := to - from
	err = f.read(f.ctx, f.indexEntry.readKeyed, from, to, func(i int, ent *Entry) bool {
		unread--
		tpus[i] = ent.bits()
		p.rising = p.rising && (i == from || tpus[i] > tpus[i-1])
		p.giga = p.giga || ent.Location > math.MaxInt32 || ent.Size > math.MaxInt32
		s, wrong := f.locate(ent.Location, ent.Size)
		if wrong != nil {
			p.bad++
			p.inside = p.inside || s.Size > 0 && s.Overlaps(f.index.span)
			return true
		}
		p.empty = p.empty || s.Size == 0
		p.regular = p.regular && s.Offset >= p.end
		p.first, p.end = min(p.first, s.Offset), max(p.end, s.End())
		return true
	})
	p.bad += unread
	return p, err
}

// order sorts the assets by their places.
func (f *file) order(parts []scanned) error {
	g, ok := newGather(f.index.n-f.index.bad, f.src.Size())
	if !ok {
		f.assets = places{}
		f.index.fault = "has more entries than can be sorted in a file of this size"
		return nil
	}
	starts := make([]int, len(parts))
	for k := 1; k < len(parts); k++ {
		starts[k] = starts[k-1] + f.partSize() - parts[k-1].bad
	}
	_, err := f.parts(func(from, to int) (p scanned, err error) {
		at := starts[from/f.partSize()]
		return p, f.read(f.ctx, f.indexEntry.readPlace, from, to, func(i int, ent *Entry) bool {
			if s, wrong := f.locate(ent.Location, ent.Size); wrong == nil && at < len(g.keys) {
				g.set(at, i, s)
				at++
			}
			return true
		})
	})
	if err == nil {
		f.assets, f.index.shared = g.places(f.span)
	}
	return err
}

// twice returns the keys that are there more than once, in order. It uses the slice.
func twice(keys []uint64) (found []uint64) {
	keys = sorted(keys, 0)
	for i := 1; i < len(keys); i++ {
		if k := keys[i]; k == keys[i-1] && (i < 2 || k != keys[i-2]) {
			found = append(found, k)
		}
	}
	return found
}
