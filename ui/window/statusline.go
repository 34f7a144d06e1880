package window

import (
	"context"
	"time"

	"assay/ui/paint"
	"assay/ui/tabs"
	"assay/ui/work"
)

// statusLine is the line at the bottom of the window. It knows what goes on in each tab.
type statusLine struct {
	*tabs.Status
	group   *work.Group
	hints   *work.Lane
	present func() Tab
	idle    string       // said without a tab
	busy    map[Tab]busy // under nil, what concerns all tabs
}

// busy is what goes on in a tab.
type busy struct {
	what  string
	share float64
	stop  func()
}

// show shows the status of the tab in view.
func (l *statusLine) show() {
	l.SetHint("")
	if t := l.present(); t != nil {
		l.Set(t.Status())
	} else {
		l.Set(nil, []tabs.Segment{{Text: l.idle, Tone: paint.Dim}})
	}
	l.showBusy()
}

func (l *statusLine) showBusy() {
	b, ok := l.busy[l.present()]
	if !ok {
		b = l.busy[nil]
	}
	l.SetBusy(b.what, b.share, b.stop)
}

// setBusy shows that something goes on in a tab; nil: in all of them.
func (l *statusLine) setBusy(t Tab, what string, share float64, stop func()) {
	if l.busy[t] = (busy{what, share, stop}); what == "" {
		delete(l.busy, t)
	}
	l.showBusy()
}

// tellFor is how long a text stays that nothing takes away.
const tellFor = 4 * time.Second

// tell says something for a while.
func (l *statusLine) tell(text string) {
	l.SetHint(text)
	l.hints.Go(func(ctx context.Context) func() {
		if !l.group.Pause(ctx, tellFor) {
			return nil
		}
		return func() { l.SetHint("") }
	})
}
