package kaitai

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"assay/model"
)

// What may be spent on a document: steps for the time, and held bytes for the memory. Each has a constant part and one
// that grows with the file. A step takes 50 ns or less, so that the steps for a file of 1 MB take 4 s: opening and
// checking it and then printing it must not take more than 10. Records of one byte take 24 steps for each, with an
// instance 55.
const (
	stepsAtLeast = 32 << 20
	stepsPerByte = 64
	heldAtLeast  = 64 << 20
	heldPerByte  = 32
)

// What the parts of a reading cost, in steps. A step reads, copies or compares bytesPerStep bytes.
const (
	stepsOfObject   = 5
	stepsOfField    = 2
	stepsOfNode     = 5
	stepsOfInstance = 20
	stepsOfShown    = 16 // an element of a list that an expression made: its node is made for each walk
	bytesPerStep    = 16
)

// What is held for an object and for a node of a field, in bytes.
const (
	heldOfObject = 256
	heldOfNode   = 256
)

// refillAfter is when all steps are there again. A run that spends them without a pause takes seconds; who looks at a
// document in the window for hours must not run out of them.
const refillAfter = 5 * time.Minute

// errSpent ends each reading after the budget is spent. Document.Stopped says so once.
var errSpent = errors.New("the budget of the reading is spent")

// budget is what may be spent on one document. Any number of goroutines may spend.
type budget struct {
	steps atomic.Int64 // that were spent
	since atomic.Int64 // when the first of them was, in nanoseconds
	most  int64        // steps
	held  int64        // bytes that the objects which lie in one another may hold
	why   atomic.Pointer[model.Problem]
	now   func() time.Time
}

// newBudget returns the budget for a file of a size.
func newBudget(size int64) *budget {
	b := &budget{now: time.Now, most: stepsAtLeast + stepsPerByte*min(size, 1<<50),
		held: heldAtLeast + heldPerByte*min(size, 1<<50)}
	b.since.Store(b.now().UnixNano())
	return b
}

// isSpent reports whether reading has stopped.
func (b *budget) isSpent() bool { return b.why.Load() != nil }

// Stopped implements model.Budget.
func (b *budget) Stopped() *model.Problem { return b.why.Load() }

// Restart implements model.Budget.
func (b *budget) Restart() {
	b.since.Store(b.now().UnixNano())
	b.steps.Store(0)
	b.why.Store(nil)
}

// canceledEvery is after how many steps readings look for the end of their contexts: some 3 ms.
const canceledEvery = 1 << 16

// spend takes steps for a field; an error after the last one, or when the context of the reading has ended.
func (b *budget) spend(ctx context.Context, f field, steps int64) error {
	spent := b.steps.Add(steps)
	if spent <= b.most && b.why.Load() == nil {
		if spent/canceledEvery != (spent-steps)/canceledEvery {
			return ctx.Err()
		}
		return nil
	}
	if b.now().UnixNano()-b.since.Load() > int64(refillAfter) {
		b.Restart()
		return nil
	}
	return b.stop(f, "takes too many steps")
}

// hold notes that the objects around a field hold so many bytes more; an error if they are too many.
func (b *budget) hold(f field, n int64) error {
	if f.o.holder.held.Add(n) <= b.held {
		return nil
	}
	return b.stop(f, "needs too much memory")
}

// stop stops all reading, and keeps where and why it did.
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

// path returns the path of an object as that of its node, with those that it has as _parent around it.
func (o *object) path() string {
	path := ""
	for depth := 0; o != nil && o.as != nil && depth < maxNesting; o, depth = o.parent, depth+1 {
		name := o.as.ID
		if o.index != noIndex {
			name += "/" + model.IndexName(o.index)
		}
		path = "/" + name + path
	}
	return "/" + strings.TrimPrefix(path, "/")
}

// spend takes steps for a field that is read; false, and the cursor stops, if none are left or the reading is canceled.
func (r *reading) spend(f field, steps int64) bool {
	err := r.spendOn(f, steps)
	if err != nil && r.c.Err() == nil {
		r.c.Stop(err)
	}
	return err == nil
}

// spendOn is spend for a reading that may have no cursor.
func (r *reading) spendOn(f field, steps int64) error {
	return r.stream.doc.budget.spend(r.ctx, f, steps)
}

// hold notes bytes that are read or made and held for a field; false, and the cursor stops, if they are too many.
func (r *reading) hold(f field, n int64) bool {
	return r.holds(f, n) && r.spend(f, n/bytesPerStep)
}

// holds is hold for what takes steps of its own.
func (r *reading) holds(f field, n int64) bool {
	err := r.stream.doc.budget.hold(f, n)
	if err != nil && r.c != nil && r.c.Err() == nil {
		r.c.Stop(err)
	}
	return err == nil
}
