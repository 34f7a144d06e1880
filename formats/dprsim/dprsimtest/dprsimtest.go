// Package dprsimtest writes worlds, states and experiments of DPRSim, for tests and for the bundled samples. It does
// not use the package that reads them, so its description of the formats is independent.
package dprsimtest

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
)

const (
	moduleChunk = 2
	bodyChunk   = 3
	chunkHead   = 5 // bytes of a chunk's id and length
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
var SimpleCubic = Listing{Name: "_sim", Version: 1, Types: "cccCCCCC", Names: "x:y:z:r:g:b:a:bat"}

// Layout selects the interpretation of the document. The zero Layout follows the document's only example and its sums.
type Layout struct {
	Prose     bool // the strings are B, types, names
	Together  bool // all modules are listed in one chunk
	Inclusive bool // chunk lengths include the chunk's head
	Short     bool // the body's length is 0x00FFFFFF
}

// StateWriter writes a world or state.
type StateWriter struct {
	w   *bufio.Writer
	err error
}

// NewStateWriter begins a file with the listings of its modules.
func NewStateWriter(out io.Writer, l Layout, modules ...Listing) *StateWriter {
	s := &StateWriter{w: bufio.NewWriter(out)}
	s.w.Write([]byte("CLAY\x01"))
	var listings []byte
	for _, m := range modules {
		b := s.listing(l, m)
		if listings = append(listings, b...); !l.Together {
			s.chunk(l, moduleChunk, listings)
			listings = nil
		}
	}
	if l.Together {
		s.chunk(l, moduleChunk, listings)
	}
	length := uint32(0xFFFFFFFF) // -1: to the end of the file
	if l.Short {
		length = 0x00FFFFFF
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
			s.err = fmt.Errorf("dprsimtest: a string of %d bytes does not fit into a listing", len(t))
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
	var buffer [12]byte
	head := binary.BigEndian.AppendUint32(buffer[:0], id)
	s.w.Write(binary.BigEndian.AppendUint32(head, uint32(total)))
	for _, b := range states {
		s.w.Write(binary.BigEndian.AppendUint32(buffer[:0], uint32(len(b))))
		s.w.Write(b)
	}
}

// Close flushes the file. It does not close the underlying writer.
func (s *StateWriter) Close() error {
	return errors.Join(s.err, s.w.Flush())
}

// Cube writes a world of side^3 catoms, colored by position.
func Cube(out io.Writer, side int) error {
	s := NewStateWriter(out, Layout{}, SimpleCubic)
	shade := func(i int) byte { return byte(i * 255 / max(side-1, 1)) }
	for i := range side * side * side {
		x, y, z := i%side, i/side%side, i/side/side
		s.Catom(uint32(i), []byte{byte(x), byte(y), byte(z), shade(x), shade(y), shade(z), 255, byte(i * 7 % 101)})
	}
	return s.Close()
}

// Values returns the bytes of a module's state: strings and blocks of bytes as they are, numbers with the highest byte
// first, as the codes n and N have them. Every number has the size of its type.
func Values(values ...any) []byte { return appendValues(binary.BigEndian, values) }

// Little returns values in little-endian order, as a little-endian machine writes values of native codes.
func Little(values ...any) []byte { return appendValues(binary.LittleEndian, values) }

func appendValues(order binary.ByteOrder, values []any) []byte {
	var b []byte
	for _, v := range values {
		if s, ok := v.(string); ok {
			v = []byte(s)
		}
		var err error
		if b, err = binary.Append(b, order, v); err != nil {
			panic(fmt.Sprintf("dprsimtest: a state has no value such as %v: %v", v, err))
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
