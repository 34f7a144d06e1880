package tree

import (
	"assay/model"
	"assay/model/compare"
	"assay/ui/comparison/compared"
)

// filter selects the visible pairs.
type filter struct {
	states compared.States
	items  *compared.Items // nil until collected
	result *searchResult   // the result of a search below the root; nil without a search
}

// filterBelow returns a func that reports whether the pairs of a run below p are visible, themselves or because of
// pairs below them.
func (v filter) filterBelow(p *compare.Pair) func(r compare.Run) bool {
	var path model.Path
	if v.items.HasMoved() {
		path = append(p.Path(), 0)
	}
	return func(r compare.Run) bool {
		if path != nil && r.Known && r.Counts.Changed > 0 {
			path[len(path)-1] = r.First
			r.Counts = v.items.CountsAt(path, r.Counts)
		}
		switch {
		case v.states.Has(compare.Same) &&
			(r.Status == compare.Same || r.OneVersion || r.Known && r.Counts.Differences() == 0):
			return true
		case r.OneVersion || r.Status == compare.Same:
			return false
		case !r.Known: // not examined: it may be any
			return v.states&compared.Differing != 0
		}
		return v.states.Any(r.Counts)
	}
}
