package casset

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/formats/casset/cassettest"
	"assay/model"
)

// random makes contents of values that every layout stores.
type random struct {
	*rand.Rand
	structs int
}

func (r *random) id() (u cassettest.UUID) {
	order.PutUint64(u[:], r.Uint64())
	order.PutUint64(u[8:], r.Uint64())
	return u
}

func (r *random) word() string {
	words := []string{"a", "value", "", "fieldName", "Ünï", "12", "/Game/Sky"}
	return words[r.IntN(len(words))]
}

// value returns a plain value, a reference, or with a depth of more than 0 a struct, or an array.
func (r *random) value(depth int) any {
	kinds := 12
	if depth > 0 {
		kinds = 15
	}
	switch r.IntN(kinds) {
	case 0:
		return uint8(r.Uint32())
	case 1:
		return uint16(r.Uint32())
	case 2:
		return r.Uint32()
	case 3:
		return r.Uint64()
	case 4:
		return int8(r.Uint32())
	case 5:
		return int16(r.Uint32())
	case 6:
		return r.Int32()
	case 7:
		return r.Int64()
	case 8:
		return r.Float32()
	case 9:
		return float64(r.IntN(1000)) / 4 // 1.x stores it in 32 bits
	case 10:
		return r.word()
	case 11:
		return cassettest.Ref{Object: r.id(), Bundle: r.id(), Class: "/Code/G.CE::N", Package: "/Game/Far",
			Path: r.word()}
	case 12:
		return r.object(depth - 1)
	case 13:
		one := r.object(depth - 1)
		return cassettest.List{Of: one, Items: []any{one, one, one}[r.IntN(4):]}
	}
	list := cassettest.List{Of: ""}
	for range r.IntN(5) {
		list.Items = append(list.Items, "text "+r.word())
	}
	return list
}

// object returns a struct of a type of its own.
func (r *random) object(depth int) cassettest.Struct {
	r.structs++
	return cassettest.Struct{Type: fmt.Sprint("/Code/G.CE::S", r.structs), Fields: r.fields(depth)}
}

func (r *random) fields(depth int) (fields []cassettest.Field) {
	for i := range 1 + r.IntN(4) {
		fields = append(fields, cassettest.Field{Name: fmt.Sprint("f", i), Value: r.value(depth)})
	}
	return fields
}

// assertValue tests that a node has a written value.
func assertValue(t *testing.T, want any, n *model.Node) {
	t.Helper()
	switch want := want.(type) {
	case cassettest.Struct:
		assertMembers(t, want.Fields, n)
	case cassettest.List:
		if _, ok := want.Of.(string); ok && len(want.Items) > 0 {
			require.Equal(t, want.Items, values(t, n), n.PathText())
			break
		}
		for i, item := range want.Items {
			assertValue(t, item, n.ChildNamed(model.IndexName(i)))
		}
		require.Nil(t, n.ChildNamed(model.IndexName(len(want.Items))), n.PathText())
	case cassettest.Ref:
		require.NotNil(t, n.Link, n.PathText())
	default:
		require.Equal(t, fmt.Sprint(want), fmt.Sprint(n.Value), n.PathText())
	}
}

func assertMembers(t *testing.T, want []cassettest.Field, n *model.Node) {
	t.Helper()
	for _, f := range want {
		field := n.ChildNamed(f.Name)
		require.NotNil(t, field, "%s in %s", f.Name, n.PathText())
		assertValue(t, f.Value, field)
	}
}

// A file of any content is read in the layout in which it was written, without a problem, and with all values.
func TestRandomContentsAreReadAsWritten(t *testing.T) {
	for _, l := range cassettest.Layouts() {
		t.Run(l.String(), func(t *testing.T) {
			for seed := range uint64(300) {
				r := &random{Rand: rand.New(rand.NewPCG(seed, 0))}
				c := &cassettest.Content{ID: r.id(), Name: "/Game/Own"}
				for i := range 1 + r.IntN(3) {
					c.Objects = append(c.Objects, cassettest.ObjectContent{ID: r.id(), Asset: r.IntN(2) == 0,
						Path: r.word(), Name: r.word(), Class: fmt.Sprint("/Code/G.CE::C", i), Fields: r.fields(2)})
				}
				doc := open(t, cassettest.Write(l, c))
				if l != cassettest.Bundle30PublishedBare { // it has no function list that would tell
					require.Equal(t, variants[l], doc.Variant, "seed %d", seed)
				}
				require.Empty(t, check(t, doc).Problems, "seed %d", seed)
				objects := node(t, doc, "/objects")
				require.Equal(t, len(c.Objects), objects.ElementCount(), "seed %d", seed)
				for i, o := range c.Objects {
					n := objects.Child(objects.FirstElementIndex() + i)
					assert.Equal(t, o.Path, n.ChildNamed("path").Value, "seed %d", seed)
					assertMembers(t, o.Fields, n.ChildNamed("fields"))
				}
			}
		})
	}
}

// The targets, one a generation, hold that any bytes end soon with a tree whose leaves own what is accounted.
func fuzz(f *testing.F, layouts ...cassettest.Layout) {
	for _, l := range layouts {
		f.Add(cassettest.Write(l, smallContent()))
		f.Add(cassettest.Write(l, cassettest.Sample()))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) > 1<<16 {
			return
		}
		ctx := t.Context()
		doc, err := openDocument(ctx, model.NewSource("fuzz.casset", bytes.NewReader(b), int64(len(b))),
			newBundleFiles())
		if err != nil {
			t.Fatal(err)
		}
		r, err := doc.Check(ctx, nil)
		if err != nil {
			t.Fatal(err)
		}
		gaps := int64(0)
		for _, g := range r.Gaps {
			gaps += g.Size
		}
		if r.Accounted+gaps != int64(len(b)) {
			t.Fatalf("%d accounted and %d in gaps of %d", r.Accounted, gaps, len(b))
		}
		if err := doc.Dump(ctx, io.Discard, r); err != nil {
			t.Fatal(err)
		}
		for i := range min(doc.Payloads.Len(), 20) {
			_ = doc.Payloads.At(i)
		}
		for _, g := range doc.Groups {
			if _, err := g.Build(ctx); err != nil {
				t.Fatal(err)
			}
		}
	})
}

func FuzzPackage1(f *testing.F) {
	fuzz(f, cassettest.Package01, cassettest.Package10, cassettest.Package11, cassettest.Package12,
		cassettest.Package12Primary, cassettest.Package12Late)
}

func FuzzMaps2(f *testing.F) { fuzz(f, cassettest.Package20, cassettest.Bundle20) }

func FuzzPublished3(f *testing.F) {
	fuzz(f, cassettest.Bundle30Published, cassettest.Bundle30PublishedGap, cassettest.Bundle30PublishedBare)
}

func FuzzBundle3(f *testing.F) {
	fuzz(f, cassettest.Bundle30First, cassettest.Bundle30R1118, cassettest.Bundle30)
}
