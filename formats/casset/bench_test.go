package casset

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"runtime"
	"testing"

	"assay/formats/casset/cassettest"
	"assay/model"
)

// manyObjects returns a file of n objects in a tree, with the fields that objects have.
func manyObjects(n int) *cassettest.Content {
	file := cassettest.ID("/Game/Many")
	c := &cassettest.Content{ID: file, Name: "/Game/Many"}
	for i := range n {
		var id cassettest.UUID
		order.PutUint64(id[:], uint64(i)*0x9E3779B97F4A7C15+1)
		path := fmt.Sprintf("Level%d.Group%d.Node%d", i%10, i%500, i)
		c.Objects = append(c.Objects, cassettest.ObjectContent{ID: id, Path: path, Name: fmt.Sprintf("Node%d", i),
			Class: "/Code/Game.Game::Node", Fields: cassettest.Fields(
				"name", path, "uuid", id, "attachedObjects", cassettest.Store{}, "outer",
				cassettest.Ref{Object: file, Bundle: file, Class: "/Code/Core.CE::Bundle", Package: "/Game/Many"},
				"place", cassettest.Vec{1, 2, 3}, "numbers",
				cassettest.ListOf(uint32(0), uint32(1), uint32(2), uint32(3)),
				"part", cassettest.StructOf("/Code/Game.Game::Part", "label", "x", "weight", float32(1)))})
	}
	return c
}

var benched = []cassettest.Layout{cassettest.Package12Late, cassettest.Bundle20, cassettest.Bundle30Published,
	cassettest.Bundle30R1118, cassettest.Bundle30}

func source(l cassettest.Layout, c *cassettest.Content) *model.Source {
	b := cassettest.Write(l, c)
	return model.NewSource("many.casset", bytes.NewReader(b), int64(len(b)))
}

// BenchmarkOpen50k opens a file of 50,000 objects: schema and list of objects. B/object is what stays in memory.
func BenchmarkOpen50k(b *testing.B) {
	const n = 50_000
	for _, l := range benched {
		b.Run(l.String(), func(b *testing.B) {
			src := source(l, manyObjects(n))
			var before, after runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&before)
			doc, err := openDocument(context.Background(), src, newBundleFiles())
			if err != nil {
				b.Fatal(err)
			}
			runtime.GC()
			runtime.ReadMemStats(&after)
			if got := doc.Root().ChildNamed("objects"); got == nil || got.Len() < n {
				b.Fatal("not all objects are listed")
			}
			runtime.KeepAlive(doc)
			for b.Loop() {
				if _, err := openDocument(context.Background(), src, newBundleFiles()); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(int64(after.HeapAlloc)-int64(before.HeapAlloc))/n, "B/object")
		})
	}
}

// BenchmarkObjectFields decodes one object of many, all its fields.
func BenchmarkObjectFields(b *testing.B) {
	for _, l := range benched {
		b.Run(l.String(), func(b *testing.B) {
			c := manyObjects(50_000)
			c.Objects = append(c.Objects, cassettest.Sample().Objects[1])
			doc, err := openDocument(context.Background(), source(l, c), newBundleFiles())
			if err != nil {
				b.Fatal(err)
			}
			objects := doc.Root().ChildNamed("objects")
			at := objects.Len() - 1
			for objects.Child(at).Type != "Object" {
				at--
			}
			for b.Loop() {
				o := objects.Child(at)
				if o.ChildNamed("fields").Len() < 30 {
					b.Fatal("not all fields are there")
				}
			}
		})
	}
}

// BenchmarkDumpEmptyStructs writes an array of 200,000 structs with nothing in them.
func BenchmarkDumpEmptyStructs(b *testing.B) {
	elements := make([]any, 200_000)
	for i := range elements {
		elements[i] = cassettest.Struct{Type: "/Code/Game.Game::Empty"}
	}
	for _, l := range []cassettest.Layout{cassettest.Bundle20, cassettest.Bundle30Published, cassettest.Bundle30R1118} {
		b.Run(l.String(), func(b *testing.B) {
			doc, err := openDocument(context.Background(),
				source(l, oneObject("empty", cassettest.ListOf(elements[0], elements...))), newBundleFiles())
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				if err := doc.Dump(context.Background(), io.Discard, new(model.Report)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkFindKey finds objects by UUID, the index being there.
func BenchmarkFindKey(b *testing.B) {
	doc, err := openDocument(context.Background(), source(cassettest.Bundle30, manyObjects(50_000)), newBundleFiles())
	if err != nil {
		b.Fatal(err)
	}
	objects := doc.Root().ChildNamed("objects")
	key := objects.Child(objects.Len() / 2).Key
	for b.Loop() {
		if _, ok := doc.FindKey(key); !ok {
			b.Fatal("the object is not found")
		}
	}
}

// BenchmarkCheck50k looks at every byte of a file of 50,000 objects.
func BenchmarkCheck50k(b *testing.B) {
	for _, l := range benched {
		b.Run(l.String(), func(b *testing.B) {
			doc, err := openDocument(context.Background(), source(l, manyObjects(50_000)), newBundleFiles())
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				if r, err := doc.Check(context.Background(), nil); err != nil || r.Bad() {
					b.Fatal(err, r)
				}
			}
		})
	}
}
