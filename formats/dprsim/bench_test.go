package dprsim

import (
	"bufio"
	"context"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/formats/dprsim/dprsimtest"
	"assay/model"
	"assay/model/query"
)

const million = 1_000_000

// millionFile writes a state with a million catoms: of _sim alone, or if uneven, with a module whose states have
// different sizes.
func millionFile(b *testing.B, uneven bool) string {
	path := filepath.Join(b.TempDir(), "million.state")
	f, err := os.Create(path)
	require.NoError(b, err)
	out := bufio.NewWriterSize(f, 1<<20)
	modules := []dprsimtest.Listing{dprsimtest.SimpleCubic}
	if uneven {
		modules = append(modules, dprsimtest.Listing{Name: "Label", Version: 1, Types: "nfa*",
			Names: "ticks:level:text"})
	}
	s := dprsimtest.NewStateWriter(out, dprsimtest.Layout{}, modules...)
	for i := range million {
		states := [][]byte{{byte(i), byte(i >> 8), byte(i >> 16), byte(i * 7), byte(i * 13), byte(i * 31), 255,
			byte(i % 101)}}
		if uneven {
			label := "label"[:i%6]
			states = append(states, dprsimtest.Values(uint16(i%1000), dprsimtest.Little(float32(i)/3), label))
		}
		s.Catom(uint32(i*2654435761), states...)
	}
	require.NoError(b, s.Close())
	require.NoError(b, out.Flush())
	require.NoError(b, f.Close())
	return path
}

func openMillion(b *testing.B, uneven bool) *model.Document {
	src, err := model.OpenFile(millionFile(b, uneven))
	require.NoError(b, err)
	b.Cleanup(func() { src.Close() })
	d, err := Open(context.Background(), src)
	require.NoError(b, err)
	return d
}

var shapes = []struct {
	name   string
	uneven bool
}{{"sim", false}, {"uneven", true}}

// heapSize is the memory that is in use after a collection.
func heapSize() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

func BenchmarkOpenMillion(b *testing.B) {
	for _, shape := range shapes {
		b.Run(shape.name, func(b *testing.B) {
			path := millionFile(b, shape.uneven)
			var kept float64
			for b.Loop() {
				b.StopTimer()
				before := heapSize()
				b.StartTimer()
				src, err := model.OpenFile(path)
				require.NoError(b, err)
				d, err := Open(context.Background(), src)
				require.NoError(b, err)
				b.StopTimer()
				kept = float64(heapSize()) - float64(before)
				require.EqualValues(b, million, catomList(d).Len())
				src.Close()
				b.StartTimer()
			}
			b.ReportMetric(kept, "retained-B")
		})
	}
}

// catomList returns the list of catoms of a state of millionFile.
func catomList(d *model.Document) *model.Node {
	chunks := d.Root().ChildNamed("chunks")
	return chunks.Child(chunks.Len() - 1).ChildNamed("content").ChildNamed("catoms")
}

func BenchmarkScroll(b *testing.B) {
	for _, shape := range shapes {
		b.Run(shape.name, func(b *testing.B) {
			list := catomList(openMillion(b, shape.uneven))
			row := 0
			for b.Loop() {
				for range 50 {
					c := list.Child(row)
					if c.Child(2).Child(0).Len() != 9 {
						b.Fatal("a catom is not whole")
					}
					row++
				}
				row = (row + 123_457) % (million - 50)
			}
		})
	}
}

func BenchmarkCheckMillion(b *testing.B) {
	for _, shape := range shapes {
		b.Run(shape.name, func(b *testing.B) {
			d := openMillion(b, shape.uneven)
			for b.Loop() {
				r, err := d.Check(context.Background(), nil)
				require.NoError(b, err)
				require.Equal(b, d.Source.Size(), r.Accounted)
			}
		})
	}
}

func BenchmarkDumpMillion(b *testing.B) {
	d := openMillion(b, false)
	r, err := d.Check(context.Background(), nil)
	require.NoError(b, err)
	var highest uint64
	for b.Loop() {
		n := &counter{highest: &highest}
		require.NoError(b, d.Dump(context.Background(), n, r))
		b.SetBytes(n.bytes)
	}
	b.ReportMetric(float64(highest), "heap-B")
}

// counter counts what is written, and looks at the heap now and then.
type counter struct {
	bytes   int64
	writes  int
	highest *uint64
}

func (c *counter) Write(p []byte) (int, error) {
	c.bytes += int64(len(p))
	if c.writes++; c.writes%2048 == 0 {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		*c.highest = max(*c.highest, m.HeapAlloc)
	}
	return len(p), nil
}

func BenchmarkTable(b *testing.B) {
	for _, shape := range shapes {
		d := openMillion(b, shape.uneven)
		t, err := d.Tables[0].Open(context.Background())
		require.NoError(b, err)
		for i := range t.Columns {
			if name := t.Columns[i].Name; name == "id" || name == "bat" || name == "level" || name == "text" {
				b.Run(shape.name+"/sort/"+name, func(b *testing.B) {
					for b.Loop() {
						order, err := query.Sort(context.Background(), t, nil, i, false)
						require.NoError(b, err)
						require.Len(b, order, million)
					}
				})
			}
		}
		b.Run(shape.name+"/filter", func(b *testing.B) {
			f, err := query.Parse(t.Title(1)+" > 5", query.TableColumns(t))
			require.NoError(b, err)
			for b.Loop() {
				_, err := query.FilterTable(context.Background(), t, nil, f, nil)
				require.NoError(b, err)
			}
		})
	}
}

func BenchmarkExportMillion(b *testing.B) {
	d := openMillion(b, false)
	for _, f := range d.Payloads.At(0).Forms {
		b.Run(f.Name, func(b *testing.B) {
			for b.Loop() {
				require.NoError(b, f.Write(context.Background(), io.Discard))
			}
		})
	}
}
