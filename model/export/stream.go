package export

import (
	"context"
	"io"
)

// Write streams the i-th item of the plan into w, for those who place files themselves. The row says what there is to
// say about the content; an error means that it is not complete.
func (p *Plan) Write(ctx context.Context, i int, w io.Writer) (Row, error) {
	item := p.Item(i)
	row := Row{Item: item}
	r := &run{Plan: p, ctx: ctx}
	if _, err := r.copy(item.From.At(item.Index), i, w, &row, false); err != nil {
		return row.left(Failed, reason(err)), err
	}
	row.Outcome, row.Path = Exported, item.Target
	return row, nil
}
