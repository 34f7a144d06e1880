// Package thumbnail draws thumbnails of the visible assets of a document, two at a time and off the UI thread. They are
// cached in memory and on disk, both with a limit.
package thumbnail

import (
	"context"
	"image"
	"image/draw"
	"strconv"
	"sync"

	xdraw "golang.org/x/image/draw"

	"assay/model"
	"assay/model/render"
	"assay/model/thumbs"
	"assay/ui/work"
)

// Options are the sources of thumbnails.
type Options struct {
	// Open opens a file inside a file; nil: those are not drawn.
	Open model.Opener
	// Cache stores thumbnails on disk; nil stores none.
	Cache *thumbs.Cache
	// File opens the i-th asset of a document as a document of its own, which is then drawn. File and the document that
	// it returns are nil if assets are parts of the document.
	File func(ctx context.Context, document *model.Document, i int) (*model.Document, error)
	// OnDraw is called before drawing, and the returned function afterwards, both off the UI thread. It may be nil.
	OnDraw func() (end func())
}

// BeginDrawing calls OnDraw, unless it is nil, and returns a function to call after the drawing.
func (o *Options) BeginDrawing() (end func()) {
	if o.OnDraw == nil {
		return func() {}
	}
	return o.OnDraw()
}

// Side is the side of a thumbnail in device-independent pixels.
const Side = 96

// Loader draws the thumbnails of the assets in view. Thumbnails that scroll out of view before they are drawn are
// dropped. Its methods are called on the UI thread.
type Loader struct {
	Options
	// OnLoad is called when a thumbnail was loaded. It may be nil.
	OnLoad func()

	group      *work.Group
	onUI       func(ctx context.Context, do func()) // calls do on the UI thread
	current    target
	entries    map[int]*entry
	tick       int64 // counts frames
	totalBytes int

	mu      sync.Mutex
	queue   []job
	running map[job]context.CancelFunc
}

// target is the document of the thumbnails, and their side in pixels.
type target struct {
	document *model.Document
	pixels   int
}

// job is the thumbnail of the i-th asset to draw.
type job struct {
	target
	i int
}

// entry is the thumbnail of an asset. Its picture is nil if the asset cannot be drawn.
type entry struct {
	picture image.Image
	small   image.Image // the same in the size of the latest call of Small
	pixels  int
	used    int64
	bytes   int
}

const (
	maxDrawing = 2        // goroutines
	maxBytes   = 64 << 20 // maximum size of the pictures in memory, in bytes
	entryCost  = 64       // bytes of an entry besides its pixels
)

// New returns a loader without a document. Its work ends with the group.
func New(group *work.Group, o Options) *Loader {
	return &Loader{Options: o, group: group, onUI: group.Do, entries: make(map[int]*entry),
		running: make(map[job]context.CancelFunc)}
}

// Forget drops all thumbnails and stops drawing.
func (l *Loader) Forget() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.queue = nil
	for _, stop := range l.running {
		stop()
	}
	l.entries, l.totalBytes = make(map[int]*entry), 0
}

// Picture returns the thumbnail of an asset. It is nil if it is not loaded, or if the asset cannot be drawn.
func (l *Loader) Picture(i int) image.Image {
	if thumb := l.entries[i]; thumb != nil {
		thumb.used = l.tick
		return thumb.picture
	}
	return nil
}

// Small returns the thumbnail of an asset, at most pixels wide and high, or nil if it is not loaded.
func (l *Loader) Small(i, pixels int) image.Image {
	thumb := l.entries[i]
	if thumb == nil || thumb.picture == nil || pixels <= 0 {
		return nil
	}
	thumb.used = l.tick
	if thumb.pixels != pixels {
		thumb.small, thumb.pixels = fit(thumb.picture, pixels), pixels
	}
	return thumb.small
}

// Request is called before each frame with the assets in view and the number of pixels of a device-independent pixel.
// It draws the missing thumbnails and stops drawing others.
func (l *Loader) Request(d *model.Document, scale float32, inView []int) {
	if next := (target{d, int(Side * scale)}); next != l.current {
		l.Forget()
		l.current = next
	}
	l.tick++
	missing := make(map[job]bool)
	var queue []job
	for _, i := range inView {
		if j := (job{l.current, i}); l.entries[i] == nil {
			missing[j] = true
			queue = append(queue, j)
		}
	}
	l.mu.Lock()
	l.queue = queue
	for j, stop := range l.running {
		if !missing[j] {
			stop()
		}
	}
	free := maxDrawing - len(l.running)
	l.mu.Unlock()
	if l.group.IsInline() {
		return // a test paints without waiting for pictures
	}
	for range min(free, len(queue)) {
		l.group.Run(func(ctx context.Context) {
			for l.drawNext(ctx) {
			}
		})
	}
}

// next removes the first job from the queue and starts it.
func (l *Loader) next(ctx context.Context) (job, context.Context, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for len(l.queue) > 0 && len(l.running) < maxDrawing {
		j := l.queue[0]
		l.queue = l.queue[1:]
		if l.running[j] != nil {
			continue
		}
		ctx, stop := context.WithCancel(ctx)
		l.running[j] = stop
		return j, ctx, true
	}
	return job{}, nil, false
}

// drawNext draws the next thumbnail, and returns false if the queue is empty.
func (l *Loader) drawNext(ctx context.Context) bool {
	j, ctx, ok := l.next(ctx)
	if !ok {
		return false
	}
	img := l.Draw(ctx, j.document, j.i, j.pixels)
	stopped := ctx.Err() != nil
	l.mu.Lock()
	l.running[j]()
	delete(l.running, j)
	l.mu.Unlock()
	if !stopped {
		l.onUI(context.WithoutCancel(ctx), func() { l.store(j, img) })
	}
	return true
}

// Draw loads the thumbnail of the i-th asset of a document from the cache or draws it, at most pixels wide and high. It
// returns nil if the asset cannot be drawn. It is called off the UI thread.
func (o *Options) Draw(ctx context.Context, d *model.Document, i, pixels int) image.Image {
	if d == nil || d.Payloads == nil {
		return nil
	}
	item, painter := strconv.Itoa(i), &render.Painter{Size: pixels, Open: o.Open}
	if o.File != nil {
		file, err := o.File(ctx, d, i)
		if err != nil {
			return nil
		}
		if file != nil {
			defer file.Source.Close()
			d, item = file, ""
		}
	}
	key := thumbs.Key(d.Source, item, pixels)
	if p, ok := o.Cache.Get(key); ok {
		return p
	}
	defer o.BeginDrawing()()
	var img image.Image
	if item != "" {
		if a := d.Payloads.At(i); a != nil {
			img = painter.Asset(ctx, d, a)
		}
	} else if p, err := painter.Thumbnail(ctx, d); err == nil {
		img = p
	}
	img = fit(img, pixels)
	if ctx.Err() == nil {
		o.Cache.Put(key, img, d.Source)
	}
	return img
}

// fit returns a copy of a picture, scaled down to fit into a square of that side.
func fit(img image.Image, side int) image.Image {
	if img == nil {
		return nil
	}
	b := img.Bounds()
	w, h := b.Dx(), b.Dy()
	if large := max(w, h); large > side {
		w, h = max(1, w*side/large), max(1, h*side/large)
	}
	out := image.NewRGBA(image.Rect(0, 0, w, h))
	if w == b.Dx() && h == b.Dy() {
		draw.Draw(out, out.Rect, img, b.Min, draw.Src)
	} else {
		xdraw.ApproxBiLinear.Scale(out, out.Rect, img, b, draw.Src, nil)
	}
	return out
}

// store stores a thumbnail in memory and drops the least recently used ones.
func (l *Loader) store(j job, img image.Image) {
	if j.target != l.current {
		return
	}
	thumb := &entry{picture: img, used: l.tick, bytes: entryCost}
	if img != nil {
		thumb.bytes += img.Bounds().Dx() * img.Bounds().Dy() * 4
	}
	l.entries[j.i] = thumb
	if l.totalBytes += thumb.bytes; l.totalBytes > maxBytes {
		l.evict()
	}
	if l.OnLoad != nil {
		l.OnLoad()
	}
}

// evict drops the least recently used thumbnails, down to half of maxBytes.
func (l *Loader) evict() {
	for cutoff := l.tick / 2; l.totalBytes > maxBytes/2; cutoff += max(1, (l.tick-cutoff)/2) {
		for i, thumb := range l.entries {
			if thumb.used < cutoff {
				delete(l.entries, i)
				l.totalBytes -= thumb.bytes
			}
		}
		if cutoff >= l.tick {
			return
		}
	}
}
