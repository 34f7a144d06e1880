package control

// Way is a way to look at two pictures or two scenes, by its name in the window: viewers and comparisons share them.
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

// WayNames are the names of all ways.
func WayNames() []string {
	return []string{string(SideBySide), string(Swipe), string(Overlay), string(Blink), string(Difference)}
}
