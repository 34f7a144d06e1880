package viewport

import (
	"fmt"
	"math"
	"time"
)

// rate says on request how fast pictures are drawn.
type rate struct {
	on    bool
	since time.Time // when counting began
	shown int       // pictures since then
	each  float64   // pictures a second, when they were counted last; 0 if they were not
}

// rateTime is how long pictures are counted, and how far apart those are at most that belong to one movement.
const rateTime = time.Second

// text takes a picture that is shown at a time, and returns what is said: how many pictures a second there are while
// something moves, and how long one took to draw; empty if nobody wants to know.
func (r *rate) text(f frame, now time.Time) string {
	if !r.on {
		return ""
	}
	passed := now.Sub(r.since)
	switch r.shown++; {
	case passed > 2*rateTime: // nothing moved before
		r.since, r.shown, r.each = now, 0, 0
	case passed >= rateTime:
		r.each = float64(r.shown) / passed.Seconds()
		r.since, r.shown = now, 0
	}
	text := fmt.Sprintf("%.0f ms per frame", math.Ceil(f.took.Seconds()*1000))
	if f.request.moving && r.each > 0 {
		text = fmt.Sprintf("%.0f fps · ", r.each) + text
	}
	return text
}
