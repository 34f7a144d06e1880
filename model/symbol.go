package model

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Symbols name the values of nodes: the numbers of an enum, flags, times. They are called when a node is displayed; an
// empty text means that the value has no name.
type Symbols interface {
	NameOf(value any) string
}

// NamedNumber is a number with its name.
type NamedNumber struct {
	Number int64
	Name   string
}

// Choices are Symbols that can be listed: the numbers of an enum, the bits of flags.
type Choices interface {
	Symbols
	// All returns the numbers with their names, the smallest first.
	All() []NamedNumber
	// Has reports whether a value is that number, or has that bit.
	Has(value any, number int64) bool
}

// Symbol is one name for every value.
type Symbol string

// NameOf returns the name.
func (s Symbol) NameOf(any) string { return string(s) }

// Names are the names of an enum's numbers.
type Names map[uint64]string

var _ Choices = Names(nil)

// NameOf returns the name of a number.
func (n Names) NameOf(value any) string {
	if v, ok := integerBits(value); ok {
		return n[v]
	}
	return ""
}

// All returns the numbers with their names.
func (n Names) All() []NamedNumber {
	var numbers []NamedNumber
	for _, v := range slices.Sorted(maps.Keys(n)) {
		numbers = append(numbers, NamedNumber{int64(v), n[v]})
	}
	return numbers
}

// Has reports whether a value is that number.
func (n Names) Has(value any, number int64) bool {
	v, ok := integerBits(value)
	return ok && v == uint64(number)
}

// integerBits returns an integer as its bits.
func integerBits(value any) (uint64, bool) {
	switch v := value.(type) {
	case uint64:
		return v, true
	case int64:
		return uint64(v), true
	}
	return 0, false
}

// Flags are the names of the bits of a number, from the lowest.
type Flags []string

var _ Choices = Flags(nil)

// NameOf returns the names of the set bits, and the bits without a name as a number.
func (f Flags) NameOf(value any) string {
	v, ok := integerBits(value)
	if !ok {
		return ""
	}
	var set []string
	for bit, name := range f {
		if v&(1<<bit) != 0 {
			set = append(set, name)
		}
		v &^= 1 << bit
	}
	if v != 0 {
		set = append(set, fmt.Sprintf("%#x", v))
	}
	return strings.Join(set, " | ")
}

// All returns the bits with their names.
func (f Flags) All() []NamedNumber {
	var numbers []NamedNumber
	for bit, name := range f {
		numbers = append(numbers, NamedNumber{1 << bit, name})
	}
	return numbers
}

// Has reports whether a value has that bit.
func (f Flags) Has(value any, bit int64) bool {
	v, ok := integerBits(value)
	return ok && v&uint64(bit) != 0
}

// SymbolFunc is a function that names values.
type SymbolFunc func(value any) string

// NameOf returns the result of the function for the value.
func (f SymbolFunc) NameOf(value any) string { return f(value) }

// Symbol returns the name of the node's value, or "".
func (n *Node) Symbol() string {
	if n.Symbols == nil {
		return ""
	}
	return n.Symbols.NameOf(n.Value)
}
