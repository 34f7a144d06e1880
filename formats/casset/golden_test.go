package casset

import (
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/formats/casset/cassettest"
	"assay/formats/formatstest"
)

// TestGoldenOfDamagedFiles compares all messages about damaged files. A file is small or another content, written in a
// layout, and then changed at the position of a node: "=" replaces bytes there, "+" inserts them, "cut" ends the file
// there.
func TestGoldenOfDamagedFiles(t *testing.T) {
	empty := cassettest.Struct{Type: "/Code/G.Empty"}
	blobs := oneObject("f", cassettest.ListOf(cassettest.Bytes{}, cassettest.Bytes{Data: []byte("ab")},
		cassettest.Bytes{}))
	contents := map[string]*cassettest.Content{
		"small": smallContent(),
		"modes": oneObject("f", cassettest.ListOf(cassettest.Enum(0), cassettest.Enum(1), cassettest.Enum(2)),
			"g", cassettest.Enum(3), "h", cassettest.Enum(0)),
		"numbers": oneObject("f", cassettest.ListOf(uint16(0), uint16(1), uint16(2)), "g", uint32(9), "h", true),
		"wide": oneObject("f", cassettest.ListOf(uint32(0), uint32(1), uint32(0xEEEE<<16|2)),
			"g", uint64(0xEEEEEEEE<<32|9), "h", uint32(7), "s", "hi"),
		"blobs":   blobs,
		"empties": oneObject("f", cassettest.ListOf(empty, empty, empty), "g", empty),
		"structs": oneObject("f", cassettest.StructOf("/Code/G.S", "inner",
			cassettest.StructOf("/Code/G.T", "n", uint8(1)))),
		"delegates": oneObject("f", cassettest.ListOf(cassettest.Func{}, cassettest.Func{}), "g", nil),
		"none":      {Name: "/Game/None"},
	}
	const (
		p01, p10, p11, p12 = cassettest.Package01, cassettest.Package10, cassettest.Package11, cassettest.Package12
		late, p20, b20     = cassettest.Package12Late, cassettest.Package20, cassettest.Bundle20
		published, first   = cassettest.Bundle30Published, cassettest.Bundle30First
		r1118, b30         = cassettest.Bundle30R1118, cassettest.Bundle30
		most               = "= ffffffff"
	)
	type damage struct {
		layout              cassettest.Layout
		content, at, change string
	}
	damages := []damage{
		// headers
		{b30, "small", "/header/magic", "= 01"}, {p11, "small", "/header/major", "= 09"},
		{b30, "small", "/header/major", "= 09"}, {b20, "small", "/header/major", "= 03"},
		{b20, "small", "/header/minor", "= 07"}, {b30, "small", "/header/minor", "= 07"},
		{p10, "small", "/header/minor", "= 07"}, {p11, "small", "/header/minor", "= 07"},
		{late, "small", "/header/minor", "= 07"}, {b30, "small", "/header/checksum", "= 07"},
		{published, "small", "/header/checksum", "= 07"}, {p12, "small", "/header/checksum", "= 07"},
		{b30, "small", "/header/schema_offset", most}, {b30, "small", "/header/data_offset", most},
		{published, "small", "/header/data_offset", most}, {p11, "small", "/header/data_offset", most},
		{b20, "small", "/header/data_offset", "= 10"}, {b30, "small", "/header/dependencies", most},
		{p11, "small", "/header/dependencies", most}, {b30, "small", "/header/cooked", "= 05"},
		{b20, "small", "/objects", "+ 4d4f5245"}, {b30, "small", "/header/name", "cut"},
		{p01, "small", "/header/uuid", "cut"}, {b30, "small", "/header/major", "cut"},
		{b30, "small", "/header/dependencies", "= 02"}, {r1118, "small", "/header/schema_offset", "= f0"},
		{published, "small", "/header/data_offset", "= d8"},
		// the schema
		{b30, "small", "/schema/size", "= 01"}, {published, "small", "/schema/size", "= 01"},
		{b30, "small", "/schema/count", "= 09"}, {b30, "small", "/schema/entries/0/size", "= 01"},
		{b30, "small", "/schema/entries/0/kind", "= 02"}, {b30, "small", "/schema/entries/0/field_count", most},
		{b30, "small", "/schema/entries/1/fields/0/type", "= 77"}, {b30, "small", "/schema/end", "= 01"},
		{b30, "numbers", "/schema/entries/0/fields/0/element_type", "= 1a"},
		{b30, "structs", "/schema/entries/1/fields/0/schema_index", "= 01"},
		{b30, "structs", "/schema/entries/0/fields/0/schema_index", most},
		{b30, "empties", "/schema/entries/0/fields/0/schema_index", most},
		{b30, "small", "/schema/entries/1/fields", "cut"},
		{b30, "small", "/schema/entries/0/field_count", "= 03"},
		{published, "small", "/schema/entries/0/version", "= 01010101"},
		{b30, "small", "/schema/entries/0/type", "= 787878787878787878787878787878787878787878"},
		// the list of objects
		{b30, "small", "/objects/size", "= 01"}, {first, "small", "/objects/size", "= 01"},
		{b30, "small", "/objects/count", "= 01"}, {b30, "small", "/objects/count", most},
		{b30, "small", "/objects/0/size", "= 03"}, {b30, "small", "/objects/1/size", "= ffffff"},
		{published, "small", "/objects/1/size", most}, {b30, "small", "/objects/end", "= 01"},
		{b30, "none", "/objects/end", "= 01"}, {b30, "small", "/end", "= 01"}, {p11, "small", "/end", "= 01"},
		{p11, "small", "/objects/0/magic", "= 01"}, {b20, "small", "/objects/1/magic", "= 01"},
		{b20, "small", "/objects/1/magic", "+ 6a756e6b"}, {b20, "small", "/end", "+ 6a756e6b"},
		{p11, "small", "/objects/0/data_size", most}, {p11, "small", "/objects/1/data_size", most},
		{b30, "small", "/objects/1/fields", "cut"}, {p12, "small", "/objects/1/fields", "cut"},
		// what comes before and after the fields of an object
		{b30, "small", "/objects/1/data_offset", "= 18"}, {b30, "small", "/objects/0/data_offset", most},
		{r1118, "small", "/objects/0/data_offset", "= 21"}, {published, "small", "/objects/0/data_offset", most},
		{b30, "small", "/objects/1/schema_index", "= 09"},
		{b30, "small", "/objects/1/is_asset", "= 02"}, {b30, "small", "/objects/1/fields_size", "= 01"},
		{b30, "small", "/objects/0/fields_size", "+ 0000"}, {p11, "small", "/objects/1/data_offset", most},
		{b20, "small", "/objects/1/data_offset", most}, {b20, "small", "/objects/1/type", "= 00"},
		{b20, "small", "/objects/1/data_size", most}, {b20, "small", "/objects/1/data_size", "= 0200000000000000"},
		{p11, "small", "/objects/1/field_count", "= 00"},
		{p11, "small", "/objects/1/end", "= 01"}, {b20, "small", "/objects/1/crc", "= 01"},
		// what comes before a value
		{p12, "small", "/objects/1/fields/s/header/marker", "= 00"},
		{p12, "small", "/objects/1/fields/e/header/marker", "= 00"},
		{p12, "numbers", "/objects/0/fields/g/header/size", "= 05"},
		{p12, "numbers", "/objects/0/fields/g/header/size", most},
		{b20, "small", "/objects/1/fields/s/header/type", "= 77"},
		{published, "numbers", "/objects/0/fields/g/header/size", "= 09"},
		{published, "small", "/objects/1/fields/s/header/size", most},
		{published, "small", "/objects/1/fields/s/header/size", "= 0a"},
		{published, "wide", "/schema/entries/0/fields/1/type", "= 03"},
		{r1118, "wide", "/schema/entries/0/fields/1/type", "= 03"},
		// values
		{b30, "numbers", "/objects/0/fields/h", "= 07"}, {b30, "small", "/objects/1/fields/s", "= 7878787878787878"},
		{b30, "small", "/objects/1/fields/b/length", most}, {p11, "small", "/objects/1/fields/b/length", "= 04"},
		{p11, "small", "/objects/1/fields/b/length", most}, {p20, "small", "/objects/1/fields/b/length", most},
		{p12, "small", "/objects/1/fields/r/class", "= 00"}, {p12, "small", "/objects/0/fields/store", "= 00"},
		{b20, "small", "/objects/1/fields/p/size", most}, {b20, "small", "/objects/1/fields/p/size", "= 06"},
		{b20, "small", "/objects/1/fields/p/count", "= 01"}, {b20, "small", "/objects/1/fields/p/count", most},
		// arrays
		{b30, "small", "/objects/1/fields/fs/count", most}, {b30, "numbers", "/objects/0/fields/f", most},
		{b30, "empties", "/objects/0/fields/f/count", most}, {b30, "delegates", "/objects/0/fields/f/count", "= 01"},
		{r1118, "numbers", "/objects/0/fields/f/value", "= 010000000b"},
		{published, "wide", "/schema/entries/0/fields/0/element_type", "= 02"},
		{b20, "numbers", "/objects/0/fields/f/value", most}, {b20, "numbers", "/objects/0/fields/f/value", "= 01"},
		{b20, "numbers", "/objects/0/fields/f/size", most}, {b20, "numbers", "/objects/0/fields/f/size", "= 02"},
		{p12, "numbers", "/objects/0/fields/f/value", "= 03"},
		{p12, "numbers", "/objects/0/fields/f/value", "= 0200000003"},
		{p12, "numbers", "/objects/0/fields/f/value", "= 02000000ff"},
		{p12, "numbers", "/objects/0/fields/f/value", "= 0000000004"}, {p12, "modes", "/objects/0/fields/f", "= f1"},
		{late, "modes", "/objects/0/fields/f/value", "= 03"}, {p12, "small", "/objects/1/fields/ps/count", "= 07"},
		{late, "blobs", "/objects/0/fields/f/count", "= 01"}, {late, "blobs", "/objects/0/fields/f/count", "= 09"},
		{p12, "small", "/objects/0/fields/store/count", "cut"},
	}
	var files []formatstest.Damaged
	for _, d := range damages {
		b := cassettest.Write(d.layout, contents[d.content])
		n := node(t, open(t, b), d.at)
		what, text, _ := strings.Cut(d.change, " ")
		bytes, err := hex.DecodeString(text)
		require.NoError(t, err)
		switch what {
		case "=":
			copy(b[n.Offset:], bytes)
		case "+":
			b = slices.Insert(b, int(n.Offset), bytes...)
		case "cut":
			b = b[:n.Offset]
		}
		doc := open(t, b)
		name := fmt.Sprintf("%s %s %s", d.layout, d.at, d.change)
		files = append(files, formatstest.Damaged{Name: name, Document: doc, Made: fmt.Sprintf(
			"cassettest.Write of the content %q in layout %s; at %s: %s", d.content, d.layout, d.at, d.change)})
		t.Run(name, func(t *testing.T) {
			checkInvariants(t, b)
			formatstest.Conform(t, doc)
		})
	}
	formatstest.GoldenProblems(t, "damaged", files)
}
