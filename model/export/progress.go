package export

import (
	"sync"
	"time"
)

// Progress is how far an export has come.
type Progress struct {
	Planning    bool // nothing is written yet: Done of Items have their names
	Done, Items int  // assets that are finished, of all
	// bytes that are written, of those that are expected; more than expected where sizes are not known
	Written, Bytes int64
	Name           string
}

const progressEvery = 50 * time.Millisecond

// meter tells how far it is, not more often than people can see.
type meter struct {
	tell func(Progress)

	mu    sync.Mutex
	now   Progress
	after time.Time
}

func (m *meter) wrote(n int64)     { m.note(func(p *Progress) { p.Written += n }) }
func (m *meter) began(name string) { m.note(func(p *Progress) { p.Name = name }) }
func (m *meter) ended()            { m.note(func(p *Progress) { p.Done++ }) }

func (m *meter) note(change func(p *Progress)) {
	if m.tell == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	change(&m.now)
	if t := time.Now(); t.After(m.after) {
		m.after = t.Add(progressEvery)
		m.tell(m.now)
	}
}

func (m *meter) last() {
	if m.tell != nil {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.tell(m.now)
	}
}
