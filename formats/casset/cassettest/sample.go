package cassettest

import (
	"bytes"
	"crypto/sha256"
	"image"
	"image/color"
	"image/png"
	"math"
)

// Sample returns a file that shows every type of value there is: a sky with nested objects, textures, structs and
// references into other files.
func Sample() *Content {
	file := ID("/Game/Sky")
	ext := Dependency{ID("/Game/Clouds"), "/Game/Clouds"}
	ref := func(path string) Ref {
		return Ref{ID(path), file, "/Code/Game.Game::Node", "/Game/Sky", path}
	}
	far := Ref{ID("Cloud"), ext.ID, "/Code/Game.Game::Node", ext.Name, "Cloud"}
	node := func(path, name, outer string) ObjectContent {
		return ObjectContent{ID: ID(path), Path: path, Name: name, Class: "/Code/Game.Game::Node", Fields: []Field{
			{"name", name}, {"uuid", ID(path)}, {"attachedObjects", Store{}}, {"outer", ref(outer)}, {"level",
				uint32(len(name))}}}
	}
	return &Content{ID: file, Name: "/Game/Sky", Dependencies: []Dependency{ext, {ID("/Game/Stars"), "/Game/Stars"}},
		Objects: []ObjectContent{
			{ID: file, Name: "/Game/Sky", Class: "/Code/Core.CE::Bundle", Fields: []Field{
				{"name", "/Game/Sky"}, {"uuid", file}, {"attachedObjects", Store{ref("Sky")}}, {"outer", Ref{}}}},
			{ID: ID("Sky"), Asset: true, Path: "Sky", Name: "Sky", Class: "/Code/Game.Game::Sky",
				Source: "/Textures/Sky.png",
				Fields: sampleFields(ref, far)},
			node("Sky.Irradiance", "Irradiance", "Sky"),
			node("Sky.Irradiance.Diffuse", "Diffuse", "Sky.Irradiance"),
			sampleTexture(ref),
		}}
}

func sampleFields(ref func(string) Ref, far Ref) []Field {
	inner := func(n uint32) Struct {
		return Struct{"/Code/Game.Game::Layer",
			[]Field{{"depth", n}, {"offset", Vec{1.5, -2.5}}, {"steps", List{int16(0), []any{int16(-1), int16(n)}}}}}
	}
	outer := func(label string) Struct {
		return Struct{"/Code/Game.Game::Band", []Field{{"label", label}, {"layer", inner(7)},
			{"layers", List{inner(0), []any{inner(1), inner(2)}}}, {"node", ref("Sky.Irradiance")}}}
	}
	call := Func{ref("Sky.Irradiance"), "OnChange"}
	icon := Icon()
	return []Field{
		{"name", "Sky"}, {"uuid", ID("Sky")}, {"attachedObjects", Store{ref("Sky.Irradiance"), ref("Sky.Texture")}},
		{"outer", ref("")},
		{"f_u8", uint8(241)}, {"f_u16", uint16(61714)}, {"f_u32", uint32(4044493588)},
		{"f_u64", uint64(math.MaxUint64)},
		{"f_s8", int8(-2)}, {"f_s16", int16(-300)}, {"f_s32", int32(-70000)}, {"f_s64", int64(math.MinInt64)},
		{"f_f32", float32(1.25)}, {"f_f64", 3.141592653589793}, {"f_bool", true}, {"f_enum", Enum(200)},
		{"f_null", nil},
		{"f_string", "Ünïcødé – 日本語"}, {"f_v2", Vec{1, 2}}, {"f_v3", Vec{1, 2, 3}}, {"f_v4", Vec{1, 2, 3, 4}},
		{"f_v2i", VecI{-1, 2}}, {"f_v3i", VecI{-1, 2, 3}}, {"f_v4i", VecI{-1, 2, 3, math.MinInt32}},
		{"f_matrix", append(Vec{}, make(Vec, 16)...)},
		{"f_blob", Bytes{1, icon}}, {"f_empty", Bytes{}}, {"f_local", ref("Sky.Irradiance.Diffuse")}, {"f_far", far},
		{"f_none", Ref{}},
		{"f_call", call}, {"f_nocall", Func{}}, {"f_calls", List{Func{}, []any{call, Func{}, Func{far, "Stop"}}}},
		{"f_numbers", List{uint8(0), []any{uint8(0), uint8(50), uint8(255)}}},
		{"f_floats", List{float32(0), []any{float32(0.5), float32(-1e30)}}},
		{"f_doubles", List{float64(0), []any{0.5, -2.0}}}, {"f_flags", List{false, []any{true, false}}},
		{"f_modes", List{Enum(0), []any{Enum(1), Enum(5)}}},
		{"f_texts", List{"", []any{"one", "", "three"}}}, {"f_ids", List{UUID{}, []any{ID("a"), ID("b")}}},
		{"f_points", List{Vec{0, 0, 0}, []any{Vec{1, 2, 3}, Vec{4, 5, 6}}}}, {"f_none_at_all", List{uint32(0), nil}},
		{"f_blobs", List{Bytes{}, []any{Bytes{0, []byte("abc")}, Bytes{5, nil}}}},
		{"f_objects", List{Ref{}, []any{ref("Sky.Irradiance"), Ref{}, far}}}, {"f_struct", outer("top")},
		{"f_structs", List{outer(""), []any{outer("a"), outer("b"), outer("c")}}},
	}
}

func sampleTexture(ref func(string) Ref) ObjectContent {
	pixels := make([]byte, 0, 8*4*4)
	for y := range 4 {
		for x := range 8 {
			pixels = append(pixels, uint8(x*32), uint8(y*64), 128, 255)
		}
	}
	return ObjectContent{ID: ID("Sky.Texture"), Asset: true, Path: "Sky.Texture", Name: "Texture",
		Class: "/Code/System.CE::Texture2D", Source: "/Textures/Noise.png",
		Fields: []Field{{"name", "Texture"}, {"uuid", ID("Sky.Texture")}, {"attachedObjects", Store{}},
			{"outer", ref("Sky")},
			{"source", Bytes{0, pixels}}, {"pixelFormat", Enum(1)}, {"sourceCompressionFormat", Enum(0)}, {"width",
				uint32(8)}, {"height", uint32(4)}, {"mipLevels", uint32(1)}}}
}

// Icon returns the picture in the sample, as a PNG.
func Icon() []byte {
	img := image.NewNRGBA(image.Rect(0, 0, 4, 4))
	for i := range 16 {
		img.SetNRGBA(i%4, i/4, color.NRGBA{uint8(i * 16), 64, 128, 255})
	}
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		return nil
	}
	return b.Bytes()
}

// ID makes a UUID of a name, the same each time.
func ID(name string) (u UUID) {
	if name == "" {
		name = "/Game/Sky"
	}
	sum := sha256.Sum256([]byte(name))
	copy(u[:], sum[:])
	return u
}
