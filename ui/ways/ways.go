// Package ways has the ways to look at two pictures or two scenes, which viewers and comparisons share.
package ways

// Way is a way to look at two things, by its name in the window.
type Way string

// The ways. Swipe and Overlay show both things in one place, right and left of a line that can be dragged or one over
// the other; Blink shows one after the other.
const (
	SideBySide Way = "Side by Side"
	Swipe      Way = "Swipe"
	Overlay    Way = "Overlay"
	Blink      Way = "Blink"
	Difference Way = "Difference"
)

// Names are the names of all ways.
func Names() []string {
	return []string{string(SideBySide), string(Swipe), string(Overlay), string(Blink), string(Difference)}
}
