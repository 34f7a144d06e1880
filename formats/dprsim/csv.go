package dprsim

import (
	"bufio"
	"context"
	"encoding/csv"
	"encoding/hex"
	"io"

	"assay/model"
)

// CSV writes a module's values, or those of AllModules, as comma-separated values: a line of header, then a catom a
// line. What a catom lacks is empty; a string that is not UTF-8 is written as 0x and its bytes.
func (b *Body) CSV(module int) func(ctx context.Context, out io.Writer) error {
	return func(ctx context.Context, out io.Writer) error {
		from := b.Columns(ctx, module)
		header := &model.Table{Columns: titles(from)}
		buffer := bufio.NewWriterSize(out, 64<<10)
		w := csv.NewWriter(buffer)
		record := make([]string, len(from))
		for i := range from {
			record[i] = header.Title(i)
		}
		if err := w.Write(record); err != nil {
			return err
		}
		err := b.Read(ctx, from, 0, b.Count, func(_ int, values []any, raw [][]byte) error {
			for i, v := range values {
				record[i] = cellText(v)
				if raw[i] != nil {
					record[i] = "0x" + hex.EncodeToString(raw[i])
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
