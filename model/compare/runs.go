package compare

// Run is consecutive pairs below a pair that are in one state.
type Run struct {
	First, N   int
	Old, New   int // the children of both nodes that the run begins with; -1: none
	Status     Status
	OneVersion bool
	// Counts are the rows of the report at and below the run's pairs, as far as they are known: of changed elements of
	// long lists only the first few thousand are kept.
	Counts Counts
	Known  bool
}

// Runs returns the pairs below this one in runs, so that a million of them that are the same are one step. It may have
// to compare long lists, as Len does.
func (p *Pair) Runs(do func(r Run) bool) {
	if p.Leaf() {
		return
	}
	k := p.below()
	for i, r := range k.runs {
		out := Run{First: k.starts[i], N: r.n, Old: r.old, New: r.new, Status: r.status, OneVersion: r.oneVersion,
			Known: true}
		switch {
		case r.pair != nil:
			out.Counts = r.pair.Counts
		case r.status == Changed:
			out.Known = false
		case r.renamed && r.status == Moved && p.New.Child(r.new).Key != "":
			out.Counts.Removed, out.Counts.Added = int64(r.n), int64(r.n)
		case !r.oneVersion:
			*out.Counts.At(r.status) = int64(r.n)
		}
		if !do(out) {
			return
		}
	}
}

// Ready reports whether Len, Child and Runs know what is below the pair without comparing anything.
func (p *Pair) Ready() bool { return p.kids != nil || p.Leaf() }
