package kaitai

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"assay/formats/kaitai/expression"
	"assay/model"
)

// Limits for a document: steps limit the time, and held bytes the memory. Each has a constant part and one that grows
// with the file. A step takes 60 ns or less, so that the steps for a file of 1 MB take 4.3 s: opening, checking and
// printing it must not take more than 10 s. A record of one byte takes 24 steps, with an instance 55.
const (
	minSteps     = 8 << 20
	stepsPerByte = 60
	minHeld      = 64 << 20
	heldPerByte  = 32
)

// The costs of decoding, in steps. A step reads, copies or compares bytesPerStep bytes.
const (
	stepsOfObject    = 5
	stepsOfField     = 2
	stepsOfNode      = 5
	stepsOfInstance  = 20
	stepsOfPosition  = 15 // more, of an instance that is read at a position
	stepsOfProblem   = 60
	stepsOfReread    = 10 // an element of a list that an expression needs
	stepsOfDisplayed = 16 // an object or an element that an instance shows: its node is made for each walk
	bytesPerStep     = 16
	scalarsPerStep   = 2 // numbers of an array that are printed
)

// The memory for an object with a few values, for each of more values, and for a node of a field, in bytes.
const (
	heldOfObject = 256
	fewValues    = 4
	heldOfValue  = 72
	heldOfNode   = 256
)

// refillAfter is the time after which all steps are available again. An uninterrupted run spends them in seconds; a
// user who has a document open for hours must not run out of them.
const refillAfter = 5 * time.Minute

// errSpent ends each decoder after the budget is spent. Document.Stopped reports it once.
var errSpent = errors.New("the budget of the reading is spent")

// budget limits the work on one document: the steps, which take time, and the bytes that are held. All decoders of the
// document share it. When it is spent, reading stops, the nodes so far stay, and model.Document.Stopped returns the
// problem with the path and the rule. It is safe for concurrent use.
type budget struct {
	steps   atomic.Int64 // that were spent
	since   atomic.Int64 // when counting began or the steps were last refilled, in nanoseconds
	limit   atomic.Int64 // steps
	full    int64        // the limit, unless Restart reduced it
	maxHeld int64        // maximum number of bytes that nested objects may hold
	why     atomic.Pointer[model.Problem]
	now     func() time.Time

	mu       sync.Mutex
	walks    int         // that have not ended
	running  int         // walks whose context has not ended
	canceled atomic.Bool // whether all walks are canceled
}

func newBudget(size int64) *budget {
	b := &budget{now: time.Now, full: minSteps + stepsPerByte*min(size, 1<<50),
		maxHeld: minHeld + heldPerByte*min(size, 1<<50)}
	b.limit.Store(b.full)
	b.since.Store(b.now().UnixNano())
	return b
}

// isStopped reports whether reading has stopped, permanently or until the canceled walks end.
func (b *budget) isStopped() bool { return b.why.Load() != nil || b.canceled.Load() }

// Stopped implements model.Budget.
func (b *budget) Stopped() *model.Problem { return b.why.Load() }

// Restart implements model.Budget. After reading stopped, walks have a quarter of the steps, to show what was read,
// until steps run out more than refillAfter later.
func (b *budget) Restart() {
	if b.why.Load() != nil {
		b.limit.Store(b.full / 4)
	}
	b.refill()
}

// refill makes all steps available again.
func (b *budget) refill() {
	b.since.Store(b.now().UnixNano())
	b.steps.Store(0)
	b.why.Store(nil)
}

// Until implements model.Budget. A reading does not know which walk needs it, so it continues while any walk does.
func (b *budget) Until(ctx context.Context) (end func()) {
	if ctx.Err() != nil {
		b.addWalks(1, 0)
		return func() { b.addWalks(-1, 0) }
	}
	b.addWalks(1, 1)
	isRunning := context.AfterFunc(ctx, func() { b.addWalks(0, -1) })
	return func() {
		if isRunning() {
			b.addWalks(-1, -1)
		} else {
			b.addWalks(-1, 0)
		}
	}
}

func (b *budget) addWalks(walks, running int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.walks += walks
	b.running += running
	b.canceled.Store(b.walks > 0 && b.running == 0)
}

// spend spends steps for a field. It returns an error after the last one, or if all walks are canceled.
func (b *budget) spend(f field, steps int64) error {
	if b.canceled.Load() {
		return context.Canceled
	}
	if b.steps.Add(steps) <= b.limit.Load() && b.why.Load() == nil {
		return nil
	}
	if b.now().UnixNano()-b.since.Load() > int64(refillAfter) {
		b.limit.Store(b.full)
		b.refill()
		return nil
	}
	return b.stop(f, "takes too many steps")
}

// reserve adds n bytes to the memory held by the objects around a field. It returns an error if they are too many.
func (b *budget) reserve(f field, n int64) error {
	if f.o.holder.heldBytes.Add(n) <= b.maxHeld {
		return nil
	}
	return b.stop(f, "needs too much memory")
}

// stop stops all reading, and records the field and the reason.
func (b *budget) stop(f field, why string) error {
	p := &model.Problem{Severity: model.Error, Path: f.o.path(), Span: model.Span{Offset: f.o.start}}
	rule := f.o.typ.path()
	if f.a != nil {
		rule += "::" + f.a.ID
	}
	p.Message = fmt.Sprintf("reading stopped: the description %s for a file of this size; the last rule is %s", why, rule)
	b.why.CompareAndSwap(nil, p)
	return errSpent
}

// onceNode is sync.OnceValue for nodes that are read. A node is not cached if reading has stopped.
func (b *budget) onceNode(read func() *model.Node) func() *model.Node {
	var mu sync.Mutex
	var last *model.Node
	return func() *model.Node {
		mu.Lock()
		defer mu.Unlock()
		if last != nil {
			return last
		}
		n := read()
		if !b.isStopped() {
			last = n
		}
		return n
	}
}

// path returns the path of an object's node, through its _parent objects.
func (o *object) path() string {
	path := ""
	for depth := 0; o != nil && o.attribute != nil && depth < maxNesting; o, depth = o.parent, depth+1 {
		name := o.attribute.ID
		if o.index != noIndex {
			name += "/" + model.IndexName(o.index)
		}
		path = "/" + name + path
	}
	return "/" + strings.TrimPrefix(path, "/")
}

// spend spends steps for a field. If none are left or the walk is canceled, it stops the cursor and returns false.
func (d *decoder) spend(f field, steps int64) bool {
	err := d.trySpend(f, steps)
	if err != nil && d.c.Err() == nil {
		d.c.Stop(err)
	}
	return err == nil
}

// spendRecording spends steps for a node if nodes are recorded, because it may be printed or checked each time.
func (d *decoder) spendRecording(f field, steps int64) bool {
	return !d.c.Recording() || d.spend(f, steps)
}

// stepsToShow returns the steps for printing a value that is not stored in the file.
func stepsToShow(v expression.Value) int64 {
	return int64(len(v.Text())+len(v.Bytes())) / bytesPerStep
}

// trySpend spends steps, and returns the error instead of stopping the cursor: the decoder may have none.
func (d *decoder) trySpend(f field, steps int64) error {
	return d.stream.doc.budget.spend(f, steps)
}

// holdBytes reserves memory for n bytes of a field, and spends the steps to read them. If either exceeds the budget, it
// stops the cursor and returns false.
func (d *decoder) holdBytes(f field, n int64) bool {
	return d.reserve(f, n) && d.spend(f, n/bytesPerStep)
}

// reserve reserves memory for n bytes. If they exceed the budget, it stops the cursor and returns false.
func (d *decoder) reserve(f field, n int64) bool {
	err := d.stream.doc.budget.reserve(f, n)
	if err != nil && d.c != nil && d.c.Err() == nil {
		d.c.Stop(err)
	}
	return err == nil
}
