package assets

import "slices"

// history holds the groups that the user entered in one grouping, by the names on the way from the root.
type history struct {
	visited  [][]string
	current  int    // index of the current group
	grouping string // the grouping that the names belong to
}

// historyMax is the maximum number of visited groups.
const historyMax = 500

// visit appends a group that the user entered from another one.
func (h *history) visit(grouping string, from, to []string) {
	if h.grouping != grouping || len(h.visited) == 0 || !slices.Equal(h.visited[h.current], from) {
		*h = history{visited: append(h.upTo(grouping), from), grouping: grouping}
		h.current = len(h.visited) - 1
	}
	h.visited = append(h.visited[:h.current+1], to)
	h.visited = h.visited[max(0, len(h.visited)-historyMax):]
	h.current = len(h.visited) - 1
}

// upTo returns the groups visited up to the current one, if they are of the grouping.
func (h *history) upTo(grouping string) [][]string {
	if h.grouping != grouping || len(h.visited) == 0 {
		return nil
	}
	return h.visited[:h.current+1]
}

// Back enters the group that was visited before the current one, and reports whether there is one.
func (p *Panel) Back() bool { return p.revisit(-1) }

// Forward reverts Back, and reports whether there is a group to go to.
func (p *Panel) Forward() bool { return p.revisit(1) }

func (p *Panel) revisit(step int) bool {
	h, grouping := &p.history, p.chosenGrouping().name
	i := h.current + step
	if p.tree == nil || h.grouping != grouping || i < 0 || i >= len(h.visited) {
		return false
	}
	h.current = i
	p.openGroup(p.tree.Find(h.visited[i]))
	return true
}
