package model

import (
	"context"
	"image"
	"iter"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// Walk visits root and all its descendants, parents before children, in order. visit returns whether to visit the
// children of the node; Walk ends early when it returns an error, and returns that error. leave, if not nil, is called
// after a node's children. Walk keeps only the path to the current node, so files of any depth and length are fine.
func Walk(root *Node, visit func(n *Node) (below bool, err error), leave func(n *Node) error) error {
	w := walk{visit: visit, leave: leave}
	return w.run(root)
}

// Scan is Walk for callers that keep no nodes: nodes are good only until visit and leave return, and lists that have a
// Reader read their elements with it. clean, if not nil, gets the spans of elements that need no visit: their leaves
// own every byte of them once, and they have no problems.
func Scan(root *Node, visit func(n *Node) (below bool, err error), leave func(n *Node) error,
	clean func(Span) error) error {
	w := walk{visit: visit, leave: leave, clean: clean, scan: true}
	return w.run(root)
}

// ScanTo is Scan down to a level: visit must not go below a node of that level, which may be read without children.
// order, if not nil, returns the order in which the children of a node are visited; nil for the order of the file.
func ScanTo(root *Node, level int, visit func(n *Node) (below bool, err error), leave func(n *Node) error,
	order func(n *Node) []int) error {
	w := walk{visit: visit, leave: leave, scan: true, lineLevel: level, order: order}
	return w.run(root)
}

type walk struct {
	visit     func(n *Node) (below bool, err error)
	leave     func(n *Node) error
	clean     func(Span) error
	scan      bool
	lineLevel int // the level at which nodes are read without their children
	// order, if not nil, returns the order in which the children of a node are visited; nil for the order of the file.
	order func(n *Node) []int
	stack []step
}

// step is a node on the way down to the present one.
type step struct {
	n         *Node
	next, len int
	reader    Reader // nil if the children are not read with one
	from, to  int    // the children that reader reads
	order     []int  // nil for the order of the file; no reader otherwise
	stopped   func() bool
}

// Stopper is a Children whose reading may stop before all nodes have been read.
type Stopper interface {
	// Stops returns a function that reports whether reading stopped, or nil if it never does.
	Stops() func() bool
}

// Stops implements Stopper.
func (e *Elements) Stops() func() bool { return e.Stopped }

// hasNext reports whether another child is to be visited.
func (s *step) hasNext() bool { return s.next < s.len && (s.stopped == nil || !s.stopped()) }

// The minimum number of elements or bytes of a list that is read with a Reader.
const (
	minReaderElements = 8
	minReaderBytes    = 64 << 10
)

func (w *walk) enter(n *Node) error {
	below, err := w.visit(n)
	if err != nil {
		return err
	}
	s := step{n: n}
	if below {
		if s.len = n.Len(); w.order != nil {
			s.order = w.order(n)
		}
		if c, ok := n.children.(Stopper); ok {
			s.stopped = c.Stops()
		}
		if e, ok := n.children.(*Elements); ok && w.scan && e.Reader != nil && s.order == nil &&
			(e.Count >= minReaderElements || n.Size >= minReaderBytes) {
			s.reader, s.from, s.to = e.Reader(), len(e.First), len(e.First)+e.Count
		}
	}
	w.stack = append(w.stack, s)
	return nil
}

// nextChild returns the next child of s; nil if it needs no visit.
func (w *walk) nextChild(s *step) (*Node, error) {
	i := s.next
	s.next++
	if s.order != nil {
		return s.n.Child(s.order[i]), nil
	}
	if s.reader == nil || i < s.from || i >= s.to {
		return s.n.Child(i), nil
	}
	if w.clean != nil {
		if span, ok := s.reader.Clean(i - s.from); ok {
			return nil, w.clean(span)
		}
	}
	make := s.reader.Node
	if len(w.stack) == w.lineLevel {
		make = s.reader.Line
	}
	n := make(i - s.from)
	n.Name, n.Index, n.Parent = IndexName(i-s.from), i, s.n
	return n, nil
}

func (w *walk) run(root *Node) error {
	if err := w.enter(root); err != nil {
		return err
	}
	for len(w.stack) > 0 {
		s := &w.stack[len(w.stack)-1]
		if s.hasNext() {
			c, err := w.nextChild(s)
			if err == nil && c != nil {
				err = w.enter(c)
			}
			if err != nil {
				return err
			}
			continue
		}
		n := s.n
		w.stack = w.stack[:len(w.stack)-1]
		if w.leave != nil {
			if err := w.leave(n); err != nil {
				return err
			}
		}
	}
	return nil
}

// View is the data to display for a node, of one of the kinds below. A nil View displays no content.
type View interface {
	// ViewKind returns the kind of the view. Only the types that ViewKind lists implement it.
	ViewKind() ViewKind
}

// ViewKind is a kind of View.
type ViewKind uint8

// The kinds, each with the type that implements it.
const (
	PictureView    ViewKind = iota // Picture
	SceneView                      // *scene.Scene
	TextView                       // *text.Text
	SoundView                      // *sound.Sound
	BytesView                      // *content.Bytes
	SheetView                      // *content.Sheet
	PropertiesView                 // *content.Properties
	OverviewView                   // *archive.Overview
)

// Picture is the view of pixels: one picture, and the others that belong to it.
type Picture struct {
	image.Image        // displayed first
	Format      string // the pixel format in the file: "BC7", "PNG"
	Drawn       bool   // the file has no pixels: their number is not a property of it
	Parts       []Part // all pictures, the first being Image: mip levels, sides, layers, frames; nil if there is one
	Boxes       []Box  // the parts of Image: the glyphs of a font
	Broken      error  // the damage of the file, whose intact rows Image has; nil if it is intact
	// Lines sets a text in each size of a font; nil: this is not a font.
	Lines func(ctx context.Context, text string) ([]Line, error)
}

// Box is a named part of a picture.
type Box struct {
	image.Rectangle
	Name string
	Span Span // of the bytes in the file that describe it; may be empty
}

// Line is a text set in one size of a font.
type Line struct {
	Name string // "32 px"
	*image.Alpha
	Missing []rune // characters of the text that the font does not have, each once
}

// ViewKind implements View.
func (Picture) ViewKind() ViewKind { return PictureView }

// Part is one of the pictures of a Picture.
type Part struct {
	Name  string
	Delay time.Duration // the duration of a frame of an animation; 0 for other parts
	Load  func(ctx context.Context) (image.Image, error)
	Boxes []Box
}

// Bands calls work for bands of rows, one for each processor, in parallel, and returns when all are done.
func Bands(rows int, work func(from, to int)) {
	parts := min(runtime.GOMAXPROCS(0), rows)
	if parts <= 1 {
		work(0, rows)
		return
	}
	var wait sync.WaitGroup
	for i := range parts {
		wait.Go(func() { work(rows*i/parts, rows*(i+1)/parts) })
	}
	wait.Wait()
}

// ForEach calls work for every number below n, with several workers: each takes the next number when it is done with
// one. It returns when all are done.
func ForEach(workers, n int, work func(worker, i int)) {
	var next atomic.Int64
	var wait sync.WaitGroup
	for worker := range min(workers, n) {
		wait.Go(func() {
			for i := next.Add(1) - 1; i < int64(n); i = next.Add(1) - 1 {
				work(worker, int(i))
			}
		})
	}
	wait.Wait()
}

// Task is work that emits its results in order. emit blocks until there is space; its error means that no more results
// are needed.
type Task[T any] func(ctx context.Context, emit func(T) error) error

const (
	maxTasksAhead   = 16 // tasks started before the first result is taken
	maxResultsAhead = 4  // of a task
)

// RunOrdered runs tasks in parallel, one for each processor, and calls take with their results in the order of the
// tasks. It ends early with the first error of a task, of take or of ctx, and returns when no task runs any more.
func RunOrdered[T any](ctx context.Context, tasks iter.Seq[Task[T]], take func(T) error) error {
	inner, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	queue := make(chan chan T, maxTasksAhead)
	go feed(inner, stop, tasks, queue)
	for results := range queue {
		for r := range results {
			if inner.Err() != nil {
				continue // the others have been canceled
			}
			if err := take(r); err != nil {
				stop(err)
			}
		}
	}
	return context.Cause(inner)
}

// feed begins the tasks. It closes the queue when all have ended.
func feed[T any](ctx context.Context, stop context.CancelCauseFunc, tasks iter.Seq[Task[T]], queue chan<- chan T) {
	defer close(queue)
	var wait sync.WaitGroup
	defer wait.Wait()
	free := make(chan struct{}, runtime.GOMAXPROCS(0))
	for task := range tasks {
		results := make(chan T, maxResultsAhead)
		select {
		case free <- struct{}{}: // in order: the first task always runs
		case <-ctx.Done():
			return
		}
		queue <- results // the receiver continues until the queue is closed
		wait.Go(func() {
			defer func() { <-free }()
			defer close(results)
			err := task(ctx, func(r T) error {
				select {
				case results <- r:
					return nil
				case <-ctx.Done():
					return context.Cause(ctx)
				}
			})
			if err != nil {
				stop(err)
			}
		})
	}
}
