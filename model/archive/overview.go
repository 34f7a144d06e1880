package archive

import (
	"cmp"
	"slices"

	"assay/model"
)

// Overview is the view of a file of assets as a whole: what they are, and which of them stand out.
type Overview struct {
	*Archive
	Kinds        []Kind // the most bytes first
	Size, Packed int64  // of all contents, and what is stored of them; 0 unless the sizes of all are known

	// Positions of assets, at most outstanding of each.
	Largest  []int // the largest first
	Newest   []int // the newest first; none where no times are recorded
	Troubled []int // that cannot leave the file as they should
	Failing  int   // how many of those there are
	Pictures []int // the first pictures, of which there may be more
}

// Kind is the assets of a type.
type Kind struct {
	Name  string
	Count int
	Size  int64 // as Archive has it
}

// outstanding is how many assets of each sort an overview lists, and picturesMost how many pictures.
const (
	outstanding  = 5
	picturesMost = 24
)

// ViewKind implements model.View.
func (*Overview) ViewKind() model.ViewKind { return model.OverviewView }

// Overview returns what there is to say of all assets.
func (a *Archive) Overview() *Overview {
	o := &Overview{Archive: a, Pictures: a.pictures}
	kinds := make([]Kind, len(a.texts))
	size := func(i int) int64 {
		if e := &a.entries[i]; e.size < 0 {
			return e.stored
		}
		return a.entries[i].size
	}
	time := func(i int) int64 { return a.entries[i].modified }
	known := true
	for i := range a.entries {
		e := &a.entries[i]
		kinds[e.kind].Count++
		kinds[e.kind].Size += size(i)
		o.Size += e.size
		o.Packed += e.stored
		known = known && e.size >= 0
		o.Largest = keepMost(o.Largest, i, size)
		o.Newest = keepMost(o.Newest, i, time)
		if a.Troubled(i) {
			if o.Failing++; len(o.Troubled) < outstanding {
				o.Troubled = append(o.Troubled, i)
			}
		}
	}
	if !known { // what assets are made of may overlap
		o.Size, o.Packed = 0, 0
	}
	for i, k := range kinds {
		if k.Name = a.texts[i]; k.Count > 0 {
			o.Kinds = append(o.Kinds, k)
		}
	}
	slices.SortStableFunc(o.Kinds, func(x, y Kind) int {
		return cmp.Or(cmp.Compare(y.Size, x.Size), cmp.Compare(y.Count, x.Count))
	})
	return o
}

// keepMost puts an asset among those of which something is most, if it is one of them and anything is known of it.
func keepMost(most []int, i int, of func(i int) int64) []int {
	what := of(i)
	if what <= 0 || len(most) == outstanding && what <= of(most[outstanding-1]) {
		return most
	}
	at := slices.IndexFunc(most, func(k int) bool { return of(k) < what })
	if at < 0 {
		at = len(most)
	}
	most = slices.Insert(most, at, i)
	return most[:min(len(most), outstanding)]
}
