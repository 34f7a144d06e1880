package doc

import (
	"fmt"
	"sort"

	"assay/model"
	"assay/ui/hex"
	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/rows"
	"assay/ui/work"
)

// hits is the list of what a search found. What a row shows of the bytes is read when it is in view.
type hits struct {
	list
	doc *model.Document

	spans   []model.Span
	more    bool
	texts   *work.Lookup[int, [2]string] // of rows: the bytes, and where they are
	present model.Span                   // the hit that is shown
}

func newHits(h host.Host, style *paint.Style, group *work.Group, show func(s model.Span)) *hits {
	l := new(hits)
	table := rows.NewTable(h, style, l, listOptions,
		rows.Column{Title: "Offset", Width: 72, Align: paint.Trailing}, rows.Column{Title: "Bytes", Width: 230},
		rows.Column{Title: "In", Width: 200})
	table.OnCurrent = func(row int) { show(l.spans[row]) }
	table.OnActivate = table.OnCurrent
	l.texts = work.NewLookup[int, [2]string](group, table.Refresh)
	l.list = list{"Results", table, table, l.count}
	return l
}

func (l *hits) count() string {
	if len(l.spans) == 0 {
		return ""
	}
	if l.more {
		return host.Number(len(l.spans)) + "+"
	}
	return host.Number(len(l.spans))
}

func (l *hits) set(spans []model.Span, more bool) {
	l.spans, l.more = spans, more
	l.texts.Forget()
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

func (l *hits) Len() int { return len(l.spans) }

func (l *hits) Cell(row, column int) rows.Cell {
	d, span := l.doc, l.spans[row]
	if column == 0 {
		return rows.Cell{Text: fmt.Sprintf("%#x", span.Offset), Mono: true}
	}
	texts := l.texts.Of(row, func() [2]string { return described(d, span) })
	return rows.Cell{Text: texts[column-1], Mono: column == 1, Tone: paint.Dim}
}

// described returns the bytes of a hit with some around them, and where they are.
func described(d *model.Document, span model.Span) [2]string {
	from := max(0, span.Offset-4)
	b, _ := d.Source.Bytes(model.Span{Offset: from, Size: min(24, d.Source.Size()-from)})
	where := ""
	if n := d.Owner(span.Offset); n != nil {
		where = model.OneLine(n.TitleWay(), 300)
	}
	return [2]string{host.Bytes(b), where}
}
