package compose

import (
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"io"
	"path"
	"strings"

	"assay/formats/gpb/project"
	"assay/formats/gpb/properties"
	"assay/model"
	"assay/model/scene"
)

// terrainMost is the most columns and rows of a terrain that are shown: of larger ones some are left out.
const terrainMost = 1024

// terrain gives a node the terrain of its entry: the name of a file, a namespace with one as its path, or one that
// describes the terrain itself.
func (c *composer) terrain(n *scene.Node, entry *properties.Space) {
	s, folder := c.attachment(entry, "terrain")
	if s != nil && s.Get("path") != "" {
		s, folder = c.referenced(s.Get("path"))
	}
	switch {
	case s == nil:
		return
	case n.Mesh != nil:
		c.resources.Notef("the terrain of %s is not shown because the node has a mesh", n.Name)
		return
	}
	h, err := c.heights(s, folder)
	if err != nil {
		c.resources.Notef("the terrain of %s is not shown: %s", n.Name, err)
		return
	}
	n.Mesh = h.Mesh(n.Name)
	n.Mesh.Parts = c.terrainLayers(h, s, folder, n.Name)
}

// heights is the heightfield of a terrain. As in the engine (TerrainPatch::addLOD), the texture coordinates of its last
// column and row are those of the column and the row before the end of the textures.
type heights struct {
	scene.Heightfield
	step    int // every step-th column and row is shown
	patches patches
}

// heightmap returns the path of the heightmap of a terrain, and the columns and rows that are stated for it: nil if it
// has no namespace of its own.
func heightmap(s *properties.Space) (name string, size []float32) {
	own := s.First("heightmap")
	if own == nil {
		return s.Get("heightmap"), nil
	}
	if size = own.Vector("size", 2); size == nil {
		size = []float32{own.Number("width", 0), own.Number("height", 0)}
	}
	return own.Get("path"), size
}

// heights returns the heights of a terrain, with its size and its patches.
func (c *composer) heights(s *properties.Space, folder string) (*heights, error) {
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
func (c *composer) readHeights(s *properties.Space, folder string) (*heights, error) {
	name, size := heightmap(s)
	if name == "" {
		return nil, fmt.Errorf("it names no heightmap")
	}
	full := c.resources.Locate(name, folder)
	if full == "" {
		return nil, fmt.Errorf("its heightmap was not found")
	}
	h := &heights{}
	switch extension := strings.ToLower(path.Ext(full)); extension {
	case ".raw", ".r16":
		return h, c.fromNumbers(h, full, size)
	}
	img, err := c.resources.Texture(name, folder).Image(c.ctx)
	if err != nil {
		return nil, err
	}
	h.fromPicture(img)
	return h, nil
}

// sample sets the heights from a function of column and row, and leaves some columns and rows out of large terrains.
func (h *heights) sample(columns, rows int, at func(x, y int) float32) {
	h.Size = [3]float32{float32(columns), float32(columns+rows) / 2 * .3, float32(rows)}
	h.Textured = [2]float32{float32(columns-1) / float32(columns), float32(rows-1) / float32(rows)}
	step := 1 + (max(columns, rows)-1)/terrainMost
	h.step, h.patches = step, patches{columns: columns, rows: rows}
	h.Columns, h.Rows = (columns-1)/step+1, (rows-1)/step+1
	h.Heights = make([]float32, 0, h.Columns*h.Rows)
	for y := range h.Rows {
		for x := range h.Columns {
			h.Heights = append(h.Heights, at(x*step, y*step))
		}
	}
}

// fromPicture sets the heights from a picture: a height has 24 bits, of which red has the highest.
func (h *heights) fromPicture(img image.Image) {
	b := img.Bounds()
	h.sample(b.Dx(), b.Dy(), func(x, y int) float32 {
		c := color.NRGBAModel.Convert(img.At(b.Min.X+x, b.Min.Y+y)).(color.NRGBA)
		return float32(uint32(c.R)<<16|uint32(c.G)<<8|uint32(c.B)) / (1 << 24)
	})
}

// fromNumbers sets the heights from a file of little-endian numbers. As in the engine (HeightField::create), its rows
// are in the order of the file: the first is at the back, as that of a picture is.
func (c *composer) fromNumbers(h *heights, full string, size []float32) error {
	if len(size) != 2 || !(size[0] >= 2 && size[1] >= 2 && size[0] < 1<<15 && size[1] < 1<<15) {
		return fmt.Errorf("the size of the heightmap %s is missing", project.Printable(full))
	}
	columns, rows := int(size[0]), int(size[1])
	src, err := c.resources.ReadFile(full)
	if err != nil {
		return err
	}
	n := int64(columns) * int64(rows)
	each := src.Size() / n
	if each != 1 && each != 2 {
		return fmt.Errorf("%s has %d bytes; %d × %d heights need 1 or 2 bytes each", project.Printable(full),
			src.Size(), columns, rows)
	}
	b := make([]byte, each*n)
	if _, err := io.ReadFull(src.Reader(model.Span{Size: each * n}), b); err != nil {
		return err
	}
	h.sample(columns, rows, func(x, y int) float32 {
		at := y*columns + x
		if each == 1 {
			return float32(b[at]) / 255
		}
		return float32(binary.LittleEndian.Uint16(b[2*at:])) / 65535
	})
	return nil
}
