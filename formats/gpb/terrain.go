package gpb

import (
	"fmt"
	"image"
	"image/color"
	"io"
	"path"
	"strings"

	"assay/formats/gpb/properties"
	"assay/model"
	"assay/model/scene"
)

// terrainMost is the most columns and rows of a terrain that are shown: of larger ones some are left out.
const terrainMost = 1024

// terrain gives a node the terrain of its entry: the name of a file, a namespace with one as its path, or one that
// describes the terrain itself.
func (c *composer) terrain(n *scene.Node, entry *properties.Space) {
	name, folder := entry.Get("terrain"), c.folder
	var s *properties.Space
	for _, below := range entry.Spaces() {
		if below.Name == "terrain" {
			s, name = below, below.Get("path")
		}
	}
	if name != "" {
		full := c.find(name, folder)
		if full == "" {
			return
		}
		file := c.text(full)
		if file == nil || len(file.Spaces) == 0 {
			return
		}
		s, folder = file.Space(file.Spaces[0]), path.Dir(full)
	}
	if s == nil || n.Mesh != nil {
		return
	}
	h, err := c.heights(s, folder)
	if err != nil {
		c.missing("the terrain of %s is not shown: %s", oneLine(n.Name), err)
		return
	}
	n.Mesh = h.mesh(n.Name)
	n.Mesh.Parts = c.ground(h, s, folder, n.Name)
}

// heights are those of a terrain, from 0 to 1, row by row from the back.
type heights struct {
	columns, rows int
	at            []float32
	step          int // of so many columns and rows one is shown
	patches       patches
	size          [3]float32 // of the whole
	textured      [2]float32 // how much of the textures it has across, and from back to front
}

// heights reads what a terrain says of its heights: a picture, or numbers of one or two bytes with their size.
func (c *composer) heights(s *properties.Space, folder string) (*heights, error) {
	name, size := s.Get("heightmap"), []float32(nil)
	for _, below := range s.Spaces() {
		if below.Name != "heightmap" {
			continue
		}
		name = below.Get("path")
		if size = vector(below.Get("size"), 2); size == nil {
			size = []float32{number(below.Get("width"), 0), number(below.Get("height"), 0)}
		}
	}
	if name == "" {
		return nil, fmt.Errorf("it names no heightmap")
	}
	full := c.find(name, folder)
	if full == "" {
		return nil, fmt.Errorf("its heightmap is not there")
	}
	h := &heights{}
	var err error
	switch extension := strings.ToLower(path.Ext(full)); extension {
	case ".raw", ".r16":
		err = c.raw(h, full, size)
	default:
		var img image.Image
		if img, err = c.project.Texture(name, folder).Image(c.ctx); err == nil {
			h.picture(img)
		}
	}
	if err == nil && (h.columns < 2 || h.rows < 2) {
		err = fmt.Errorf("its heightmap has no area")
	}
	if err != nil {
		return nil, err
	}
	if size := vector(s.Get("size"), 3); size != nil {
		h.size = [3]float32(size)
	}
	if size := number(s.Get("patchSize"), 0); size < 1<<15 {
		h.patches.size = int(size)
	}
	h.patches.settle()
	return h, nil
}

// fill takes the heights of so many columns and rows.
func (h *heights) fill(columns, rows int, at func(x, y int) float32) {
	h.size = [3]float32{float32(columns), float32(columns+rows) / 2 * .3, float32(rows)}
	h.textured = [2]float32{float32(columns-1) / float32(columns), float32(rows-1) / float32(rows)}
	step := 1 + (max(columns, rows)-1)/terrainMost
	h.step, h.patches = step, patches{columns: columns, rows: rows}
	h.columns, h.rows = (columns-1)/step+1, (rows-1)/step+1
	h.at = make([]float32, 0, h.columns*h.rows)
	for y := range h.rows {
		for x := range h.columns {
			h.at = append(h.at, at(x*step, y*step))
		}
	}
}

// picture takes heights of a picture: of 24 bits, of which red has the highest; a grey is nearly the same.
func (h *heights) picture(img image.Image) {
	b := img.Bounds()
	h.fill(b.Dx(), b.Dy(), func(x, y int) float32 {
		c := color.NRGBAModel.Convert(img.At(b.Min.X+x, b.Min.Y+y)).(color.NRGBA)
		return float32(uint32(c.R)<<16|uint32(c.G)<<8|uint32(c.B)) / (1 << 24)
	})
}

// raw takes heights of a file of numbers, the lowest byte first, the front row last.
func (c *composer) raw(h *heights, full string, size []float32) error {
	if len(size) != 2 || !(size[0] >= 2 && size[1] >= 2 && size[0] < 1<<15 && size[1] < 1<<15) {
		return fmt.Errorf("it does not say how many columns and rows %s has", oneLine(full))
	}
	columns, rows := int(size[0]), int(size[1])
	src, err := c.project.Bundle(full)
	if err != nil {
		return err
	}
	n := int64(columns) * int64(rows)
	each := src.Size() / n
	if each != 1 && each != 2 {
		return fmt.Errorf("%s has %d bytes, which is neither one nor two for each of %d × %d", oneLine(full),
			src.Size(), columns, rows)
	}
	b := make([]byte, each*n)
	if _, err := io.ReadFull(src.Reader(model.Span{Size: each * n}), b); err != nil {
		return err
	}
	h.fill(columns, rows, func(x, y int) float32 {
		at := (rows-1-y)*columns + x
		if each == 1 {
			return float32(b[at]) / 255
		}
		return float32(order.Uint16(b[2*at:])) / 65535
	})
	return nil
}

// terrainFloats is how many numbers a vertex of a terrain has: its place, its normal, its place in the textures.
const terrainFloats = 8

// mesh makes the mesh of the terrain, whose middle is at 0. Its vertices are made when they are read. As in the engine
// (TerrainPatch::addLOD), the first row of the picture is at the back, where z is least, and there v is 1; the
// coordinates of the last column and row stop one of them short of the end of the textures.
func (h *heights) mesh(name string) *scene.Mesh {
	return &scene.Mesh{Name: name, Count: h.columns * h.rows, Vertices: h,
		Elements: []scene.Element{{Usage: scene.Position, Size: 3}, {Usage: scene.Normal, Size: 3},
			{Usage: scene.TexCoord, Size: 2}}}
}

// Read implements scene.Floats.
func (h *heights) Read(first int, into []float32) error {
	var vertex [terrainFloats]float32
	for last := -1; len(into) > 0; first, into = first+1, into[1:] {
		if i := first / terrainFloats; i != last {
			vertex, last = h.vertex(i), i
		}
		into[0] = vertex[first%terrainFloats]
	}
	return nil
}

func (h *heights) vertex(i int) [terrainFloats]float32 {
	x, z := i%h.columns, i/h.columns
	left, right, back, front := max(x-1, 0), min(x+1, h.columns-1), max(z-1, 0), min(z+1, h.rows-1)
	wide, deep := h.size[0]/float32(h.columns-1), h.size[2]/float32(h.rows-1)
	up := func(x, z int) float32 { return h.at[z*h.columns+x] * h.size[1] }
	// across the slopes to the right and to the front
	nx := (up(left, z) - up(right, z)) / float32(right-left) / wide
	nz := (up(x, back) - up(x, front)) / float32(front-back) / deep
	across, ahead := float32(x)/float32(h.columns-1), float32(z)/float32(h.rows-1)
	return [terrainFloats]float32{(across - .5) * h.size[0], up(x, z), (ahead - .5) * h.size[2], nx, 1, nz,
		across * h.textured[0], 1 - ahead*h.textured[1]}
}

// grid is the indices of two triangles for each square between columns and rows, or for some of the squares.
type grid struct {
	columns, rows int
	some          []int32 // the numbers of the squares, row by row; nil for all
}

// Len implements scene.Indices.
func (g grid) Len() int {
	if g.some != nil {
		return 6 * len(g.some)
	}
	return 6 * (g.columns - 1) * (g.rows - 1)
}

// Read implements scene.Indices.
func (g grid) Read(first int, into []uint32) error {
	for k := range into {
		i := first + k
		square := i / 6
		if g.some != nil {
			square = int(g.some[square])
		}
		x, z := square%(g.columns-1), square/(g.columns-1)
		corner := [6][2]int{{0, 0}, {0, 1}, {1, 0}, {1, 0}, {0, 1}, {1, 1}}[i%6]
		into[k] = uint32((z+corner[1])*g.columns + x + corner[0])
	}
	return nil
}
