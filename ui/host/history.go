package host

// History holds the visited places of a part of the window, such as nodes or folders, for Back and Forward.
type History[T any] struct {
	visited []T
	current int // index of the current place
}

// maxVisited is the maximum number of visited places.
const maxVisited = 500

// Visit makes a place the current one, unless it equals the current one. The places that were
// visited after the current one are dropped.
func (h *History[T]) Visit(place T, equal func(a, b T) bool) {
	if len(h.visited) > 0 && equal(h.visited[h.current], place) {
		return
	}
	h.visited = append(h.visited[:min(len(h.visited), h.current+1)], place)
	h.visited = h.visited[max(0, len(h.visited)-maxVisited):]
	h.current = len(h.visited) - 1
}

// Step makes the next place the current one, or the previous one if step is -1. It returns false if there is none.
func (h *History[T]) Step(step int) (place T, ok bool) {
	i := h.current + step
	if i < 0 || i >= len(h.visited) {
		return place, false
	}
	h.current = i
	return h.visited[i], true
}

// Restart makes the next visited place the first one, if only one was visited yet.
func (h *History[T]) Restart() {
	if len(h.visited) == 1 {
		h.visited = nil
	}
}

// AtStart reports whether no place was visited before the current one.
func (h *History[T]) AtStart() bool { return h.current == 0 }

// AtEnd reports whether no place was visited after the current one.
func (h *History[T]) AtEnd() bool { return h.current >= len(h.visited)-1 }
