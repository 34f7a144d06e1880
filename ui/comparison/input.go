package comparison

import (
	"context"
	"time"

	"assay/model"
	"assay/model/compare"
	"assay/ui/comparison/compared"
	"assay/ui/work"
)

// input is what is compared, and by which rules. It opens both sides and compares them in the background.
type input struct {
	compared.Deps
	sides   [2]compared.Side
	docs    [2]*model.Document
	options compare.Options
	running bool
	failed  bool // it could not be done, and was not cancelled

	comparing, checking *work.Lane

	onSlow   func() // comparing takes long
	onFound  func(found *compare.Comparison, first model.Path)
	onFailed func(err error)
}

func newInput(deps compared.Deps, old, new compared.Side) *input {
	in := &input{Deps: deps, sides: [2]compared.Side{old, new}, options: compared.Kept(), comparing: deps.Group.Lane(),
		checking: deps.Group.Lane()}
	if new.Rules != nil {
		in.options = *new.Rules
	}
	return in
}

// slow is how long comparing takes before it is shown that it does.
const slow = 200 * time.Millisecond

// run opens what is not open, or everything anew, and compares.
func (in *input) run(reopen bool) {
	docs, sides, options := in.docs, in.sides, in.options
	if reopen {
		docs = [2]*model.Document{}
	}
	before := in.docs
	in.running, in.failed = true, false
	in.Watch(sides[0].Path, sides[1].Path)
	in.wait()
	in.comparing.Open(func(ctx context.Context) (done, dropped func()) {
		opened, err := compared.Open(ctx, sides, docs)
		var found *compare.Comparison
		if err == nil {
			found, err = compare.Documents(ctx, opened[0], opened[1], options, in.Group.Progress(ctx, in.progress))
		}
		fresh := opened
		for i, d := range docs {
			if d != nil {
				fresh[i] = nil // it was open before
			}
		}
		if err != nil {
			model.CloseDocuments(fresh[:]...)
			return func() { in.ended(err) }, nil
		}
		first := firstChange(ctx, found)
		found.Root().Len() // identical files were not looked into
		return func() {
			in.running = false
			in.Busy("", 0, nil)
			in.docs = opened
			in.onFound(found, first)
			if reopen {
				in.Group.Go(func(context.Context) func() {
					model.CloseDocuments(before[:]...)
					return nil
				})
			}
		}, func() { model.CloseDocuments(fresh[:]...) }
	})
}

// firstChange returns the path of the only row that is not a mere parent of others; the root's if there are more,
// where all of them are listed.
func firstChange(ctx context.Context, c *compare.Comparison) model.Path {
	var first model.Path
	for p := c.Root().Next(); p != nil && ctx.Err() == nil; p = p.Next() {
		if p.Leaf() || p.Status != compare.Changed {
			if first != nil {
				return model.Path{}
			}
			first = p.Path()
		}
	}
	return first
}

// wait tells after a moment that comparing takes long.
func (in *input) wait() {
	in.Group.Go(func(ctx context.Context) func() {
		if !in.Group.Pause(ctx, slow) {
			return nil
		}
		return func() {
			if in.running {
				in.progress(0, 0)
				in.onSlow()
			}
		}
	})
}

func (in *input) progress(done, total int64) {
	share := -1.0
	if total > 0 {
		share = float64(done) / float64(total)
	}
	in.Busy("Comparing", share, in.stop)
}

// stop ends the comparing.
func (in *input) stop() {
	in.comparing.Stop()
	in.ended(context.Canceled)
}

func (in *input) ended(err error) {
	in.running, in.failed = false, err != nil && err != context.Canceled
	in.Busy("", 0, nil)
	in.onFailed(err)
}

// swap exchanges old and new.
func (in *input) swap() {
	in.sides[0], in.sides[1] = in.sides[1], in.sides[0]
	in.sides[0].Neighbor, in.sides[1].Neighbor = nil, in.sides[0].Neighbor
	in.docs[0], in.docs[1] = in.docs[1], in.docs[0]
	pairs := make([]compare.Match, len(in.options.Pairs)) // the others are read by what compares now
	for i, m := range in.options.Pairs {
		pairs[i] = compare.Match{Old: m.New, New: m.Old}
	}
	in.options.Pairs = pairs
	in.run(false)
}

// change compares again by other rules.
func (in *input) change(rule func(o *compare.Options)) {
	rule(&in.options)
	in.run(false)
}

// check asks in the background whether the files on disk are still those that were compared.
func (in *input) check(changed func(err error)) {
	docs := in.docs
	in.checking.Go(func(context.Context) func() {
		err := compared.ChangedOnDisk(docs[:])
		return func() {
			if err != nil && docs == in.docs {
				changed(err)
			}
		}
	})
}

// close ends all work and closes the files.
func (in *input) close() {
	docs := in.docs
	in.Group.CloseThen(func() { model.CloseDocuments(docs[:]...) })
}
