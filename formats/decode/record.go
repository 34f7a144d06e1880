package decode

import (
	"encoding/binary"

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

// Record is fields in a row, as the table of a document lists them.
type Record struct {
	fields []Field
	places []place
	size   int64
}

// place is where a field stands in its record, and the bits that the eight bytes there have too many for a number.
type place struct{ at, unused uint8 }

// recordMost is how many bytes the fields of a record have at most.
const recordMost = 255

// NewRecord returns a record of fields that have up to 255 bytes together.
func NewRecord(fields ...Field) *Record {
	r := &Record{fields: fields}
	for _, f := range fields {
		r.places = append(r.places, place{uint8(r.size), uint8(64-8*f.size()) & 63})
		r.size += f.size()
	}
	return r
}

// Values are the fields of a record that was read. They are good until the cursor's next call.
type Values struct {
	c  *Cursor
	r  *Record
	at int // in the window
}

// failed has the values of a record that cannot be read.
var failed = &Cursor{window: make([]byte, recordMost, recordMost+spare)}

// Number returns the bits of the i-th field, a number.
func (v Values) Number(i int) uint64 {
	p := v.r.places[i]
	at := v.at + int(p.at)
	b := v.c.window[at : at+spare]
	if v.c.big {
		return binary.BigEndian.Uint64(b) >> (p.unused & 63)
	}
	return binary.LittleEndian.Uint64(b) << (p.unused & 63) >> (p.unused & 63)
}

// Bytes returns the bytes of the i-th field.
func (v Values) Bytes(i int) []byte {
	at := v.at + int(v.r.places[i].at)
	return v.c.window[at : at+int(v.r.fields[i].size())]
}

// Node is that of the i-th field; nil after an error and unless the cursor records.
func (v Values) Node(i int) *model.Node {
	if v.c.rec == nil {
		return nil
	}
	return v.c.rec.kids[len(v.c.rec.kids)-len(v.r.fields)+i]
}

// Record reads the fields of a record, which are zero after an error. Quietly, a number is taken from the bytes when it
// is asked for.
func (c *Cursor) Record(r *Record) Values {
	if c.rec != nil || r.size > int64(c.until-c.at) {
		return c.record(r)
	}
	v := Values{c, r, c.at}
	c.at += int(r.size)
	return v
}

// record is Record where nodes are made, or the bytes are not in the window.
func (c *Cursor) record(r *Record) Values {
	c.Peek(r.size)
	v := Values{c, r, c.at}
	for _, f := range r.fields {
		if f.Type != "" {
			c.Bytes(f.Name, f.Type, f.Bytes)
			continue
		}
		c.number(f.Name, f.Form, f.Role)
		if n := c.recorded(); n != nil && f.Names != nil {
			n.Symbols = f.Names
		}
	}
	if c.err != nil {
		v.c, v.at = failed, 0
	}
	return v
}
