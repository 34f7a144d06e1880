// Package work runs tasks on goroutines of an owner and passes the results to the UI thread. Group owns tasks, Lane
// keeps only the latest of them, and Lookup caches values that rows display.
package work

import (
	"context"
	"sync"
	"time"

	"fyne.io/fyne/v2"
)

// Group is the goroutines of one owner, such as a window or a document's tab. They end when it is closed.
type Group struct {
	ctx          context.Context
	cancel       context.CancelFunc
	inline       bool
	running      sync.WaitGroup
	writes       *sync.RWMutex // read-locked by each job of Write, in this group and subgroups
	beforeResult func()        // may be nil
}

// SetBeforeResult sets the func called on the UI thread before each result of a job of this group, and of subgroups
// created later.
func (g *Group) SetBeforeResult(f func()) { g.beforeResult = f }

// New returns a group that ends with the context at the latest.
func New(ctx context.Context) *Group {
	g := &Group{writes: new(sync.RWMutex)}
	g.ctx, g.cancel = context.WithCancel(ctx)
	return g
}

// Inline returns a group that runs all jobs synchronously, for tests.
func Inline(ctx context.Context) *Group {
	g := New(ctx)
	g.inline = true
	return g
}

// IsInline reports whether the group runs all jobs synchronously.
func (g *Group) IsInline() bool { return g.inline }

// Subgroup returns a group that ends with g at the latest.
func (g *Group) Subgroup() *Group {
	subgroup := New(g.ctx)
	subgroup.inline, subgroup.writes, subgroup.beforeResult = g.inline, g.writes, g.beforeResult
	return subgroup
}

// Close cancels all work. Later results are dropped.
func (g *Group) Close() { g.cancel() }

// CloseThen closes the group and calls done on a goroutine after all work has ended.
func (g *Group) CloseThen(done func()) {
	g.cancel()
	go func() {
		g.running.Wait()
		done()
	}()
}

// Context returns a context that is canceled when the group is closed.
func (g *Group) Context() context.Context { return g.ctx }

// Wait waits until all work has ended. It must not be called on the UI thread.
func (g *Group) Wait() { g.running.Wait() }

// Go runs job on a goroutine. The returned func is then called on the UI thread, unless the group was closed.
func (g *Group) Go(job func(ctx context.Context) (done func())) { g.run(g.ctx, withoutResource(job)) }

// Run runs a job without a result.
func (g *Group) Run(job func(ctx context.Context)) {
	g.Go(func(ctx context.Context) func() {
		job(ctx)
		return nil
	})
}

// Open runs a job that opens a resource, as Go does. If the group was closed, dropped is called instead of done, on any
// goroutine, to close the resource. dropped may be nil.
func (g *Group) Open(job func(ctx context.Context) (done, dropped func())) { g.run(g.ctx, job) }

// withoutResource converts a job of Go, which has no resource to close, to a job of Open.
func withoutResource(job func(ctx context.Context) (done func())) func(ctx context.Context) (done, dropped func()) {
	return func(ctx context.Context) (done, dropped func()) { return job(ctx), nil }
}

// Write runs a job that saves data, as Go does. The program does not end before the job has ended; see WaitForWrites.
func (g *Group) Write(job func(ctx context.Context) (done func())) {
	if !g.writes.TryRLock() {
		return // the program is ending
	}
	if !g.run(g.ctx, withoutResource(func(ctx context.Context) func() {
		defer g.writes.RUnlock()
		return job(ctx)
	})) {
		g.writes.RUnlock()
	}
}

// WaitForWrites waits until all jobs of Write have ended, in this group and subgroups. Call it when the group is
// closed, and not on the UI thread.
func (g *Group) WaitForWrites() {
	g.writes.Lock()
	defer g.writes.Unlock()
}

// run runs the job, unless ctx has ended, and reports whether it did.
func (g *Group) run(ctx context.Context, job func(ctx context.Context) (done, dropped func())) bool {
	if ctx.Err() != nil {
		return false
	}
	if g.inline {
		done, dropped := job(ctx)
		end(ctx, done, dropped)
		return true
	}
	g.running.Add(1)
	go func() {
		defer g.running.Done()
		done, dropped := job(ctx)
		if done == nil || ctx.Err() != nil {
			end(ctx, done, dropped)
			return
		}
		Do(func() {
			if g.beforeResult != nil {
				g.beforeResult()
			}
			end(ctx, done, dropped)
		})
	}()
	return true
}

// end calls done, or dropped if the job was canceled.
func end(ctx context.Context, done, dropped func()) {
	switch {
	case done != nil && ctx.Err() == nil:
		done()
	case dropped != nil:
		dropped()
	}
}

// Do calls f on the UI thread, from a running job.
func (g *Group) Do(ctx context.Context, f func()) {
	if g.inline {
		f()
		return
	}
	Do(func() {
		if ctx.Err() == nil {
			f()
		}
	})
}

// Lane keeps only its latest job: a new one cancels the previous one, which may run until it notices, and whose result
// is dropped. Use it on the UI thread.
type Lane struct {
	group  *Group
	cancel context.CancelFunc
}

// Lane returns a lane of the group.
func (g *Group) Lane() *Lane { return &Lane{group: g} }

// Go cancels the previous job and runs this one.
func (l *Lane) Go(job func(ctx context.Context) (done func())) { l.Open(withoutResource(job)) }

// Open cancels the previous job and runs this one, which opens a resource; see Group.Open.
func (l *Lane) Open(job func(ctx context.Context) (done, dropped func())) {
	l.Stop()
	ctx, cancel := context.WithCancel(l.group.ctx)
	l.cancel = cancel
	l.group.run(ctx, job)
}

// Stop cancels the job and drops its result.
func (l *Lane) Stop() {
	if l.cancel != nil {
		l.cancel()
		l.cancel = nil
	}
}

// progressEvery is the minimum time between two reports of progress.
const progressEvery = 80 * time.Millisecond

// Progress returns a func that a job may call as often as it likes. It calls show on the UI thread, at most once
// per progressEvery.
func (g *Group) Progress(ctx context.Context, show func(done, total int64)) func(done, total int64) {
	var last time.Time
	return func(done, total int64) {
		if now := time.Now(); now.Sub(last) >= progressEvery {
			last = now
			g.Do(ctx, func() { show(done, total) })
		}
	}
}

// Pause waits in a job, so that a newer job can replace it meanwhile. It returns false if the job was canceled.
func (g *Group) Pause(ctx context.Context, d time.Duration) bool {
	if g.inline {
		return ctx.Err() == nil
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// Tick waits, as Pause does, for the next step of a job that runs until it is stopped. An inline group ends such jobs
// at once.
func (g *Group) Tick(ctx context.Context, d time.Duration) bool { return !g.inline && g.Pause(ctx, d) }

// Lookup is a cache of values that are read in the background when rows come into view. Use it on the UI thread.
type Lookup[K comparable, V any] struct {
	group   *Group
	onFound func()
	cache   map[K]V
}

// maxCached is the maximum number of cached values.
const maxCached = 2000

// NewLookup returns a lookup that ends with the group. onFound is called after a value was read.
func NewLookup[K comparable, V any](g *Group, onFound func()) *Lookup[K, V] {
	return &Lookup[K, V]{group: g, onFound: onFound, cache: make(map[K]V)}
}

// Forget drops all values. Call it when the keys refer to other items.
func (l *Lookup[K, V]) Forget() { l.cache = make(map[K]V) }

// Of returns the cached value of a key. If there is none, it calls read on another goroutine and returns the zero
// value.
func (l *Lookup[K, V]) Of(key K, read func() V) V {
	if value, ok := l.cache[key]; ok {
		return value
	}
	if len(l.cache) > maxCached {
		clear(l.cache)
	}
	cache := l.cache
	var unknown V
	cache[key] = unknown
	l.group.Go(func(context.Context) func() {
		value := read()
		return func() {
			cache[key] = value
			l.onFound()
		}
	})
	return cache[key]
}

// loop is an event loop. After the loop has ended, the toolkit runs the funcs of fyne.Do on the calling goroutine,
// where they would race with the end of the window.
type loop struct {
	mu         sync.RWMutex
	hasStarted bool
	running    sync.Mutex // locked while a func of do runs, and from the end of the event loop
}

// program is the program's event loop.
var program loop

// Run calls run, the program's event loop, and returns when it has ended. Funcs passed to Do after that are dropped.
func Run(run func()) { program.run(run) }

// Do calls a func on the UI thread. It is dropped if the event loop has ended.
func Do(f func()) { program.do(f) }

func (l *loop) run(run func()) {
	l.mu.Lock()
	l.hasStarted = true
	l.mu.Unlock()
	run()
	l.running.Lock()
}

func (l *loop) do(f func()) {
	fyne.Do(func() {
		l.mu.RLock()
		hasLoop := l.hasStarted
		l.mu.RUnlock()
		if !hasLoop { // without an event loop the toolkit calls f at once, and f may call Do
			f()
			return
		}
		if l.running.TryLock() {
			defer l.running.Unlock()
			f()
		}
	})
}
