package comparison

import (
	"context"
	"time"

	"assay/model"
	"assay/model/compare"
	"assay/model/compare/changes"
	"assay/ui/comparison/compared"
	"assay/ui/work"
)

// input has both sides and the rules. It opens the sides and compares them in the background.
type input struct {
	compared.Deps
	sides   [2]compared.Side
	docs    [2]*model.Document
	options compare.Options
	running bool
	failed  bool // the comparison failed, and was not canceled

	comparing, checking *work.Lane

	onSlow   func() // called when comparing takes long
	onResult func(result *compare.Comparison, first model.Path)
	onFailed func(err error)
}

func newInput(deps compared.Deps, old, new compared.Side) *input {
	p := &input{Deps: deps, sides: [2]compared.Side{old, new}, options: compared.DefaultRules(),
		comparing: deps.Group.Lane(), checking: deps.Group.Lane()}
	if new.Rules != nil {
		p.options = *new.Rules
	}
	return p
}

// busyDelay is the time of comparing after which the busy indicator appears.
const busyDelay = 200 * time.Millisecond

// run opens the sides, all or only the closed ones, and compares them.
func (p *input) run(reopen bool) {
	docs, sides, options := p.docs, p.sides, p.options
	if reopen {
		docs = [2]*model.Document{}
	}
	previous := p.docs
	p.running, p.failed = true, false
	p.Watch(sides[0].Path, sides[1].Path)
	p.showBusyLater()
	p.comparing.Open(func(ctx context.Context) (done, dropped func()) {
		opened, err := compared.Open(ctx, sides, docs)
		var result *compare.Comparison
		if err == nil {
			progress := p.Group.Progress(ctx, p.progress)
			result, err = changes.CompareDocuments(ctx, opened[0], opened[1], options, progress)
		}
		newDocs := opened
		for i, d := range docs {
			if d != nil {
				newDocs[i] = nil // the document was open before
			}
		}
		if err != nil {
			model.CloseDocuments(newDocs[:]...)
			return func() { p.finish(err) }, nil
		}
		first := firstChange(ctx, result)
		result.Root().Len() // identical files were not decoded
		return func() {
			p.running = false
			p.Busy("", 0, nil)
			p.docs = opened
			p.onResult(result, first)
			if reopen {
				p.Group.Go(func(context.Context) func() {
					model.CloseDocuments(previous[:]...)
					return nil
				})
			}
		}, func() { model.CloseDocuments(newDocs[:]...) }
	})
}

// firstChange returns the path of the only changed row that is not a parent of others; if there are more, the root's,
// whose details list them all.
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

// showBusyLater shows the busy indicator after busyDelay.
func (p *input) showBusyLater() {
	p.Group.Go(func(ctx context.Context) func() {
		if !p.Group.Pause(ctx, busyDelay) {
			return nil
		}
		return func() {
			if p.running {
				p.progress(0, 0)
				p.onSlow()
			}
		}
	})
}

func (p *input) progress(done, total int64) {
	share := -1.0
	if total > 0 {
		share = float64(done) / float64(total)
	}
	p.Busy("Comparing", share, p.stop)
}

// stop cancels the comparison.
func (p *input) stop() {
	p.comparing.Stop()
	p.finish(context.Canceled)
}

func (p *input) finish(err error) {
	p.running, p.failed = false, err != nil && err != context.Canceled
	p.Busy("", 0, nil)
	p.onFailed(err)
}

// swap exchanges old and new.
func (p *input) swap() {
	p.sides[0], p.sides[1] = p.sides[1], p.sides[0]
	p.sides[0].Neighbor, p.sides[1].Neighbor = nil, p.sides[0].Neighbor
	p.docs[0], p.docs[1] = p.docs[1], p.docs[0]
	pairs := make([]compare.Match, len(p.options.Pairs)) // the running comparison reads the other slice
	for i, m := range p.options.Pairs {
		pairs[i] = compare.Match{Old: m.New, New: m.Old}
	}
	p.options.Pairs = pairs
	p.run(false)
}

// changeRules changes the rules and compares again.
func (p *input) changeRules(rule func(o *compare.Options)) {
	rule(&p.options)
	p.run(false)
}

// check checks in the background whether the compared files on disk have changed.
func (p *input) check(changed func(err error)) {
	docs := p.docs
	p.checking.Go(func(context.Context) func() {
		err := compared.ChangedOnDisk(docs[:])
		return func() {
			if err != nil && docs == p.docs {
				changed(err)
			}
		}
	})
}

// close stops all work and closes the files.
func (p *input) close() {
	docs := p.docs
	p.Group.CloseThen(func() { model.CloseDocuments(docs[:]...) })
}
