package compose

import (
	"encoding/hex"
	"image"
	"strings"

	"assay/formats/gpb/properties"
	"assay/model/scene"
)

// flatMesh is the picture of a sprite, or of the tiles of a tile set, at a node: rectangles across z, with a unit for
// each pixel unless they name other sizes.
type flatMesh struct {
	size     image.Point // of the picture
	vertices scene.FloatSlice
	corners  scene.IndexSlice
}

// flatFloats is the number of floats of a vertex: its position, its normal, its texture coordinates.
const flatFloats = 8

// addFlats adds the sprite or the tile set of an entry to a node.
func (c *composer) addFlats(n *scene.Node, entry *properties.Space) {
	for _, kind := range []string{"sprite", "tileset"} {
		if s, folder := c.attachment(entry, kind); s != nil {
			if problem := c.addFlat(n, s, folder); problem != "" {
				c.resources.Notef("the %s of %s is not drawn: %s", kind, n.Name, problem)
			}
		}
	}
}

// addFlat adds a sprite or a tile set to a node, or returns the reason why it is not drawn.
func (c *composer) addFlat(n *scene.Node, s *properties.Space, folder string) string {
	if n.Mesh != nil {
		return "the node has a mesh"
	} else if s.Get("path") == "" {
		return "it has no path"
	}
	m := &scene.Material{Name: n.Name, Shading: scene.Unlit, Diffuse: tint(s), Alpha: scene.AlphaBlend,
		Texture: &scene.Sampler{Name: "sprite", Texture: c.resources.Texture(s.Get("path"), folder),
			Repeat: [2]float32{1, 1}, WrapS: scene.WrapClamp, WrapT: scene.WrapClamp}}
	c.resources.NoteAbsentTextures(m)
	f, problem := &flatMesh{}, ""
	if f.size, problem = c.pictureSize(m.Texture.Texture); problem != "" {
		return problem
	}
	if s.Name == "tileset" {
		m.Texture.Mag, m.Texture.Min = scene.Nearest, scene.Nearest
		problem = f.addTiles(n, s)
	} else {
		switch s.Get("blendMode") {
		case "BLEND_NONE":
			m.Alpha = scene.Opaque
		case "BLEND_ADDITIVE":
			m.Additive = true
		case "BLEND_MULTIPLIED":
			c.resources.Notef("the sprite of %s is drawn with BLEND_ALPHA instead of BLEND_MULTIPLIED", n.Name)
		}
		f.addSprite(n, s)
	}
	if len(f.corners) > 0 {
		n.Mesh = &scene.Mesh{Name: n.Name, Count: len(f.vertices) / flatFloats, Vertices: f.vertices,
			Elements: []scene.Element{{Usage: scene.Position, Size: 3}, {Usage: scene.Normal, Size: 3},
				{Usage: scene.TexCoord, Size: 2}},
			Parts: []*scene.Part{{Primitive: scene.Triangles, Indices: f.corners, Material: m}}}
	}
	return problem
}

// pictureSize returns the size of a picture, which is decoded once, or the reason why it is unknown.
func (c *composer) pictureSize(t *scene.Texture) (image.Point, string) {
	if t.Image == nil {
		return image.Point{}, "its picture was not found"
	}
	size, known := c.pictures[t.Path]
	if !known {
		img, err := t.Image(c.ctx)
		if err != nil {
			return size, err.Error()
		}
		size = img.Bounds().Size()
		c.pictures[t.Path] = size
	}
	return size, ""
}

// tint returns the color and the opacity of a sprite or a tile set.
func tint(s *properties.Space) [4]float32 {
	color := [4]float32{1, 1, 1, 1}
	copy(color[:], s.Vector("color", 3))
	copy(color[:], s.Vector("color", 4))
	if digits, ok := strings.CutPrefix(s.Get("color"), "#"); ok && (len(digits) == 6 || len(digits) == 8) {
		if b, err := hex.DecodeString(digits); err == nil {
			for i, v := range b {
				color[i] = float32(v) / 255
			}
		}
	}
	color[3] *= s.Number("opacity", 1)
	return color
}

// addSprite adds the rectangle of a sprite. As in the engine (Sprite::create, Sprite::draw), a size is a number or a
// percentage, the source has its origin at the top of the picture, the offset moves by the size before the scale of the
// node, and the node turns the sprite around its anchor.
func (f *flatMesh) addSprite(n *scene.Node, s *properties.Space) {
	size, source := f.spriteSize(s)
	offset, flip := s.Get("offset"), s.Get("flip")
	var origin [2]float32
	for i, names := range [2][2]string{{"HCENTER", "RIGHT"}, {"VCENTER", "TOP"}} {
		if strings.Contains(offset, names[0]) {
			origin[i] -= size[i] / 2
		} else if strings.Contains(offset, names[1]) {
			origin[i] -= size[i]
		}
	}
	anchor := [2]float32{.5, .5}
	copy(anchor[:], s.Vector("anchor", 2))
	t, _ := n.Transform.Parts()
	for i, word := range [2]string{"HORIZONTAL", "VERTICAL"} {
		if offset == "OFFSET_ANCHOR" {
			origin[i] = -size[i] * anchor[i]
		}
		size[i] *= t.Scale[i]
		if strings.Contains(flip, word) {
			origin[i] += size[i]
			size[i] = -size[i]
		}
	}
	pivot := [3]float32{origin[0] + anchor[0]*size[0], origin[1] + anchor[1]*size[1]}
	turned := undoRotation(t, pivot)
	f.addRectangle(origin, size, source, func(p [3]float32) [3]float32 {
		return undoScale(t, [3]float32{turned[0] + p[0] - pivot[0], turned[1] + p[1] - pivot[1], turned[2]})
	})
}

// spriteSize returns the size of a sprite, and its part of the picture: left, top, width, height.
func (f *flatMesh) spriteSize(s *properties.Space) (size [2]float32, source [4]float32) {
	size, source = [2]float32{float32(f.size.X), float32(f.size.Y)}, [4]float32{2: -1, 3: -1}
	copy(source[:], s.Vector("source", 4))
	for i, name := range []string{"width", "height"} {
		if source[2+i] == -1 {
			source[2+i] = size[i]
		}
		switch v := s.Number(name, -1); {
		case strings.HasSuffix(s.Get(name), "%"):
			size[i] *= v / 100
			source[2+i] *= v / 100
		case v != -1:
			size[i] = v
		}
	}
	return size, source
}

// addTiles adds the rectangles of a tile set, or returns the reason why there are none. As in the engine
// (TileSet::create, TileSet::draw), the first row is at the top, only the position of the node has an effect, and the
// last tile of a cell counts.
func (f *flatMesh) addTiles(n *scene.Node, s *properties.Space) string {
	size := [2]float32{s.Number("tileWidth", 0), s.Number("tileHeight", 0)}
	columns, rows := int(s.Number("columns", 0)), int(s.Number("rows", 0))
	if !(size[0] > 0 && size[1] > 0) || columns <= 0 || rows <= 0 {
		return "it needs rows, columns, a tileWidth and a tileHeight"
	}
	sources, cells := make(map[image.Point][]float32), []image.Point(nil)
	for _, tile := range s.Spaces() {
		cell, source := tile.Vector("cell", 2), tile.Vector("source", 2)
		if tile.Name != "tile" || cell == nil || source == nil || !(cell[0] >= 0 && cell[1] >= 0 &&
			cell[0] < float32(columns) && cell[1] < float32(rows)) {
			continue
		}
		origin := image.Pt(int(cell[0]), int(cell[1]))
		if _, ok := sources[origin]; !ok {
			cells = append(cells, origin)
		}
		sources[origin] = source
	}
	t, _ := n.Transform.Parts()
	for _, origin := range cells {
		source := sources[origin]
		if source[0] < 0 || source[1] < 0 { // empty
			continue
		}
		low := [2]float32{float32(origin.X) * size[0], float32(rows-1-origin.Y) * size[1]}
		f.addRectangle(low, size, [4]float32{source[0], source[1], size[0], size[1]}, func(p [3]float32) [3]float32 {
			return undoScale(t, undoRotation(t, p))
		})
	}
	return ""
}

// addRectangle adds a rectangle with a part of the picture. move moves its corners into the space of the node.
func (f *flatMesh) addRectangle(low, size [2]float32, source [4]float32, move func([3]float32) [3]float32) {
	first := uint32(len(f.vertices) / flatFloats)
	for _, k := range [4][2]float32{{0, 0}, {1, 0}, {1, 1}, {0, 1}} {
		p := move([3]float32{low[0] + k[0]*size[0], low[1] + k[1]*size[1]})
		f.vertices = append(f.vertices, p[0], p[1], p[2], 0, 0, 1, (source[0]+k[0]*source[2])/float32(f.size.X),
			1-(source[1]+(1-k[1])*source[3])/float32(f.size.Y))
	}
	f.corners = append(f.corners, first, first+1, first+2, first, first+2, first+3)
}

// undoRotation undoes the rotation of a node.
func undoRotation(t scene.TRS, p [3]float32) [3]float32 {
	r := t.Rotation
	inverse := scene.TRS{Rotation: [4]float32{-r[0], -r[1], -r[2], r[3]}, Scale: [3]float32{1, 1, 1}}
	return inverse.Matrix().ApplyDirection(p)
}

// undoScale undoes the scale of a node, if that is possible.
func undoScale(t scene.TRS, p [3]float32) [3]float32 {
	for i, v := range t.Scale {
		if v != 0 {
			p[i] /= v
		}
	}
	return p
}
