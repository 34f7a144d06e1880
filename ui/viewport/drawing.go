package viewport

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"io"
	"math"
	"slices"
	"sync"
	"time"

	"assay/model/render"
	"assay/model/scene"
	"assay/ui/work"
)

const (
	frameTime = 16 * time.Millisecond  // maximum time of drawing a picture while something moves
	settle    = 140 * time.Millisecond // without a change, before the fine picture is drawn
	samples   = 2                      // per pixel and axis
	maxShrink = 4                      // maximum of drawWorker.shrink
)

// drawRequest describes a picture to draw.
type drawRequest struct {
	model   *render.Model
	view    render.View
	size    image.Point
	player  *scene.Player // nil for the pose of the file
	time    float32
	moving  bool // another request is about to follow: it need not be fine
	change  func(*render.Model)
	overlay *overlayRequest // may be nil
}

// drawnFrame is a drawn picture.
type drawnFrame struct {
	picture       *image.NRGBA
	secondPicture *image.NRGBA // picture of the second model; may be nil
	secondHits    *render.Hits // hits of the second model; may be nil
	joined        *image.NRGBA // the displayed picture
	labels        []render.Label
	signs         []render.LegendEntry
	scale         float64 // pixels of the request for each of the picture
	grid          float64 // the distance between the lines of the grid
	hits          *render.Hits
	fine          bool
	took          time.Duration // time of drawing
	request       *drawRequest
}

// drawWorker draws the last request, one picture at a time: immediately and coarsely while requests arrive, and finely
// after they stop. A coarse picture is completed even if another request arrives, so that motion stays visible.
type drawWorker struct {
	group *work.Group
	show  func(drawnFrame) // called on the UI thread

	mu      sync.Mutex
	latest  *drawRequest
	changes []func(*render.Model) // changes to make before the next picture
	running bool
	stop    context.CancelFunc // ends the fine picture
	changed chan struct{}

	posing         sync.Mutex      // held while the models' vertices are moved
	looping        sync.Mutex      // held by the loop
	renderer       render.Renderer // renderer of the loop
	secondRenderer render.Renderer // renderer of the second model
	poses          [2]posedModel   // poses of both models
	legend         legendCache     // legend of the last picture
	shrink         float64         // the factor by which a moving picture is smaller than the screen, per axis
}

func newDrawWorker(group *work.Group, show func(drawnFrame)) *drawWorker {
	return &drawWorker{group: group, show: show, changed: make(chan struct{}, 1), shrink: 1.5}
}

// draw requests a picture; nil stops drawing.
func (d *drawWorker) draw(r *drawRequest) {
	d.mu.Lock()
	d.latest = r
	if r != nil && r.change != nil {
		d.changes = append(d.changes, r.change)
	}
	if r == nil {
		d.changes = nil
		if !d.running {
			d.forget()
		}
	}
	if d.stop != nil {
		d.stop()
	}
	begin := !d.running && r != nil
	d.running = d.running || begin
	d.mu.Unlock()
	select {
	case d.changed <- struct{}{}:
	default:
	}
	if begin {
		d.group.Run(d.loop)
	}
}

// addChange keeps a change for the next picture.
func (d *drawWorker) addChange(change func(*render.Model)) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if change != nil {
		d.changes = append(d.changes, change)
	}
}

// loop draws until there are no more requests.
func (d *drawWorker) loop(ctx context.Context) {
	d.looping.Lock()
	defer d.looping.Unlock()
	for {
		d.mu.Lock()
		select {
		case <-d.changed:
		default:
		}
		r, changes := d.latest, d.changes
		d.changes = nil
		if r == nil || ctx.Err() != nil {
			d.running = false
			d.forget()
			d.mu.Unlock()
			return
		}
		fine, stop := context.WithCancel(ctx)
		d.stop = stop
		d.mu.Unlock()
		d.poseModels(r, changes)
		redraw := true
		if r.moving && !d.group.IsInline() {
			d.drawCoarse(ctx, r)
			select {
			case <-d.changed:
			case <-time.After(settle):
				redraw = !d.drawFine(fine, r)
			case <-ctx.Done():
			}
		} else {
			redraw = !d.drawFine(fine, r)
		}
		stop()
		d.mu.Lock()
		d.stop = nil
		if !redraw && d.latest == r && len(d.changes) == 0 {
			d.running = false
			d.mu.Unlock()
			return
		}
		d.mu.Unlock()
	}
}

// wait returns when the current picture is drawn or canceled.
func (d *drawWorker) wait() {
	d.looping.Lock()
	defer d.looping.Unlock()
}

// forget releases the models, and the memory for their pictures.
func (d *drawWorker) forget() {
	d.renderer, d.secondRenderer = render.Renderer{}, render.Renderer{}
	d.poses, d.legend = [2]posedModel{}, legendCache{}
}

func (d *drawWorker) poseModels(r *drawRequest, changes []func(*render.Model)) {
	d.posing.Lock()
	defer d.posing.Unlock()
	for _, c := range changes {
		c(r.model)
		d.legend.model = nil
	}
	if o := r.overlay; o != nil && len(changes) > 0 { // both pictures show the same area
		if z := r.model.ZUp(); o.model.ZUp() != z {
			o.model.SetZUp(z)
			o.model.Update()
		}
		o.model.SetFraming(r.model.Framing())
	}
	d.poses[0].moveTo(posedModel{r.model, r.player, r.time}, len(changes) > 0)
	if o := r.overlay; o != nil {
		d.poses[1].moveTo(posedModel{o.model, o.player, o.time}, false)
	}
}

// unlockCamera returns the view that shows the same as a tight one and can be rotated. It reads the vertices, and so
// waits while these are being moved.
func (d *drawWorker) unlockCamera(m *render.Model, v render.View, size image.Point) render.View {
	d.posing.Lock()
	defer d.posing.Unlock()
	return m.UnlockCamera(v, size.X, size.Y)
}

// posedModel is the pose of a model by a player at a time.
type posedModel struct {
	model  *render.Model
	player *scene.Player // nil for the pose of the file
	time   float32
}

// moveTo poses the model for another moment, if it differs or force is set.
func (m *posedModel) moveTo(target posedModel, force bool) {
	if *m == target && !force {
		return
	}
	if m.model != target.model || m.player != target.player {
		target.model.Pose().Reset()
	}
	*m = target
	if target.player != nil {
		target.player.At(target.time)
	}
	target.model.Update()
}

// drawCoarse draws a picture without darkened corners (Renderer.Soft), which may be smaller than the screen, to keep
// the frame rate. Its edges stay smooth: without that, it could be a third larger in the same time, but its edges would
// be visible as blocks on the screen.
func (d *drawWorker) drawCoarse(ctx context.Context, r *drawRequest) {
	d.renderer.Soft = false
	began := time.Now()
	d.paint(ctx, r, d.shrink)
	took := time.Since(began)
	ratio := math.Sqrt(float64(took) / float64(frameTime))
	d.shrink = min(max(d.shrink*min(max(ratio, .8), 1.5), 1), maxShrink)
}

// drawFine draws the picture in full quality, or returns false if another request arrived.
func (d *drawWorker) drawFine(ctx context.Context, r *drawRequest) bool {
	d.renderer.Soft = true
	return d.paint(ctx, r, 1)
}

func (d *drawWorker) paint(ctx context.Context, r *drawRequest, shrink float64) bool {
	began := time.Now()
	size := image.Pt(int(float64(r.size.X)/shrink+.5), int(float64(r.size.Y)/shrink+.5))
	picture := image.NewNRGBA(image.Rectangle{Max: size})
	d.renderer.Samples = samples
	if d.renderer.Draw(ctx, picture, r.model, r.view) != nil {
		return false
	}
	f := drawnFrame{picture: picture, joined: picture, labels: slices.Clone(d.renderer.Labels),
		signs: d.legend.signsOf(r), scale: float64(r.size.X) / float64(size.X), grid: r.model.GridStep(),
		hits: d.renderer.Hits(), fine: d.renderer.Soft, request: r}
	if r.overlay != nil {
		second, err := d.drawSecond(ctx, r, size)
		if err != nil {
			return false
		}
		f.secondPicture, f.secondHits, f.joined = second, d.secondRenderer.Hits(), r.overlay.join(picture, second)
	}
	f.took = time.Since(began)
	d.group.Do(d.group.Context(), func() { d.show(f) }) // ctx ends when the drawing has
	return true
}

// legendCache caches the legend of a model for a view.
type legendCache struct {
	model     *render.Model
	surface   render.Surface
	joint     *scene.Node
	backFaces bool
	signs     []render.LegendEntry
}

// signsOf returns the legend of a request, which is only computed if it may have changed.
func (l *legendCache) signsOf(r *drawRequest) []render.LegendEntry {
	current := legendCache{model: r.model, surface: r.view.Surface, joint: r.view.Joint, backFaces: r.view.BackFaces}
	if l.model != current.model || l.surface != current.surface || l.joint != current.joint ||
		l.backFaces != current.backFaces {
		current.signs = r.model.Legend(r.view)
		*l = current
	}
	return l.signs
}

// followTheme draws again if the background of the theme has changed.
func (v *Viewport) followTheme() {
	if r := v.displayed.request; r != nil && r.model == v.model && r.view.Background != v.background() {
		v.redraw(true)
	}
}

// redraw draws the model with the current view. final means that no further change follows at once.
func (v *Viewport) redraw(final bool) { v.requestDrawing(!final, nil) }

// change calls f for the model before it is drawn again.
func (v *Viewport) change(f func(*render.Model)) { v.requestDrawing(false, f) }

func (v *Viewport) requestDrawing(moving bool, change func(*render.Model)) {
	size := v.canvas.pixels()
	if v.model == nil {
		return
	}
	if size.X < 8 || size.Y < 8 {
		v.drawer.addChange(change)
		return
	}
	if v.isPaused && change == nil {
		v.reportPose()
		return
	}
	v.reportPose()
	v.tools.row.updateStates()
	r := &drawRequest{model: v.model, view: v.view, size: size, moving: moving, change: change}
	r.view.Background = v.background()
	r.player, r.time = v.play.posePlayer()
	r.overlay = v.overlayRequest()
	v.drawer.draw(r)
}

// SetPaused stops drawing while the viewport is invisible, or draws again.
func (v *Viewport) SetPaused(paused bool) {
	if v.isPaused != paused {
		v.isPaused = paused
		v.redraw(false)
	}
}

// showFrame displays a picture.
func (v *Viewport) showFrame(f drawnFrame) {
	if v.model != f.request.model {
		return
	}
	v.displayed = f
	if o := f.request.overlay; o != nil && v.second != nil && !o.looksLike(v.second) { // changed while this was drawn
		f.joined = v.second.join(f.picture, f.secondPicture)
	}
	v.canvas.setPicture(f.joined)
	v.canvas.setLabels(f.labels, f.scale, v.ink())
	v.legend.set(f.signs)
	v.canvas.setRate(v.rate.text(f, time.Now()))
	if v.OnDrawn != nil {
		v.OnDrawn()
	}
	if v.canvas.hovered && v.canvas.button == 0 {
		v.hover(v.canvas.pointer) // the item there may have changed
	}
}

// setPicture sets the picture, which may be nil. It has no transparent pixels, so that its bytes equal the screen's.
func (s *surface) setPicture(p *image.NRGBA) {
	s.picture = emptyPicture()
	if p != nil {
		s.picture = &image.RGBA{Pix: p.Pix, Stride: p.Stride, Rect: p.Rect}
	}
	s.raster.Refresh()
}

// rasterOf returns the picture for a size of the screen. One that was drawn for another size keeps its proportions
// until the next one is drawn.
func (s *surface) rasterOf(width, height int) image.Image {
	const little = .02
	size := s.picture.Bounds().Size()
	fittedWidth := float64(width) / float64(max(height, 1)) * float64(size.Y)
	if size.X <= 1 || width <= 0 || math.Abs(fittedWidth/float64(size.X)-1) < little {
		return s.picture
	}
	out := image.NewRGBA(image.Rect(0, 0, max(int(fittedWidth), 1), size.Y))
	draw.Draw(out, out.Rect, image.NewUniform(s.picture.At(0, 0)), image.Point{}, draw.Src)
	x := (out.Rect.Dx() - size.X) / 2
	draw.Draw(out, image.Rect(x, 0, x+size.X, size.Y), s.picture, image.Point{}, draw.Src)
	return out
}

// emptyPicture returns an empty picture.
func emptyPicture() image.Image { return image.NewRGBA(image.Rect(0, 0, 1, 1)) }

// maxPictureEdge is the longer edge of the largest saved picture, in pixels.
const maxPictureEdge = 8192

// pictureSizes returns the sizes for saving a picture: as displayed, multiples, and common sizes.
func (v *Viewport) pictureSizes() (all []image.Point) {
	displayedSize := v.canvas.pixels()
	for _, times := range []int{1, 2, 4} {
		size := displayedSize.Mul(times)
		if longest := max(size.X, size.Y); longest > maxPictureEdge {
			size = image.Pt(size.X*maxPictureEdge/longest, size.Y*maxPictureEdge/longest)
		}
		all = append(all, size)
	}
	return append(all, image.Pt(1920, 1080), image.Pt(1024, 1024))
}

// saveItems returns the sizes for saving a picture.
func (v *Viewport) saveItems() []item {
	items := func(transparent bool) (all []item) {
		for _, size := range v.pictureSizes() {
			all = append(all, item{Label: fmt.Sprintf("%d × %d…", size.X, size.Y),
				Action: action{Do: func(v *Viewport) { v.save(size, transparent) }}})
		}
		return all
	}
	return append(items(false), item{Label: "Transparent Background", Line: true,
		Action: action{Submenu: func(*Viewport) []item { return items(true) }}})
}

// save asks for a file and saves the picture.
func (v *Viewport) save(size image.Point, transparent bool) {
	if v.model == nil {
		return
	}
	v.play.stop()
	v.setTurning(false)
	view := v.view
	view.Marks.Selected, view.Marks.Part, view.Marks.Point = nil, nil, nil
	if view.Background = v.background(); transparent {
		view.Background = color.NRGBA{}
	}
	m, ctx := v.model, v.group.Context()
	title := ""
	if v.Title != nil {
		title = v.Title()
	}
	v.host.Save(cmp.Or(title, m.Scene().Name, "scene")+".png", func(out io.Writer) error {
		img, err := v.drawStill(ctx, m, view, size)
		if err != nil {
			return err
		}
		return png.Encode(out, img)
	})
}

// drawStill draws a picture of the model. It must not be called on the UI thread: only the drawer's loop draws the
// model, and it runs this between two pictures.
func (v *Viewport) drawStill(ctx context.Context, m *render.Model, view render.View, size image.Point,
) (image.Image, error) {
	out := image.NewRGBA(image.Rectangle{Max: size})
	ended := make(chan error, 1)
	v.group.Do(ctx, func() {
		if v.model != m {
			ended <- errors.New("the scene changed; save the image again")
			return
		}
		v.change(func(m *render.Model) {
			img := image.NewNRGBA(out.Rect)
			r := render.Renderer{Samples: 3, Soft: true}
			if err := r.Draw(ctx, img, m, view); err != nil {
				ended <- err
				return
			}
			draw.Draw(out, out.Rect, img, image.Point{}, draw.Src)
			v.group.Do(ctx, func() {
				v.writeLabels(out, r.Labels)
				ended <- nil
			})
		})
	})
	select {
	case err := <-ended:
		return out, err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
