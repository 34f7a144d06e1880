package compose

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"io"
	"path"
	"slices"
	"strings"

	"assay/formats/gpb/project"
	"assay/formats/gpb/properties"
	"assay/model"
	"assay/model/scene"
)

// maxTerrain is the largest number of columns and rows of a terrain that is drawn; larger terrains are sampled.
const maxTerrain = 1024

// addTerrain adds the terrain of an entry to a node. The entry has the name of a file, or a namespace that has a path
// or describes the terrain itself.
func (c *composer) addTerrain(n *scene.Node, entry *properties.Space) {
	s, folder := c.attachment(entry, "terrain")
	if s != nil && s.Get("path") != "" {
		s, folder = c.namespaceOf(s.Get("path"))
	}
	switch {
	case s == nil:
		return
	case n.Mesh != nil:
		c.resources.Notef("the terrain of %s is not drawn because the node has a mesh", n.Name)
		return
	}
	h, err := c.heightsOf(s, folder)
	if err != nil {
		c.resources.Notef("the terrain of %s is not drawn: %s", n.Name, err)
		return
	}
	n.Mesh = h.Mesh(n.Name)
	n.Mesh.Parts = c.terrainLayers(h, s, folder, n.Name)
}

// terrainHeights is the heightfield of a terrain. As in the engine (TerrainPatch::addLOD), its last column and row
// repeat the texture coordinates of the column and the row before the end of the textures.
type terrainHeights struct {
	scene.Heightfield
	step    int // every step-th column and row is drawn
	patches patches
}

// heightmapOf returns the path of the heightmap of a terrain, and the columns and rows that are stated for it: nil if
// it has no namespace of its own.
func heightmapOf(s *properties.Space) (name string, size []float32) {
	described := s.First("heightmap")
	if described == nil {
		return s.Get("heightmap"), nil
	}
	if size = described.Vector("size", 2); size == nil {
		size = []float32{described.Number("width", 0), described.Number("height", 0)}
	}
	return described.Get("path"), size
}

// heightsOf returns the heights of a terrain, with its size and its patches.
func (c *composer) heightsOf(s *properties.Space, folder string) (*terrainHeights, error) {
	h, err := c.readHeights(s, folder)
	switch {
	case err != nil:
		return nil, err
	case h.Columns < 2 || h.Rows < 2:
		return nil, fmt.Errorf("its heightmap has no area")
	}
	if size := s.Vector("size", 3); size != nil && [3]float32(size) != [3]float32{} {
		h.Size = [3]float32(size)
	}
	if size := s.Number("patchSize", 0); size < 1<<15 {
		h.patches.size = int(size)
	}
	h.patches.chooseSize()
	return h, nil
}

// readHeights reads the heightmap of a terrain: a picture, or numbers of one or two bytes.
func (c *composer) readHeights(s *properties.Space, folder string) (*terrainHeights, error) {
	name, size := heightmapOf(s)
	if name == "" {
		return nil, fmt.Errorf("it names no heightmap")
	}
	inRoot := c.resources.Locate(name, folder)
	if inRoot == "" {
		return nil, fmt.Errorf("its heightmap was not found")
	}
	h := &terrainHeights{}
	switch extension := strings.ToLower(path.Ext(inRoot)); extension {
	case ".raw", ".r16":
		return h, c.setFromNumbers(h, inRoot, size)
	}
	img, err := c.resources.Texture(name, folder).Image(c.ctx)
	if err != nil {
		return nil, err
	}
	h.setFromPicture(img)
	return h, nil
}

// setSamples sets the heights from a function of column and row, and skips some columns and rows of large terrains.
func (h *terrainHeights) setSamples(columns, rows int, heightAt func(x, y int) float32) {
	h.Size = [3]float32{float32(columns), float32(columns+rows) / 2 * .3, float32(rows)}
	h.Textured = [2]float32{float32(columns-1) / float32(columns), float32(rows-1) / float32(rows)}
	step := 1 + (max(columns, rows)-1)/maxTerrain
	h.step, h.patches = step, patches{columns: columns, rows: rows}
	h.Columns, h.Rows = (columns-1)/step+1, (rows-1)/step+1
	h.Heights = make([]float32, 0, h.Columns*h.Rows)
	for y := range h.Rows {
		for x := range h.Columns {
			h.Heights = append(h.Heights, heightAt(x*step, y*step))
		}
	}
}

// setFromPicture sets the heights from a picture: a height has 24 bits, the highest in red.
func (h *terrainHeights) setFromPicture(img image.Image) {
	b := img.Bounds()
	h.setSamples(b.Dx(), b.Dy(), func(x, y int) float32 {
		c := color.NRGBAModel.Convert(img.At(b.Min.X+x, b.Min.Y+y)).(color.NRGBA)
		return float32(uint32(c.R)<<16|uint32(c.G)<<8|uint32(c.B)) / (1 << 24)
	})
}

// setFromNumbers sets the heights from a file of little-endian numbers. As in the engine (HeightField::create), its
// first row is at the back, as in a picture.
func (c *composer) setFromNumbers(h *terrainHeights, inRoot string, size []float32) error {
	if len(size) != 2 || !(size[0] >= 2 && size[1] >= 2 && size[0] < 1<<15 && size[1] < 1<<15) {
		return fmt.Errorf("the size of the heightmap %s is missing", project.Printable(inRoot))
	}
	columns, rows := int(size[0]), int(size[1])
	src, err := c.resources.ReadFile(inRoot)
	if err != nil {
		return err
	}
	n := int64(columns) * int64(rows)
	each := src.Size() / n
	if each != 1 && each != 2 {
		return fmt.Errorf("%s has %d bytes; %d × %d heights need 1 or 2 bytes each", project.Printable(inRoot),
			src.Size(), columns, rows)
	}
	b := make([]byte, each*n)
	if _, err := io.ReadFull(src.Reader(model.Span{Size: each * n}), b); err != nil {
		return err
	}
	h.setSamples(columns, rows, func(x, y int) float32 {
		index := y*columns + x
		if each == 1 {
			return float32(b[index]) / 255
		}
		return float32(binary.LittleEndian.Uint16(b[2*index:])) / 65535
	})
	return nil
}

// The bounds of a terrain's layers: as many are drawn as the engine's own shader has.
const (
	maxLayers     = 3
	maxLayersRead = 256
)

// everywhere is the row or the column of a layer that has all of them.
const everywhere = -1

// defaultPatchSize is the size of the patches of a terrain that names none.
const defaultPatchSize = 32

// patches are the squares of a terrain that have layers of their own. As in the engine (Terrain::create), rows are
// counted from the back, and columns go on counting from row to row: only the first row has a column 0.
type patches struct {
	columns, rows int // of all heights, before sampling
	size          int // of a patch, in squares between heights
}

// chooseSize chooses the size of the patches if the terrain does not name one that fits.
func (p *patches) chooseSize() {
	if p.size <= 0 || p.size > min(p.columns, p.rows) {
		p.size = min(p.columns, p.rows, defaultPatchSize)
	}
}

// perRow returns the number of patches from left to right.
func (p *patches) perRow() int { return (p.columns-2)/p.size + 1 }

// patchAt returns the row and the column of the patch that has the square right of a column of heights and in front of
// a row.
func (p *patches) patchAt(column, row int) (patchRow, patchColumn int) {
	patchRow = row / p.size
	return patchRow, patchRow*p.perRow() + column/p.size
}

// layer is a layer of a terrain with its position in the order of layers, and the patches that have it.
type layer struct {
	scene.Layer
	index       int
	row, column int // everywhere for all
}

// terrainLayers returns the parts of a terrain: one for all patches that have the same layers.
func (c *composer) terrainLayers(h *terrainHeights, s *properties.Space, folder, name string) []*scene.Part {
	t := &terrainParts{c: c, h: h, layers: c.layers(s, folder, name), name: name,
		byPosition: make(map[[2]int]int)}
	if !slices.ContainsFunc(t.layers, func(l layer) bool { return l.row != everywhere || l.column != everywhere }) {
		t.partNumber(0, 0)
		return t.parts
	}
	for i, squares := range t.squares() {
		t.parts[i].Indices = h.TrianglesOf(squares)
	}
	return t.parts
}

type terrainParts struct {
	c          *composer
	h          *terrainHeights
	layers     []layer
	name       string         // of the node
	byPosition map[[2]int]int // by row and column of layers; everywhere for all patches
	parts      []*scene.Part
}

// partNumber returns the number of the part that a patch belongs to. Patches have the same layers if the same layers
// name their rows and columns.
func (t *terrainParts) partNumber(row, column int) int {
	position := [2]int{everywhere, everywhere}
	for _, l := range t.layers {
		if l.row == row {
			position[0] = row
		}
		if l.column == column {
			position[1] = column
		}
	}
	i, ok := t.byPosition[position]
	if !ok {
		i = len(t.parts)
		t.byPosition[position] = i
		t.parts = append(t.parts, &scene.Part{Primitive: scene.Triangles, Indices: t.h.Triangles(),
			Material: t.c.layeredMaterial(layersAt(t.layers, row, column), t.name)})
	}
	return i
}

// squares returns the squares between heights of each part.
func (t *terrainParts) squares() (squares [][]int32) {
	for z := range t.h.Rows - 1 {
		last, i := -1, 0
		for x := range t.h.Columns - 1 {
			row, column := t.h.patches.patchAt(x*t.h.step, z*t.h.step)
			if column != last {
				last, i = column, t.partNumber(row, column)
				squares = append(squares, make([][]int32, len(t.parts)-len(squares))...)
			}
			squares[i] = append(squares[i], int32(z*(t.h.Columns-1)+x))
		}
	}
	return squares
}

// layersAt returns the layers of a patch from bottom to top. The later of two with one index counts.
func layersAt(layers []layer, row, column int) (patchLayers []layer) {
	for _, l := range layers {
		if l.row != everywhere && l.row != row || l.column != everywhere && l.column != column {
			continue
		}
		patchLayers = slices.DeleteFunc(patchLayers, func(other layer) bool { return other.index == l.index })
		patchLayers = append(patchLayers, l)
	}
	slices.SortStableFunc(patchLayers, func(a, b layer) int { return cmp.Compare(a.index, b.index) })
	return patchLayers
}

// layeredMaterial returns the material of a part of a terrain: the texture of its first layer, blended with the others
// by their blend maps. A layer without a blend map hides those below it.
func (c *composer) layeredMaterial(layers []layer, name string) *scene.Material {
	m := &scene.Material{Name: name, Shading: scene.Lit, Diffuse: [4]float32{1, 1, 1, 1},
		Ambient: c.assigner.Scene.Ambient}
	for i, l := range layers[:min(len(layers), maxLayers)] {
		if i == 0 || l.Blend == nil {
			m.Texture, m.Layers = l.Texture, nil
		} else {
			m.Layers = append(m.Layers, l.Layer)
		}
	}
	if len(layers) > maxLayers {
		c.resources.Notef("only the first %d of the %d layers of the terrain of %s are drawn", maxLayers, len(layers),
			name)
	}
	c.resources.NoteAbsentTextures(m)
	return m
}

// layers returns the layers of a terrain. A layer without an index follows the layer before it.
func (c *composer) layers(s *properties.Space, folder, name string) (layers []layer) {
	index, count := -1, 0
	for _, entry := range s.Spaces() {
		if entry.Name != "layer" {
			continue
		}
		if count++; count > maxLayersRead {
			c.resources.Notef("layers of the terrain of %s beyond the first %d are not read", name, maxLayersRead)
			break
		}
		if index++; entry.Get("index") != "" {
			index = int(entry.Number("index", 0))
		}
		l := layer{index: index, row: int(entry.Number("row", everywhere)),
			column: int(entry.Number("column", everywhere))}
		if s := entry.First("blend"); s != nil {
			l.Blend, l.Channel = c.sampler(s, folder), channel(s.Get("channel"))
		}
		if s := entry.First("texture"); s != nil { // the engine has no layer without one
			l.Texture = c.sampler(s, folder)
		}
		if l.Texture != nil {
			layers = append(layers, l)
		}
	}
	return layers
}

// sampler returns the texture of a layer, or nil.
func (c *composer) sampler(s *properties.Space, folder string) *scene.Sampler {
	if s.Get("path") == "" {
		return nil
	}
	out := &scene.Sampler{Name: "layer", Texture: c.resources.Texture(s.Get("path"), folder), Repeat: [2]float32{1, 1},
		Mipmap: scene.LinearMipmap}
	if repeat := s.Vector("repeat", 2); repeat != nil {
		out.Repeat = [2]float32(repeat)
	}
	return out
}

// channel returns the index of the channel that a word begins with: red, green, blue or alpha, or a number.
func channel(word string) int {
	for i, begins := range []string{"R0", "G1", "B2", "A3"} {
		if word != "" && strings.ContainsAny(strings.ToUpper(word[:1]), begins) {
			return i
		}
	}
	return 0
}
