package casset

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/formats/casset/cassettest"
	"assay/formats/decode"
	"assay/model"
)

// replace replaces the first occurrence of old by bytes of any length.
func replace(t *testing.T, b []byte, old, with string) []byte {
	t.Helper()
	require.Contains(t, string(b), old)
	return bytes.Replace(b, []byte(old), []byte(with), 1)
}

func oneObject(fields ...any) *cassettest.Content {
	return &cassettest.Content{ID: cassettest.ID("F"), Name: "/Game/F",
		Objects: []cassettest.ObjectContent{{ID: cassettest.ID("O"), Path: "O", Name: "O", Class: "/Code/G.C",
			Fields: cassettest.Fields(fields...)}}}
}

// Package 2.0 wrote nothing after the type of an empty blob before February 2024.
func TestEmptyBlobMayHaveNoLength(t *testing.T) {
	b := cassettest.Write(cassettest.Package20, oneObject("blob", cassettest.Bytes{}, "next", uint8(9)))
	bare := replace(t, b, "blob\x00\x0d"+string(make([]byte, 16)), "blob\x00\x0d")
	at := bytes.Index(bare, []byte("\x10\x21"))
	require.Positive(t, at)
	bare[at+1] -= 16
	doc := open(t, bare)
	r := check(t, doc)
	assert.False(t, r.Bad(), "%v", r.Problems)
	assert.Equal(t, uint64(9), node(t, doc, "/objects/0/fields/next").Value)
	assert.Zero(t, node(t, doc, "/objects/0/fields/blob").Value.(model.Blob).Span.Size)
}

// In an array, the next blob or the end follows a value, without a name.
func TestEmptyBlobsInAnArrayMayHaveNoLength(t *testing.T) {
	abc, long := []byte("abc"), bytes.Repeat([]byte("x"), 5000)
	const head = 8 + 8 // length, flags
	for _, blobs := range [][][]byte{{nil, abc}, {abc, nil}, {nil}, {nil, nil, abc, nil, nil}, {nil, abc, long},
		{long, nil, long}} {
		var items []any
		for _, b := range blobs {
			items = append(items, cassettest.Bytes{Data: b})
		}
		full := cassettest.Write(cassettest.Package20, oneObject(
			"blobs", cassettest.List{Of: cassettest.Bytes{}, Items: items}, "next", uint8(9)))
		list := node(t, open(t, full), "/objects/0/fields/blobs")
		b, shorter := bytes.Clone(full), 0
		for i := len(blobs) - 1; i >= 0; i-- {
			if blobs[i] == nil {
				at := int(list.Child(list.Len() - len(blobs) + i).ChildNamed("length").Offset)
				b, shorter = slices.Delete(b, at, at+head), shorter+head
			}
		}
		for _, size := range []*model.Node{list.ChildNamed("size"), node(t, open(t, full), "/objects/0/data_size")} {
			order.PutUint64(b[size.Offset:], order.Uint64(b[size.Offset:])-uint64(shorter))
		}
		doc := open(t, b)
		r := checkInvariants(t, b)
		assert.False(t, r.Bad(), "%v", r.Problems)
		assert.Equal(t, uint64(9), node(t, doc, "/objects/0/fields/next").Value)
		list = node(t, doc, "/objects/0/fields/blobs")
		for i, want := range blobs {
			span := list.Child(list.Len() - len(blobs) + i).Value.(model.Blob).Span
			assert.Equal(t, string(want), string(b[span.Offset:span.End()]))
		}
	}
}

// Fields that a later revision adds to a header or an entry are displayed as bytes.
func TestUnknownHeaderFieldsAreAnExtension(t *testing.T) {
	b := cassettest.Write(cassettest.Bundle30, oneObject("n", uint8(9)))
	// four bytes after the cooked byte: both offsets move
	at := int(order.Uint64(b[0x18:]))
	b = append(b[:at:at], append([]byte("MORE"), b[at:]...)...)
	for _, off := range []int{0x18, 0x20} {
		order.PutUint64(b[off:], order.Uint64(b[off:])+4)
	}
	doc := open(t, b)
	assert.False(t, check(t, doc).Bad())
	assert.Equal(t, int64(4), node(t, doc, "/header/extension").Size)
	assert.Equal(t, uint64(9), node(t, doc, "/objects/0/fields/n").Value)
}

// In the document of packages the last two bytes of the version are the patch number, which does not change the layout.
func TestPatchNumberDoesNotChangeTheLayout(t *testing.T) {
	for _, l := range cassettest.Layouts() {
		if l < cassettest.Package10 || l > cassettest.Package12Late {
			continue
		}
		b := cassettest.Write(l, oneObject("n", uint8(9)))
		minor := uint64(b[0x0C])
		b[0x0E] = 3
		doc := open(t, b)
		r := check(t, doc)
		assert.False(t, r.Bad(), "%s: %v", l, r.Problems)
		assert.Equal(t, variants[l], doc.Variant)
		assert.Equal(t, minor, node(t, doc, "/header/minor").Value)
		assert.Equal(t, uint64(3), node(t, doc, "/header/patch").Value)
		assert.Equal(t, uint64(9), node(t, doc, "/objects/0/fields/n").Value)
	}
}

// The reason for a revision of 1.2 names the bytes between the dependencies and the data.
func TestReasonForARevisionOf12NamesItsBytes(t *testing.T) {
	const plain, primary, cooked = ", plain", ", with the primary object's name", ", with the cooked byte"
	for extra, want := range map[string]struct{ revision, why string }{
		"":                           {plain, "nothing is"},
		"\x00":                       {cooked, "one byte is"},
		"\x02":                       {cooked, "one byte is"},
		"\x00abc":                    {cooked, "4 bytes, the first of them the cooked byte, are"},
		"\x07abc":                    {"", "4 unknown bytes are"},
		"Sky\x00/Code/G.Sky\x00":     {primary, "two strings are"},
		"\x00\x00":                   {primary, "two strings are"},
		"Sky\x00/Code/G.Sky\x00MORE": {primary, "two strings and 4 bytes after them are"},
	} {
		b := cassettest.Write(cassettest.Package12, oneObject("n", uint8(9)))
		b = patch(t, b, fieldMarker, -11, byte(bytes.Index(b, fieldMarker)+len(extra)))
		at := int(order.Uint64(b[0x14:]))
		b = slices.Insert(b, at, []byte(extra)...)
		b[0x14] += byte(len(extra))
		doc := open(t, b)
		assert.Equal(t, "Package 1.2"+want.revision, doc.Variant, "%q", extra)
		assert.Equal(t, "package version 1.2, from the header; "+want.why+
			" between the dependencies and the data", doc.Why, "%q", extra)
		assert.False(t, check(t, doc).Bad(), "%q: %v", extra, check(t, doc).Problems)
	}
}

// A file with an unknown version, or with the version of another layout, is read in the closest layout that its bytes
// fit.
func TestUnknownVersionsAreReadByTheirBytes(t *testing.T) {
	for _, c := range []struct {
		layout cassettest.Layout
		minor  byte
		want   string
	}{
		{cassettest.Package10, 9, "Package 1.9, read as 1.0"}, {cassettest.Package11, 9, "Package 1.9, read as 1.1"},
		{cassettest.Package12Late, 9, "Package 1.9, read as 1.2, with the cooked byte"},
		{cassettest.Package12, 1, "Package 1.1, read as 1.2, plain"}, {cassettest.Package12, 0,
			"Package 1.0, read as 1.2, plain"}, {cassettest.Package11, 2, "Package 1.2, read as 1.1"},
	} {
		b := cassettest.Write(c.layout, oneObject("n", uint8(9)))
		b[0x0C] = c.minor
		doc := open(t, b)
		assert.Equal(t, c.want, doc.Variant)
		assert.Equal(t, uint64(9), node(t, doc, "/objects/0/fields/n").Value)
		assert.True(t, check(t, doc).Bad())
	}
	for _, l := range []cassettest.Layout{cassettest.Package11, cassettest.Bundle20} {
		b := cassettest.Write(l, oneObject())
		b[8] = 9
		doc := open(t, b)
		assert.Equal(t, "unknown", doc.Variant)
		assert.True(t, check(t, doc).Bad())
	}
	b := cassettest.Write(cassettest.Bundle30, oneObject())
	b[0x0C] = 4
	doc := open(t, b)
	assert.Equal(t, "unknown", doc.Variant)
	assert.Equal(t, uint64(4), node(t, doc, "/header/major").Value)
	assert.Equal(t, uint64(0), node(t, doc, "/header/checksum").Value)
}

// Choosing a layout returns a new file in the layout.
func TestChooseDoesNotChangeItsFile(t *testing.T) {
	for _, l := range cassettest.Layouts() {
		b := cassettest.Write(l, oneObject("n", uint8(9)))
		src := model.NewSource("x", bytes.NewReader(b), int64(len(b)))
		f := &file{src: src, cursor: decode.NewProbe(t.Context(), src, order, decode.PlainTypes)}
		chosen := f.choose(t.Context())
		assert.Equal(t, open(t, b).Variant, chosen.layout.variant)
		assert.Equal(t, layout{}, f.layout)
		assert.Equal(t, header{}, f.header)
		assert.Equal(t, tableOffsets{}, f.offsets)
		assert.Equal(t, schema{}, f.schema)
		assert.Equal(t, objectList{}, f.objects)
	}
}

// In a file that is cut in its schema, the size of the schema shows whether the layout is the published one.
func TestSizeOfACutSchemaShowsTheLayout(t *testing.T) {
	for layout, want := range map[cassettest.Layout]string{
		cassettest.Bundle30:             variants[cassettest.Bundle30],
		cassettest.Bundle30R1118:        variants[cassettest.Bundle30], // values tell, which are gone
		cassettest.Bundle30Published:    variants[cassettest.Bundle30Published],
		cassettest.Bundle30PublishedGap: variants[cassettest.Bundle30PublishedGap],
	} {
		b := cassettest.Write(layout, oneObject("n", uint8(9), "m", cassettest.ListOf(cassettest.Ref{})))
		for cut := node(t, open(t, b), "/schema/entries").Offset; cut < node(t, open(t, b), "/schema/end").Offset; cut++ {
			doc := open(t, b[:cut])
			assert.Equal(t, want, doc.Variant, "%s at %d", layout, cut)
			assert.Contains(t, doc.Why, "points to the data")
		}
	}
}

// If nothing determines the layout, the reason names nothing that is absent.
func TestReasonNamesNothingThatIsAbsent(t *testing.T) {
	none := cassettest.Write(cassettest.Bundle30, &cassettest.Content{Name: "/Game/None"})
	assert.Equal(t, "the schema table's size at 0x48, with itself, points to the data, and no object could be tried",
		open(t, none).Why)
	assert.Equal(t, "the layout cannot be determined from the tables or objects, and no object could be tried",
		open(t, none[:0x38]).Why)
	moved := cassettest.Write(cassettest.Bundle30, oneObject("n", uint8(9)))
	order.PutUint64(moved[0x20:], 1<<40)
	assert.Equal(t, "the offsets and the sizes of the tables contradict each other; the objects' entries agree with it, "+
		"and the values of 1 of 1 objects tried end where their entries end when read without sizes before them",
		open(t, moved).Why)
}

// Without objects, the end of the file determines the layout.
func TestEndOfAFileWithoutFieldsShowsTheLayout(t *testing.T) {
	for _, l := range []cassettest.Layout{cassettest.Bundle30, cassettest.Bundle30R1118, cassettest.Bundle30Published} {
		for _, c := range []*cassettest.Content{{Name: "/Game/None"}, oneObject()} {
			doc := open(t, cassettest.Write(l, c))
			assert.Equal(t, variants[l], doc.Variant)
			r := check(t, doc)
			assert.False(t, r.Bad(), "%s: %v", l, r.Problems)
		}
	}
}

// A plain array is one leaf with the name of its field; the struct around it does not take its value.
func TestArrayNamedValueIsNotTheValueOfItsStruct(t *testing.T) {
	content := oneObject("value", cassettest.ListOf(uint32(0), uint32(7), uint32(8)),
		"part", cassettest.StructOf("/Code/Game.Game::Part", "value", cassettest.ListOf(uint32(0), uint32(9))))
	doc := open(t, cassettest.Write(cassettest.Bundle30, content))
	assert.Nil(t, node(t, doc, "/objects/0/fields").Value)
	assert.Nil(t, node(t, doc, "/objects/0/fields/part").Value)
	assert.Equal(t, []any{uint64(7), uint64(8)}, values(t, node(t, doc, "/objects/0/fields/value")))
}

// Null references and enums of 0 are the same bytes in an array, as in a field; a reference that is not null decides.
func TestArrayOfZerosHasNoDecidedType(t *testing.T) {
	ref := cassettest.Ref{Object: cassettest.ID("O"), Bundle: cassettest.ID("F"), Class: "/Code/G.C", Path: "O"}
	doc := open(t, cassettest.Write(cassettest.Package12Late, oneObject(
		"none", cassettest.ListOf(cassettest.Ref{}, cassettest.Ref{}, cassettest.Ref{}),
		"one", cassettest.ListOf(cassettest.Ref{}, cassettest.Ref{}, ref),
		"zero", cassettest.ListOf(cassettest.Enum(0), cassettest.Enum(0)),
		"modes", cassettest.ListOf(cassettest.Enum(0), cassettest.Enum(0), cassettest.Enum(3)))))
	for name, undecided := range map[string]bool{"none": true, "one": false, "zero": true, "modes": false} {
		symbols := node(t, doc, "/objects/0/fields/"+name).Symbols
		assert.Equal(t, undecided, symbols == model.Symbol("null references or enums of 0"), name)
	}
}

// If the first objects of a class have empty function lists, later objects determine the layout of the lists.
func TestFunctionListsOfALaterObjectDecide(t *testing.T) {
	bound := cassettest.Func{Name: "OnPing",
		Ref: cassettest.Ref{Object: cassettest.ID("O"), Bundle: cassettest.ID("F")}}
	for _, l := range []cassettest.Layout{cassettest.Bundle30Published, cassettest.Bundle30PublishedBare} {
		c := oneObject("events", cassettest.ListOf(cassettest.Func{}))
		for range 2 {
			c.Objects = append(c.Objects, c.Objects[0])
		}
		c.Objects = append(c.Objects, cassettest.ObjectContent{ID: cassettest.ID("last"), Class: c.Objects[0].Class,
			Fields: cassettest.Fields("events", cassettest.ListOf(cassettest.Func{}, bound))})
		doc := open(t, cassettest.Write(l, c))
		assert.Equal(t, variants[l], doc.Variant)
		assert.False(t, check(t, doc).Bad(), l)
	}
}

// The first objects of a file determine the layout: a million are not read for one more class.
func TestOnlyTheFirstObjectsAreTried(t *testing.T) {
	c := &cassettest.Content{Name: "/Game/Many", Objects: make([]cassettest.ObjectContent, maxHeads+1)}
	for i := range c.Objects {
		c.Objects[i] = cassettest.ObjectContent{ID: cassettest.ID("x"), Class: "/Code/G.Same"}
	}
	c.Objects[1].Class, c.Objects[maxHeads].Class = "/Code/G.Near", "/Code/G.Far"
	f := open(t, cassettest.Write(cassettest.Bundle30, c)).Payloads.(*payloads).f
	assert.Equal(t, f.objects.entries[:3], f.trialObjects(f.quiet(), 2))
}

// The path of a source asset may be as long as other strings.
func TestLongSourcePathIsRead(t *testing.T) {
	c := oneObject("n", uint8(9))
	c.Objects[0].Asset, c.Objects[0].Source = true, "../"+strings.Repeat("a/", 4000)
	for _, l := range []cassettest.Layout{cassettest.Package10, cassettest.Package12Late, cassettest.Bundle20} {
		doc := open(t, cassettest.Write(l, c))
		assert.False(t, check(t, doc).Bad(), l)
		assert.Equal(t, c.Objects[0].Source, node(t, doc, "/objects/0/source_path").Value, l)
	}
}

// An array of two references in a package whose references have no UUID, although the header allows them.
func TestReferencesOf12MayHaveNoUUIDs(t *testing.T) {
	ref := cassettest.Ref{Object: cassettest.ID("O"), Bundle: cassettest.ID("F"), Class: "/Code/G.C",
		Package: "/Game/Other", Path: "O"}
	plain := cassettest.Write(cassettest.Package12,
		oneObject("r", ref, "rs", cassettest.ListOf(cassettest.Ref{}, ref, ref)))
	at := int(order.Uint64(plain[0x14:]))
	b := append(plain[:at:at], append([]byte{0}, plain[at:]...)...) // the cooked byte
	order.PutUint64(b[0x14:], uint64(at+1))
	data := bytes.Index(b, fieldMarker)
	name := data - len("O\x00\x00") - 8
	order.PutUint64(b[name:], uint64(data))
	doc := open(t, b)
	assert.Equal(t, "Package 1.2, with the cooked byte", doc.Variant)
	assert.False(t, check(t, doc).Bad())
	assert.Equal(t, "/Game/Other", node(t, doc, "/objects/0/fields/r/package").Value)
	assert.Equal(t, "/Game/Other", node(t, doc, "/objects/0/fields/rs/1/package").Value)
}

// Writers of 2.0 may omit the source path if is_asset is neither 0 nor 1: the data offset decides.
func TestSourcePathOf20MayBeAbsent(t *testing.T) {
	for _, l := range []cassettest.Layout{cassettest.Package20, cassettest.Bundle20} {
		id := cassettest.ID("O")
		mark := append([]byte(objectMagic), make([]byte, 8)...)
		order.PutUint64(mark[8:], id.Short())
		doc := open(t, patch(t, cassettest.Write(l, oneObject("n", uint8(9))), mark, len(mark), 2))
		r := check(t, doc)
		assert.False(t, r.Bad(), "%s: %v", l, r.Problems)
		assert.Equal(t, uint64(9), node(t, doc, "/objects/0/fields/n").Value)
	}
}

// The source path follows is_asset if that is not 0.
func TestAnyIsAssetExceptZeroIsTrue(t *testing.T) {
	c := oneObject("n", uint8(9))
	c.Objects[0].Asset, c.Objects[0].Source = true, "../a.png"
	for _, l := range cassettest.Layouts() {
		id := cassettest.ID("O")
		mark := id[:]
		if l < cassettest.Bundle30Published {
			mark = append([]byte(objectMagic), make([]byte, 8)...)
			order.PutUint64(mark[8:], id.Short())
		}
		b := patch(t, cassettest.Write(l, c), mark, len(mark), 2)
		doc := open(t, b)
		r := check(t, doc)
		assert.False(t, r.Bad(), "%s: %v", l, r.Problems)
		assert.True(t, hasMessage(r, "is_asset is stored as 2"), l)
		assert.Equal(t, uint64(9), node(t, doc, "/objects/0/fields/n").Value)
		if l > cassettest.Package01 && l < cassettest.Bundle30Published {
			assert.Equal(t, "../a.png", node(t, doc, "/objects/0/source_path").Value)
		}
	}
}

// A size that contradicts its type is used if only it leads to the next value: here numbers are wider than in the
// schema.
func TestWiderValuesAreReadIfTheirSizeLeadsOn(t *testing.T) {
	for _, l := range []cassettest.Layout{cassettest.Bundle30Published, cassettest.Bundle30R1118} {
		t.Run(l.String(), func(t *testing.T) {
			b := cassettest.Write(l, oneObject("a", uint64(0xEEEEEEEE<<32|7), "b", uint32(9), "s", "hi",
				"l", cassettest.ListOf(uint32(0), uint32(5), uint32(0xEEEE<<16|6), uint32(7)), "last", uint8(1)))
			doc := open(t, b)
			b[node(t, doc, "/schema/entries/0/fields/0/type").Offset] = 3         // u32
			b[node(t, doc, "/schema/entries/0/fields/3/element_type").Offset] = 2 // u16
			doc = open(t, b)
			for name, want := range map[string]any{"a": uint64(7), "b": uint64(9), "s": "hi", "last": uint64(1)} {
				assert.Equal(t, want, node(t, doc, "/objects/0/fields/"+name).Value, name)
			}
			list := node(t, doc, "/objects/0/fields/l").Value.(model.Array)
			for first, want := range []any{uint64(5), uint64(6), uint64(7)} {
				got, err := list.Slice(int64(first), 1)
				require.NoError(t, err)
				assert.Equal(t, []any{want}, got)
			}
			r := checkInvariants(t, b)
			assert.True(t, hasMessage(r, "the size of a u32 is"), "%v", r.Problems)
			assert.True(t, hasMessage(r, "3 of 3 elements"), "%v", r.Problems)
		})
	}
}

// Here numbers are narrower than in the schema: they are not read, but the values after them are.
func TestNarrowerValuesHideNoLaterValues(t *testing.T) {
	for _, l := range []cassettest.Layout{cassettest.Bundle30Published, cassettest.Bundle30R1118} {
		t.Run(l.String(), func(t *testing.T) {
			b := cassettest.Write(l, oneObject("a", uint16(7), "b", uint32(9), "s", "hi",
				"l", cassettest.ListOf(uint16(0), uint16(5), uint16(6), uint16(7)), "last", uint8(1)))
			doc := open(t, b)
			b[node(t, doc, "/schema/entries/0/fields/0/type").Offset] = 3         // u32
			b[node(t, doc, "/schema/entries/0/fields/3/element_type").Offset] = 3 // u32
			doc = open(t, b)
			for name, want := range map[string]any{"a": nil, "b": uint64(9), "s": "hi", "last": uint64(1)} {
				assert.Equal(t, want, node(t, doc, "/objects/0/fields/"+name).Value, name)
			}
			list := node(t, doc, "/objects/0/fields/l").Value.(model.Array)
			got, err := list.Slice(0, 3)
			require.NoError(t, err)
			assert.Equal(t, []any{nil, nil, nil}, got)
			r := checkInvariants(t, b)
			assert.True(t, hasMessage(r, "the size of a u32 is"), "%v", r.Problems)
			assert.True(t, hasMessage(r, "3 of 3 elements"), "%v", r.Problems)
		})
	}
}

// If the bytes after a value could also be a size, the size before the value decides: each number of this array is
// followed by two bytes of 0, which with the next two bytes point half a megabyte ahead, again and again.
func TestSizeBeforeAValueDecidesInALongArray(t *testing.T) {
	items := make([]any, 600_000)
	for i := range items {
		items[i] = uint32(i % 16)
	}
	b := cassettest.Write(cassettest.Bundle30Published,
		oneObject("l", cassettest.List{Of: uint32(0), Items: items}, "last", uint8(1)))
	b[node(t, open(t, b), "/schema/entries/0/fields/0/element_type").Offset] = 2 // u16
	doc := open(t, b)
	list := node(t, doc, "/objects/0/fields/l").Value.(model.Array)
	require.Equal(t, int64(len(items)), list.Len())
	got, err := list.Slice(599_998, 2)
	require.NoError(t, err)
	assert.Equal(t, []any{uint64(14), uint64(15)}, got)
	assert.Equal(t, uint64(1), node(t, doc, "/objects/0/fields/last").Value)
}

// A size that points past the next value is not used, not even if it points to the end: the type leads to the next
// value.
func TestSizePastTheNextValueIsNotUsed(t *testing.T) {
	for _, after := range [][]any{nil, {"c", "hello world"}, {"c", uint16(1), "d", "hi"}} {
		b := cassettest.Write(cassettest.Bundle30Published,
			oneObject(append([]any{"a", uint32(7), "b", uint32(9)}, after...)...))
		b[node(t, open(t, b), "/objects/0/fields/a/header/size").Offset] = 16
		assert.Equal(t, uint64(9), node(t, open(t, b), "/objects/0/fields/b").Value)
		assert.True(t, checkInvariants(t, b).Bad())
	}
}

// Sizes that exclude themselves contradict the types, too; the types lead to the next value.
func TestSizesWithoutThemselvesHideNoValues(t *testing.T) {
	for _, l := range []cassettest.Layout{cassettest.Bundle30Published, cassettest.Bundle30R1118} {
		t.Run(l.String(), func(t *testing.T) {
			b := cassettest.Write(l, oneObject("a", uint32(7), "b", uint8(3), "c", uint32(9), "d", true))
			doc := open(t, b)
			names := []string{"a", "b", "c", "d"}
			for _, name := range names {
				size := node(t, doc, "/objects/0/fields/"+name+"/header/size")
				b[size.Offset] -= uint8(size.Size)
			}
			doc = open(t, b)
			for i, want := range []any{uint64(7), uint64(3), uint64(9), true} {
				assert.Equal(t, want, node(t, doc, "/objects/0/fields/"+names[i]).Value, names[i])
			}
			assert.True(t, checkInvariants(t, b).Bad())
		})
	}
}
