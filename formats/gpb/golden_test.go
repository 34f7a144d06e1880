package gpb_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/formats/formatstest"
	"assay/formats/gpb"
	"assay/formats/gpb/gpbtest"
)

// change is a damage: bytes that are written at an offset from where an object begins, or the file begins if it has no
// id. A cut instead ends the file there.
type change struct {
	id    string
	at    int
	bytes string
	cut   bool
}

// TestGoldenProblems compares all messages about damaged bundles.
func TestGoldenProblems(t *testing.T) {
	const version, count = 9, 11
	name := func(id string) int { return 4 + len("Family of "+id) }
	small := func(v gpbtest.Version) (string, []byte) {
		return "gpbtest.Small as " + v.Name, gpbtest.Encode(t, gpbtest.Small(), v, gpbtest.ByID)
	}
	of := func(how string, v gpbtest.Version, f *gpb.File) func() (string, []byte) {
		return func() (string, []byte) {
			return how + " as " + v.Name, gpbtest.Encode(t, f, v, gpbtest.ByID)
		}
	}
	as := func(v gpbtest.Version) func() (string, []byte) { return func() (string, []byte) { return small(v) } }
	alone := func(f *gpb.Font) *gpb.File { return &gpb.File{Container: gpb.NoList, Objects: []gpb.Object{f}} }
	animated := func(ch *gpb.Channel) *gpb.File {
		return &gpb.File{Objects: []gpb.Object{gpbtest.SceneOf(&gpb.Node{ID: "n", Transform: gpbtest.Identity}),
			&gpb.Animations{ID: "a", List: []*gpb.Animation{{Name: "walk", Channels: []*gpb.Channel{ch}}}}}}
	}
	short := gpbtest.Channel("nobody", 9)
	short.Values = gpbtest.Floats(1, 2)
	dark := gpbtest.Font("f", 7)
	dark.Sizes[0].Format = 9
	large := gpbtest.Font("f", 7)
	large.Sizes[0].Width = 100
	strange := &gpb.Node{ID: "top", Transform: gpbtest.Identity, Children: []*gpb.Node{
		{ID: "below", Parent: "elsewhere", Transform: gpbtest.Identity, Model: &gpb.Model{Mesh: "#below"}}}}
	var files []formatstest.Damaged
	for _, c := range []struct {
		name   string
		made   func() (string, []byte)
		change change
	}{
		{"no byte after the identifier", as(gpbtest.V12), change{at: version, cut: true}},
		{"cut in the table", as(gpbtest.V12), change{at: 40, cut: true}},
		{"cut in the last object", as(gpbtest.V15), change{id: "font", at: 20, cut: true}},
		{"a version of another time", as(gpbtest.V12), change{at: version, bytes: "\x07\x03"}},
		{"the version of another layout", as(gpbtest.V12), change{at: version + 1, bytes: "\x03"}},
		{"count of references", as(gpbtest.V12), change{at: count, bytes: "\xff\xff\xff\xff"}},
		{"a reference less", as(gpbtest.V12), change{at: count, bytes: "\x09\x00\x00\x00"}},
		{"an empty id", func() (string, []byte) {
			b, _ := gpbtest.MeshAround(nil)
			b = append(append(le32(1), b...), le32(0)...)
			return "gpbtest.Raw of a mesh without an id", gpbtest.Raw(b, gpb.Reference{Type: gpb.TypeMesh, Offset: 4})
		}, change{}},
		{"the length of an id", as(gpbtest.V12), change{at: count + 4, bytes: "\xff\xff\xff\xff"}},
		{"an id twice", of("meshes aa and ab", gpbtest.V12, &gpb.File{
			Meshes: []*gpb.Mesh{gpbtest.Triangle("aa"), gpbtest.Triangle("ab")}}), change{at: count + 9, bytes: "b"}},
		{"a type that is not known", as(gpbtest.V12), change{at: count + 4 + 4 + len("__Animations__"), bytes: "\x63"}},
		{"an offset outside", as(gpbtest.V12), change{at: count + 8 + 4 + len("__Animations__"), bytes: "\xff\xff\xff\x0f"}},
		{"an offset in the table", as(gpbtest.V12), change{at: count + 8 + 4 + len("__Animations__"), bytes: "\x10\x00"}},
		{"an offset where nothing begins", as(gpbtest.V12),
			change{at: count + 8 + 4 + len("__Animations__"), bytes: "\x60\x02"}},
		{"two references to one offset", func() (string, []byte) {
			b, _ := gpbtest.MeshAround(nil)
			b = append(append(le32(1), b...), le32(0)...)
			return "gpbtest.Raw of a mesh with two references", gpbtest.Raw(b,
				gpb.Reference{ID: "a", Type: gpb.TypeMesh, Offset: 4}, gpb.Reference{ID: "b", Type: gpb.TypeMesh, Offset: 4})
		}, change{}},
		{"references into vertices", func() (string, []byte) {
			b, before := gpbtest.MeshAround(bytes.Repeat([]byte{9}, 240))
			b = append(append(le32(1), b...), le32(0)...)
			return "gpbtest.Raw of a mesh, with a reference to its vertices", gpbtest.Raw(b,
				gpb.Reference{ID: "a", Type: gpb.TypeMesh, Offset: 4},
				gpb.Reference{ID: "b", Type: gpb.TypeNode, Offset: uint32(4 + before)})
		}, change{}},
		{"count of meshes", as(gpbtest.V12), change{id: "mesh", at: -4, bytes: "\xff\xff\xff\xff"}},
		{"no meshes", as(gpbtest.V12), change{id: "mesh", at: -4, bytes: "\x00\x00\x00\x00"}},
		{"an object less", as(gpbtest.V12), change{id: "scene", at: -4, bytes: "\x02"}},
		{"an object more", as(gpbtest.V12), change{id: "scene", at: -4, bytes: "\x04"}},
		{"count of vertex elements", as(gpbtest.V12), change{id: "mesh", bytes: "\xff\xff\xff\xff"}},
		{"no vertex elements", as(gpbtest.V12), change{id: "mesh", bytes: "\x00"}},
		{"vertex usage", as(gpbtest.V12), change{id: "mesh", at: 4, bytes: "\x10"}},
		{"vertex size", as(gpbtest.V12), change{id: "mesh", at: 8, bytes: "\xff\xff\xff\xff"}},
		{"half a vertex", as(gpbtest.V12), change{id: "mesh", at: 8, bytes: "\x02"}},
		{"primitive type", as(gpbtest.V12), change{id: "mesh", at: 16 + 36 + 40 + 4, bytes: "\x09"}},
		{"index format", as(gpbtest.V12), change{id: "mesh", at: 16 + 36 + 40 + 8, bytes: "\x09"}},
		{"indices of half a size", as(gpbtest.V12), change{id: "mesh", at: 16 + 36 + 40 + 8, bytes: "\x05\x14"}},
		{"node type", as(gpbtest.V12), change{id: "body", bytes: "\x03"}},
		{"count of children", as(gpbtest.V12), change{id: "cam", at: 72, bytes: "\x40\x42\x0f"}},
		{"nodes and meshes of other names", of("a node with two others' names", gpbtest.V12,
			&gpb.File{Objects: []gpb.Object{gpbtest.SceneOf(strange)}}), change{}},
		{"camera type", as(gpbtest.V12), change{id: "camShape", bytes: "\x09"}},
		{"light type", as(gpbtest.V12), change{id: "lampShape", bytes: "\xff"}},
		{"hasSkin", as(gpbtest.V12), change{id: "joint", at: 4 + 64 + 8 + 4 + 1 + 1 + 4 + 1 + 1 + 9, bytes: "\x05"}},
		{"bind poses", of("a skin without them", gpbtest.V12, &gpb.File{Meshes: []*gpb.Mesh{gpbtest.Triangle("m")},
			Objects: []gpb.Object{gpbtest.SceneOf(&gpb.Node{ID: "n", Transform: gpbtest.Identity,
				Model: &gpb.Model{Mesh: "#m", Skin: &gpb.Skin{Joints: []string{"#n"}}}})}}), change{}},
		{"count of channels", as(gpbtest.V12), change{id: "__Animations__", at: 12, bytes: "\xff\xff\xff\xff"}},
		{"values that are missing, of no node", of("gpbtest.Channel with two values", gpbtest.V12, animated(short)),
			change{}},
		{"target attribute", of("gpbtest.Channel of attribute 99", gpbtest.V12, animated(gpbtest.Channel("n", 99))),
			change{}},
		{"a key before the one before", func() (string, []byte) {
			return "gpbtest.Moves(0, 1000, 1000)", gpbtest.Moves(t, 0, 1000, 1000)
		}, change{}},
		{"style", as(gpbtest.V12), change{id: "font", at: name("font"), bytes: "\x03"}},
		{"picture of another size", of("gpbtest.Font with another width", gpbtest.V15, alone(large)), change{}},
		{"format of a font", of("gpbtest.Font of the format 9", gpbtest.V13, alone(dark)), change{}},
		{"flag of a font", of("gpbtest.Font", gpbtest.V15Flag, alone(gpbtest.Font("f", 7))),
			change{id: "f", at: name("f") + 4, bytes: "\x02"}},
		{"a font file of another kind", of("a font with a file", gpbtest.V15Flag, alone(&gpb.Font{ID: "f", Unicode: true,
			File: gpbtest.Bytes([]byte("PNG, not a font"))})), change{}},
		{"a font that only the table knows", func() (string, []byte) {
			return "gpbtest.Font a, 8 bytes, gpbtest.Font b", twoFonts(t)
		}, change{}},
		{"a mesh that is of an unknown type", func() (string, []byte) {
			o := gpbtest.SceneOf(&gpb.Node{ID: "n", Transform: gpbtest.Identity, Model: &gpb.Model{Mesh: "#mesh"}})
			return "a node with a mesh that has a reference of the type 99", gpbtest.Encode(t, &gpb.File{
				Objects: []gpb.Object{o}, References: []gpb.Reference{{ID: "mesh", Type: 99}}}, gpbtest.V12, gpbtest.ByID)
		}, change{}},
		{"an exporter's table of too few", func() (string, []byte) {
			b := gpbtest.Encode(t, gpbtest.ExporterFile(true, 1), gpbtest.ExporterA, gpbtest.ByOffset)
			gpbtest.Miscount(b, -3)
			return "gpbtest.Exported as exporter a, its count 3 less", b
		}, change{}},
		{"an exporter's file without its end", func() (string, []byte) {
			b := gpbtest.Encode(t, gpbtest.ExporterFile(true, 1), gpbtest.ExporterC, gpbtest.ByOffset)
			return "gpbtest.Exported as exporter c, without its last 60 bytes", b[:len(b)-60]
		}, change{}},
		{"objects inside of others", func() (string, []byte) {
			return "gpbtest.NestedMeshes(3)", gpbtest.NestedMeshes(3)
		}, change{}},
	} {
		made, b := c.made()
		made, b = c.change.of(t, made, b)
		d, _ := checkInvariants(t, b)
		files = append(files, formatstest.Damaged{Name: c.name, Made: made, Document: d})
	}
	formatstest.GoldenProblems(t, "damaged", files)
}

// twoFonts returns a font file with 8 bytes and another font after its font.
func twoFonts(t testing.TB) []byte {
	body := func(id string, size uint32) []byte {
		f := &gpb.File{Container: gpb.NoList, Objects: []gpb.Object{gpbtest.Font(id, size)}}
		b := gpbtest.Encode(t, f, gpbtest.V12, gpbtest.ByID)
		return b[15+12+len(id):]
	}
	a, b := body("a", 7), body("b", 8)
	return gpbtest.Raw(slices.Concat(a, make([]byte, 8), b), gpb.Reference{ID: "a", Type: gpb.TypeFont},
		gpb.Reference{ID: "b", Type: gpb.TypeFont, Offset: uint32(len(a) + 8)})
}

func le32(v uint32) []byte { return binary.LittleEndian.AppendUint32(nil, v) }

// of returns a bundle with the change, and how it was made.
func (c change) of(t *testing.T, made string, b []byte) (string, []byte) {
	if !c.cut && c.bytes == "" {
		return made, b
	}
	where, at := fmt.Sprintf("offset %d", c.at), c.at
	if c.id != "" {
		d, _ := open(t, b)
		path, ok := d.FindKey(c.id)
		require.True(t, ok, c.id)
		where, at = fmt.Sprintf("offset %+d of %s", c.at, c.id), int(d.At(path).Offset)+c.at
	}
	if c.cut {
		return made + ", cut at " + where, b[:at]
	}
	b = bytes.Clone(b)
	copy(b[at:], c.bytes)
	return fmt.Sprintf("%s, at %s % x", made, where, c.bytes), b
}
