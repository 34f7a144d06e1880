package doc

import (
	"context"
	"fmt"
	"sort"

	"fyne.io/fyne/v2"

	"assay/model"
	"assay/ui/hex"
	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/rows"
	"assay/ui/wording"
	"assay/ui/work"
)

// hits is the list of what a search found. What a row shows of the bytes is read when it is in view.
type hits struct {
	group *work.Group
	doc   *model.Document
	table *rows.Table

	spans   []model.Span
	more    bool
	texts   map[int][2]string
	present model.Span // the hit that is shown
}

func newHits(h host.Host, style *paint.Style, group *work.Group, show func(s model.Span)) *hits {
	l := &hits{group: group}
	l.table = rows.NewTable(h, style, l, listOptions,
		rows.Column{Title: "Offset", Width: 72, Align: paint.Trailing}, rows.Column{Title: "Bytes", Width: 230},
		rows.Column{Title: "In", Width: 200})
	l.table.OnCurrent = func(row int) { show(l.spans[row]) }
	l.table.OnActivate = l.table.OnCurrent
	return l
}

func (l *hits) title() string { return "Results" }

func (l *hits) rows() *rows.Table { return l.table }

func (l *hits) place() fyne.CanvasObject { return l.table }

func (l *hits) badge() string {
	if len(l.spans) == 0 {
		return ""
	}
	if l.more {
		return wording.Number(len(l.spans)) + "+"
	}
	return wording.Number(len(l.spans))
}

func (l *hits) set(spans []model.Span, more bool) {
	l.spans, l.more, l.texts = spans, more, make(map[int][2]string)
	l.table.SetData(l)
}

func (l *hits) setDocument(d *model.Document) {
	l.doc, l.present = d, model.Span{}
	l.set(nil, false)
}

// marks returns the hits in a range.
func (l *hits) marks(from, to int64) []hex.Mark {
	var out []hex.Mark
	for i := sort.Search(len(l.spans), func(i int) bool { return l.spans[i].End() > from }); i < len(l.spans) &&
		l.spans[i].Offset < to; i++ {
		out = append(out, hex.Mark{Offset: l.spans[i].Offset, Length: l.spans[i].Size, Kind: hex.Hit})
	}
	if h := l.present; h.Size > 0 && h.Offset < to && h.End() > from {
		out = append(out, hex.Mark{Offset: h.Offset, Length: h.Size, Kind: hex.CurrentHit})
	}
	return out
}

// Len is the number of hits.
func (l *hits) Len() int { return len(l.spans) }

// Cell describes one of them.
func (l *hits) Cell(row, column int) rows.Cell {
	if column == 0 {
		return rows.Cell{Text: fmt.Sprintf("%#x", l.spans[row].Offset), Mono: true}
	}
	if _, ok := l.texts[row]; !ok {
		l.describe(row)
	}
	return rows.Cell{Text: l.texts[row][column-1], Mono: column == 1, Tone: paint.Dim}
}

// describe finds in the background what a row shows.
func (l *hits) describe(row int) {
	if len(l.texts) > 2000 {
		clear(l.texts)
	}
	l.texts[row] = [2]string{}
	span, d, texts := l.spans[row], l.doc, l.texts
	l.group.Go(func(context.Context) func() {
		from := max(0, span.Offset-4)
		b, _ := d.Source.Bytes(model.Span{Offset: from, Size: min(24, d.Source.Size()-from)})
		where := ""
		if n := d.Owner(span.Offset); n != nil {
			where = model.OneLine(n.TitleWay(), 300)
		}
		return func() {
			texts[row] = [2]string{wording.Bytes(b), where}
			l.table.Refresh()
		}
	})
}
