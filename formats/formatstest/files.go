// Package formatstest has helpers for tests of all formats: small files of every format and layout, golden dumps, and
// the properties that every document must have.
package formatstest

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/assets"
	"assay/formats/casset/cassettest"
	"assay/formats/dprsim/dprsimtest"
	"assay/formats/gpb"
	"assay/formats/gpb/gpbtest"
	"assay/formats/gpb/properties"
	"assay/formats/ppac/ppactest"
)

// Files returns small files of every system and layout by their names, as the project's own writers make them.
func Files(t testing.TB) map[string][]byte {
	t.Helper()
	files := make(map[string][]byte)
	for _, s := range assets.Samples() {
		files[s.Name] = s.Bytes
	}
	addBundles(t, files)
	for _, l := range cassettest.Layouts() {
		files[l.String()+".casset"] = cassettest.Write(l, cassettest.Sample())
	}
	addArchives(t, files)
	addSimulations(t, files)
	return files
}

func addBundles(t testing.TB, files map[string][]byte) {
	for _, v := range gpbtest.Versions() {
		files["scene "+v.Name+".gpb"] = gpbtest.Encode(t, gpbtest.Small(), v, gpbtest.ByID)
	}
	for _, v := range []gpbtest.Version{gpbtest.ExporterA, gpbtest.ExporterB, gpbtest.ExporterC} {
		files["scene "+v.Name+".gpb"] = gpbtest.Encode(t, gpbtest.ExporterFile(true, 1), v, gpbtest.ByOffset)
	}
	files["font 1.5 flag.gpb"] = gpbtest.Encode(t, &gpb.File{Container: gpb.NoList,
		Objects: []gpb.Object{gpbtest.Font("font", 7, 9)}}, gpbtest.V15Flag, gpbtest.ByID)
	files["room.scene"] = gpbtest.WriteText(sceneText())
	files["land.terrain"] = gpbtest.WriteText(terrainText())
	files["crate.material"] = []byte("\xEF\xBB\xBF// made for tests\r\n\r\n" +
		string(gpbtest.WriteText(materialText())) + "/* the end\n*/ \n")
}

// materialText returns a text of a material and one that inherits from it.
func materialText() *properties.Namespace {
	pass := gpbtest.Space("pass 0", "vertexShader=res/shaders/textured.vert", "u_ambientColor=0.1, 0.2, 0.3")
	sampler := gpbtest.Space("sampler u_diffuseTexture", "path=@crate", "mipmap=true")
	technique := gpbtest.Space("technique")
	technique.Children = append(technique.Children, pass)
	base := gpbtest.Space("material base", "${x}=1")
	base.Children = append(base.Children, sampler, technique)
	return &properties.Namespace{Children: []*properties.Namespace{base,
		gpbtest.Space("material crate : base", "u_x=${x}")}}
}

// sceneText returns the text of a scene: a bundle with a node of parts with materials, a lamp, and a terrain.
func sceneText() *properties.Namespace {
	crate := gpbtest.Space("node crate", "material=res/crate.material#crate", "material[0]=@crate",
		"translate=1, 2, 3", "rotate=0, 1, 0, 90")
	shining := gpbtest.Space("node lamp")
	shining.Children = append(shining.Children, gpbtest.Space("light", "type=POINT", "color=1, 0.5, 0", "range=9"))
	land := gpbtest.Space("node land : crate", "terrain=res/land.terrain")
	room := gpbtest.Space("scene room", "path=res/crate.gpb", "activeCamera=cam", "ambientColor=0.1, 0.2, 0.3")
	room.Children = append(room.Children, crate, shining, land,
		gpbtest.Space("physics", "gravity=0.0, -9.8, 0.0"))
	return &properties.Namespace{Children: []*properties.Namespace{room}}
}

// terrainText returns the text of a terrain of two layers.
func terrainText() *properties.Namespace {
	land := gpbtest.Space("terrain", "size=4, 8, 6", "patchSize=2")
	land.Children = append(land.Children, gpbtest.Space("heightmap", "path=heights.raw", "size=3, 2"))
	for _, path := range []string{"grass.png", "rock.png"} {
		layer := gpbtest.Space("layer")
		layer.Children = append(layer.Children, gpbtest.Space("texture", "path="+path, "repeat=10, 20"),
			gpbtest.Space("blend", "path=blend.png", "channel=R"))
		land.Children = append(land.Children, layer)
	}
	return &properties.Namespace{Children: []*properties.Namespace{land}}
}

func addArchives(t testing.TB, files map[string][]byte) {
	for name, a := range map[string]ppactest.Archive{
		"narrow.pac":     {},
		"wide size.pac":  {Flags: 1},
		"wide place.pac": {Flags: 2},
		"wide.pac":       {Flags: 3},
		"memory.pac":     {Layout: ppactest.Layout{SizeWidth: 4, PositionWidth: 4, MemorySize: true}},
		"later.ppac":     {Layout: ppactest.Layout{Later: true, SizeWidth: 4, PositionWidth: 4}},
		"long.ppac":      {Layout: ppactest.Layout{Later: true, SizeWidth: 4, PositionWidth: 8}, Flags: 1},
		"old.ppac":       {Layout: ppactest.Layout{Later: true, SizeWidth: 4, PositionWidth: 4}, OldGuard: true, NoIDs: true},
	} {
		for i := range uint32(12) {
			a.Assets = append(a.Assets, ppactest.Asset{TPU: ppactest.NewTPU(0x100, 1, i), Created: 1000, Modified: 2000,
				Content:  bytes.Repeat([]byte{byte(i), 7}, 20+int(i)),
				Metadata: ppactest.Pairs("filename", fmt.Sprint("f", i))})
		}
		a.Assets[3].Codec = ppactest.Zlib
		a.Metadata = ppactest.Pairs("title", "made")
		var b bytes.Buffer
		require.NoError(t, ppactest.Write(&b, a))
		files[name] = b.Bytes()
	}
}

func addSimulations(t testing.TB, files map[string][]byte) {
	for name, l := range map[string]dprsimtest.Layout{
		"cube.world": {}, "prose.world": {Prose: true}, "together.state": {Together: true},
		"inclusive.state": {Inclusive: true}, "short.state": {Short: true},
	} {
		var b bytes.Buffer
		s := dprsimtest.NewStateWriter(&b, l, dprsimtest.SimpleCubic,
			dprsimtest.Listing{Name: "Spin", Version: 2, Types: "Na3", Names: "rate:tag"})
		for i := range uint32(20) {
			s.Catom(i%18, []byte{byte(i), 1, 2, 10, 20, 30, 255, 9}, []byte{0, 0, 0, byte(i), 'a', 'b', 'c'})
		}
		require.NoError(t, s.Close())
		files[name] = b.Bytes()
	}
}
