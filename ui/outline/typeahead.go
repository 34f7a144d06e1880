package outline

import (
	"slices"
	"strings"
)

const (
	longLevel = 5000 // minimum number of children whose collapsed ones are searched in the background
	maxNear   = 1000 // maximum number of nodes searched immediately
)

// LevelRange is a range of children in a long level, none of them expanded.
type LevelRange[L Level] struct {
	In       *Branch[L]
	From, To int // positions
}

// typeAhead goes to the next row that begins with the typed text: in a short level, or near the current row in a long
// one; else to the first result of a search through the long levels.
func (v *View[L]) typeAhead(prefix string) {
	seeker, _ := v.source.(Seeker[L])
	if seeker != nil {
		seeker.EndSeek()
	}
	n := v.Len()
	if n == 0 {
		return
	}
	start := max(0, v.Rows.Current())
	prefix = strings.ToLower(prefix)
	if len([]rune(prefix)) == 1 { // typing the same letter again moves on
		start = (start + 1) % n
	}
	var ranges []LevelRange[L]
	for visited := int64(0); visited < n; {
		row := (start + visited) % n
		p := v.At(row)
		inLongLevel := p.Open == nil && p.In.Level.Len() >= longLevel
		if later := inLongLevel && len(ranges) > 0; !later && v.begins(p, prefix) {
			v.GoTo(row)
			return
		}
		visited++
		if !inLongLevel {
			continue
		}
		r := LevelRange[L]{p.In, p.Pos + 1, p.In.nextOpen(p.Pos + 1)}
		if len(ranges) > 0 {
			r.From--
		}
		if row < start { // it began again at the top
			r.To = min(r.To, p.Pos+int(start-row))
		}
		for end := min(r.To, r.From+maxNear); len(ranges) == 0 && r.From < end; r.From++ {
			if v.begins(p.In.RowAt(r.From), prefix) {
				v.GoTo(row + int64(r.From-p.Pos))
				return
			}
		}
		visited += int64(r.To - p.Pos - 1)
		if r.From < r.To {
			ranges = append(ranges, r)
		}
	}
	if seeker == nil || len(ranges) == 0 {
		return
	}
	previous := v.Outline
	seeker.Seek(ranges, prefix, func(r LevelRange[L], pos int) {
		if p := r.In.RowAt(pos); v.Outline == previous {
			if current, ok := v.Find(p.Path()); ok {
				v.Rows.Refresh()
				v.GoTo(v.RowOf(current))
			}
		}
	})
}

// begins reports whether the name or the key of a row begins with the typed text.
func (v *View[L]) begins(p RowPos[L], prefix string) bool {
	name, key := v.source.Names(p)
	return Begins(prefix, name, key)
}

// Begins reports whether a name begins with prefix, which is in lower case.
func Begins(prefix string, names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool {
		return name != "" && strings.HasPrefix(strings.ToLower(name), prefix)
	})
}

// nextOpen returns the position of the first expanded child from pos on, or the number of children.
func (b *Branch[L]) nextOpen(pos int) int {
	if _, i := b.expandedChild(pos); i < len(b.open) {
		return b.open[i].position
	}
	return b.Level.Len()
}
