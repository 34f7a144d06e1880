package outline

import "assay/ui/host"

// Toggle opens or closes the node of a row.
func (v *View[L]) Toggle(row int64) {
	if v.At(row).Open != nil {
		v.close(row)
	} else {
		v.open(row)
	}
}

// open opens a row, once it is ready.
func (v *View[L]) open(row int64) {
	p := v.At(row)
	slow, ok := v.source.(Preparer[L])
	if !ok || slow.Ready(p) {
		v.insert(row, p)
		return
	}
	path, was := p.Path(), v.Outline
	slow.Prepare(p, func() {
		if v.Outline != was {
			return
		}
		if p, ok := v.Find(path); ok {
			v.insert(v.Row(p), p)
		}
	})
}

func (v *View[L]) insert(row int64, p Place[L]) {
	if _, n := v.Expand(p); n > 0 {
		v.Rows.Inserted(row+1, n)
	}
}

func (v *View[L]) close(row int64) {
	n := v.Collapse(v.At(row))
	if n == 0 {
		return
	}
	v.Forget() // a branch that is opened again is another one
	current := v.Rows.Current()
	v.Rows.Removed(row+1, n)
	if current > row && current <= row+n {
		v.GoTo(row)
	}
}

func (v *View[L]) right(row int64) {
	if v.At(row).Open == nil {
		v.open(row)
	} else {
		v.GoTo(row + 1)
	}
}

func (v *View[L]) left(row int64) {
	p := v.At(row)
	if p.Open != nil {
		v.close(row)
	} else if up, ok := p.Up(); ok {
		v.GoTo(v.Row(up))
	}
}

// OpenAll opens the whole subtree of a row, up to a bound, as far as it is ready.
func (v *View[L]) OpenAll(row int64) {
	first, current := v.Rows.First(), v.Rows.Current()
	all := v.openBelow(v.At(row))
	v.Rows.Refresh()
	v.Rows.SetCurrent(current)
	v.Rows.SetFirst(first)
	if !all {
		v.host.Tell("Expanded the first " + host.Number(v.Most) + " rows. Expand the others individually.")
	}
}

// openBelow opens everything below a place; it reports whether that was all. A node is looked at for every row, so Most
// bounds the work too.
func (v *View[L]) openBelow(p Place[L]) bool {
	slow, _ := v.source.(Preparer[L])
	looked := int64(0)
	way := []Place[L]{p}
	for len(way) > 0 {
		p := way[len(way)-1]
		way = way[:len(way)-1]
		if slow != nil && !slow.Ready(p) {
			continue
		}
		b, _ := v.Expand(p)
		if b == nil {
			continue
		}
		for pos := range b.Level.Len() {
			if looked++; looked > v.Most {
				return false
			}
			if below := b.Place(pos); v.source.Opens(below) {
				way = append(way, below)
			}
		}
	}
	return true
}
