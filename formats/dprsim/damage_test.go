package dprsim

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/formats/decode"
	"assay/formats/dprsim/dprsimtest"
	"assay/formats/formatstest"
	"assay/model"
	"assay/model/query"
	"assay/model/render"
	"assay/model/scene"
)

// file is a file and how it was made.
type file struct {
	made  string
	bytes []byte
}

// state returns a file with modules, and a catom for each list of states.
func state(t *testing.T, l dprsimtest.Layout, modules []dprsimtest.Listing, catoms ...[][]byte) file {
	f := file{bytes: writeState(t, l, modules, func(s *dprsimtest.StateWriter) {
		for i, states := range catoms {
			s.Catom(uint32(i+1), states...)
		}
	})}
	f.made = fmt.Sprintf("dprsimtest %+v, modules", l)
	for _, m := range modules {
		f.made += fmt.Sprintf(" %s %d %q %q %q", m.Name, m.Version, m.Types, m.Names, m.Other)
	}
	f.made += ", states of catoms"
	for _, states := range catoms {
		f.made += fmt.Sprintf(" %x", states)
	}
	return f
}

func experimentText(text string) file { return file{fmt.Sprintf("the text %q", text), []byte(text)} }

// put returns the file with other bytes at an offset.
func (f file) put(t *testing.T, at int, bytes string) file {
	b := slices.Clone(f.bytes)
	copy(b[at:], unhex(t, bytes))
	return file{fmt.Sprintf("%s; at offset %#x %s", f.made, at, bytes), b}
}

// insert returns the file with more bytes at an offset.
func (f file) insert(t *testing.T, at int, bytes string) file {
	return file{fmt.Sprintf("%s; inserted at offset %#x %s", f.made, at, bytes),
		slices.Insert(slices.Clone(f.bytes), at, unhex(t, bytes)...)}
}

// cut returns the file up to an offset.
func (f file) cut(at int) file {
	return file{fmt.Sprintf("%s; cut at offset %#x", f.made, at), f.bytes[:at]}
}

// TestGoldenProblems compares all messages about damaged files, which also conform.
func TestGoldenProblems(t *testing.T) {
	const moduleHead, listing, bodyHead, catom = 5, 10, 47, 52 // offsets in a world
	sim := dprsimtest.SimpleCubic
	later := sim
	later.Version = 7
	module := func(types, names string) []dprsimtest.Listing {
		return []dprsimtest.Listing{{Name: "Mod", Version: 1, Types: types, Names: names}}
	}
	one, two := [][]byte{simBytes(1)}, [][]byte{simBytes(2)}
	world := state(t, dprsimtest.Layout{}, []dprsimtest.Listing{sim}, one, two)
	inclusive := state(t, dprsimtest.Layout{Inclusive: true}, []dprsimtest.Listing{sim}, one, two)
	both := func(states ...[]byte) file {
		good := [][]byte{simBytes(5), flickerBytes(1)}
		return state(t, dprsimtest.Layout{}, []dprsimtest.Listing{sim, flicker}, good, states, good)
	}
	length := func(n uint32) string { return fmt.Sprintf("%08x", n) }
	body := hex.EncodeToString(world.bytes[bodyHead:])
	listed := hex.EncodeToString(world.bytes[moduleHead:bodyHead])
	finite := "03" + length(40) + hex.EncodeToString(world.bytes[catom:])
	states := []struct {
		name string
		file file
	}{
		{"empty", world.cut(0)},
		{"cut in the magic", world.cut(3)},
		{"another magic", world.put(t, 0, "59414c43")},
		{"no version", world.cut(4)},
		{"another version", world.put(t, 4, "09")},
		{"no chunks", world.cut(5)},
		{"cut in a chunk's length", world.cut(8)},
		{"cut in a listing", world.cut(20)},
		{"no body", world.cut(bodyHead)},
		{"no module", world.cut(moduleHead).insert(t, moduleHead, body)},
		{"a module chunk without a listing", world.put(t, moduleHead+1, length(4))},
		{"a module chunk of the length -1", world.put(t, moduleHead+1, "ffffffff")},
		{"a module chunk of the length -1 without a listing", world.put(t, moduleHead+1, "ffffffffff").cut(bodyHead)},
		{"a module chunk past the end", world.put(t, moduleHead+1, length(5000))},
		{"a module chunk past the end without a body", world.put(t, moduleHead+1, length(5000)).cut(bodyHead)},
		{"a module chunk that ends in its listing", world.put(t, moduleHead+1, length(30))},
		{"a module chunk that ends in the body's head", world.put(t, moduleHead+1, length(38))},
		{"a module chunk that ends in the body", world.put(t, moduleHead+1, length(60))},
		{"a length less than the head that it includes", inclusive.put(t, bodyHead+1, length(4))},
		{"bytes after the last listing",
			world.put(t, moduleHead+1, length(42)).insert(t, bodyHead, "6a756e6b21")},
		{"a name of a module past the chunk", world.put(t, listing, "ff")},
		{"a short name of a module", state(t, dprsimtest.Layout{}, []dprsimtest.Listing{{Name: "me"}})},
		{"an unused chunk", world.insert(t, moduleHead, "0100000000")},
		{"an unknown chunk", world.insert(t, moduleHead, "4d00000003616263")},
		{"an unknown chunk of the length -1", world.insert(t, bodyHead, "09ffffffff")},
		{"an unknown chunk past the end", world.cut(bodyHead).insert(t, bodyHead, "09000000090102")},
		{"a body with its length", world.cut(bodyHead).insert(t, bodyHead, finite)},
		{"a body whose length has its head", world.put(t, bodyHead+1, length(45))},
		{"a body past the end", world.put(t, bodyHead+1, length(99))},
		{"a body before its module, lengths with heads", world.cut(moduleHead).insert(t, moduleHead,
			"03"+length(45)+finite[10:]+"02"+length(42)+listed[10:])},
		{"two bodies", world.cut(bodyHead).insert(t, bodyHead, finite+finite)},
		{"a body before its module", world.cut(moduleHead).insert(t, moduleHead, finite+listed)},
		{"no _sim", state(t, dprsimtest.Layout{}, module("C", "v"))},
		{"two _sim", state(t, dprsimtest.Layout{}, []dprsimtest.Listing{sim, sim})},
		{"a later _sim", state(t, dprsimtest.Layout{}, []dprsimtest.Listing{later})},
		{"a _sim without names", state(t, dprsimtest.Layout{}, []dprsimtest.Listing{{Name: "_sim", Version: 1,
			Types: sim.Types}}, one)},
		{"more names than values", state(t, dprsimtest.Layout{}, module("C", "a:b"))},
		{"a name that skips no value", state(t, dprsimtest.Layout{}, module("C", "a:"))},
		{"names that skip values", state(t, dprsimtest.Layout{}, module("C3", "a::"))},
		{"a code that is not known", state(t, dprsimtest.Layout{}, module("Cw", ""), [][]byte{{1, 2}})},
		{"a count without an end", state(t, dprsimtest.Layout{}, module("Ca[3", ""))},
		{"a count that is not one", state(t, dprsimtest.Layout{}, module("Ca[x]", ""))},
		{"a modifier of another code", state(t, dprsimtest.Layout{}, module("Cc<", ""))},
		{"numbers of another byte order", state(t, dprsimtest.Layout{}, module("lf", ""),
			[][]byte{dprsimtest.Values(int32(70000), float32(0.25))})},
		{"cut in an id", world.cut(len(world.bytes) - 18)},
		{"cut in a total length", world.cut(len(world.bytes) - 14)},
		{"cut in a state", world.cut(len(world.bytes) - 3)},
		{"cut in the second state", both(simBytes(1), flickerBytes(1)).cut(len(both(simBytes(1)).bytes) - 1)},
		{"a total length past the end", world.put(t, catom+4, "7fffffff")},
		{"a total length that is too small", world.put(t, catom+4, length(5))},
		{"a total length of two catoms", world.put(t, catom+4, length(32))},
		{"a state is missing", both(simBytes(1))},
		{"all states are missing", both()},
		{"a state too many", both(simBytes(1), flickerBytes(1), []byte{1})},
		{"states too many", both(simBytes(1), flickerBytes(1), nil, nil)},
		{"values are missing", both(simBytes(1)[:5], flickerBytes(1)[:5])},
		{"a value is cut off", both(simBytes(1), flickerBytes(1)[:9])},
		{"bytes too many", both(append(simBytes(1), 5, 6), flickerBytes(1))},
		{"a state past its catom", world.put(t, catom+8, length(200))},
		{"more characters than are decoded", state(t, dprsimtest.Layout{}, module("U*", ""),
			[][]byte{[]byte(strings.Repeat("x", maxCharacters+1))})},
	}
	var files []formatstest.Damaged
	add := func(name, made string, d *model.Document) {
		files = append(files, formatstest.Damaged{Name: name, Made: made, Document: d})
		t.Run(name, func(t *testing.T) { formatstest.Conform(t, d) })
	}
	for _, c := range states {
		d, err := openState(t.Context(), source("a.state", c.file.bytes), options{})
		require.NoError(t, err, c.name)
		made := c.file.made
		if len(made) > 2000 {
			made = made[:200] + " ..."
		}
		add(c.name, made, d)
	}
	const object = "0,1,2,3,4,5,6,7,8,9,10"
	for _, text := range []string{"", "\n", "prose\n", "=1\n", "COLOR=red\n", "SAVE=0\nSAVE=1\n", "OBJECT=\n", "OBJECT=,\n",
		"OBJECT=sphere," + object + ",1\n", "OBJECT=SPHERE," + object + "\n", "OBJECT=SPHERE," + object + ",1,2\n",
		"OBJECT=SPHERE," + object + ",five\n", "OBJECT=SPHERE," + object + ",\n", "OBJECT=SPHERE," + object + ",inf\n",
		"OBJECT=SPHERE" + strings.Repeat(",1", maxArguments+1) + "\n"} {
		f := experimentText(text)
		d, err := openExperiment(t.Context(), source("a.experiment", f.bytes))
		require.NoError(t, err)
		add("experiment", f.made, d)
	}
	formatstest.GoldenProblems(t, "damaged", files)
}

// TestTypicalCatomsAreReadAsMeasured tests that body.catom reads a catom without problems, in the size that
// typicalCatom.size measures without a cursor, whatever its lengths are.
func TestTypicalCatomsAreReadAsMeasured(t *testing.T) {
	for _, template := range []string{"C4", "C2a*"} {
		b := writeState(t, dprsimtest.Layout{}, []dprsimtest.Listing{{Name: "one", Version: 1, Types: "nC"},
			{Name: "two", Version: 1, Types: template}}, func(s *dprsimtest.StateWriter) {
			s.Catom(1, []byte("abc"), []byte("xy\x00z"))
		})
		r, err := readState(t.Context(), source("a.state", b), options{})
		require.NoError(t, err)
		span := r.bodies[0].starts.Span()
		catom, measured := append(b[span.Offset:span.End():span.End()], make([]byte, 8)...), 0
		for at := range span.Size {
			for x := range 256 {
				damaged := slices.Clone(catom)
				damaged[at] = byte(x)
				size := r.bodies[0].typical().size(damaged)
				if size == 0 {
					continue
				}
				measured++
				end := int64(len(damaged))
				c := decode.New(t.Context(), source("b", damaged), "", framingOrder, types).Quiet(model.Span{Size: end})
				_, whole := newBody(c, end, r.modules, options{}).catom(c, nil)
				assert.True(t, whole && c.Outcome() == decode.Clean && c.Pos() == size, "%s: %d at %d", template, x, at)
			}
		}
		assert.Positive(t, measured, template)
	}
}

// checkFuzzed opens what came, looks at it as a window does, and holds it to what is true of every document.
func checkFuzzed(t *testing.T, name string, b []byte) {
	if len(b) > 1<<16 {
		return
	}
	d := open(t, name, b)
	r := checkSound(t, d)
	require.NoError(t, d.Outline(context.Background(), io.Discard, r, model.OutlineOptions{Depth: -1}))
	if v, err := d.View(context.Background(), d.Root()); v != nil {
		require.NoError(t, err)
		_, err = render.Load(context.Background(), v.(*scene.Scene))
		require.NoError(t, err)
	}
	for _, s := range d.Tables {
		tb, err := s.Open(context.Background())
		require.NoError(t, err)
		_, err = query.Sort(context.Background(), tb, nil, len(tb.Columns)-1, true)
		require.NoError(t, err)
		for row := range tb.Rows {
			require.Equal(t, "Catom", d.At(tb.Path(row)).Type)
		}
		checkCells(t, tb)
	}
	for i := 0; d.Payloads != nil && i < d.Payloads.Len(); i++ {
		for _, f := range d.Payloads.At(i).Forms {
			if err := f.Write(context.Background(), io.Discard); !errors.As(err, new(model.Loss)) {
				require.NoError(t, err)
			}
		}
	}
	for _, s := range d.Switches {
		again, err := s.Reopen(context.Background(), 1)
		require.NoError(t, err)
		checkSound(t, again)
	}
	require.NoError(t, model.Walk(d.Root(), func(n *model.Node) (bool, error) {
		if n.Key != "" && (n.Type == "Catom" && n.Name != "incomplete" || n.Type == "Entry") {
			_, ok := d.FindKey(n.Key)
			require.True(t, ok, "%s is found by its key", n.PathText())
		}
		return n.Type != "Catom" && n.Type != "Entry", nil
	}, nil))
}

// checkCells holds the rows that are read one after the other to the cells that are read alone.
func checkCells(t *testing.T, tb *model.Table) {
	t.Helper()
	all := make([]int, len(tb.Columns))
	for i := range all {
		all[i] = i
	}
	require.NoError(t, tb.Scan(context.Background(), all, func(row int64, cells []any) error {
		for i, cell := range cells {
			require.Equal(t, fmt.Sprint(tb.Cell(row, i)), fmt.Sprint(cell), "row %d column %d", row, i)
		}
		return nil
	}))
}

func FuzzState(f *testing.F) {
	all := dprsimtest.Listing{Name: "All", Version: 7, Types: "cCnNvVs>S<lLqQfda3A3Z3xU2Z*a*", Names: "a:b::c"}
	for i := range 16 {
		l := dprsimtest.Layout{Prose: i&1 > 0, Together: i&2 > 0, Inclusive: i&4 > 0, Short: i&8 > 0}
		f.Add(writeState(f, l, []dprsimtest.Listing{dprsimtest.SimpleCubic, flicker, all},
			func(s *dprsimtest.StateWriter) {
				for i := range 3 {
					s.Catom(uint32(i), simBytes(byte(i)), flickerBytes(i), bytes.Repeat([]byte{byte(i), 'x'}, 40))
				}
				s.Catom(9, simBytes(1))
			}))
	}
	f.Fuzz(func(t *testing.T, b []byte) { checkFuzzed(t, "a.state", b) })
}

func FuzzExperiment(f *testing.F) {
	f.Add([]byte("WORLD=small.dpr\nOBJECT=SPHERE,0,0,5,0,0,0,0,255,0,0,100,5\n# comment\n\nprose\n"))
	f.Add([]byte("\xEF\xBB\xBF WORLD = a \r\n\r\nOBJECT= ,1,, ,\rSAVE=\xff\n=\n"))
	f.Fuzz(func(t *testing.T, b []byte) { checkFuzzed(t, "a.experiment", b) })
}
