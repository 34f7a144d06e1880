package doc

import "assay/model"

// history is the nodes that were visited.
type history struct {
	paths []model.Path
	at    int // the present one
	show  func(path model.Path)
}

// historyMax is how many visited nodes are remembered.
const historyMax = 500

func (h *history) visit(to model.Path) {
	if len(h.paths) > 0 && h.paths[h.at].Equal(to) {
		return
	}
	h.paths = append(h.paths[:min(len(h.paths), h.at+1)], to)
	h.paths = h.paths[max(0, len(h.paths)-historyMax):]
	h.at = len(h.paths) - 1
}

// Back goes to the node that was visited before, Forward to the next one.
func (h *history) Back() { h.move(-1) }

// Forward goes to the node that was visited after this one.
func (h *history) Forward() { h.move(1) }

func (h *history) move(by int) {
	if to := h.at + by; to >= 0 && to < len(h.paths) {
		h.at = to
		h.show(h.paths[to])
	}
}
