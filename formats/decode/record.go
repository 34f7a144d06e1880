package decode

import (
	"encoding/binary"
	"slices"

	"assay/model"
)

// Field is one that always stands at the same place of a record: a number, or a block of bytes if it has a type.
type Field struct {
	Name  string
	Form  model.Number
	Role  model.Role
	Names Names // those of an enum's numbers
	Type  string
	Bytes int64
}

func (f *Field) size() int64 {
	if f.Type != "" {
		return f.Bytes
	}
	return f.Form.Size()
}

// Record is fields in a row, as the table of a document lists them. Quietly, all are read in one go.
type Record struct {
	fields  []Field
	numbers []place
	size    int64
}

// place is where a number stands in its record, and the bits that the eight bytes there have too many.
type place struct{ at, unused uint8 }

// NewRecord returns a record of fields that have up to 255 bytes together.
func NewRecord(fields ...Field) *Record {
	r := &Record{fields: fields}
	for _, f := range fields {
		if f.Type == "" {
			r.numbers = append(r.numbers, place{uint8(r.size), uint8(64 - 8*f.size())})
		}
		r.size += f.size()
	}
	return r
}

// Size is the number of bytes that the fields have.
func (r *Record) Size() int64 { return r.size }

// Record reads the fields of a record, and the bits of the numbers among them into out. It returns their nodes: none
// after an error and unless the cursor records.
func (c *Cursor) Record(r *Record, out []uint64) []*model.Node {
	if c.rec != nil || r.size > int64(c.until-c.at) || r.size+8 > int64(len(c.window)-c.at) {
		return c.fields(r, out)
	}
	b := c.window[c.at:]
	c.at += int(r.size)
	out = out[:len(r.numbers)]
	if c.big {
		for i, p := range r.numbers {
			out[i] = binary.BigEndian.Uint64(b[p.at:]) >> (p.unused & 63)
		}
		return nil
	}
	for i, p := range r.numbers {
		out[i] = binary.LittleEndian.Uint64(b[p.at:]) << (p.unused & 63) >> (p.unused & 63)
	}
	return nil
}

// fields reads those of a record one by one.
func (c *Cursor) fields(r *Record, out []uint64) []*model.Node {
	c.Peek(r.size) // all of it is in the window: a decoder may ask for the blocks of bytes
	i := 0
	for _, f := range r.fields {
		if f.Type != "" {
			c.Bytes(f.Name, f.Type, f.Bytes)
			continue
		}
		out[i] = c.number(f.Name, f.Form, f.Role)
		if n := c.recorded(); n != nil && f.Names != nil {
			n.Symbol = f.Names[out[i]]
		}
		i++
	}
	if c.rec == nil || c.err != nil {
		return nil
	}
	return slices.Clone(c.rec.kids[len(c.rec.kids)-len(r.fields):])
}
