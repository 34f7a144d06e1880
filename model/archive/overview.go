package archive

import (
	"cmp"
	"slices"
	"strings"

	"assay/model"
)

// Facts are the common properties of several assets.
type Facts struct {
	Count        int
	Size, Stored int64  // of all: their contents, as far as recorded, and their stored bytes
	Unsized      bool   // the size of the content of some is not recorded
	Folder       string // the common folder, with a slash at the end; may be empty
	Same         []Fact // their type, and how they are stored
}

// Fact is a column, and the cell that all assets have in it.
type Fact struct{ Column, Value string }

// Facts returns the common properties of assets, which are listed by their indexes.
func (a *Archive) Facts(assets []int) Facts {
	f := Facts{Count: len(assets)}
	t := a.Table()
	same := make(map[int]any)
	for k, i := range assets {
		e := &a.entries[i]
		f.Size += max(0, e.size)
		f.Unsized = f.Unsized || e.size < 0
		f.Stored += e.stored
		if folder := e.name[:strings.LastIndexByte(e.name, '/')+1]; k == 0 {
			f.Folder = folder
		} else {
			for !strings.HasPrefix(folder, f.Folder) {
				f.Folder = f.Folder[:strings.LastIndexByte(strings.TrimSuffix(f.Folder, "/"), '/')+1]
			}
		}
		for _, c := range []int{Type, Compression} {
			if v, ok := same[c]; !a.IsInformative(c) || k > 0 && !ok {
				continue
			} else if cell := t.Cell(int64(i), c); k == 0 {
				same[c] = cell
			} else if cell != v {
				delete(same, c)
			}
		}
	}
	for _, c := range []int{Type, Compression} {
		if v, ok := same[c]; ok && v != nil {
			f.Same = append(f.Same, Fact{a.columns[c].Name, model.FormatValue(v)})
		}
	}
	return f
}

// Overview is the view of a package as a whole: the types of its assets, and outstanding ones.
type Overview struct {
	*Archive
	Kinds        []Kind // the most bytes first
	Size, Stored int64  // of all contents, and of their stored bytes; 0 unless the sizes of all are recorded

	// Positions of assets, at most maxOutstanding of each, except for the pictures.
	Largest      []int // the largest first
	Newest       []int // the newest first; empty if no times are recorded
	WithProblem  []int // the first that cannot be exported without problems
	ProblemCount int   // the number of all of these
	Pictures     []int // the first pictures, at most maxPictures
}

// Kind is the assets of a type.
type Kind struct {
	Name  string
	Count int
	Size  int64 // as Archive has it
}

// maxOutstanding is the maximum number of assets that each list of an overview has, and maxPictures that of pictures.
const (
	maxOutstanding = 5
	maxPictures    = 24
)

// ViewKind implements model.View.
func (*Overview) ViewKind() model.ViewKind { return model.OverviewView }

// Overview returns the overview of all assets.
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
	complete := true
	for i := range a.entries {
		e := &a.entries[i]
		kinds[e.typeNumber].Count++
		kinds[e.typeNumber].Size += size(i)
		o.Size += e.size
		o.Stored += e.stored
		complete = complete && e.size >= 0
		o.Largest = keepLargest(o.Largest, i, size)
		o.Newest = keepLargest(o.Newest, i, time)
		if a.HasProblem(i) {
			if o.ProblemCount++; len(o.WithProblem) < maxOutstanding {
				o.WithProblem = append(o.WithProblem, i)
			}
		}
	}
	if !complete { // the stored bytes of assets may overlap
		o.Size, o.Stored = 0, 0
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

// keepLargest inserts an asset into largest, the assets with the greatest values, if its value is positive and great
// enough.
func keepLargest(largest []int, i int, value func(i int) int64) []int {
	v := value(i)
	if v <= 0 || len(largest) == maxOutstanding && v <= value(largest[maxOutstanding-1]) {
		return largest
	}
	index := slices.IndexFunc(largest, func(k int) bool { return value(k) < v })
	if index < 0 {
		index = len(largest)
	}
	largest = slices.Insert(largest, index, i)
	return largest[:min(len(largest), maxOutstanding)]
}
