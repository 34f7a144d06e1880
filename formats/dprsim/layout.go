package dprsim

// layout is where the values of one catom are, for those who want values and no nodes. It is used again and again.
type layout struct {
	id     uint32
	states []state
	room   [][]run
}

// layout finds the values of the catom at off. Modules without a state, or with one that does not fit, have none.
func (b *body) layout(w *window, off, size int64, l *layout) {
	if l.states == nil {
		l.states = make([]state, len(b.modules))
		l.room = make([][]run, len(b.modules))
	}
	l.id, _ = w.u32(off)
	at, end := off+catomHead, off+size
	for i, m := range b.modules {
		l.states[i] = state{}
		if end-at < 4 {
			continue
		}
		n, ok := w.u32(at)
		at += 4
		if !ok || int64(n) > end-at {
			at = end
			continue
		}
		l.states[i] = m.template.lay(w, at, int64(n), l.room[i])
		l.room[i] = l.states[i].runs
		at += int64(n)
	}
}

// value reads the i-th value of a module; nil if it is missing. raw is set where a string is not UTF-8.
func (l *layout) value(w *window, module int, i int64, bigEndian bool) (v any, raw []byte) {
	for k := range l.states[module].runs {
		r := &l.states[module].runs[k]
		if i >= r.first && i < r.first+r.count {
			return r.value(w, i-r.first, bigEndian)
		}
	}
	return nil, nil
}
