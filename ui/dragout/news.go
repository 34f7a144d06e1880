//go:build linux || freebsd || netbsd || openbsd || dragonfly

package dragout

import "fmt"

const tooEarly = "The files were not ready in time. Hold them over the target until they are, or use the export panel."

// news is an event of a drag.
func (s *session) news(d *drag, state State, text string) Event {
	e := Event{State: state, Text: text, Files: len(d.items), Done: d.progress.done.Load(), Total: d.progress.total}
	if d.batch != nil {
		e.Files, e.Problems = len(d.batch.paths), d.batch.problems
	}
	return e
}

// paint shows at the pointer what a drop would do.
func (s *session) paint(d *drag) {
	switch {
	case d.inside && d.taken:
		d.show.say("drop to add", toneYes)
	case d.offered != nil && d.accepts:
		d.show.say("drop to copy", toneYes)
	case d.written != nil && d.batch == nil && d.progress.total > 0:
		d.show.say(fmt.Sprintf("preparing, %d %%", min(100*d.progress.done.Load()/d.progress.total, 100)), toneWait)
	case d.written != nil && d.batch == nil:
		d.show.say("preparing", toneWait)
	case d.since == 0:
		d.show.say("", toneNone)
	case d.waiting && d.asked.Equal(d.entered):
		// Its first answer is on the way.
	default:
		d.show.say("not here", toneNo)
	}
}

func labelOf(items []Item) string {
	if len(items) == 1 {
		return items[0].Name
	}
	return fmt.Sprintf("%d files", len(items))
}
