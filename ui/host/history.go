package host

// History holds the visited items of a part of the window, such as nodes or folders, for Back and Forward.
type History[T any] struct {
	visited []T
	current int // index of the current item
}

// maxVisited is the maximum number of visited items.
const maxVisited = 500

// Visit makes an item the current one, unless it equals the current one. The items that were
// visited after the current one are dropped.
func (h *History[T]) Visit(item T, equal func(a, b T) bool) {
	if len(h.visited) > 0 && equal(h.visited[h.current], item) {
		return
	}
	h.visited = append(h.visited[:min(len(h.visited), h.current+1)], item)
	h.visited = h.visited[max(0, len(h.visited)-maxVisited):]
	h.current = len(h.visited) - 1
}

// Step makes the next item the current one, or the previous one if step is -1. It returns false if there is none.
func (h *History[T]) Step(step int) (item T, ok bool) {
	i := h.current + step
	if i < 0 || i >= len(h.visited) {
		return item, false
	}
	h.current = i
	return h.visited[i], true
}

// Restart makes the next visited item the first one, if only one was visited yet.
func (h *History[T]) Restart() {
	if len(h.visited) == 1 {
		h.visited = nil
	}
}

// AtStart reports whether no item was visited before the current one.
func (h *History[T]) AtStart() bool { return h.current == 0 }

// AtEnd reports whether no item was visited after the current one.
func (h *History[T]) AtEnd() bool { return h.current >= len(h.visited)-1 }
