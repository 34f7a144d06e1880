package doc

import (
	"context"

	"assay/ui/rows"
	"assay/ui/work"
)

// readTexts are the texts of rows for which the file is read: in the background, when a row comes into view.
type readTexts struct {
	group *work.Group
	table *rows.Table
	texts map[int][2]string // by the row
}

// readMost is how many rows are remembered.
const readMost = 2000

// forget is called when the rows are others.
func (t *readTexts) forget() { t.texts = make(map[int][2]string) }

// of returns the texts of a row, which are empty until read has returned them. read is called on another goroutine.
func (t *readTexts) of(row int, read func() [2]string) [2]string {
	if known, ok := t.texts[row]; ok {
		return known
	}
	if len(t.texts) > readMost {
		clear(t.texts)
	}
	texts := t.texts
	texts[row] = [2]string{}
	t.group.Go(func(context.Context) func() {
		found := read()
		return func() {
			texts[row] = found
			t.table.Refresh()
		}
	})
	return texts[row]
}
