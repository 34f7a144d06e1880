package ppac

import "sync"

// resultsMax is how many results are kept.
const resultsMax = 1 << 16

// results keeps the results of checks. Index entries that differ only in their TPU share a result: thousands of entries
// of one large asset must not read it thousands of times. It is safe for concurrent use.
type results struct {
	mu    sync.Mutex
	known map[Entry]result // by the index entry without its TPU
}

func (k *results) find(x Entry) (result, bool) {
	x.TPU = TPU{}
	k.mu.Lock()
	defer k.mu.Unlock()
	r, ok := k.known[x]
	return r, ok
}

func (k *results) keep(x Entry, r result) {
	x.TPU = TPU{}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.known == nil {
		k.known = make(map[Entry]result)
	}
	if len(k.known) < resultsMax {
		k.known[x] = r
	}
}
