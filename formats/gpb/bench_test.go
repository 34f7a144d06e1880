package gpb_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/formats/gpb"
	"assay/formats/gpb/gpbtest"
)

// bigScene returns a file like the largest real scenes: 32 meshes, some 110 nodes with a skeleton, 640 channels; 2.7
// MB.
func bigScene() *gpb.File {
	format := []gpb.VertexElement{{Usage: 1, Size: 3}, {Usage: 2, Size: 3}, {Usage: 8, Size: 2}, {Usage: 6, Size: 4},
		{Usage: 7, Size: 4}}
	f := &gpb.File{}
	joints := gpbtest.Chain(76)
	root := &gpb.Node{ID: "root", Transform: gpbtest.Identity, Children: []*gpb.Node{joints}}
	var xrefs []string
	for i := range 76 {
		xrefs = append(xrefs, fmt.Sprint("#n", i))
	}
	indices := make([]uint32, 3*600)
	for i := range indices {
		indices[i] = uint32(i*7) % 400
	}
	for i := range 32 {
		id := fmt.Sprint("mesh", i)
		f.Meshes = append(f.Meshes, gpbtest.Mesh(id, format, 680, gpbtest.Part(gpb.Triangles, gpb.Index16, indices...)))
		m := &gpb.Model{Mesh: "#" + id}
		if i%4 == 0 {
			m.Skin = &gpb.Skin{BindShape: gpbtest.Identity, Joints: xrefs,
				BindPoses: gpbtest.Floats(make([]float32, 16*76)...)}
		}
		root.Children = append(root.Children, &gpb.Node{ID: fmt.Sprint("node", i), Transform: gpbtest.Identity, Model: m})
	}
	a := &gpb.Animation{Name: "walk"}
	for i := range 640 {
		ch := gpbtest.Channel(fmt.Sprint("n", i%76), 17)
		times, values := make([]uint32, 40), make([]float32, 400)
		for k := range times {
			times[k] = uint32(k) * 33
			values[10*k] = float32(math.Sin(float64(k)))
		}
		ch.Times, ch.Values = gpbtest.Uints(times...), gpbtest.Floats(values...)
		a.Channels = append(a.Channels, ch)
	}
	f.Objects = []gpb.Object{gpbtest.SceneOf(root), &gpb.Animations{ID: "__Animations__", List: []*gpb.Animation{a}}}
	return f
}

// BenchmarkOpen27 opens a scene of 2.7 MB: all nodes but those of vertices.
func BenchmarkOpen27(b *testing.B) {
	for _, v := range []gpbtest.Version{gpbtest.V12, gpbtest.V11Document} {
		b.Run(v.Name, func(b *testing.B) {
			file := gpbtest.Encode(b, bigScene(), v, gpbtest.ByID)
			b.SetBytes(int64(len(file)))
			b.ReportAllocs()
			for b.Loop() {
				_, err := gpb.Open(context.Background(), gpbtest.Source(file))
				require.NoError(b, err)
			}
		})
	}
}

// BenchmarkOpenDeep opens 5,000 nodes, each in the one before it.
func BenchmarkOpenDeep(b *testing.B) {
	file := gpbtest.Encode(b, &gpb.File{Objects: []gpb.Object{gpbtest.SceneOf(gpbtest.Chain(5000))}},
		gpbtest.V12, gpbtest.ByID)
	b.ReportAllocs()
	for b.Loop() {
		_, err := gpb.Open(context.Background(), gpbtest.Source(file))
		require.NoError(b, err)
	}
}

// BenchmarkOpenDamaged opens the big scene without its last tenth.
func BenchmarkOpenDamaged(b *testing.B) {
	file := gpbtest.Encode(b, bigScene(), gpbtest.V12, gpbtest.ByID)
	file = file[:len(file)*9/10]
	b.ReportAllocs()
	for b.Loop() {
		_, err := gpb.Open(context.Background(), gpbtest.Source(file))
		require.NoError(b, err)
	}
}
