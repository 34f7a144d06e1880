package compare

import (
	"context"

	"assay/model"
)

const (
	contentLeast = 32      // bytes that a node must have to be known by its content alone
	digestsKept  = 1 << 18 // digests of nodes that are remembered
	pairsKept    = 2048    // results for elements of long lists that are remembered
)

// engine computes a comparison from a left document to a right one.
type engine struct {
	ctx         context.Context
	progress    model.Progress
	c           *Comparison
	opts        *Options
	left, right *model.Document
	windows     [2]*window
	sameVariant bool
	strict      bool // values of the layout count
	steps       int
	budget      int // how many more pairs of list elements are kept

	ignored    int64
	byChecksum bool

	digests [2]map[*model.Node]uint64
	partner [2]map[*model.Node]*model.Node // nodes that belong together although their parents do not, by side
	renames map[string]string              // left key to right key
	alike   map[string]float64             // keys of both sides to the share of the content that stayed
	aliases map[string]string              // as renames, for things that two versions of a format key in two ways
	chosen  [2]map[string]model.Path       // place on one side to the place on the other that a person chose

	planned, renamedLate bool // some of the renames were found after the plan was made
	only                 map[fieldOf]int64

	alikeLeft [2]int64 // bytes of each side that may still be read to find things that are alike
}

type fieldOf struct {
	typ, name string
	status    Status
}

func newEngine(ctx context.Context, c *Comparison, progress model.Progress) *engine {
	e := &engine{ctx: ctx, progress: progress, c: c, opts: &c.Options, left: c.Old, right: c.New, budget: pairsKept,
		alikeLeft: [2]int64{alikeTotal, alikeTotal}}
	if c.flipped {
		e.left, e.right = e.right, e.left
	}
	e.windows = [2]*window{{src: e.left.Source}, {src: e.right.Source}}
	e.sameVariant = c.Old.Variant == c.New.Variant
	e.only = make(map[fieldOf]int64)
	for i := range 2 {
		e.digests[i] = make(map[*model.Node]uint64)
		e.partner[i] = make(map[*model.Node]*model.Node)
	}
	return e
}

func (e *engine) doc(side int) *model.Document {
	if side == 0 {
		return e.left
	}
	return e.right
}

// sides turns an old and a new thing into a left and a right one.
func (e *engine) sides(old, new *model.Node) (l, r *model.Node) {
	if e.c.flipped {
		return new, old
	}
	return old, new
}

// statusOfUnmatched returns the state of a node that only one side has.
func (e *engine) statusOfUnmatched(side int) Status {
	if (side == 0) != e.c.flipped {
		return Removed
	}
	return Added
}

func (e *engine) pair(l, r *model.Node, s Status) *Pair {
	old, new := l, r
	if e.c.flipped {
		old, new = r, l
	}
	return &Pair{c: e.c, Old: old, New: new, Status: s}
}

// checkContext ends the work when the context has ended. It is called for every node.
func (e *engine) checkContext() error {
	if e.steps++; e.steps%1024 == 0 {
		return e.ctx.Err()
	}
	return nil
}

func (e *engine) report(n *model.Node) {
	if e.progress != nil {
		e.progress(min(n.Offset, e.left.Source.Size()), e.left.Source.Size())
	}
}

// compareRoots plans and compares; nil if the documents are the same.
func (e *engine) compareRoots() (*Pair, error) {
	if err := e.plan(); err != nil {
		return nil, err
	}
	e.planned = true
	return e.compare(e.left.Root(), e.right.Root())
}

// compare returns the pair of two nodes that belong together; nil if they are the same.
func (e *engine) compare(l, r *model.Node) (*Pair, error) {
	p, below, err := e.compareThemselves(l, r)
	if err != nil || !below {
		return p, err
	}
	k, err := e.children(l, r, false)
	if err != nil {
		return nil, err
	}
	return e.changedBelow(l, r, k), nil
}

// compareThemselves compares two nodes unless both have children, which is what below reports.
func (e *engine) compareThemselves(l, r *model.Node) (p *Pair, below bool, err error) {
	if err := e.checkContext(); err != nil {
		return nil, false, err
	}
	if e.steps%1024 == 0 {
		e.report(l)
	}
	switch {
	case e.opts.ignores(l) || e.opts.ignores(r):
		err = e.countIgnored(l, r)
	case isMixed(l, r):
		p, err = e.compareMixed(l, r)
	case !l.Leaf() || !r.Leaf():
		return nil, true, nil
	default:
		var differ bool
		if differ, err = e.leavesDiffer(l, r); differ && err == nil {
			p = e.changedLeaf(l, r)
		}
	}
	return p, false, err
}

// changedBelow returns the pair of two nodes with the pairs below it; nil if there are none.
func (e *engine) changedBelow(l, r *model.Node, k *children) *Pair {
	if k == nil {
		return nil
	}
	p := e.pair(l, r, Changed)
	p.kids, p.Counts = k, k.counts
	if p.keyed() {
		p.Counts.Add(ownRows(Changed, p.Old, p.New))
	}
	return p
}

func (e *engine) changedLeaf(l, r *model.Node) *Pair {
	p := e.pair(l, r, Changed)
	p.Counts = ownRows(Changed, p.Old, p.New)
	return p
}

func (e *engine) countIgnored(l, r *model.Node) error {
	same := l.Size == r.Size
	if same {
		var err error
		if same, err = e.sameBytes(l.Span, r.Span); err != nil {
			return err
		}
	}
	if !same {
		e.ignored++
	}
	return nil
}

// compareMixed compares a leaf with a node that has children: an optional part that is there in one file only, a value
// that one version of the format wraps in a header, or a content that one version stores bare.
func (e *engine) compareMixed(l, r *model.Node) (*Pair, error) {
	if e.renamedValue(l, r) {
		return nil, nil
	}
	lv, rv := e.meaning(l), e.meaning(r)
	if lv != nil && rv != nil {
		same, err := e.equal(lv, rv)
		if err != nil {
			return nil, err
		}
		if same && !e.sameVariant || e.tolerates(lv, rv) {
			return nil, nil
		}
	}
	return e.changedLeaf(l, r), nil
}

// meaning is the one value of a node: its own, or the only block of bytes among its children.
func (e *engine) meaning(n *model.Node) any {
	if n.Value != nil || n.Leaf() || n.Len() > 64 {
		return n.Value
	}
	var found any
	for i := range n.Len() {
		if b, ok := n.Child(i).Value.(model.Blob); ok {
			if found != nil {
				return nil
			}
			found = b
		}
	}
	return found
}

// versionFields lists the fields that only one version has.
func (e *engine) versionFields() []VersionField {
	var out []VersionField
	for f, n := range e.only {
		out = append(out, VersionField{Type: f.typ, Name: f.name, In: f.status, Count: n})
	}
	sortVersionFields(out)
	return out
}
