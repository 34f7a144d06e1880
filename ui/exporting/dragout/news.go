//go:build linux || freebsd || netbsd || openbsd || dragonfly

package dragout

import "fmt"

const preparingText = "The files are being prepared."

const tooEarly = "The files were not ready when you dropped them. Hold them over the target a little longer, or use the export panel."

// paint shows at the pointer what a drop would do.
func (s *session) paint(d *drag) {
	switch {
	case d.inside && d.taken:
		d.show.say("Drop here", toneYes)
	case d.offered != nil && d.accepts:
		d.show.say("Drop to copy", toneYes)
	case d.writing():
		d.show.say(d.preparing(), toneWait)
	case d.since == 0:
		d.show.say("", toneNone)
	case d.waiting && d.asked.Equal(d.entered):
		// Its first answer is on the way.
	default:
		d.show.say("Cannot drop here", toneNo)
	}
}

func labelOf(items []Item) string {
	if len(items) == 1 {
		return items[0].Name
	}
	return fmt.Sprintf("%d files", len(items))
}
