package casset

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/formats/casset/cassettest"
	"assay/formats/decode"
	"assay/formats/formatstest"
	"assay/model"
)

// smallContent returns a file with as many kinds of values as fit in a few hundred bytes.
func smallContent() *cassettest.Content {
	id := cassettest.ID("/Game/S")
	ref := cassettest.Ref{Object: cassettest.ID("A"), Bundle: id, Class: "/Code/G.N", Package: "/Game/S", Path: "A"}
	part := cassettest.StructOf("/Code/G.P", "n", uint16(7), "t", "x")
	return &cassettest.Content{ID: id, Name: "/Game/S", Dependencies: []cassettest.Dependency{{ID: cassettest.ID("D"),
		Name: "/Game/D"}}, Objects: []cassettest.ObjectContent{
		{ID: id, Name: "S", Class: "/Code/C.B", Fields: cassettest.Fields("store", cassettest.Store{ref})},
		{ID: cassettest.ID("A"), Asset: true, Path: "A", Name: "A", Class: "/Code/G.N", Source: "a.png",
			Fields: cassettest.Fields(
				"s", "text", "v", cassettest.Vec{1, 2}, "b", cassettest.Bytes{Flags: 1, Data: []byte("abc")}, "r", ref,
				"f",
				cassettest.Func{Ref: ref, Name: "F"},
				"fs", cassettest.ListOf(cassettest.Func{}, cassettest.Func{}, cassettest.Func{Ref: ref, Name: "G"}),
				"l",
				cassettest.ListOf("", "a", "b"), "p", part, "ps", cassettest.ListOf(part, part, part), "e",
				cassettest.Enum(3))},
	}}
}

// checkInvariants opens b and tests the properties of all documents: reading ends, and leaves own the accounted bytes.
func checkInvariants(t testing.TB, b []byte) *model.Report {
	t.Helper()
	doc := open(t, b)
	r := check(t, doc)
	size := int64(len(b))
	gaps := int64(0)
	for _, g := range r.Gaps {
		gaps += g.Size
	}
	require.Equal(t, size, r.Accounted+gaps)
	owned := make([]bool, size)
	nodes := 0
	var problems []model.Problem // as the nodes have them; a check reads most of the file without nodes
	err := model.Walk(doc.Root(), func(n *model.Node) (bool, error) {
		nodes++
		for _, p := range n.Problems() {
			p.Path = n.PathText()
			problems = append(problems, p)
		}
		if n.Leaf() && n.Parent != nil {
			for i := max(n.Offset, 0); i < min(n.End(), size); i++ {
				owned[i] = true
			}
		}
		requireSameQuietly(t, n)
		if a, ok := n.Value.(model.Array); ok {
			_, err := a.Slice(0, a.Len())
			require.NoError(t, err, n.PathText())
		}
		return true, nil
	}, nil)
	require.NoError(t, err)
	require.Equal(t, r.Accounted, int64(bytes.Count(boolBytes(owned), []byte{1})))
	require.Less(t, nodes, 40_000)
	require.GreaterOrEqual(t, len(r.Problems), len(problems))
	for i, p := range problems {
		require.Equal(t, p, r.Problems[i])
	}
	for _, p := range r.Problems[len(problems):] { // about the coverage
		require.Contains(t, []string{"/", "/gap"}, p.Path, p.Message)
	}
	for _, p := range r.Problems {
		require.GreaterOrEqual(t, p.Span.Offset, int64(0))
		require.LessOrEqual(t, p.Span.Offset, size, p.Message)
	}
	return r
}

// requireSameQuietly tests that the elements of a list are read equally with and without nodes.
func requireSameQuietly(t testing.TB, list *model.Node) {
	e, ok := list.Children().(*model.Elements)
	if !ok || e.Reader == nil {
		return
	}
	quiet := e.Reader()
	for i := range e.Count {
		n := e.At(len(e.First) + i)
		sound, owned := true, int64(0)
		require.NoError(t, model.Walk(n, func(n *model.Node) (bool, error) {
			sound = sound && len(n.Problems()) == 0
			if n.Leaf() {
				owned += n.Size
			}
			return true, nil
		}, nil))
		span, clean := quiet.CheckedSpan(i)
		require.Equal(t, n.Span, span, n.PathText())
		require.Equal(t, sound && (n.Leaf() || owned == n.Size), clean, n.PathText())
	}
}

func boolBytes(b []bool) []byte {
	out := make([]byte, len(b))
	for i := range b {
		if b[i] {
			out[i] = 1
		}
	}
	return out
}

func TestEveryTruncationIsReported(t *testing.T) {
	for _, l := range cassettest.Layouts() {
		t.Run(l.String(), func(t *testing.T) {
			t.Parallel()
			b := cassettest.Write(l, smallContent())
			require.False(t, checkInvariants(t, b).Bad())
			for n := range formatstest.Sweep(len(b)) {
				assert.True(t, checkInvariants(t, b[:n]).Bad(), "cut after %d bytes", n)
			}
		})
	}
}

func TestAnyFlippedByteKeepsTheInvariants(t *testing.T) {
	for _, l := range cassettest.Layouts() {
		t.Run(l.String(), func(t *testing.T) {
			t.Parallel()
			good := cassettest.Write(l, smallContent())
			b := make([]byte, len(good))
			for i := range formatstest.Sweep(len(good)) {
				for _, flip := range []byte{0xFF, 0x01, 0x80} {
					copy(b, good)
					b[i] ^= flip
					checkInvariants(t, b)
				}
			}
		})
	}
}

func TestUnterminatedStringInAnArrayIsReported(t *testing.T) {
	for _, l := range []cassettest.Layout{cassettest.Bundle20, cassettest.Bundle30Published, cassettest.Bundle30R1118,
		cassettest.Bundle30} {
		t.Run(l.String(), func(t *testing.T) {
			b := cassettest.Write(l, textureFile("/Code/Game.Game::Words",
				cassettest.Fields("words", cassettest.ListOf("", "one", "two", "six"), "last", uint32(7))...))
			for _, word := range []string{"one", "two", "six"} {
				r := checkInvariants(t, patch(t, b, []byte(word+"\x00"), 3, 'x'))
				assert.True(t, r.Bad(), word)
			}
		})
	}
}

// patch returns a file with bytes replaced at off bytes after mark.
func patch(t testing.TB, b, mark []byte, off int, with ...byte) []byte {
	t.Helper()
	at := bytes.Index(b, mark)
	require.GreaterOrEqual(t, at, 0, "no %q", mark)
	out := bytes.Clone(b)
	copy(out[at+off:], with)
	return out
}

func hasMessage(r *model.Report, part string) bool {
	for _, p := range r.Problems {
		if strings.Contains(p.Message, part) {
			return true
		}
	}
	return false
}

func TestHostileFieldHidesNoLaterObject(t *testing.T) {
	most := []byte{0xFF, 0xFF, 0xFF, 0xFF}
	empty := cassettest.Struct{Type: "/Code/G.Empty"}
	with := func(fields ...any) *cassettest.Content {
		return &cassettest.Content{Name: "/Game/H", Objects: []cassettest.ObjectContent{
			{ID: cassettest.ID("x"), Class: "/Code/G.H", Name: "H", Fields: cassettest.Fields(fields...)},
			{ID: cassettest.ID("y"), Class: "/Code/G.I", Path: "after", Name: "after",
				Fields: cassettest.Fields("sound", uint32(77))}}}
	}
	// the struct of these ends with its own schema index
	self := func(l cassettest.Layout) []byte {
		b := cassettest.Write(l,
			with("a", cassettest.StructOf("/Code/G.S", "inner", cassettest.StructOf("/Code/G.T", "n", uint8(1)))))
		return patch(t, b, []byte("inner\x00"), 7, 2, 0, 0, 0) // G.H 0, G.I 1, G.S 2
	}
	cases := map[string]struct {
		file []byte
		says string
	}{
		"struct that contains itself": {self(cassettest.Bundle30), "contains itself"},
		"the same with sizes":         {self(cassettest.Bundle30R1118), "contains itself"},
		"the same as published":       {self(cassettest.Bundle30Published), "contains itself"},
		"four billion empty structs": {patch(t, cassettest.Write(cassettest.Bundle30,
			with("es", cassettest.ListOf(empty, empty, empty, empty))),
			[]byte("H\x00\x0c\x00\x00\x00\x00\x00\x00\x00\x03"), 10,
			most...),
			"empty elements"},
		"schema index outside": {patch(t,
			cassettest.Write(cassettest.Bundle30, with("es", cassettest.ListOf(empty, empty))),
			[]byte("es\x00\x14"), 4, most...), "outside of the"},
		"count of texts": {patch(t, cassettest.Write(cassettest.Bundle30, with("ts", cassettest.ListOf("", "aa"))),
			[]byte("\x01\x00\x00\x00aa"), 0, most...),
			"do not fit"},
		"text without an end": {bytes.ReplaceAll(cassettest.Write(cassettest.Bundle30, with("s", "endless")),
			[]byte("endless\x00"), []byte("endless!")),
			"unterminated string"},
		"size of an entry": {patch(t, cassettest.Write(cassettest.Bundle30, with("s", "a")),
			sampleIDBytes("x"), -12, 3), "size is 3"},
		"size of the last entry, as published": {patch(t,
			cassettest.Write(cassettest.Bundle30Published, with("s", "a")),
			sampleIDBytes("y"), -8, most...), "size is 4294967295"},
		"schema offset into itself": {patch(t, cassettest.Write(cassettest.Bundle30, with("s", "a")), bundleMagic,
			0x18, 0x18), "looking after the header"},
		"data offset to the header": {patch(t, cassettest.Write(cassettest.Bundle30, with("s", "a")), bundleMagic,
			0x20, 0), "looking after the schema"},
		"magic of an object": {patch(t, cassettest.Write(cassettest.Bundle20, with("s", "a")), objectMagic,
			0, 'x'), "an object begins with"},
		"size of a map": {patch(t, cassettest.Write(cassettest.Bundle20, with("s", "a")),
			[]byte("\x10\x09"), 1, most...), "only 13 bytes remain"},
		"type of a value": {patch(t, cassettest.Write(cassettest.Bundle20, with("s", "a")),
			[]byte("s\x00\x0ca"), 2, 0x77), "type byte 0x77"},
		"size of a field": {patch(t, cassettest.Write(cassettest.Package12,
			with("s", "a", "t", uint32(5))), []byte("\x02\x00\x00\x00a\x00"), 0, most...), "do not fit"},
		"count of fields": {patch(t, cassettest.Write(cassettest.Package11, with("s", "a")),
			[]byte("\x01\x00\x00\x00"), 4, 0), ""},
		"markers and no field": {patch(t, cassettest.Write(cassettest.Package12,
			with("b", cassettest.Bytes{Flags: 0, Data: bytes.Repeat(fieldMarker, 150_000)})), fieldMarker, 0, 0),
			"no field found here or after this"},
		"data offset of a package": {patch(t, cassettest.Write(cassettest.Package10, with("s", "a")), packMagic, 0x14,
			most...), "not at the data offset"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			r := checkInvariants(t, c.file)
			if c.says != "" {
				assert.True(t, r.Bad())
				assert.True(t, hasMessage(r, c.says), "%v", r.Problems)
			}
			doc := open(t, c.file)
			objects := doc.Root().ChildNamed("objects")
			require.NotNil(t, objects)
			found := false
			for i := range objects.Len() {
				o := objects.Child(i)
				if o.Type == "Object" && o.ChildNamed("path") != nil && o.ChildNamed("path").Value == "after" {
					if f := o.ChildNamed("fields"); f != nil && f.ChildNamed("sound") != nil {
						found = f.ChildNamed("sound").Value == uint64(77)
					}
				}
			}
			assert.True(t, found, "the object after it is shown")
		})
	}
}

// The objects of 1.x and 2.0 have a magic: a header that is damaged, or points past some of them, hides none.
func TestDamagedHeaderHidesNoObject(t *testing.T) {
	for l := cassettest.Package01; l < cassettest.Bundle30Published; l++ {
		whole := cassettest.Write(l, smallContent())
		objects := node(t, open(t, whole), "/objects")
		field := node(t, open(t, whole), "/header/data_offset")
		past := func(off int64) []byte {
			b := bytes.Clone(whole)
			order.PutUint64(b[field.Offset:], uint64(off))
			return b
		}
		name := node(t, open(t, whole), "/header/name")
		endless := bytes.Clone(whole)
		endless[name.Span.End()-1] = 'x'
		for what, b := range map[string][]byte{
			"past all": past(int64(len(whole)) - 8), "past one": past(objects.Child(1).Offset),
			"past the file": past(int64(len(whole)) + 1), "a name without an end": endless,
		} {
			assert.True(t, checkInvariants(t, b).Bad(), "%s: %s", l, what)
			got := node(t, open(t, b), "/objects")
			require.Equal(t, objects.Len(), got.Len(), "%s: %s", l, what)
			for i := range objects.Len() {
				assert.Equal(t, objects.Child(i).Span, got.Child(i).Span, "%s: %s", l, what)
			}
		}
	}
}

// An undamaged object keeps its end even if the next one, or the end of the file, is damaged.
func TestObjectBeforeADamagedOneIsKept(t *testing.T) {
	for l := cassettest.Package01; l < cassettest.Bundle30Published; l++ {
		whole := cassettest.Write(l, smallContent())
		objects := node(t, open(t, whole), "/objects")
		next := objects.Child(1).Offset
		junk := append(append(bytes.Clone(whole[:next]), "junk"...), whole[next:]...)
		for what, b := range map[string][]byte{
			"cut after it": whole[:next], "cut in the next magic": whole[:next+1], "other bytes after it": junk,
			"a broken magic after it": append(append(bytes.Clone(whole[:next]), 1), whole[next+1:]...),
			"zeros after it":          append(append(bytes.Clone(whole[:next]), make([]byte, 20)...), whole[next:]...),
		} {
			r := checkInvariants(t, b)
			assert.True(t, r.Bad(), "%s: %s", l, what)
			assert.False(t, hasMessage(r, "the recorded end of the last object"), "%s: %s: %v", l, what, r.Problems)
			assert.Equal(t, objects.Child(0).Span, node(t, open(t, b), "/objects/0").Span, "%s: %s", l, what)
		}
	}
}

// A damaged size of the first object hides neither the layout nor an object.
func TestDamagedSizeOfTheFirstObjectHidesNoOther(t *testing.T) {
	for l := cassettest.Bundle30Published; l <= cassettest.Bundle30; l++ {
		b := cassettest.Write(l, cassettest.Sample())
		whole := open(t, b)
		b[node(t, whole, "/objects/0/size").Offset+3] = 1
		doc := open(t, b)
		assert.Equal(t, whole.Variant, doc.Variant)
		assert.Equal(t, node(t, whole, "/objects").Len(), node(t, doc, "/objects").Len(), l)
	}
}

// Old writers of 2.0 ended an array of references at a null: its size is 0, and the next entry follows the references
// before the null.
func TestArrayMayEndAtANullReference(t *testing.T) {
	ref := func(name string) cassettest.Ref { return cassettest.Ref{Object: cassettest.ID(name)} }
	for _, l := range []cassettest.Layout{cassettest.Package20, cassettest.Bundle20} {
		for _, there := range []int{0, 1, 2} {
			b := cassettest.Write(l, oneObject("all", cassettest.ListOf(cassettest.Ref{}, ref("a"), ref("b"), ref("c")),
				"z", uint32(9)))
			whole := open(t, b)
			all := node(t, whole, "/objects/0/fields/all")
			from, lost := all.Span.End()-int64(3-there)*17, int64(3-there)*17
			order.PutUint64(b[node(t, whole, "/objects/0/fields/all/size").Offset:], 0)
			size := node(t, whole, "/objects/0/data_size")
			order.PutUint64(b[size.Offset:], order.Uint64(b[size.Offset:])-uint64(lost))
			b = slices.Delete(b, int(from), int(from+lost))
			r := checkInvariants(t, b)
			assert.True(t, hasMessage(r, fmt.Sprintf("the array ends at a null reference: %d of 3 references", there)), "%v", r.Problems)
			assert.False(t, hasMessage(r, "does not describe"), "%v", r.Problems)
			assert.Equal(t, uint64(9), node(t, open(t, b), "/objects/0/fields/z/value").Value, "%s: %d", l, there)
		}
	}
}

// A damaged entry of a map hides no entry after it.
func TestDamagedEntryOfAMapHidesNoLaterEntry(t *testing.T) {
	b := cassettest.Write(cassettest.Bundle20, oneObject("a", uint32(1), "b", uint32(2), "c", uint32(3)))
	whole := open(t, b)
	typed := node(t, whole, "/objects/0/fields/b/value").Offset - 1
	size := node(t, whole, "/objects/0/data_size").Offset
	order.PutUint64(b[size:], order.Uint64(b[size:])+4)
	array := []byte{0x11, 0, 0, 0, 0, 0, 0, 0, 0} // of 0 bytes, where its count alone takes 4
	b = slices.Replace(b, int(typed), int(typed)+5, array...)
	r := checkInvariants(t, b)
	assert.True(t, hasMessage(r, "the size of the array is 0"), "%v", r.Problems)
	assert.Equal(t, uint64(3), node(t, open(t, b), "/objects/0/fields/c/value").Value)
}

func sampleIDBytes(name string) []byte {
	id := cassettest.ID(name)
	return id[:]
}

func TestSchemaOfMillionsOfEntriesIsLimited(t *testing.T) {
	entry := []byte{14, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0} // size, kind, no name, version, no fields
	b := append([]byte{8: 0xff, 0xff, 0xff, 0x7f}, bytes.Repeat(entry, maxSchema+10)...)
	src := model.NewSource("x", bytes.NewReader(b), int64(len(b)))
	f := &file{layout: bundle30Written, src: src,
		cursor: decode.New(t.Context(), src, "Casset", order, decode.PlainTypes)}
	f.readSchema(f.quiet())
	assert.Len(t, f.schema.entries, maxSchema)
	assert.Contains(t, f.schema.problem, "more than 1048576 entries and fields")
}

// Structs that double with each level, and nested arrays of empty values, end soon and stay small.
func TestDoublingStructsAreLimited(t *testing.T) {
	inner := cassettest.StructOf("/Code/G.S0", "n", nil)
	for i := 1; i < 40; i++ {
		inner = cassettest.StructOf("/Code/G.S"+model.IndexName(i), "a", inner, "b",
			cassettest.Struct{Type: inner.Type})
	}
	b := cassettest.Write(cassettest.Bundle30, &cassettest.Content{Name: "/Game/D",
		Objects: []cassettest.ObjectContent{{ID: cassettest.ID("x"), Class: "/Code/G.H",
			Fields: cassettest.Fields("s", inner)}}})
	doc := open(t, b)
	r, err := doc.Check(t.Context(), nil)
	require.NoError(t, err)
	assert.True(t, hasMessage(r, "fields in one object"), "%v", r.Problems)
}

// Unreadable elements are not reported as empty: structs that contain themselves, structs missing in the schema, and
// values of no known type.
func TestUnreadableElementsDoNotCountAsEmpty(t *testing.T) {
	many := func(element any) []byte {
		list := cassettest.ListOf(element, slices.Repeat([]any{element}, maxEmpty+1)...)
		return cassettest.Write(cassettest.Bundle30, oneObject("es", list))
	}
	structs := many(cassettest.StructOf("/Code/G.S", "n", uint32(1), "inner", cassettest.StructOf("/Code/G.T")))
	for says, b := range map[string][]byte{
		"/Code/G.S, or one in it, contains itself": patch(t, structs, []byte("inner\x00"), 7, 1, 0, 0, 0),
		"schema index 9 is outside":                patch(t, structs, []byte("es\x00\x14"), 4, 9, 0, 0, 0),
		"of unknown type cannot be read":           patch(t, many(uint8(1)), []byte("es\x00\x15"), 4, 0x77),
	} {
		r := checkInvariants(t, b)
		assert.True(t, hasMessage(r, says), "%s: %v", says, r.Problems)
		assert.False(t, hasMessage(r, "empty elements"), "%s: %v", says, r.Problems)
	}
}

// A struct that nests deeper than is read does not contain itself, and the structs near its end are read. A blob in it
// is found.
func TestDeepSchemaIsNotCyclic(t *testing.T) {
	chain := func(n int) cassettest.Struct {
		inner := cassettest.StructOf("/Code/G.S0", "blob", cassettest.Bytes{Data: []byte("abc")})
		for i := 1; i < n; i++ {
			inner = cassettest.StructOf("/Code/G.S"+model.IndexName(i), "inner", inner)
		}
		return inner
	}
	b := cassettest.Write(cassettest.Bundle30, &cassettest.Content{Name: "/Game/D",
		Objects: []cassettest.ObjectContent{
			{ID: cassettest.ID("deep"), Class: "/Code/G.Deep", Fields: cassettest.Fields("s", chain(maxNesting+10))},
			{ID: cassettest.ID("near"), Class: "/Code/G.Near", Fields: cassettest.Fields("s", chain(maxNesting-10))}}})
	doc := open(t, b)
	r := check(t, doc)
	assert.False(t, hasMessage(r, "contains itself"), "%v", r.Problems)
	assert.True(t, hasMessage(r, "values nest deeper than 200 levels"), "%v", r.Problems)
	blob := node(t, doc, "/objects/1/fields/s"+strings.Repeat("/inner", maxNesting-11)+"/blob")
	assert.EqualValues(t, 3, blob.Value.(model.Blob).Span.Size)
	assert.Contains(t, doc.Payloads.At(0).Name, ".blob.")
}

// All layouts read a deep value up to a limit, and report the limit once.
func TestDeepValuesAreSkipped(t *testing.T) {
	for _, l := range []cassettest.Layout{cassettest.Package12Late, cassettest.Bundle20, cassettest.Bundle30Published,
		cassettest.Bundle30R1118, cassettest.Bundle30} {
		t.Run(l.String(), func(t *testing.T) {
			v := any(uint8(1))
			for i := range 1000 {
				v = cassettest.StructOf("/Code/G.S"+model.IndexName(i), "s", v)
			}
			b := cassettest.Write(l, &cassettest.Content{Name: "/Game/D", Objects: []cassettest.ObjectContent{
				{ID: cassettest.ID("x"), Class: "/Code/G.H", Fields: cassettest.Fields("s", v)},
				{ID: cassettest.ID("y"), Class: "/Code/G.I", Fields: cassettest.Fields("n", uint8(1))}}})
			r := checkInvariants(t, b)
			errors := slices.DeleteFunc(slices.Clone(r.Problems),
				func(p model.Problem) bool { return p.Severity != model.Error })
			require.Len(t, errors, 1)
			assert.Contains(t, errors[0].Message, "skipped")
			assert.Equal(t, uint64(1), node(t, open(t, b), "/objects/1/fields/n").Value)
		})
	}
}
