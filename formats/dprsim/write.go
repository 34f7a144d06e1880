package dprsim

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"

	"assay/model"
)

// Listing is a module as a file lists it.
type Listing struct {
	Name    string
	Version uint32
	Types   string
	Names   string
	Other   string
}

// SimpleCubic is the module that every world has.
var SimpleCubic = Listing{Name: simulator, Version: 1, Types: "cccCCCCC", Names: simulatorNames}

// Layout is which reading of the document a writer follows. The zero Layout is what the document's only example and
// its sums show.
type Layout struct {
	Prose     bool // the strings are B, types, names
	Together  bool // all modules are listed in one chunk
	Inclusive bool // chunk lengths include the chunk's head
	Short     bool // the body's length is 0x00FFFFFF
}

// StateWriter writes a world or state.
type StateWriter struct {
	w       *bufio.Writer
	modules int
	err     error
}

// NewStateWriter begins a file with the listings of its modules.
func NewStateWriter(out io.Writer, l Layout, modules ...Listing) *StateWriter {
	s := &StateWriter{w: bufio.NewWriter(out), modules: len(modules)}
	s.w.Write(append(append([]byte(nil), magic...), version))
	var all []byte
	for _, m := range modules {
		b := s.listing(l, m)
		if all = append(all, b...); !l.Together {
			s.chunk(l, moduleChunk, all)
			all = nil
		}
	}
	if l.Together {
		s.chunk(l, moduleChunk, all)
	}
	length := uint32(toEnd)
	if l.Short {
		length = toEndShort
	}
	s.w.Write(binary.BigEndian.AppendUint32([]byte{bodyChunk}, length))
	return s
}

func (s *StateWriter) chunk(l Layout, id byte, content []byte) {
	n := len(content)
	if l.Inclusive {
		n += chunkHead
	}
	s.w.Write(binary.BigEndian.AppendUint32([]byte{id}, uint32(n)))
	s.w.Write(content)
}

func (s *StateWriter) listing(l Layout, m Listing) []byte {
	var b []byte
	text := func(t string) {
		if len(t) > math.MaxUint8 {
			s.err = fmt.Errorf("dprsim: a string of %d bytes does not fit into a listing", len(t))
			t = ""
		}
		b = append(append(b, byte(len(t))), t...)
	}
	text(m.Name)
	b = binary.BigEndian.AppendUint32(b, m.Version)
	if l.Prose {
		text(m.Other)
	}
	text(m.Types)
	text(m.Names)
	if !l.Prose {
		text(m.Other)
	}
	return b
}

// Catom writes a catom with the states of its modules, in the order of the listings.
func (s *StateWriter) Catom(id uint32, states ...[]byte) {
	total := 0
	for _, b := range states {
		total += 4 + len(b)
	}
	var room [12]byte
	head := binary.BigEndian.AppendUint32(room[:0], id)
	s.w.Write(binary.BigEndian.AppendUint32(head, uint32(total)))
	for _, b := range states {
		s.w.Write(binary.BigEndian.AppendUint32(room[:0], uint32(len(b))))
		s.w.Write(b)
	}
}

// Close ends the file. It does not close what it is written to.
func (s *StateWriter) Close() error {
	return errors.Join(s.err, s.w.Flush())
}

// Cube writes a world of side^3 catoms in the colours of their places.
func Cube(out io.Writer, side int) error {
	s := NewStateWriter(out, Layout{}, SimpleCubic)
	shade := func(i int) byte { return byte(i * 255 / max(side-1, 1)) }
	for i := range side * side * side {
		x, y, z := i%side, i/side%side, i/side/side
		s.Catom(uint32(i), []byte{byte(x), byte(y), byte(z), shade(x), shade(y), shade(z), 255, byte(i * 7 % 101)})
	}
	return s.Close()
}

// Pack writes values as a template says: whole numbers as int, floats as float64, strings.
func Pack(types string, bigEndian bool, values ...any) ([]byte, error) {
	t, err := parseTemplate(types)
	if err != nil {
		return nil, err
	}
	var b []byte
	for i := range t.codes {
		c := &t.codes[i]
		n := c.count
		switch {
		case c.kind == skip:
			b = append(b, make([]byte, max(n, 0))...)
			continue
		case c.kind == text:
			n = 1
		case n == toTheEnd:
			n = int64(len(values))
		}
		for ; n > 0; n-- {
			if len(values) == 0 {
				return nil, fmt.Errorf("dprsim: there are too few values for %s", types)
			}
			if b, err = c.pack(b, values[0], bigEndian); err != nil {
				return nil, err
			}
			values = values[1:]
		}
	}
	if len(values) > 0 {
		return nil, fmt.Errorf("dprsim: there are %d values too many for %s", len(values), types)
	}
	return b, nil
}

func (c *code) pack(b []byte, v any, bigEndian bool) ([]byte, error) {
	switch v := v.(type) {
	case string:
		if c.kind == text {
			return c.packText(b, v), nil
		}
	case int:
		switch c.kind {
		case letter:
			return append(b, string(rune(v))...), nil
		case number:
			if c.form == model.F32 || c.form == model.F64 {
				return c.pack(b, float64(v), bigEndian)
			}
			return c.packBits(b, uint64(v), c.form.Size(), bigEndian), nil
		}
	case float64:
		switch {
		case c.kind == number && c.form == model.F32:
			return c.packBits(b, uint64(math.Float32bits(float32(v))), 4, bigEndian), nil
		case c.kind == number && c.form == model.F64:
			return c.packBits(b, math.Float64bits(v), 8, bigEndian), nil
		}
	}
	return nil, fmt.Errorf("dprsim: %v is no value for %s", v, c.typ)
}

func (c *code) packBits(b []byte, bits uint64, size int64, bigEndian bool) []byte {
	for i := range size {
		shift := 8 * i
		if c.order(bigEndian) == binary.BigEndian {
			shift = 8 * (size - 1 - i)
		}
		b = append(b, byte(bits>>shift))
	}
	return b
}

// packText fills strings that are too short: with blanks for A, with NULs for a and Z, which always has one.
func (c *code) packText(b []byte, s string) []byte {
	if c.count == toTheEnd {
		b = append(b, s...)
		if c.letter == 'Z' {
			b = append(b, 0)
		}
		return b
	}
	fill := byte(0)
	if c.letter == 'A' {
		fill = ' '
	}
	for i := range c.count {
		if i < int64(len(s)) && (c.letter != 'Z' || i < c.count-1) {
			b = append(b, s[i])
		} else {
			b = append(b, fill)
		}
	}
	return b
}

// Setting is one KEY=value line of an experiment.
type Setting struct {
	Key, Value string
}

// WriteExperiment writes an experiment, with a comment first if there is one.
func WriteExperiment(out io.Writer, comment string, settings ...Setting) error {
	w := bufio.NewWriter(out)
	if comment != "" {
		fmt.Fprintf(w, "# %s\n", comment)
	}
	for _, s := range settings {
		fmt.Fprintf(w, "%s=%s\n", s.Key, s.Value)
	}
	return w.Flush()
}
