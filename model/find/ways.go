package find

import (
	"fmt"
	"slices"
	"strings"

	"assay/model"
)

// Way is a way to read what is searched for in bytes.
type Way struct {
	ID   string // as a person writes it in a command
	Name string
	// Short is its name where it is clear that a text, or bytes, are searched for.
	Short string
	Hint  string // what to type
	// Text says that a text is searched for: case may matter. Of numbers the byte order may.
	Text, Number bool

	pattern func(text string, o WayOptions) (*Pattern, error)
}

// WayOptions are how a way reads what is searched for.
type WayOptions struct {
	MatchCase bool  // of a text
	Order     Order // of a number
}

// Pattern reads what is searched for.
func (w *Way) Pattern(text string, o WayOptions) (*Pattern, error) { return w.pattern(text, o) }

func textWay(id, short string, e Encoding) Way {
	name := "Text " + short
	if e == AnyText {
		name = "Text"
	}
	return Way{ID: id, Name: name, Short: short, Hint: "Text to find", Text: true,
		pattern: func(text string, o WayOptions) (*Pattern, error) { return Text(text, e, o.MatchCase) }}
}

func numberWay(id, name string, n Numeric) Way {
	return Way{ID: id, Name: name, Short: name, Hint: "Number to find, such as 1024, 0x400 or -1.5", Number: true,
		pattern: func(text string, o WayOptions) (*Pattern, error) { return Number(text, n, o.Order) }}
}

// HexWay is the ID of the way that reads bytes in hex.
const HexWay = "hex"

// Ways are the ways to read what is searched for: texts, bytes in hex, numbers.
var Ways = []Way{
	textWay("text", "Any encoding", AnyText),
	textWay("utf-8", "UTF-8", UTF8),
	textWay("utf-16le", "UTF-16 LE", UTF16LE),
	textWay("utf-16be", "UTF-16 BE", UTF16BE),
	{ID: HexWay, Name: "Bytes", Short: "Hex", Hint: "Bytes to find, such as 7f 45 ?? 46",
		pattern: func(text string, _ WayOptions) (*Pattern, error) { return Hex(text) }},
	numberWay("integer", "Integer", AnyInteger),
	numberWay("int8", "8-bit integer", Integer8),
	numberWay("int16", "Integer 16 bit", Integer16),
	numberWay("int32", "Integer 32 bit", Integer32),
	numberWay("int64", "Integer 64 bit", Integer64),
	numberWay("float", "Float", AnyFloat),
	numberWay("float32", "Float 32 bit", Float32),
	numberWay("float64", "Float 64 bit", Float64),
}

// WayOf returns the way with an ID.
func WayOf(id string) (*Way, error) {
	if i := slices.IndexFunc(Ways, func(w Way) bool { return w.ID == id }); i >= 0 {
		return &Ways[i], nil
	}
	var ids []string
	for _, w := range Ways {
		ids = append(ids, w.ID)
	}
	return nil, fmt.Errorf("unknown search type %s; use one of %s", model.OneLine(id, 100),
		strings.Join(ids, ", "))
}
