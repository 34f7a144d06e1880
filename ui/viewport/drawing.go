package viewport

import (
	"context"
	"image"
	"math"
	"sync"
	"time"

	"assay/model/render"
	"assay/model/scene"
	"assay/ui/work"
)

const (
	frameTime = 16 * time.Millisecond  // that a picture may take while something moves
	settle    = 140 * time.Millisecond // without a change, before the fine picture is drawn
	fineCount = 2                      // samples per pixel and axis of a fine picture
)

// request is what is to be drawn.
type request struct {
	model  *render.Model
	view   render.View
	size   image.Point
	player *scene.Player // nil for the pose of the file
	time   float32
	moving bool // more of the kind is about to come: it need not be fine
	change func(*render.Model)
}

// frame is what was drawn.
type frame struct {
	picture *image.NRGBA
	labels  []render.Label
	scale   float64 // pixels of the request for each of the picture
	grid    float64 // how far the lines of the grid are apart
	hits    *render.Hits
	fine    bool
	request *request
}

// drawer draws what was asked for last, one picture at a time: at once and coarsely while requests come, and finely
// when they have stopped. A picture that is begun while something moves is finished, so that there is always one to
// see.
type drawer struct {
	group *work.Group
	show  func(frame) // on the UI thread

	mu      sync.Mutex
	want    *request
	changes []func(*render.Model) // to be made before the next picture
	running bool
	stop    context.CancelFunc // ends the fine picture
	news    chan struct{}

	renderer render.Renderer // of the loop
	posed    *scene.Player
	time     float32
	model    *render.Model
	shrink   float64 // how much smaller a moving picture is than the screen
}

func newDrawer(group *work.Group, show func(frame)) *drawer {
	return &drawer{group: group, show: show, news: make(chan struct{}, 1), shrink: 1}
}

// draw asks for a picture; nil draws no more.
func (d *drawer) draw(r *request) {
	d.mu.Lock()
	d.want = r
	if r != nil && r.change != nil {
		d.changes = append(d.changes, r.change)
	}
	if r == nil {
		d.changes = nil
	}
	if d.stop != nil {
		d.stop()
	}
	begin := !d.running && r != nil
	d.running = d.running || begin
	d.mu.Unlock()
	select {
	case d.news <- struct{}{}:
	default:
	}
	if begin {
		d.group.Go(func(ctx context.Context) func() {
			d.loop(ctx)
			return nil
		})
	}
}

// loop draws until there is nothing more to do.
func (d *drawer) loop(ctx context.Context) {
	for {
		d.mu.Lock()
		select {
		case <-d.news:
		default:
		}
		r, changes := d.want, d.changes
		d.changes = nil
		if r == nil || ctx.Err() != nil {
			d.running = false
			d.mu.Unlock()
			return
		}
		fine, stop := context.WithCancel(ctx)
		d.stop = stop
		d.mu.Unlock()
		d.pose(r, changes)
		again := true
		if r.moving && !d.group.AtOnce() {
			d.coarse(ctx, r)
			select {
			case <-d.news:
			case <-time.After(settle):
				again = !d.fine(fine, r)
			case <-ctx.Done():
			}
		} else {
			again = !d.fine(fine, r)
		}
		stop()
		d.mu.Lock()
		d.stop = nil
		if !again && d.want == r && len(d.changes) == 0 {
			d.running = false
			d.mu.Unlock()
			return
		}
		d.mu.Unlock()
	}
}

// pose brings the model to where the request has it.
func (d *drawer) pose(r *request, changes []func(*render.Model)) {
	for _, c := range changes {
		c(r.model)
	}
	if d.model == r.model && d.posed == r.player && d.time == r.time && len(changes) == 0 {
		return
	}
	if d.model != r.model || d.posed != r.player {
		r.model.Pose().Reset()
	}
	d.model, d.posed, d.time = r.model, r.player, r.time
	if r.player != nil {
		r.player.At(r.time)
	}
	r.model.Update()
}

// coarse draws a picture that may be smaller than the screen, so that the next one comes in time.
func (d *drawer) coarse(ctx context.Context, r *request) {
	d.renderer.Samples, d.renderer.Soft = 1, false
	began := time.Now()
	d.paint(ctx, r, d.shrink)
	took := time.Since(began)
	ratio := math.Sqrt(float64(took) / float64(frameTime))
	d.shrink = min(max(d.shrink*min(max(ratio, .8), 1.5), 1), 3)
}

// fine draws the picture as well as it can be; false if something came in between.
func (d *drawer) fine(ctx context.Context, r *request) bool {
	d.renderer.Samples, d.renderer.Soft = fineCount, true
	return d.paint(ctx, r, 1)
}

func (d *drawer) paint(ctx context.Context, r *request, shrink float64) bool {
	size := image.Pt(int(float64(r.size.X)/shrink+.5), int(float64(r.size.Y)/shrink+.5))
	picture := image.NewNRGBA(image.Rectangle{Max: size})
	if d.renderer.Draw(ctx, picture, r.model, r.view) != nil {
		return false
	}
	f := frame{picture, append([]render.Label(nil), d.renderer.Labels...), float64(r.size.X) / float64(size.X),
		r.model.GridStep(), d.renderer.Hits(), d.renderer.Soft, r}
	d.group.Show(d.group.Context(), func() { d.show(f) }) // ctx ends when the drawing has
	return true
}
