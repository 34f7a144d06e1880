package dprsim

import (
	"bufio"
	"context"
	"encoding/csv"
	"encoding/hex"
	"io"

	"assay/formats/decode"
	"assay/model"
)

// csv writes the catoms as comma-separated values: a line of header, then a catom a line. What a catom lacks is
// empty; a string that is not UTF-8 is written as 0x and its bytes.
func (b *body) csv(only int) func(ctx context.Context, out io.Writer) error {
	return func(ctx context.Context, out io.Writer) error {
		cols, from := b.columns(ctx, only)
		header := &model.Table{Columns: cols}
		buffer := bufio.NewWriterSize(out, 64<<10)
		w := csv.NewWriter(buffer)
		record := make([]string, len(cols))
		for i := range cols {
			record[i] = header.Title(i)
		}
		if err := w.Write(record); err != nil {
			return err
		}
		r := b.row(from)
		err := b.each(ctx, 0, b.count(), func(c *decode.Cursor, _ int) error {
			r.read(c)
			for i, v := range r.values {
				record[i] = cellText(v)
				if raw := r.raw[i]; raw != nil {
					record[i] = "0x" + hex.EncodeToString(raw)
				}
			}
			return w.Write(record)
		})
		if err != nil {
			return err
		}
		if w.Flush(); w.Error() != nil {
			return w.Error()
		}
		return buffer.Flush()
	}
}

// cellText returns a value in full, as the table of another program takes it.
func cellText(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	if _, ok := v.(model.Blob); ok {
		return ""
	}
	return model.FormatValue(v)
}
