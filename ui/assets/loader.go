package assets

import (
	"context"
	"image"
	"image/draw"
	"strconv"
	"sync"

	"fyne.io/fyne/v2"
	xdraw "golang.org/x/image/draw"

	"assay/model"
	"assay/model/render"
	"assay/model/thumbs"
	"assay/ui/work"
)

// loader draws the pictures of what is in view, a few at a time. What is scrolled past before it is drawn is dropped.
type loader struct {
	group  *work.Group
	open   func(ctx context.Context, src *model.Source) (*model.Document, error)
	file   func(ctx context.Context, of *model.Document, i int) (*model.Document, error)
	cache  *thumbs.Cache
	side   float32
	onLoad func()

	doc    *model.Document
	pixels int
	have   map[int]*loaded
	tick   int64 // counts frames
	bytes  int

	mu      sync.Mutex
	queue   []int
	running map[int]context.CancelFunc
}

// loaded is the picture of an asset; nil if there is none to draw.
type loaded struct {
	picture image.Image
	used    int64
	bytes   int
}

const (
	drawers   = 2        // that work at once
	heldMost  = 64 << 20 // bytes of pictures in memory
	entryCost = 64       // bytes of one without pixels
)

func newLoader(group *work.Group, o Options, side float32) *loader {
	return &loader{group: group, open: o.Open, file: o.File, cache: o.Cache, side: side, have: make(map[int]*loaded),
		running: make(map[int]context.CancelFunc)}
}

// forget drops everything: the file was read anew.
func (l *loader) forget() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.queue = nil
	for _, stop := range l.running {
		stop()
	}
	l.have, l.bytes = make(map[int]*loaded), 0
}

// picture returns the picture of an asset if it is there.
func (l *loader) picture(i int) image.Image {
	if h := l.have[i]; h != nil {
		h.used = l.tick
		return h.picture
	}
	return nil
}

// want returns what is told which rows are in view.
func (l *loader) want(p *Panel) func(from, to int64) {
	return func(from, to int64) {
		scale := float32(1)
		if c := fyne.CurrentApp().Driver().CanvasForObject(p.tiles); c != nil {
			scale = c.Scale()
		}
		if pixels := int(l.side * scale); pixels != l.pixels || l.doc != p.document {
			l.forget()
			l.pixels, l.doc = pixels, p.document
		}
		l.tick++
		var missing []int
		for row := max(0, from); row < to; row++ {
			if i := p.shown.asset(row); i >= 0 && l.have[i] == nil {
				missing = append(missing, i)
			}
		}
		l.show(missing)
	}
}

// show has the pictures of assets drawn, and stops drawing others.
func (l *loader) show(missing []int) {
	in := make(map[int]bool, len(missing))
	for _, i := range missing {
		in[i] = true
	}
	l.mu.Lock()
	l.queue = missing
	for i, stop := range l.running {
		if !in[i] {
			stop()
		}
	}
	free := drawers - len(l.running)
	l.mu.Unlock()
	if l.group.AtOnce() {
		return // a test paints without waiting for pictures
	}
	doc, pixels := l.doc, l.pixels
	for range min(free, len(missing)) {
		l.group.Go(func(ctx context.Context) func() {
			for l.drawOne(ctx, doc, pixels) {
			}
			return nil
		})
	}
}

// next takes the first asset that is wanted and is not being drawn.
func (l *loader) next(ctx context.Context) (int, context.Context, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for len(l.queue) > 0 && len(l.running) < drawers {
		i := l.queue[0]
		l.queue = l.queue[1:]
		if l.running[i] != nil {
			continue
		}
		ctx, stop := context.WithCancel(ctx)
		l.running[i] = stop
		return i, ctx, true
	}
	return 0, nil, false
}

// drawOne draws the next picture; false if there is none to draw.
func (l *loader) drawOne(ctx context.Context, d *model.Document, pixels int) bool {
	i, ctx, ok := l.next(ctx)
	if !ok {
		return false
	}
	img := l.draw(ctx, d, i, pixels)
	stopped := ctx.Err() != nil
	l.mu.Lock()
	l.running[i]()
	delete(l.running, i)
	l.mu.Unlock()
	if !stopped {
		l.group.Show(context.WithoutCancel(ctx), func() { l.keep(d, i, pixels, img) })
	}
	return true
}

// draw takes a picture from disk or draws it.
func (l *loader) draw(ctx context.Context, d *model.Document, i, pixels int) image.Image {
	if d == nil || d.Payloads == nil {
		return nil
	}
	thing, painter := strconv.Itoa(i), &render.Painter{Size: pixels, Open: l.open}
	if l.file != nil {
		var err error
		if d, err = l.file(ctx, d, i); err != nil {
			return nil
		}
		defer d.Source.Close()
		thing = ""
	}
	key := thumbs.Key(d.Source, thing, pixels)
	if p, known := l.cache.Get(key); known {
		return p
	}
	var img image.Image
	if l.file == nil {
		if a := d.Payloads.At(i); a != nil {
			img = painter.Asset(ctx, d, a)
		}
	} else if p, err := painter.Thumbnail(ctx, d); err == nil {
		img = p
	}
	img = fit(img, pixels)
	if ctx.Err() == nil {
		l.cache.Put(key, img)
	}
	return img
}

// fit makes a picture at most as large as a square.
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

// keep keeps a picture in memory and lets go of those that were not looked at for longest.
func (l *loader) keep(d *model.Document, i, pixels int, img image.Image) {
	if d != l.doc || pixels != l.pixels {
		return
	}
	h := &loaded{img, l.tick, entryCost}
	if img != nil {
		h.bytes += img.Bounds().Dx() * img.Bounds().Dy() * 4
	}
	l.have[i] = h
	if l.bytes += h.bytes; l.bytes > heldMost {
		l.thin()
	}
	l.onLoad()
}

// thin drops the pictures that were not in view for longest, down to half of what is held at most.
func (l *loader) thin() {
	for age := l.tick / 2; l.bytes > heldMost/2; age += max(1, (l.tick-age)/2) {
		for i, h := range l.have {
			if h.used < age {
				delete(l.have, i)
				l.bytes -= h.bytes
			}
		}
		if age >= l.tick {
			return
		}
	}
}
