package comparison

import (
	"context"

	"fyne.io/fyne/v2/driver/desktop"

	"assay/model"
	"assay/model/compare"
	"assay/ui/rows"
)

// opensMost is how many rows are opened at once.
const opensMost = 3000

// openedHere is how many children a pair may have for its comparison to be made on the UI thread.
const openedHere = 4000

func (l *list) toggle(row int64) {
	if row < 0 || row >= l.pairs.Len() {
		return
	}
	if l.pairs.At(row).Open != nil {
		l.close(row)
	} else {
		l.open(row)
	}
}

// open opens a row. Where that means to compare long lists, it is done in the background first.
func (l *list) open(row int64) {
	at := l.pairs.At(row)
	p := l.pairs.pair(at)
	size := 0
	for _, n := range []*model.Node{p.Old, p.New} {
		if n != nil {
			size += n.Len()
		}
	}
	if p.Ready() || size <= openedHere || p.Old == nil || p.New == nil {
		l.opened(row, at, p)
		return
	}
	o := l.pairs
	l.busy("Comparing")
	l.opening.Go(func(context.Context) func() {
		p.Len()
		return func() {
			l.busy("")
			if l.pairs != o {
				return
			}
			if at, ok := o.Find(p.Path()); ok {
				l.opened(o.Row(at), at, p)
			}
		}
	})
}

func (l *list) opened(row int64, at place, p *compare.Pair) {
	if _, n := l.pairs.open(at, p); n > 0 {
		for _, r := range l.all {
			r.Inserted(row+1, n)
		}
	}
}

func (l *list) busy(what string) {
	l.host.Busy(what, -1, nil)
}

func (l *list) close(row int64) {
	n := l.pairs.Collapse(l.pairs.At(row))
	if n == 0 {
		return
	}
	current := l.shown().Current()
	l.forget()
	for _, r := range l.all {
		r.Removed(row+1, n)
	}
	if current > row && current <= row+n {
		l.goTo(row)
	}
}

func (l *list) right(row int64) {
	if l.pairs.At(row).Open == nil {
		l.open(row)
	} else {
		l.goTo(row + 1)
	}
}

func (l *list) left(row int64) {
	at := l.pairs.At(row)
	if at.Open != nil {
		l.close(row)
	} else if up, ok := at.Up(); ok {
		l.goTo(l.pairs.Row(up))
	}
}

// openBelow opens the whole subtree of a row, up to a bound, as far as nothing long has to be compared.
func (l *list) openBelow(row int64) {
	way := []place{l.pairs.At(row)}
	for looked := 0; len(way) > 0 && looked < opensMost; looked++ {
		at := way[0]
		way = way[1:]
		p := l.pairs.pair(at)
		if p.Leaf() {
			continue
		}
		b, _ := l.pairs.open(at, p)
		if b == nil {
			continue
		}
		for pos := range min(b.Level.shown, opensMost) {
			way = append(way, b.Place(pos))
		}
	}
	l.forget()
	for _, r := range l.all {
		current, top := r.Current(), r.First()
		r.Refresh()
		r.SetCurrent(current)
		r.SetFirst(top)
	}
}

// press opens and closes where the triangle is clicked.
func (l *list) press(on rows.Pointer) rows.Claim {
	if on.Button != desktop.MouseButtonPrimary || on.Row < 0 || on.Row >= l.pairs.Len() {
		return rows.Pass
	}
	at := l.pairs.At(on.Row)
	left := (6 + signWide + float32(min(at.Depth(), deepest))*indentStep) * on.Scale
	x := float32(on.X)
	if l.item(at).leaf || x < left-4*on.Scale || x > left+(triangle+6)*on.Scale {
		return rows.Pass
	}
	l.toggle(on.Row)
	return rows.Handled
}
