package gpb_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"runtime"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/formats/formatstest"
	"assay/formats/gpb"
	"assay/formats/gpb/gpbtest"
	"assay/model"
)

// checkInvariants opens b and tests the properties of all documents.
func checkInvariants(t testing.TB, b []byte) (*model.Document, *model.Report) {
	t.Helper()
	d, report := open(t, b)
	var gaps int64
	for _, g := range report.Gaps {
		gaps += g.Size
	}
	require.EqualValues(t, len(b), report.Accounted+gaps)

	owned := make([]bool, len(b))
	require.NoError(t, model.Walk(d.Root(), func(n *model.Node) (bool, error) {
		require.True(t, n.Span.Within(int64(len(b))), "%s is at %s of %d", n.PathText(), n.Span, len(b))
		if n.Leaf() && n.Parent != nil {
			for i := n.Offset; i < n.End(); i++ {
				owned[i] = true
			}
		}
		if n.Link != nil && n.Link.Target != nil {
			if p, ok := n.Link.Target(); ok {
				require.NotNil(t, d.At(p))
			}
		}
		return true, nil
	}, nil))
	count := 0
	for _, o := range owned {
		if o {
			count++
		}
	}
	require.EqualValues(t, report.Accounted, count)
	for _, p := range report.Problems {
		require.NotEmpty(t, p.Message)
		require.True(t, p.Span.Offset >= 0 && p.Span.Offset <= int64(len(b)), "%s", p.Message)
	}
	require.NoError(t, d.Dump(context.Background(), io.Discard, report))
	return d, report
}

func TestTruncatedFilesAreReported(t *testing.T) {
	for _, v := range []gpbtest.Version{gpbtest.V11, gpbtest.V15} {
		whole := gpbtest.Encode(t, gpbtest.Small(), v, gpbtest.ByID)
		for n := range formatstest.Sweep(len(whole)) {
			_, report := checkInvariants(t, whole[:n])
			require.True(t, report.Bad(), "%s, %d of %d bytes", v.Name, n, len(whole))
		}
	}
}

func TestFlippedBytesKeepTheInvariants(t *testing.T) {
	for mask, v := range map[byte]gpbtest.Version{0x01: gpbtest.V10a, 0xFF: gpbtest.V11, 0x80: gpbtest.V11Document,
		0x7F: gpbtest.V15} {
		whole := gpbtest.Encode(t, gpbtest.Small(), v, gpbtest.ByID)
		for i := range formatstest.Sweep(len(whole)) {
			b := bytes.Clone(whole)
			b[i] ^= mask
			checkInvariants(t, b)
		}
	}
}

func TestNumbersAtTheirLimitKeepTheInvariants(t *testing.T) {
	whole := gpbtest.Encode(t, gpbtest.Small(), gpbtest.V12, gpbtest.ByID)
	for i := range formatstest.Sweep(len(whole) - 4) {
		b := bytes.Clone(whole)
		copy(b[i:], "\xff\xff\xff\xff")
		checkInvariants(t, b)
	}
}

// keyOffsets returns the offsets of the nodes with a key, by key. It omits references.
func keyOffsets(d *model.Document) map[string]int64 {
	out := make(map[string]int64)
	_ = model.Walk(d.Root(), func(n *model.Node) (bool, error) {
		if n.Key != "" && n.Type != "Reference" {
			out[n.Key] = n.Offset
		}
		return true, nil
	}, nil)
	return out
}

func TestValidObjectsOfDamagedFilesAreRead(t *testing.T) {
	whole := gpbtest.Encode(t, gpbtest.Small(), gpbtest.V12, gpbtest.ByID)
	sound := keyOffsets(requireSound(t, whole))
	place := func(id string) int { return int(sound[id]) }
	const table = 11 // the count of references

	tests := map[string]struct {
		at    int
		bytes string
		lost  []string
		path  string // of the first problem
	}{
		"count of references":  {table, "\xff\xff\xff\xff", nil, "/references/count"},
		"a reference more":     {table, "\x0c\x00\x00\x00", nil, "/references/count"},
		"many references more": {table, "\x10\x00\x00\x00", nil, "/references/count"},
		"count of meshes":      {place("mesh") - 4, "\xff\xff\xff\xff", nil, "/"},
		"no meshes":            {place("mesh") - 4, "\x00\x00\x00\x00", nil, "/objects"},
		"count of objects":     {place("scene") - 4, "\xff\xff\xff\x00", nil, "/"},
		"an object less":       {place("scene") - 4, "\x02\x00\x00\x00", nil, "/recovered"},
		"an object more":       {place("scene") - 4, "\x04\x00\x00\x00", nil, "/objects"},
		"vertex elements":      {place("mesh"), "\xff\xff\xff\xff", nil, "/meshes/0/vertexFormat"},
		"no vertex elements":   {place("mesh"), "\x00\x00\x00\x00", nil, "/meshes/0/vertices"},
		"vertex usage":         {place("mesh") + 4, "\x10\x00\x00\x00", nil, "/meshes/0/vertexFormat/0/usage"},
		"vertex size":          {place("mesh") + 8, "\xff\xff\xff\xff", nil, "/meshes/0/vertices"},
		"node type":            {place("body"), "\x03\x00\x00\x00", []string{"body"}, "/objects/0/nodes/0"},
		"children": {place("body") + 72, "\x40\x42\x0f\x00", []string{"body"},
			"/objects/0/nodes/0/children"},
		"camera type": {place("camShape"), "\x09", []string{"cam"}, "/objects/0/nodes/1/camera"},
		"light type":  {place("lampShape"), "\xff", []string{"lamp"}, "/objects/0/nodes/2/light"},
		"channels": {place("__Animations__") + 12, "\xff\xff\xff\xff", nil,
			"/objects/1/animations/0/channels"},
		"style": {place("font") + 4 + len("Family of font"), "\x03\x00\x00\x00", nil, "/objects/2/style"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			b := bytes.Clone(whole)
			copy(b[test.at:], test.bytes)
			d, report := checkInvariants(t, b)
			require.True(t, report.Bad())
			i := slices.IndexFunc(report.Problems, func(p model.Problem) bool { return p.Severity > model.Note })
			assert.Equal(t, test.path, report.Problems[i].Path, report.Problems[i].Message)
			got := keyOffsets(d)
			for key, off := range sound {
				if !slices.Contains(test.lost, key) && key != "joint TRANSLATE" {
					assert.Equal(t, off, got[key], key)
				}
			}
		})
	}
}

// TestDamagedIDLengthHidesNoReference damages the length of each id of the table, in turn.
func TestDamagedIDLengthHidesNoReference(t *testing.T) {
	for _, v := range []gpbtest.Version{gpbtest.V10a, gpbtest.V12, gpbtest.V15} {
		whole := gpbtest.Encode(t, gpbtest.Small(), v, gpbtest.ByID)
		d := requireSound(t, whole)
		refs, err := d.Find("/references")
		require.NoError(t, err)
		for i := 1; i < refs.Len(); i++ {
			ref := refs.Child(i)
			size := len(ref.Key)
			for _, said := range []int{0, size - 1, size + 1, size + 3, len(whole), 1<<31 - 1} {
				b := bytes.Clone(whole)
				binary.LittleEndian.PutUint32(b[ref.Offset:], uint32(said))
				if bytes.Equal(b, whole) {
					continue
				}
				got, report := checkInvariants(t, b)
				about := fmt.Sprintf("%s, %s: %d", v.Name, ref.Key, said)
				assert.Equal(t, keyOffsets(d), keyOffsets(got), about)
				require.NotEmpty(t, report.Problems, about)
				assert.Equal(t, ref.PathText()+"/length", report.Problems[0].Path, about)
				assert.Contains(t, report.Problems[0].Message, fmt.Sprintf("ends at %#x", ref.End()), about)
			}
		}
	}
}

// TestReferencesOfUnknownTypesHideNoOthers has two adjacent ones, with offsets and without.
func TestReferencesOfUnknownTypesHideNoOthers(t *testing.T) {
	for _, v := range []gpbtest.Version{gpbtest.V10a, gpbtest.V12, gpbtest.V15} {
		whole := gpbtest.Encode(t, gpbtest.Small(), v, gpbtest.ByID)
		d := requireSound(t, whole)
		refs, err := d.Find("/references")
		require.NoError(t, err)
		for i := 1; i+1 < refs.Len(); i++ { // the first is the count
			for _, offset := range []bool{true, false} {
				b := bytes.Clone(whole)
				for k, typ := range []uint32{10, 18} {
					end := refs.Child(i + k).End()
					binary.LittleEndian.PutUint32(b[end-8:], typ)
					if !offset {
						binary.LittleEndian.PutUint32(b[end-4:], 0)
					}
				}
				got, _ := checkInvariants(t, b)
				now, err := got.Find("/references")
				require.NoError(t, err)
				require.Equal(t, refs.Len(), now.Len(), "%s: %d", v.Name, i)
				for k := range refs.Len() {
					assert.Equal(t, refs.Child(k).Key, now.Child(k).Key, "%s: %d", v.Name, i)
				}
			}
		}
	}
}

// TestDamagedReferenceIsSkipped has a reference that is lost completely; the others are found.
func TestDamagedReferenceIsSkipped(t *testing.T) {
	whole := gpbtest.Encode(t, gpbtest.Small(), gpbtest.V12, gpbtest.ByID)
	d := requireSound(t, whole)
	broken, err := d.Find("/references/camShape")
	require.NoError(t, err)
	for _, with := range []byte{0, 0x7F, 0xFF} {
		b := bytes.Clone(whole)
		copy(b[broken.Offset:broken.End()], bytes.Repeat([]byte{with}, int(broken.Size)))
		got, report := checkInvariants(t, b)
		want := keyOffsets(d)
		delete(want, "camShape")
		for key, off := range want {
			assert.Equal(t, off, keyOffsets(got)[key], key)
		}
		assert.Equal(t, broken.Offset, report.Problems[0].Span.Offset)
	}
}

// TestFontIsFoundDespiteADamagedCount has a font after the only reference: a family, a style, which can be the number
// of a type, and a size, which can be an offset.
func TestFontIsFoundDespiteADamagedCount(t *testing.T) {
	for _, style := range []uint32{0, 1, 2, 4} {
		f := gpbtest.Font("f", 64)
		f.Style = style
		file := &gpb.File{Container: gpb.NoList, Objects: []gpb.Object{f}}
		whole := gpbtest.Encode(t, file, gpbtest.V13, gpbtest.ByID)
		for _, count := range []string{"\x02\x00\x00\x00", "\x09\x00\x00\x00", "\xff\xff\xff\xff"} {
			b := bytes.Clone(whole)
			copy(b[11:], count)
			d, report := checkInvariants(t, b)
			assert.Empty(t, report.Gaps)
			assert.Equal(t, keyOffsets(requireSound(t, whole)), keyOffsets(d))
			assert.Equal(t, "/references/count", report.Problems[0].Path)
		}
	}
}

// TestReferencesToWrongOffsetsAreReported moves each reference beside its object, and gives it another type, in turn.
func TestReferencesToWrongOffsetsAreReported(t *testing.T) {
	for _, v := range []gpbtest.Version{gpbtest.V10a, gpbtest.V11, gpbtest.V11Document, gpbtest.V12, gpbtest.V15} {
		whole := gpbtest.Encode(t, gpbtest.Small(), v, gpbtest.ByID)
		d := requireSound(t, whole)
		refs, err := d.Find("/references")
		require.NoError(t, err)
		for i := 1; i < refs.Len(); i++ {
			ref := refs.Child(i)
			at := ref.ChildNamed("offset").Offset
			if bytes.Equal(whole[at:at+4], make([]byte, 4)) {
				continue // it is not stored
			}
			for name, change := range map[string]func(b []byte){
				"a byte later":  func(b []byte) { b[at]++ },
				"a byte before": func(b []byte) { b[at]-- },
				"a node":        func(b []byte) { copy(b[at-4:], "\x02\x00\x00\x00") },
				"a camera":      func(b []byte) { copy(b[at-4:], "\x20\x00\x00\x00") },
			} {
				b := bytes.Clone(whole)
				change(b)
				if bytes.Equal(b, whole) {
					continue
				}
				_, report := checkInvariants(t, b)
				assert.True(t, report.Bad(), "%s, %s: %s", v.Name, ref.Key, name)
			}
		}
	}
}

// TestDamageDoesNotChangeTheLayout damages the beginning of an object in each version.
func TestDamageDoesNotChangeTheLayout(t *testing.T) {
	for _, v := range []gpbtest.Version{gpbtest.V10a, gpbtest.V11, gpbtest.V11Document, gpbtest.V12, gpbtest.V13,
		gpbtest.V14, gpbtest.V15} {
		whole := gpbtest.Encode(t, gpbtest.Everything(v), v, gpbtest.ByID)
		variant := requireSound(t, whole).Variant
		for _, field := range []string{"__SCENE__", "root", "j0", "skinnedNode"} {
			b := bytes.Clone(whole)
			copy(b[keyOffsets(requireSound(t, whole))[field]:], "\xff\xff\xff")
			d, _ := checkInvariants(t, b)
			assert.Equal(t, variant, d.Variant, "%s, %s broken", v.Name, field)
		}
	}
}

// TestTruncatedFontKeepsItsLayout cuts fonts in their glyphs, and after them. A font of 1.3 without its last field is
// one of 1.2.
func TestTruncatedFontKeepsItsLayout(t *testing.T) {
	for _, v := range []gpbtest.Version{gpbtest.V12, gpbtest.V14, gpbtest.V15, gpbtest.V15Flag} {
		f := gpbtest.Font("f", 7)
		whole := gpbtest.Encode(t, &gpb.File{Container: gpb.NoList, Objects: []gpb.Object{f}}, v, gpbtest.ByID)
		sound := requireSound(t, whole)
		glyphs, err := sound.Find("/font/glyphs")
		if err != nil {
			glyphs, err = sound.Find("/font/sizes/0/glyphs")
		}
		require.NoError(t, err)
		for n := int(glyphs.Offset) + 4; n < len(whole); n++ {
			d, report := checkInvariants(t, whole[:n])
			assert.Equal(t, sound.Variant, d.Variant, "%s, %d of %d bytes", v.Name, n, len(whole))
			assert.Equal(t, model.Error, report.Worst)
			if n < int(glyphs.End()) {
				continue
			}
			found, err := d.Find(glyphs.PathText())
			require.NoError(t, err)
			assert.Equal(t, glyphs.Len(), found.Len())
		}
	}
}

// TestVerticesOfATruncatedFileAreRead cuts a mesh of eight vertices. A count that is too large before another object is
// ignored.
func TestVerticesOfATruncatedFileAreRead(t *testing.T) {
	mesh, _ := gpbtest.MeshAround(make([]byte, 8*12))
	one, two := gpb.Reference{ID: "m", Type: gpb.TypeMesh, Offset: 4}, gpb.Reference{ID: "n", Type: gpb.TypeMesh,
		Offset: uint32(4 + len(mesh))}
	whole := gpbtest.Raw(slices.Concat(le32(1), mesh, le32(0)), one)
	first := func(whole []byte) int {
		vertices, err := requireSound(t, whole).Find("/meshes/0/vertices")
		require.NoError(t, err)
		return int(vertices.Offset) + 4
	}
	for cut, want := range map[int]int{36: 3, 47: 3, 48: 4, 95: 7} {
		d, report := checkInvariants(t, whole[:first(whole)+cut])
		assert.Empty(t, report.Gaps, cut)
		n, err := d.Find("/meshes/0/vertices")
		require.NoError(t, err, cut)
		assert.Equal(t, want, n.ElementCount(), cut)
		require.Len(t, n.Problems(), 1, cut)
		assert.Equal(t, fmt.Sprintf("vertices need 96 bytes, but only %d remain", cut), n.Problems()[0].Message)
	}
	b := gpbtest.Raw(slices.Concat(le32(2), mesh, mesh, le32(0)), one, two)
	copy(b[first(b)-4:], le32(1000))
	d, _ := checkInvariants(t, b)
	_, err := d.Find("/meshes/0/vertices")
	assert.Error(t, err)
}

func TestNumbersOfATruncatedFileAreRead(t *testing.T) {
	whole := gpbtest.Encode(t, &gpb.File{Objects: []gpb.Object{gpbtest.SceneOf(&gpb.Node{ID: "n",
		Transform: gpbtest.Identity}), &gpb.Animations{ID: "a", List: []*gpb.Animation{{Name: "walk",
		Channels: []*gpb.Channel{gpbtest.Channel("n", 9)}}}}}}, gpbtest.V15, gpbtest.ByID)
	const path = "/objects/1/animations/0/channels/0/values"
	values, err := requireSound(t, whole).Find(path)
	require.NoError(t, err)
	for cut, want := range map[int]int64{4: 1, 7: 1, 8: 2, 19: 4} {
		d, report := checkInvariants(t, whole[:int(values.Offset)+4+cut])
		assert.Empty(t, report.Gaps, cut)
		n, err := d.Find(path)
		require.NoError(t, err, cut)
		assert.Equal(t, want, n.Value.(model.Array).Len(), cut)
		assert.Contains(t, report.Problems[len(report.Problems)-1].Message, fmt.Sprintf("bytes, but only %d remain", cut))
	}
}

// TestHostileTableIsReadInTime has thousands of references to offsets inside other objects.
func TestHostileTableIsReadInTime(t *testing.T) {
	var b []byte
	b = append(b, "\xABGPB\xBB\r\n\x1A\n\x01\x01"...)
	const refs, body = 4000, 64 << 10
	b = binary.LittleEndian.AppendUint32(b, refs)
	first := len(b) + refs*16
	for i := range refs {
		b = binary.LittleEndian.AppendUint32(b, 4)
		b = append(b, fmt.Sprintf("%04x", i)...)
		b = binary.LittleEndian.AppendUint32(b, uint32(gpb.TypeMeshSkin))
		b = binary.LittleEndian.AppendUint32(b, uint32(first+8*i))
	}
	for range body / 4 {
		b = binary.LittleEndian.AppendUint32(b, 256)
	}
	_, report := open(t, b)
	assert.True(t, report.Bad())
}

func TestNestedObjectsAreRead(t *testing.T) {
	b := gpbtest.NestedMeshes(3)
	d, report := checkInvariants(t, b)
	assert.Equal(t, model.Warning, report.Worst)
	require.Len(t, report.Overlaps, 1)
	for id, path := range map[string]string{"m0": "/meshes/0", "m1": "/recovered/0", "m2": "/recovered/1"} {
		p, ok := d.FindKey(id)
		require.True(t, ok, id)
		assert.Equal(t, path, d.At(p).PathText())
	}
}

// TestInvalidNestedObjectsAreNotRead has references to offsets inside the vertices of a mesh.
func TestInvalidNestedObjectsAreNotRead(t *testing.T) {
	mesh, before := gpbtest.MeshAround(bytes.Repeat([]byte{9}, 240))
	refs := []gpb.Reference{{ID: "a", Type: gpb.TypeMesh, Offset: 4}}
	for i, typ := range []gpb.TypeID{gpb.TypeNode, gpb.TypeCamera, gpb.TypeMesh, gpb.TypeFont} {
		refs = append(refs, gpb.Reference{ID: "no " + typ.String(), Type: typ, Offset: uint32(4 + before + 4*i)})
	}
	d, report := checkInvariants(t, gpbtest.Raw(append(binary.LittleEndian.AppendUint32(nil, 1), append(mesh, 0, 0, 0,
		0)...), refs...))
	assert.Empty(t, report.Overlaps)
	require.Len(t, report.Problems, 4)
	assert.Contains(t, report.Problems[0].Message, "but no Node begins there")
	_, err := d.Find("/recovered")
	assert.Error(t, err)
}

// TestManyNestedObjectsAreCollapsed has more nested objects than are recorded with their fields: each has a node, and
// the work grows with the file, not with its square.
func TestManyNestedObjectsAreCollapsed(t *testing.T) {
	const meshes = 3000
	b := gpbtest.NestedMeshes(meshes)
	d, report := open(t, b)
	list, err := d.Find("/recovered")
	require.NoError(t, err)
	assert.Equal(t, meshes-1, list.ElementCount())
	bytes, closed := int64(0), 0
	for i := range list.Len() {
		n := list.Child(i)
		assert.Equal(t, "Mesh", n.Type)
		assert.Equal(t, fmt.Sprint("m", i+1), n.Key)
		if n.Leaf() {
			closed++
		} else {
			bytes += n.Size
		}
	}
	assert.Positive(t, closed)
	assert.Less(t, closed, meshes)
	assert.LessOrEqual(t, bytes, 3*int64(len(b))+1<<20)
	assert.EqualValues(t, len(b), report.Accounted)
}

// TestDamagedChainOfNodesIsReadOnce has a reference to each node of a chain that is damaged at its end.
func TestDamagedChainOfNodesIsReadOnce(t *testing.T) {
	const depth = 2000
	whole := gpbtest.Encode(t, &gpb.File{Objects: []gpb.Object{gpbtest.SceneOf(gpbtest.Chain(depth))}},
		gpbtest.V12, gpbtest.ByID)
	d, report := open(t, whole[:len(whole)-6*depth])
	assert.Equal(t, model.Error, report.Worst)
	_, err := d.Find("/recovered")
	assert.Error(t, err, "each is in the one before it, and shown there")
	p, ok := d.FindKey(fmt.Sprint("n", depth-1))
	require.True(t, ok)
	assert.Len(t, p, 3+2*depth-1)
}

// openMeasured opens a file, and returns the bytes of memory that the result takes, divided by n.
func openMeasured(t *testing.T, b []byte, n int) (*model.Document, int) {
	t.Helper()
	live := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before := live()
	d, err := gpb.Open(t.Context(), gpbtest.Source(b))
	require.NoError(t, err)
	after := live()
	runtime.KeepAlive(d)
	return d.Document, (int(after) - int(before)) / n
}

func TestInvalidOffsetsAreReported(t *testing.T) {
	const n = 100_000
	refs := make([]gpb.Reference, n)
	for i := range refs {
		refs[i] = gpb.Reference{ID: fmt.Sprintf("%06d", i), Type: gpb.TypeMesh, Offset: uint32(1<<30 + i)}
	}
	b := gpbtest.Raw(make([]byte, 8), refs...)
	d, bytes := openMeasured(t, b, n)
	assert.Less(t, bytes, 100, "of a reference")
	report, err := d.Check(t.Context(), nil)
	require.NoError(t, err)
	assert.Equal(t, n, len(report.Problems)+report.Omitted)
	assert.Contains(t, report.Problems[0].Message, "past the end of the")
	row, err := d.Find("/references/99999")
	require.NoError(t, err)
	require.Len(t, row.Problems(), 1)
	assert.Equal(t, row.Span, row.Problems()[0].Span)
}

// TestEachPassesTheNodeOfEachObject visits a font that is in no list, and a recovered one.
func TestEachPassesTheNodeOfEachObject(t *testing.T) {
	b, err := gpb.Open(context.Background(), gpbtest.Source(twoFonts(t)))
	require.NoError(t, err)
	var spans []model.Span
	b.Each(func(o gpb.Object, node func() *model.Node) {
		assert.Equal(t, "Font", node().Type)
		assert.Equal(t, o.(*gpb.Font).Span, node().Span)
		spans = append(spans, node().Span)
	})
	assert.Len(t, spans, 2)
}

// TestLongListsOfNamesAreNotStored has a model with many materials.
func TestLongListsOfNamesAreNotStored(t *testing.T) {
	const n = 300_000
	m := &gpb.Model{Mesh: "#m", Materials: make([]string, n)}
	b := gpbtest.Encode(t, &gpb.File{Meshes: []*gpb.Mesh{gpbtest.Triangle("m")},
		Objects: []gpb.Object{gpbtest.SceneOf(&gpb.Node{ID: "n", Transform: gpbtest.Identity, Model: m})}},
		gpbtest.V15, gpbtest.ByID)
	d, bytes := openMeasured(t, b, n)
	assert.Less(t, bytes, 50, "of a name")
	requireSound(t, b)
	names, err := d.Find("/objects/0/nodes/0/model/materials")
	require.NoError(t, err)
	assert.Equal(t, n, names.ElementCount())
	assert.Equal(t, "", names.Child(n).Value)
	assert.Equal(t, "string", names.Child(n).Type)
	assert.EqualValues(t, n, names.Value.(model.Array).Len())
}

func FuzzOpen(f *testing.F) {
	for _, v := range gpbtest.Versions() {
		f.Add(gpbtest.Encode(f, gpbtest.Small(), v, gpbtest.ByID))
		f.Add(gpbtest.Encode(f, gpbtest.Everything(v), v, gpbtest.ByOffset))
	}
	f.Add(gpbtest.Encode(f, &gpb.File{Container: gpb.NoList, Objects: []gpb.Object{gpbtest.Font("f", 4)}},
		gpbtest.V15, gpbtest.ByID))
	f.Add(gpbtest.Encode(f, &gpb.File{Container: gpb.OneList, Objects: []gpb.Object{gpbtest.Triangle("m"),
		gpbtest.SceneOf()}}, gpbtest.V12,
		gpbtest.ByID))
	for _, v := range []gpbtest.Version{gpbtest.ExporterA, gpbtest.ExporterB, gpbtest.ExporterC} {
		f.Add(gpbtest.Encode(f, gpbtest.ExporterFile(true, 2), v, gpbtest.ByOffset))
		b := gpbtest.Encode(f, gpbtest.ExporterFile(false, 0), v, gpbtest.ByOffset)
		gpbtest.Miscount(b, -3)
		f.Add(b)
	}
	f.Add(gpbtest.Encode(f, &gpb.File{Container: gpb.NoList, Objects: []gpb.Object{gpbtest.Font("f", 4, 5)}},
		gpbtest.V15Flag,
		gpbtest.ByID))
	f.Add(gpbtest.Encode(f, gpbtest.Small(), gpbtest.V12.WithHashes(), gpbtest.ByID))
	f.Add(gpbtest.NestedMeshes(4))
	f.Add(gpbtest.Encode(f, &gpb.File{Objects: []gpb.Object{gpbtest.SceneOf(gpbtest.Chain(20))}}, gpbtest.V12,
		gpbtest.ByID))
	f.Fuzz(func(t *testing.T, b []byte) { checkInvariants(t, b) })
}
