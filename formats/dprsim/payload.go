package dprsim

import (
	"bufio"
	"context"
	"encoding/csv"
	"encoding/hex"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"assay/model"
	"assay/model/table"
)

// payloads are the world as a table and as points, and each module's table.
func (r *reader) payloads(src *model.Source) model.Payloads {
	var list model.PayloadList
	stem := stem(src.Name())
	for i, b := range r.bodies {
		if b.count == 0 {
			continue
		}
		name := stem
		if len(r.bodies) > 1 {
			name += fmt.Sprintf(".body%d", i+1)
		}
		world := &model.Payload{Name: name + ".csv", Type: "World", MediaType: "text/csv", Node: b.list, Size: -1, Stored: b.list.Span}
		world.Forms = []model.Form{{Name: "csv", Extension: ".csv", MediaType: "text/csv", Write: b.csv(-1)}}
		if b.geometry() != nil {
			world.Forms = append(world.Forms, model.Form{Name: "ply", Extension: ".ply", MediaType: "model/ply", Write: b.ply})
		}
		world.Open = stream(world.Forms[0].Write)
		list = append(list, world)
		for k, m := range r.modules {
			write := b.csv(k)
			list = append(list, &model.Payload{
				Key: m.node.Key, Name: name + "." + m.node.Key + ".csv", Type: "Module", MediaType: "text/csv", Node: m.node, Size: -1,
				Stored: b.list.Span, Open: stream(write),
				Forms: []model.Form{{Name: "csv", Extension: ".csv", MediaType: "text/csv", Write: write}},
			})
		}
	}
	if len(list) == 0 {
		return nil
	}
	return list
}

func stem(name string) string { return strings.TrimSuffix(name, filepath.Ext(name)) }

// stream gives what write writes as a reader.
func stream(write func(ctx context.Context, w io.Writer) error) func(ctx context.Context) (io.ReadCloser, error) {
	return func(ctx context.Context) (io.ReadCloser, error) {
		r, w := io.Pipe()
		go func() { w.CloseWithError(write(ctx, w)) }()
		return r, nil
	}
}

// csv writes the catoms as comma-separated values: a line of titles, then a catom a line. What a catom lacks is
// empty; a string that is not UTF-8 is written as 0x and its bytes.
func (b *body) csv(only int) func(ctx context.Context, out io.Writer) error {
	return func(ctx context.Context, out io.Writer) error {
		cols, from := b.columns(only)
		titles := &table.Table{Columns: cols}
		buffer := bufio.NewWriterSize(out, 64<<10)
		w := csv.NewWriter(buffer)
		record := make([]string, len(cols))
		for i := range cols {
			record[i] = titles.Title(i)
		}
		if err := w.Write(record); err != nil {
			return err
		}
		c := b.cells(from)
		err := b.each(ctx, func(win *window, row, off, size int64) error {
			c.catom(win, off, size)
			for i := range record {
				v, raw := c.value(win, i)
				record[i] = cellText(v)
				if raw != nil {
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

// cellText is a value in full, as the table of another program takes it.
func cellText(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	if _, ok := v.(model.Blob); ok {
		return ""
	}
	return model.FormatValue(v)
}
