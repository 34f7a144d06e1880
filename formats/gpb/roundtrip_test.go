package gpb_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/formats/decode"
	"assay/formats/gpb"
	"assay/formats/gpb/gpbtest"
	"assay/model"
)

func TestEveryVersionOpensWhole(t *testing.T) {
	variants := map[string]string{"1.0a": "1.0, laid out as 1.0 of October 2011",
		"1.0m":         "1.0, laid out as 1.0 of early November 2011",
		"1.1 document": "1.1, laid out as the published document",
		"1.2 document": "1.2, laid out as the published document"}
	for _, v := range gpbtest.Versions() {
		for _, container := range []gpb.Container{gpb.TwoLists, gpb.OneList, gpb.NoList} {
			for _, order := range []gpbtest.Order{gpbtest.ByID, gpbtest.ByOffset} {
				name := v.Name + [...]string{", two lists", ", one list", ", no list"}[container] + [...]string{"",
					", by offset"}[order]
				t.Run(name, func(t *testing.T) {
					f := gpbtest.Everything(v)
					f.Container = container
					if container != gpb.TwoLists {
						f.Meshes = nil
						f.Objects = append([]gpb.Object{gpbtest.Triangle("skinned"), gpbtest.Triangle("rich")}, f.Objects...)
					}
					b := gpbtest.Encode(t, f, v, order)
					assert.Equal(t, decode.Yes, gpb.Sniff(b[:9], int64(len(b))))
					d := requireSound(t, b)
					want := v.Name
					if w, ok := variants[v.Name]; ok {
						want = w
					}
					assert.Equal(t, want, d.Variant)
					if !strings.Contains(want, ",") && container != gpb.OneList {
						assert.Equal(t, "the layout of this version decodes every byte and resolves every reference",
							d.Why)
					} else {
						assert.Contains(t, d.Why, "is the first that decodes every byte and resolves every reference")
					}
					again := read(t, b)
					assert.Equal(t, container, again.Container)
					assert.Equal(t, b, gpbtest.Encode(t, again, v, order), "the typed content is all of the file")
				})
			}
		}
	}
}

func TestContentRoundTrips(t *testing.T) {
	f := read(t, gpbtest.Encode(t, gpbtest.Everything(gpbtest.V15), gpbtest.V15, gpbtest.ByID))
	require.Len(t, f.Meshes, 3)
	assert.Equal(t, "rich", f.Meshes[1].ID)
	assert.Len(t, f.Meshes[1].Format, 15)
	assert.EqualValues(t, 4*(3*(1+2+3+4)+1+2+3), f.Meshes[1].Stride)
	assert.Equal(t, gpb.Bounds{Max: [3]float32{1, 2, 3}, Radius: 4}, f.Meshes[1].Bounds)
	strip := f.Meshes[1].Parts[3]
	assert.EqualValues(t, gpb.TriangleStrip, strip.Primitive)
	indices, err := strip.Indices.Slice(0, 9)
	require.NoError(t, err)
	assert.Equal(t, []any{uint64(0), uint64(1), uint64(2), uint64(70000)}, indices)

	s := f.Objects[0].(*gpb.Scene)
	assert.Equal(t, "__SCENE__", s.ID)
	assert.Equal(t, "#root", s.ActiveCamera)
	assert.Equal(t, [3]float32{0.1, 0.2, 0.3}, s.Ambient)
	root := s.Nodes[0]
	assert.Equal(t, gpbtest.Translation(1, 2, 3), root.Transform)
	assert.Equal(t, &gpb.Camera{ID: "rootShape", Aspect: 1.5, Near: 0.1, Far: 100, FieldOfView: 45}, root.Camera)
	assert.True(t, root.Children[0].Joint)
	assert.Equal(t, "j0", root.Children[0].Children[0].Parent)
	m := root.Children[1].Model
	assert.Equal(t, []string{"lambert1", "", "03___Default"}, m.Materials)
	assert.Equal(t, []string{"#j0", "#j1", "other.gpb#j2"}, m.Skin.Joints)
	assert.EqualValues(t, 48, m.Skin.BindPoses.Count)
	assert.Equal(t, &gpb.Light{ID: "spotShape", Kind: gpb.Spot, Color: [3]float32{1, 0, 0}, Range: 9,
		InnerAngle: -0.0174533, OuterAngle: 1}, root.Children[3].Light)
	assert.Equal(t, &gpb.Camera{Orthographic: true, Aspect: 1, Near: 2, Far: 3, Width: 4, Height: 5},
		root.Children[3].Camera)

	walk := f.Objects[1].(*gpb.Animations).List[0]
	assert.Equal(t, "walk", walk.Name)
	times, err := walk.Channels[0].Times.Slice(0, 9)
	require.NoError(t, err)
	assert.Equal(t, []any{uint64(0), uint64(250), uint64(1000)}, times)
	assert.EqualValues(t, 30, walk.Channels[0].Values.Count)

	size := f.Objects[7].(*gpb.Font).Sizes[1]
	assert.EqualValues(t, 8, size.Size)
	glyphs, err := size.Glyphs.All()
	require.NoError(t, err)
	assert.Equal(t, gpb.Glyph{Index: 'A', Width: 3, BearingX: -1, Advance: 4, UV: [4]float32{0, 0, 0.5, 1}}, glyphs[0])
}

func TestInvalidFontPicturesAreErrors(t *testing.T) {
	size := gpb.FontSize{Width: 3}
	_, err := size.Picture()
	require.ErrorContains(t, err, "a picture of 3 × 0 has no pixels")
	size.Height = 2
	_, err = size.Picture()
	require.ErrorContains(t, err, "a picture of 3 × 2 needs 6 bytes, but there are 0")
}

func TestNarrowGlyphsAdvanceByTheirWidth(t *testing.T) {
	f := read(t, gpbtest.Encode(t, &gpb.File{Container: gpb.NoList, Objects: []gpb.Object{gpbtest.Font("f", 9)}},
		gpbtest.V14,
		gpbtest.ByID))
	glyphs, err := f.Objects[0].(*gpb.Font).Sizes[0].Glyphs.All()
	require.NoError(t, err)
	assert.Equal(t, gpb.Glyph{Index: 'A', Width: 3, Advance: 3, UV: [4]float32{0, 0, 0.5, 1}}, glyphs[0])
}

func TestWriterRejectsWhatAVersionCannotHold(t *testing.T) {
	for name, f := range map[string]*gpb.File{
		"several sizes where the version has one": {Objects: []gpb.Object{gpbtest.Font("f", 1, 2)}},
		"what is no object":                       {Objects: []gpb.Object{42}},
	} {
		t.Run(name, func(t *testing.T) {
			assert.ErrorContains(t, gpbtest.Write(t.Output(), f, gpbtest.V13, gpbtest.ByID), "gpbtest: write 1.3: ")
		})
	}
}

func TestNodesHaveKeysAndXrefsLink(t *testing.T) {
	d := requireSound(t, gpbtest.Encode(t, gpbtest.Everything(gpbtest.V12), gpbtest.V12, gpbtest.ByID))
	for path, want := range map[string]struct{ typ, key, link string }{
		"/objects/0":                                         {"Scene", "__SCENE__", ""},
		"/objects/0/activeCameraNode":                        {"xref:Node", "", "/objects/0/nodes/0"},
		"/objects/0/nodes/0/children/0/children/0":           {"Node", "j1", ""},
		"/objects/0/nodes/0/children/0/children/0/parent_id": {"string", "", "/objects/0/nodes/0/children/0"},
		"/objects/0/nodes/0/camera":                          {"Camera", "rootShape", ""},
		"/objects/0/nodes/0/light/range":                     {"float", "", ""},
		"/objects/0/nodes/0/children/1/model":                {"Model", "model", ""},
		"/objects/0/nodes/0/children/1/model/mesh":           {"xref:Mesh", "", "/meshes/0"},
		"/objects/0/nodes/0/children/1/model/meshSkin":       {"MeshSkin", "skin", ""},
		"/objects/0/nodes/0/children/1/model/meshSkin/joints/1": {"string", "",
			"/objects/0/nodes/0/children/0/children/0"},
		"/objects/1/animations/0/channels/0":          {"AnimationChannel", "j0 SCALE_ROTATE_TRANSLATE", ""},
		"/objects/1/animations/0/channels/0/targetId": {"string", "", "/objects/0/nodes/0/children/0"},
		"/objects/1/animations/0":                     {"Animation", "walk", ""},
		"/objects/1/animations/1":                     {"Animation", "stillAnimation", ""},
		"/objects/7/glyphs/1":                         {"Glyph", "66", ""},
		"/objects/7/texMap":                           {"byte[]", "", ""},
		"/meshes/1/parts/1":                           {"MeshPart", "part", ""},
		"/meshes/0/vertices/2/BLENDINDICES":           {"float[4]", "", ""},
		"/objects/6/parameters/0":                     {"MaterialParameter", "u_color", ""},
		"/objects/6/effect":                           {"xref:Effect", "", "/objects/5"},
		"/references/0":                               {"Reference", "__Animations__", ""},
		"/references/0/offset":                        {"uint", "", "/objects/1"},
	} {
		n, err := d.Find(path)
		require.NoError(t, err, path)
		assert.Equal(t, want.typ, n.Type, path)
		assert.Equal(t, want.key, n.Key, path)
		if want.link == "" {
			assert.Nil(t, n.Link, path)
			continue
		}
		require.NotNil(t, n.Link, path)
		p, ok := n.Link.Target()
		require.True(t, ok, path)
		assert.Equal(t, want.link, d.At(p).PathText(), path)
	}

	n, err := d.Find("/objects/0/nodes/0/children/2/model/mesh")
	require.NoError(t, err)
	assert.Equal(t, &model.Link{File: "file.gpb", Key: "remote"}, n.Link)

	p, ok := d.FindKey("spotShape")
	require.True(t, ok)
	assert.Equal(t, "/objects/0/nodes/0/children/3/light", d.At(p).PathText())
	p, ok = d.FindKey("ambientShape")
	require.True(t, ok, "what is not stored is found in the table")
	row := d.At(p)
	assert.Equal(t, "Reference", row.Type)
	offset := row.ChildNamed("offset")
	assert.Equal(t, model.RoleOffset, offset.Role)
	assert.Nil(t, offset.Link)
	assert.Equal(t, "not stored", offset.Symbol())
	_, ok = d.FindKey("nobody")
	assert.False(t, ok)
}

func TestSampleHasItsValues(t *testing.T) {
	d := requireSound(t, gpbtest.Encode(t, gpbtest.Everything(gpbtest.V11), gpbtest.V11, gpbtest.ByID))
	for path, want := range map[string]any{
		"/version":                                            []any{uint64(1), uint64(1)},
		"/meshCount":                                          uint64(3),
		"/meshes/0/vertices/1/POSITION":                       []any{float32(11), float32(12), float32(13)},
		"/meshes/0/parts/0/indices":                           []any{uint64(0), uint64(1), uint64(2)},
		"/meshes/0/boundingSphere/radius":                     float32(4),
		"/objects/0/nodes/0/children/0/model":                 model.None{},
		"/objects/0/nodes/0/children/0/camera":                model.None{},
		"/objects/0/nodes/0/children/3/camera/magnification":  []any{float32(4), float32(5)},
		"/objects/0/nodes/0/children/1/model/meshSkin/joints": []any{"#j0", "#j1", "other.gpb#j2"},
		"/objects/1/animations/0/channels/1/keyTimes":         []any{uint64(0), uint64(250), uint64(1000)},
		"/objects/1/animations/0/channels/0/interpolation":    []any{uint64(1), uint64(2), uint64(6)},
		"/objects/1/animations/0/channels/1/targetAttribute":  uint64(0),
		"/objects/5/fragmentShader":                           "precision mediump float;\n",
		"/objects/7/glyphs/0/uvCoords":                        []any{float32(0), float32(0), float32(0.5), float32(1)},
	} {
		assert.Equal(t, want, value(t, d, path), path)
	}
	n, err := d.Find("/meshes/1/parts/3/primitiveType")
	require.NoError(t, err)
	assert.Equal(t, "TRIANGLE_STRIP (5)", n.ValueText())
	n, err = d.Find("/objects/1/animations/0/channels/1/interpolation")
	require.NoError(t, err)
	assert.Equal(t, "LINEAR", n.Symbol())
}
