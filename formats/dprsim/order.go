package dprsim

import (
	"context"
	"math"

	"assay/formats/decode"
	"assay/model"
)

// switchOrder is the choice of the byte order of native codes, which the file does not record.
func (r *reader) switchOrder(src *model.Source) []model.Switch {
	native := false
	for _, m := range r.modules {
		native = native || m.template.native()
	}
	if !native {
		return nil
	}
	s := model.Switch{Name: "Native byte order", Choices: []string{"little-endian", "big-endian"}}
	if r.o.bigEndian {
		s.Current = 1
	}
	s.Reopen = func(ctx context.Context, choice int) (*model.Document, error) {
		return openWith(ctx, src, options{bigEndian: choice == 1})
	}
	return []model.Switch{s}
}

// doubtOrder remarks on a module whose native values make little sense in the order they are read in, and sense in
// the other.
func (r *reader) doubtOrder() {
	const look = 64
	here, there := make([]sense, len(r.modules)), make([]sense, len(r.modules))
	for _, b := range r.bodies {
		var l layout
		_ = b.each(context.Background(), 0, min(b.count(), look), func(c *decode.Cursor, _ int) error {
			b.layout(c, &l)
			for i := range l.states {
				for k := range l.states[i].runs {
					run := &l.states[i].runs[k]
					here[i].add(c, run, r.o.bigEndian)
					there[i].add(c, run, !r.o.bigEndian)
				}
			}
			return nil
		})
	}
	for i, m := range r.modules {
		if here[i].values > 0 && 2*here[i].plain < here[i].values && 10*there[i].plain >= 9*there[i].values {
			other := "big-endian"
			if r.o.bigEndian {
				other = "little-endian"
			}
			m.node.Warn(model.Note, m.node.Span,
				"the values of module %s look as if a %s machine had written them; the byte order of native codes can be switched",
				m.title(), other)
		}
	}
}

// sense counts the values of native codes that are of the size of numbers that people simulate.
type sense struct {
	values, plain int
}

func (s *sense) add(c *decode.Cursor, r *run, bigEndian bool) {
	if r.code.kind != number || !r.code.native || r.code.form.Size() < 4 {
		return
	}
	for k := range min(r.count, 16) {
		v, _ := r.value(c, k, bigEndian)
		var f float64
		switch v := v.(type) {
		case float32:
			f = float64(v)
		case float64:
			f = v
		case int64:
			f = float64(v) / 64 // integers count and address: they are larger
		case uint64:
			f = float64(v) / 64
		}
		if f == 0 {
			continue // the same in both
		}
		s.values++
		if a := math.Abs(f); a > 1e-9 && a < 1<<20 {
			s.plain++
		}
	}
}
