package export

import (
	"context"
	"io"
)

// Write streams the i-th item of the plan into w, for those who place files themselves. The row says what there is to
// say about the content; an error means that it is not complete.
func (p *Plan) Write(ctx context.Context, i int, w io.Writer) (Row, error) {
	item := &p.Items[i]
	row := Row{Item: item}
	r := &run{Plan: p, ctx: ctx}
	if item.files > 0 {
		r.targets = make([]string, len(p.Items))
		first := i - int(item.file)
		for k := first; k < first+int(item.files); k++ {
			r.targets[k] = p.Items[k].Target
		}
	}
	if _, err := r.copy(item.From.At(item.Index), i, w, &row, false); err != nil {
		return row.left(Failed, reason(err)), err
	}
	row.Outcome, row.Path = Exported, item.Target
	return row, nil
}

// First reports whether the item is an asset's first, or only, file: the items of a plan are those of its picks in
// order.
func (i *Item) First() bool { return i.file == 0 }
