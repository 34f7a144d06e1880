package casset

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
)

// small is a file with as many kinds of values as a few hundred bytes hold.
func small() *Content {
	id := sampleID("/Game/S")
	ref := Ref{sampleID("A"), id, "/Code/G.N", "/Game/S", "A"}
	part := Struct{"/Code/G.P", []Field{{"n", uint16(7)}, {"t", "x"}}}
	return &Content{ID: id, Name: "/Game/S", Dependencies: []Dependency{{sampleID("D"), "/Game/D"}}, Objects: []ObjectContent{
		{ID: id, Name: "S", Class: "/Code/C.B", Fields: []Field{{"store", Store{ref}}}},
		{ID: sampleID("A"), Asset: true, Path: "A", Name: "A", Class: "/Code/G.N", Source: "a.png", Fields: []Field{
			{"s", "text"}, {"v", Vec{1, 2}}, {"b", Bytes{1, []byte("abc")}}, {"r", ref}, {"f", Func{ref, "F"}},
			{"fs", List{Func{}, []any{Func{}, Func{ref, "G"}}}}, {"l", List{"", []any{"a", "b"}}}, {"p", part}, {"ps", List{part, []any{part, part}}}, {"e", Enum(3)}}},
	}}
}

// mustHold opens b and holds what is true of any bytes: the look at it ends, and its leaves own what is accounted.
func mustHold(t testing.TB, b []byte) *model.Report {
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
	err := model.Walk(doc.Root(), func(n *model.Node) (bool, error) {
		nodes++
		if n.Leaf() && n.Parent != nil {
			for i := max(n.Offset, 0); i < min(n.End(), size); i++ {
				owned[i] = true
			}
		}
		if a, ok := n.Value.(model.Array); ok {
			_, err := a.Slice(0, a.Len())
			require.NoError(t, err, n.PathText())
		}
		return true, nil
	}, nil)
	require.NoError(t, err)
	require.Equal(t, r.Accounted, int64(bytes.Count(boolBytes(owned), []byte{1})))
	require.Less(t, nodes, 40_000)
	for _, p := range r.Problems {
		require.GreaterOrEqual(t, p.Span.Offset, int64(0))
		require.LessOrEqual(t, p.Span.Offset, size, p.Message)
	}
	return r
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

func TestEveryTruncation(t *testing.T) {
	for _, l := range Layouts() {
		t.Run(l.String(), func(t *testing.T) {
			t.Parallel()
			b := Write(l, small())
			require.False(t, mustHold(t, b).Bad())
			for n := range b {
				assert.True(t, mustHold(t, b[:n]).Bad(), "cut after %d bytes", n)
			}
		})
	}
}

func TestEveryByteFlipped(t *testing.T) {
	for _, l := range Layouts() {
		t.Run(l.String(), func(t *testing.T) {
			t.Parallel()
			good := Write(l, small())
			b := make([]byte, len(good))
			for i := range good {
				for _, flip := range []byte{0xFF, 0x01, 0x80} {
					copy(b, good)
					b[i] ^= flip
					mustHold(t, b)
				}
			}
		})
	}
}

func TestStringWithoutAnEndInAnArray(t *testing.T) {
	for _, l := range []Layout{Bundle20, Bundle30Published, Bundle30R1118, Bundle30} {
		t.Run(l.String(), func(t *testing.T) {
			b := Write(l, textureFile("/Code/Game.Game::Words", Field{"words", List{"", []any{"one", "two", "six"}}}, Field{"last", uint32(7)}))
			for _, word := range []string{"one", "two", "six"} {
				r := mustHold(t, patch(t, b, []byte(word+"\x00"), 3, 'x'))
				assert.True(t, r.Bad(), word)
			}
		})
	}
}

// patch gives a file with bytes put where mark stands, off bytes on.
func patch(t testing.TB, b, mark []byte, off int, with ...byte) []byte {
	t.Helper()
	at := bytes.Index(b, mark)
	require.GreaterOrEqual(t, at, 0, "no %q", mark)
	out := bytes.Clone(b)
	copy(out[at+off:], with)
	return out
}

func message(r *model.Report, part string) bool {
	for _, p := range r.Problems {
		if strings.Contains(p.Message, part) && strings.Contains(p.Message, "0x") {
			return true
		}
	}
	return false
}

func TestHostile(t *testing.T) {
	most := []byte{0xFF, 0xFF, 0xFF, 0xFF}
	empty := Struct{Type: "/Code/G.Empty"}
	with := func(fields ...Field) *Content {
		return &Content{Name: "/Game/H", Objects: []ObjectContent{
			{ID: sampleID("x"), Class: "/Code/G.H", Name: "H", Fields: fields},
			{ID: sampleID("y"), Class: "/Code/G.I", Path: "after", Name: "after", Fields: []Field{{"sound", uint32(77)}}}}}
	}
	// the struct of these ends with its own schema index
	self := func(l Layout) []byte {
		b := Write(l, with(Field{"a", Struct{"/Code/G.S", []Field{{"inner", Struct{"/Code/G.T", []Field{{"n", uint8(1)}}}}}}}))
		return patch(t, b, []byte("inner\x00"), 7, 2, 0, 0, 0) // G.H 0, G.I 1, G.S 2
	}
	cases := map[string]struct {
		file  []byte
		says  string
		sound bool // the object behind it is still shown
	}{
		"struct that contains itself": {self(Bundle30), "contains itself", true},
		"the same with sizes":         {self(Bundle30R1118), "contains itself", true},
		"the same as published":       {self(Bundle30Published), "contains itself", true},
		"four billion empty structs": {patch(t, Write(Bundle30, with(Field{"es", List{empty, []any{empty, empty, empty}}})), []byte("H\x00\x0c\x00\x00\x00\x00\x00\x00\x00\x03"), 10, most...),
			"take no bytes", true},
		"schema index outside": {patch(t, Write(Bundle30, with(Field{"es", List{empty, []any{empty}}})), []byte("es\x00\x14"), 4, most...), "outside of the", true},
		"count of texts": {patch(t, Write(Bundle30, with(Field{"ts", List{"", []any{"aa"}}})), []byte("\x01\x00\x00\x00aa"), 0, most...),
			"do not fit", true},
		"text without an end": {bytes.ReplaceAll(Write(Bundle30, with(Field{"s", "endless"})), []byte("endless\x00"), []byte("endless!")),
			"without an end", true},
		"size of an entry":                     {patch(t, Write(Bundle30, with(Field{"s", "a"})), sampleIDBytes("x"), -12, 3), "size is 3", true},
		"size of the last entry, as published": {patch(t, Write(Bundle30Published, with(Field{"s", "a"})), sampleIDBytes("y"), -8, most...), "size is 4294967295", true},
		"schema offset into itself":            {patch(t, Write(Bundle30, with(Field{"s", "a"})), bundleMagic, 0x18, 0x18), "is looked for behind the header", true},
		"data offset to the header":            {patch(t, Write(Bundle30, with(Field{"s", "a"})), bundleMagic, 0x20, 0), "are looked for behind the schema", true},
		"magic of an object":                   {patch(t, Write(Bundle20, with(Field{"s", "a"})), objectMagic, 0, 'x'), "an object begins with", true},
		"size of a map":                        {patch(t, Write(Bundle20, with(Field{"s", "a"})), []byte("\x10\x09"), 1, most...), "does not fit", true},
		"type of a value":                      {patch(t, Write(Bundle20, with(Field{"s", "a"})), []byte("s\x00\x0ca"), 2, 0x77), "type byte 0x77", true},
		"size of a field":                      {patch(t, Write(Package12, with(Field{"s", "a"}, Field{"t", uint32(5)})), []byte("\x02\x00\x00\x00a\x00"), 0, most...), "do not fit", true},
		"count of fields":                      {patch(t, Write(Package11, with(Field{"s", "a"})), []byte("\x01\x00\x00\x00"), 4, 0), "", true},
		"markers and no field": {patch(t, Write(Package12, with(Field{"b", Bytes{0, bytes.Repeat(fieldMarker, 150_000)}})), fieldMarker, 0, 0),
			"none is found behind", true},
		"data offset of a package": {patch(t, Write(Package10, with(Field{"s", "a"})), packMagic, 0x14, most...), "begins at the data offset", true},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			r := mustHold(t, c.file)
			if c.says != "" {
				assert.True(t, r.Bad())
				assert.True(t, message(r, c.says), "%v", r.Problems)
			}
			doc := open(t, c.file)
			objects := doc.Root().Named("objects")
			require.NotNil(t, objects)
			found := false
			for i := range objects.Len() {
				o := objects.Child(i)
				if o.Type == "Object" && o.Named("path") != nil && o.Named("path").Value == "after" {
					if f := o.Named("fields"); f != nil && f.Named("sound") != nil {
						found = f.Named("sound").Value == uint64(77)
					}
				}
			}
			assert.Equal(t, c.sound, found, "the object behind is shown")
		})
	}
}

func sampleIDBytes(name string) []byte {
	id := sampleID(name)
	return id[:]
}

func TestASchemaOfMillionsOfEntriesEnds(t *testing.T) {
	entry := []byte{14, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0} // size, kind, no name, version, no fields
	b := append([]byte{8: 0xff, 0xff, 0xff, 0x7f}, bytes.Repeat(entry, schemaMost+10)...)
	s := readSchema(model.NewSource("x", bytes.NewReader(b), int64(len(b))), frame{})
	assert.Len(t, s.entries, schemaMost)
	assert.Contains(t, s.problem, "more than 1048576 entries and fields")
}

// Structs that double with each level, and arrays of arrays of nothing, end soon and stay small.
func TestDoublingStructs(t *testing.T) {
	inner := Struct{"/Code/G.S0", []Field{{"n", nil}}}
	for i := 1; i < 40; i++ {
		inner = Struct{"/Code/G.S" + model.IndexName(i), []Field{{"a", inner}, {"b", Struct{Type: inner.Type}}}}
	}
	b := Write(Bundle30, &Content{Name: "/Game/D", Objects: []ObjectContent{{ID: sampleID("x"), Class: "/Code/G.H", Fields: []Field{{"s", inner}}}}})
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	doc := open(t, b)
	r, err := doc.Check(ctx, nil)
	require.NoError(t, err)
	assert.True(t, message(r, "fields in one object"), "%v", r.Problems)
}

// Every layout looks at a deep value up to a bound and says so.
func TestDeepValues(t *testing.T) {
	for _, l := range []Layout{Package12Late, Bundle20, Bundle30Published, Bundle30R1118, Bundle30} {
		t.Run(l.String(), func(t *testing.T) {
			v := any(uint8(1))
			for i := range 1000 {
				v = Struct{"/Code/G.S" + model.IndexName(i), []Field{{"s", v}}}
			}
			b := Write(l, &Content{Name: "/Game/D", Objects: []ObjectContent{
				{ID: sampleID("x"), Class: "/Code/G.H", Fields: []Field{{"s", v}}},
				{ID: sampleID("y"), Class: "/Code/G.I", Fields: []Field{{"n", uint8(1)}}}}})
			r := mustHold(t, b)
			assert.True(t, r.Bad())
			assert.Equal(t, uint64(1), node(t, open(t, b), "/objects/1/fields/n").Value)
		})
	}
}
