package dprsim

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/formats/dprsim/dprsimtest"
	"assay/formats/formatstest"
	"assay/model"
)

func source(name string, b []byte) *model.Source {
	return model.NewSource(name, bytes.NewReader(b), int64(len(b)))
}

func open(t testing.TB, name string, b []byte) *model.Document {
	t.Helper()
	d, err := Open(context.Background(), source(name, b))
	require.NoError(t, err)
	return d
}

// writeState returns what a writer writes.
func writeState(t testing.TB, l dprsimtest.Layout, modules []dprsimtest.Listing,
	catoms func(s *dprsimtest.StateWriter)) []byte {
	t.Helper()
	var out bytes.Buffer
	s := dprsimtest.NewStateWriter(&out, l, modules...)
	catoms(s)
	require.NoError(t, s.Close())
	return out.Bytes()
}

// checkSound holds a document to what is true of every one: its coverage adds up, bytes have owners, its dump is JSON.
func checkSound(t testing.TB, d *model.Document) *model.Report {
	t.Helper()
	r, err := d.Check(context.Background(), nil)
	require.NoError(t, err)
	gaps := int64(0)
	for _, g := range r.Gaps {
		gaps += g.Size
	}
	require.Equal(t, d.Source.Size(), r.Accounted+gaps, "accounted and gaps are the file")
	require.Empty(t, r.Overlaps)
	owners := make([]bool, d.Source.Size())
	require.NoError(t, model.Walk(d.Root(), func(n *model.Node) (bool, error) {
		if n.Leaf() && n.Parent != nil && n.Type != model.Gap {
			for i := n.Offset; i < n.End(); i++ {
				require.False(t, owners[i], "byte %d has two owners", i)
				owners[i] = true
			}
		}
		return true, nil
	}, nil))
	owned := int64(0)
	for _, o := range owners {
		if o {
			owned++
		}
	}
	require.Equal(t, r.Accounted, owned, "the leaves own what is accounted")
	var out bytes.Buffer
	require.NoError(t, d.Dump(context.Background(), &out, r))
	require.True(t, json.Valid(out.Bytes()))
	for off := int64(0); off < d.Source.Size(); off += 1 + d.Source.Size()/64 {
		n := d.Owner(off)
		require.NotNil(t, n, "byte %d", off)
		require.True(t, n.Contains(off))
	}
	return r
}

// requireWhole is checkSound for a file with nothing wrong but that it may have no module _sim.
func requireWhole(t testing.TB, d *model.Document) {
	t.Helper()
	r := checkSound(t, d)
	assert.Equal(t, d.Source.Size(), r.Accounted)
	for _, p := range r.Problems {
		if !strings.HasPrefix(p.Message, "no module _sim") {
			assert.Equal(t, model.Note, p.Severity, p.Message)
		}
	}
}

// outline returns the nodes below a node as "name type value", children in brackets.
func outline(n *model.Node) string {
	var parts []string
	for i := range n.Len() {
		c := n.Child(i)
		s := c.Name + " " + c.Type
		if v := c.ValueText(); v != "" {
			s += " " + v
		}
		if !c.Leaf() {
			s += " [" + outline(c) + "]"
		}
		parts = append(parts, s)
	}
	return strings.Join(parts, ", ")
}

func messages(r *model.Report) string {
	var out []string
	for _, p := range r.Problems {
		out = append(out, p.Severity.String()+" "+p.Path+" "+p.Message)
	}
	return strings.Join(out, "\n")
}

func find(t testing.TB, d *model.Document, path string) *model.Node {
	t.Helper()
	n, err := d.Find(path)
	require.NoError(t, err)
	return n
}

var flicker = dprsimtest.Listing{Name: "Flicker", Version: 3, Types: "NnCf", Names: "ticks:phase:on:level",
	Other: "blinks catoms"}

func simBytes(i byte) []byte { return []byte{i, 256 - 2, 3, 10, 20, 30, 0, 7} }

func flickerBytes(i int) []byte {
	return dprsimtest.Values(uint32(i), uint16(2), uint8(1), dprsimtest.Little(float32(0.5)))
}

func TestAMinimalWorldHasTheSizeThatTheDocumentGives(t *testing.T) {
	b := writeState(t, dprsimtest.Layout{}, []dprsimtest.Listing{dprsimtest.SimpleCubic},
		func(s *dprsimtest.StateWriter) {})
	assert.Len(t, b, 52)
	requireWhole(t, open(t, "a.world", b))
	b = writeState(t, dprsimtest.Layout{}, []dprsimtest.Listing{dprsimtest.SimpleCubic},
		func(s *dprsimtest.StateWriter) { s.Catom(1, simBytes(0)) })
	assert.Len(t, b, 72)
	assert.Equal(t,
		"434c4159"+"01"+"0200000025"+"045f73696d"+"00000001"+"08"+hex.EncodeToString([]byte("cccCCCCC"))+"11"+
			hex.EncodeToString([]byte("x:y:z:r:g:b:a:bat"))+"00"+"03ffffffff"+
			"00000001"+"0000000c"+"00000008"+"00fe030a141e0007",
		hex.EncodeToString(b))
	d := open(t, "a.world", b)
	requireWhole(t, d)
	assert.Equal(t,
		"id u32 1, total_length u32 12, states ModuleState[] [0 ModuleState [length u32 8, x c 0, y c -2, z c 3, r C 10, g "+
			"C 20, b C 30, a C 0, bat C 7]]",
		outline(find(t, d, "/chunks/1/content/catoms/0")))
	assert.Equal(t,
		"magic bytes CLAY, version u8 1, chunks Chunk[] [0 Chunk [id u8 MODULE (2), length u32 37, content MODULE [modules "+
			"Module[] ["+
			"0 Module [name string _sim, version u32 1, types string cccCCCCC, names string x:y:z:r:g:b:a:bat, other string]]]], "+
			"1 Chunk [id u8 BODY (3), length u32 to the end of the file (4294967295), content BODY [catoms Catom[] [0 Catom ["+
			outline(find(t, d, "/chunks/1/content/catoms/0"))+"]]]]]", outline(d.Root()))
	assert.Equal(t, "1", find(t, d, "/chunks/1/content/catoms/0").Key)
	assert.Equal(t, "_sim", find(t, d, "/chunks/1/content/catoms/0/states/0").Key)
}

func TestEveryLayoutGivesTheSameCatoms(t *testing.T) {
	modules := []dprsimtest.Listing{flicker, dprsimtest.SimpleCubic, {Name: "Tag", Version: 2}}
	want := ""
	for i := range 16 {
		l := dprsimtest.Layout{Prose: i&1 > 0, Together: i&2 > 0, Inclusive: i&4 > 0, Short: i&8 > 0}
		t.Run(fmt.Sprintf("%+v", l), func(t *testing.T) {
			b := writeState(t, l, modules, func(s *dprsimtest.StateWriter) {
				for i := range 200 {
					s.Catom(uint32(i)<<24, flickerBytes(i), simBytes(byte(i)), nil)
				}
			})
			d := open(t, "a.state", b)
			requireWhole(t, d)
			list := catomList(d)
			require.Equal(t, 200, list.Len())
			got := outline(list)
			if want == "" {
				want = got
				assert.Contains(t, got, "1 ModuleState [length u32 8, x c -57, y c -2, z c 3, r C 10")
				assert.Contains(t, got, "0 ModuleState [length u32 11, ticks N 199, phase n 2, on C 1, level f 0.5]")
			}
			assert.Equal(t, want, got)
			assert.Equal(t, l.Prose, strings.Contains(d.Variant, "prose"))
			assert.Equal(t, l.Inclusive, strings.Contains(d.Variant, "heads"))
			assert.NotEmpty(t, d.Why)
			path, ok := d.FindKey("3338665984")
			require.True(t, ok)
			assert.Equal(t, "199", d.At(path).Name)
			_, ok = d.FindKey("7")
			assert.False(t, ok)
		})
	}
}

func TestOrderOfTheStringsIsRecognized(t *testing.T) {
	for name, test := range map[string]struct {
		b, c, d string
		size    int
		prose   bool
	}{
		"as in the example":               {"cccCCCCC", "x:y:z", "", 8, false},
		"as in the prose":                 {"", "cccCCCCC", "x:y:z", 8, true},
		"one field, as in the example":    {"N", "n", "", 4, false},
		"one field, as in the prose":      {"", "N", "n", 4, true},
		"a name that could be a template": {"N", "x", "", 4, false},
		"the size decides":                {"C", "N", "n", 4, true},
		"nothing in it":                   {"", "", "", 0, false},
		"a tie":                           {"n", "v", "", 2, false},
		"no names, as in the prose":       {"about lights", "Nn", "", 6, true},
	} {
		t.Run(name, func(t *testing.T) {
			b := writeState(t, dprsimtest.Layout{},
				[]dprsimtest.Listing{{Name: "Mod", Version: 1, Types: test.b, Names: test.c,
					Other: test.d}}, func(s *dprsimtest.StateWriter) {
					for i := range 3 {
						s.Catom(uint32(i), make([]byte, test.size))
					}
				})
			d := open(t, "a.state", b)
			m := find(t, d, "/chunks/0/content/modules/0")
			types, want := m.ChildNamed("types").Value, test.b
			if test.prose {
				want = test.c
			}
			assert.Equal(t, want, types)
			requireWhole(t, d)
		})
	}
}

func TestUnknownChunksAreSkipped(t *testing.T) {
	b := writeState(t, dprsimtest.Layout{}, []dprsimtest.Listing{dprsimtest.SimpleCubic},
		func(s *dprsimtest.StateWriter) { s.Catom(1, simBytes(1)) })
	unknown := append([]byte{77, 0, 0, 0, 3, 'a', 'b', 'c'}, 1, 0, 0, 0, 0)
	d := open(t, "a.state", append(append(bytes.Clone(b[:5]), unknown...), b[5:]...))
	requireWhole(t, d)
	assert.Equal(t, "id u8 77, length u32 3, content bytes 3 bytes", outline(find(t, d, "/chunks/0")))
	assert.Equal(t, "id u8 not used (1), length u32 0, content bytes 0 bytes", outline(find(t, d, "/chunks/1")))
	assert.Equal(t, 1, catomList(d).Len())
}

func TestLengthsWithHeadsAreRecognizedBeforeTheModules(t *testing.T) {
	b := writeState(t, dprsimtest.Layout{Inclusive: true}, []dprsimtest.Listing{dprsimtest.SimpleCubic},
		func(s *dprsimtest.StateWriter) { s.Catom(1, simBytes(1)); s.Catom(2, simBytes(2)) })
	head, listing, body := string(b[:5]), string(b[5:47]), string(b[47:])
	finite := "\x03\x00\x00\x00\x2d" + body[5:]
	const unknown, empty = "\x4d\x00\x00\x00\x08abc", "\x01\x00\x00\x00\x05"
	for name, file := range map[string]string{
		"an unknown chunk": head + unknown + listing + body,
		"several":          head + unknown + empty + unknown + listing + finite,
		"the body":         head + finite + listing,
		"both":             head + finite + unknown + listing + empty,
	} {
		t.Run(name, func(t *testing.T) {
			d := open(t, "a.state", []byte(file))
			assert.Equal(t, d.Source.Size(), checkSound(t, d).Accounted)
			assert.Equal(t, "state 1, lengths with heads", d.Variant)
			table, err := d.Tables[0].Open(t.Context())
			require.NoError(t, err)
			require.EqualValues(t, 2, table.Rows)
			assert.EqualValues(t, 2, table.Cell(1, 1))
		})
	}
}

func TestBodiesWithALengthMayPrecedeModulesOrRepeat(t *testing.T) {
	b := writeState(t, dprsimtest.Layout{}, []dprsimtest.Listing{dprsimtest.SimpleCubic},
		func(s *dprsimtest.StateWriter) { s.Catom(1, simBytes(1)); s.Catom(2, simBytes(2)) })
	head, listing, body := b[:5], b[5:47], bytes.Clone(b[47:])
	binary.BigEndian.PutUint32(body[1:], 40)
	t.Run("before the modules", func(t *testing.T) {
		d := open(t, "a.world", bytes.Join([][]byte{head, body, listing}, nil))
		assert.Contains(t, messages(checkSound(t, d)), "the body precedes the listing of module _sim")
		assert.Equal(t, "2", find(t, d, "/chunks/0/content/catoms/1/states/0/x").ValueText())
	})
	t.Run("two bodies", func(t *testing.T) {
		d := open(t, "a.world", bytes.Join([][]byte{head, listing, body, body}, nil))
		assert.Contains(t, messages(checkSound(t, d)), "body 2 of 2: the specification allows one")
		assert.Equal(t, "1", find(t, d, "/chunks/2/content/catoms/0/states/0/x").ValueText())
		assert.Len(t, d.Tables, 2)
		assert.Equal(t, 4, d.Payloads.Len())
	})
	t.Run("with its head", func(t *testing.T) {
		binary.BigEndian.PutUint32(body[1:], 45)
		requireWhole(t, open(t, "a.world", bytes.Join([][]byte{head, listing, body}, nil)))
	})
	t.Run("past the end", func(t *testing.T) {
		binary.BigEndian.PutUint32(body[1:], 99)
		d := open(t, "a.world", bytes.Join([][]byte{head, listing, body}, nil))
		assert.Contains(t, messages(checkSound(t, d)), "the body has 99 bytes, but only 40 remain")
		assert.Equal(t, 2, catomList(d).Len())
	})
	t.Run("no module", func(t *testing.T) {
		d := open(t, "a.world", bytes.Join([][]byte{head, b[47:]}, nil))
		r := checkSound(t, d)
		assert.Equal(t, d.Source.Size(), r.Accounted)
		assert.Contains(t, messages(r), "no module list")
		assert.Equal(t, "id u32 1, total_length u32 12, states ModuleState[], surplus bytes 12 bytes",
			outline(catomList(d).Child(0)))
	})
	t.Run("no body", func(t *testing.T) {
		d := open(t, "a.world", b[:47])
		assert.Contains(t, messages(checkSound(t, d)), "no body chunk")
		assert.Nil(t, d.Payloads)
		assert.Empty(t, d.Tables)
	})
}

func TestCatomsThatDoNotMatchTheListingAreReported(t *testing.T) {
	modules := []dprsimtest.Listing{dprsimtest.SimpleCubic, flicker}
	for name, test := range map[string]struct {
		states  [][]byte
		change  func(catom []byte)
		want    string
		problem string
	}{
		"a state is missing": {[][]byte{simBytes(1)}, nil,
			"id u32 9, total_length u32 12, states ModuleState[] [0 ModuleState [length u32 8, x c 1, y c -2, z c 3, r C 10, " +
				"g C 20, b C 30, a C 0, bat C 7]]",
			"the catom ends before the state of module Flicker"},
		"all are missing": {nil, nil, "id u32 9, total_length u32 0, states ModuleState[]",
			"the catom ends before the state of module _sim"},
		"a state too many": {[][]byte{simBytes(1)[:0], nil, {1, 2}}, nil,
			"id u32 9, total_length u32 14, states ModuleState[] [0 ModuleState [length u32 0], 1 ModuleState [length u32 " +
				"0]], surplus bytes 6 bytes",
			"the catom has one more module state than modules are listed"},
		"values are missing": {[][]byte{simBytes(1)[:5], {0, 0, 0, 1, 0}}, nil,
			"id u32 9, total_length u32 18, states ModuleState[] [0 ModuleState [length u32 5, x c 1, y c -2, z c 3, r C 10, " +
				"g C 20], 1 ModuleState [length u32 5, ticks N 1, surplus bytes 1 byte]]",
			"value b is not whole or missing"},
		"bytes too many": {[][]byte{append(simBytes(1), 5, 6), append(flickerBytes(7), 1)}, nil,
			"id u32 9, total_length u32 30, states ModuleState[] [0 ModuleState [length u32 10, x c 1, y c -2, z c 3, r C 10, " +
				"g C 20, b C 30, a C 0, bat C 7, surplus bytes 2 bytes], " +
				"1 ModuleState [length u32 12, ticks N 7, phase n 2, on C 1, level f 0.5, surplus bytes 1 byte]]",
			"module _sim has 2 bytes more than its types cccCCCCC describe"},
		"a state past the catom": {[][]byte{simBytes(1), flickerBytes(7)}, func(c []byte) { c[8+12+3] = 200 },
			"id u32 9, total_length u32 27, states ModuleState[] [0 ModuleState [length u32 8, x c 1, y c -2, z c 3, r C 10, " +
				"g C 20, b C 30, a C 0, bat C 7], 1 ModuleState [length u32 200, surplus bytes 11 bytes]]",
			"module Flicker has 200 bytes, but only 11 remain in the catom"},
		"stray bytes": {[][]byte{simBytes(1), flickerBytes(7), {}}, func(c []byte) { c[len(c)-1] = 9 },
			"id u32 9, total_length u32 31, states ModuleState[] [0 ModuleState [length u32 8, x c 1, y c -2, z c 3, r C 10, " +
				"g C 20, b C 30, a C 0, bat C 7], 1 ModuleState [length u32 11, ticks N 7, phase n 2, on C 1, level f 0.5]], " +
				"surplus bytes 4 bytes",
			"the catom's total length is 4 bytes more than its module states"},
	} {
		t.Run(name, func(t *testing.T) {
			good := [][]byte{simBytes(5), flickerBytes(1)}
			b := writeState(t, dprsimtest.Layout{}, modules, func(s *dprsimtest.StateWriter) {
				for range 70 {
					s.Catom(8, good...)
				}
				s.Catom(9, test.states...)
				s.Catom(10, good...)
			})
			size := 8
			for _, s := range test.states {
				size += 4 + len(s)
			}
			if test.change != nil {
				from := len(b) - 35 - size
				test.change(b[from : from+size])
			}
			d := open(t, "a.state", b)
			r := checkSound(t, d)
			list := catomList(d)
			require.Equal(t, 72, list.Len())
			assert.Equal(t, test.want, outline(list.Child(70)))
			assert.Equal(t, "10", list.Child(71).Key, "the next catom is found by the total length")
			assert.Contains(t, messages(r), test.problem)
			assert.Equal(t, d.Source.Size(), r.Accounted)
			for row := 71; row >= 0; row -= 5 { // backwards, and again by the bytes
				n := list.Child(row)
				assert.Equal(t, n.PathText(), d.Owner(n.Offset+2).Parent.PathText())
			}
		})
	}
}

func TestBodyEndsAtACatomThatDoesNotFit(t *testing.T) {
	b := writeState(t, dprsimtest.Layout{}, []dprsimtest.Listing{dprsimtest.SimpleCubic, flicker},
		func(s *dprsimtest.StateWriter) {
			for i := range 3 {
				s.Catom(uint32(i), simBytes(1), flickerBytes(1))
			}
		})
	d := open(t, "a.state", b[:len(b)-3])
	r := checkSound(t, d)
	assert.Equal(t, 2, catomList(d).Len())
	assert.Equal(t,
		"id u32 2, total_length u32 27, states ModuleState[] [0 ModuleState [length u32 8, x c 1, y c -2, z c 3, r C 10, g "+
			"C 20, b C 30, a C 0, bat C 7]]",
		outline(find(t, d, "/chunks/2/content/incomplete")))
	assert.Contains(t, messages(r), "catom 2: its total length of 27 bytes does not fit in the remaining 24 bytes")
	assert.Len(t, r.Gaps, 1)
}

func TestHostileCountsTakeNoMemory(t *testing.T) {
	t.Run("chunks", func(t *testing.T) {
		b := append([]byte("CLAY\x01"), bytes.Repeat([]byte{9, 0, 0, 0, 0}, maxChunks+10)...)
		d := open(t, "a.state", b)
		r, err := d.Check(context.Background(), nil)
		require.NoError(t, err)
		assert.Contains(t, messages(&model.Report{Problems: r.Problems[:1]}), "more than 65536 chunks")
	})
	t.Run("modules", func(t *testing.T) {
		content := bytes.Repeat([]byte{0, 0, 0, 0, 0, 0, 0, 0}, maxModules+10)
		b := binary.BigEndian.AppendUint32([]byte("CLAY\x01\x02"), uint32(len(content)))
		d := open(t, "a.state", append(append(b, content...), 3, 0xff, 0xff, 0xff, 0xff))
		r, err := d.Check(context.Background(), nil)
		require.NoError(t, err)
		assert.Equal(t, model.Error, r.Worst)
		assert.Equal(t, maxModules, find(t, d, "/chunks/0/content/modules").Len())
	})
	t.Run("bodies", func(t *testing.T) {
		const modules, bodies = 2000, maxBodies + 10
		b := []byte("CLAY\x01")
		for range modules {
			b = append(b, "\x02\x00\x00\x00\x09\x00\x00\x00\x00\x01\x01C\x00\x00"...)
		}
		for i := range bodies {
			b = append(b, 3, 0, 0, 0, 8, 0, 0, 0, byte(i), 0, 0, 0, 0)
		}
		d := open(t, "a.state", b)
		r, err := d.Check(context.Background(), nil)
		require.NoError(t, err)
		assert.True(t, slices.ContainsFunc(r.Problems, func(p model.Problem) bool {
			return strings.Contains(p.Message, "more than 64 bodies")
		}))
		assert.Len(t, d.Tables, maxBodies)
		require.Equal(t, maxBodies*(1+modules), d.Payloads.Len())
		assert.Equal(t, "a.body1.csv", d.Payloads.At(0).Name)
		last := d.Payloads.At(d.Payloads.Len() - 1)
		assert.Equal(t, "Module", last.Type)
		assert.Equal(t, find(t, d, fmt.Sprintf("/chunks/%d/content/modules/0", modules-1)).Path(), last.Node.Path())
	})
	t.Run("values of catoms that have none", func(t *testing.T) {
		modules := slices.Repeat([]dprsimtest.Listing{{Types: "C512"}}, maxModules)
		d := open(t, "a.state", writeState(t, dprsimtest.Layout{}, modules,
			func(s *dprsimtest.StateWriter) { s.Catom(1) }))
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		assert.Equal(t, 3, catomList(d).Child(0).Len())
		runtime.ReadMemStats(&after)
		assert.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(1<<20))
	})
	t.Run("values", func(t *testing.T) {
		const many = 300_000
		b := writeState(t, dprsimtest.Layout{},
			[]dprsimtest.Listing{{Name: "Big", Version: 1, Types: "nxC*", Names: "first"},
				{Name: "Huge", Version: 1, Types: "C999999999999"}},
			func(s *dprsimtest.StateWriter) {
				s.Catom(1, bytes.Repeat([]byte{5}, many), bytes.Repeat([]byte{6}, 1000))
			})
		d := open(t, "a.state", b)
		s := catomList(d).Child(0).Child(2).Child(0)
		assert.Less(t, s.Len(), maxSeparate, "the numbers after the first ones are one array")
		assert.Equal(t, "value_1", s.Child(3).Name)
		assert.Equal(t, s.Offset+4+2, s.Child(2).Offset)
		last := s.Child(s.Len() - 1)
		assert.Equal(t, fmt.Sprintf("value_%d", s.Len()-3), last.Name)
		assert.Equal(t, catomList(d).Child(0).Offset+maxSeparate, last.Offset)
		assert.Equal(t, s.Offset+4+many, last.End())
		values, err := last.Value.(model.Numbers).Slice(many-5-int64(s.Len()), 1)
		require.NoError(t, err)
		assert.Equal(t, []any{uint64(5)}, values)
		assert.Equal(t, last.PathText(), d.Owner(last.Offset).PathText())
		assert.Equal(t, last.PathText(), find(t, d, last.PathText()).PathText())
		assert.Equal(t, "skipped", find(t, d, s.PathText()+"/skipped").Name)
		assert.Equal(t, "length", d.Owner(s.Offset).Name)
		r, err := d.Check(context.Background(), nil)
		require.NoError(t, err)
		assert.Equal(t, d.Source.Size(), r.Accounted)
		assert.Contains(t, messages(r),
			"module Huge has 1000 bytes, its types C999999999999 need 4294967296: value value_1000 is not whole or missing")
		tb, err := d.Tables[0].Open(context.Background())
		require.NoError(t, err)
		assert.Len(t, tb.Columns, maxColumns)
	})
}

func TestEveryDamageToASmallFile(t *testing.T) {
	files := map[string][]byte{
		"a.world": writeState(t, dprsimtest.Layout{}, []dprsimtest.Listing{dprsimtest.SimpleCubic},
			func(s *dprsimtest.StateWriter) { s.Catom(1, simBytes(1)); s.Catom(2, simBytes(2)) }),
		"b.state": writeState(t, dprsimtest.Layout{Prose: true, Together: true, Inclusive: true},
			[]dprsimtest.Listing{flicker, {Name: "Text", Version: 1, Types: "xZ*nU2a*", Names: "label::letters"}},
			func(s *dprsimtest.StateWriter) {
				for i := range 3 {
					s.Catom(uint32(i), flickerBytes(i), []byte("\x00label\x00\x01\x02ßxrest"))
				}
			}),
		"c.experiment": []byte("\xEF\xBB\xBFWORLD = small.dpr\r\n# comment\r\n\r\nOBJECT=BOX,1, " +
			"2,3\nGRAVITY=1\rGRAVITY=2\nprose\nOBJECT=\n"),
	}
	for name, b := range files {
		t.Run(name, func(t *testing.T) {
			whole := open(t, name, b)
			require.Equal(t, int64(len(b)), checkSound(t, whole).Accounted)
			for n := range formatstest.Sweep(len(b)) {
				checkSound(t, open(t, name, b[:n]))
			}
			for i := range formatstest.Sweep(len(b)) {
				for _, x := range []byte{0x01, 0x80, 0xff, b[i]} { // b[i]: the byte becomes 0
					bad := bytes.Clone(b)
					bad[i] ^= x
					checkSound(t, open(t, name, bad))
				}
			}
		})
	}
}

func TestContextEndsOpening(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	b := writeState(t, dprsimtest.Layout{}, []dprsimtest.Listing{dprsimtest.SimpleCubic},
		func(s *dprsimtest.StateWriter) { s.Catom(1, simBytes(1)) })
	_, err := Open(ctx, source("a.world", b))
	assert.ErrorIs(t, err, context.Canceled)
	_, err = Open(ctx, source("a.experiment", []byte("WORLD=x\n")))
	assert.ErrorIs(t, err, context.Canceled)
}
