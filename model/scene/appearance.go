package scene

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"io"
	"math"
	"path"
	"strconv"
	"strings"
)

// PlainColor returns the sRGB color for a material with only a name. It is muted, and depends on the name alone.
func PlainColor(name string) [3]uint8 {
	hash := fnv.New32a()
	_, _ = hash.Write([]byte(name))
	h := hash.Sum32() * 0x9E3779B1                    // names that differ in one letter are far apart
	const minChannel, strongest, shades = .68, .84, 4 // the parts of a color
	hue := 6 * float64(h>>16) / 0x10000
	darker := 1 - .05*float64(h>>8%shades)
	var out [3]uint8
	for k := range out {
		away := math.Abs(math.Mod(hue+6-2*float64(k), 6) - 3) // from the opposite of red, green or blue
		share := min(max(away-1, 0), 1)
		out[k] = uint8(255*darker*(minChannel+(strongest-minChannel)*share) + .5)
	}
	return out
}

// IsUninformative reports whether the color of a vertex is white or black, as encoders write by default. A mesh with
// only such colors counts as one without colors.
func IsUninformative(c [4]uint8) bool {
	return c == [4]uint8{255, 255, 255, 255} || c[0]|c[1]|c[2] == 0
}

// appearances holds the materials of a scene as exported: materials that only have a name, or have no readable picture,
// get the colors of the program's own drawing.
type appearances struct {
	fallback
	plain       map[*Material][3]uint8 // of materials with only a name
	colored     map[*Mesh]bool         // meshes with vertex colors
	translucent map[*Mesh]bool         // meshes with a vertex alpha below 1
}

// newAppearances visits the scene in the order of drawing.
func (s *Scene) newAppearances(f fallback) (*appearances, error) {
	a := &appearances{fallback: f, plain: make(map[*Material][3]uint8), colored: make(map[*Mesh]bool),
		translucent: make(map[*Mesh]bool)}
	var pictured []*Material
	var failed error
	s.Walk(func(n *Node, _ Matrix) {
		m := n.Mesh
		if m == nil || failed != nil || m.Count <= 0 || m.Vertices == nil {
			return
		}
		if offset, _ := m.Find(Position, 0); offset < 0 {
			return
		}
		if _, known := a.colored[m]; !known {
			a.colored[m], a.translucent[m], failed = m.hasColors()
		}
		for i, p := range m.Parts {
			if p == nil {
				continue
			}
			material := a.materialOf(n, i)
			switch {
			case material.Shading != UnknownShading:
				if material.Texture != nil && !material.Texture.isReadable() {
					pictured = append(pictured, material)
				}
			case !a.colored[m]:
				a.plain[material] = PlainColor(material.Name)
			}
		}
	})
	for _, m := range pictured {
		a.addUnpictured(m)
	}
	return a, failed
}

// addUnpictured records a material with a picture that is missing or cannot be read.
func (l *appearances) addUnpictured(m *Material) {
	if _, ok := l.plain[m]; !ok {
		l.plain[m] = PlainColor(m.Name)
	}
}

// fallback holds materials for parts without one, by the names of their meshes.
type fallback map[string]*Material

// materialOf returns the material of a part; it is never nil.
func (f fallback) materialOf(n *Node, part int) *Material {
	if m := n.Material(part); m != nil {
		return m
	}
	m := f[n.Mesh.Name]
	if m == nil {
		m = &Material{Name: n.Mesh.Name}
		f[n.Mesh.Name] = m
	}
	return m
}

// hidesShape reports whether a material would hide the form of a mesh: white and unlit, most likely for a shader of the
// game's own.
func (m *Material) hidesShape() bool {
	return m.Shading == Unlit && m.Texture == nil && !m.VertexColors && m.Diffuse == [4]float32{1, 1, 1, 1}
}

func (s *Sampler) isReadable() bool {
	t := s.Texture
	return t != nil && t.Image != nil && t.Open != nil && t.Missing == ""
}

// hasColors reports whether vertices have colors other than the defaults of encoders, and whether one has an alpha
// below 1.
func (m *Mesh) hasColors() (colored, translucent bool, err error) {
	if offset, _ := m.Find(Color, 0); offset < 0 {
		return false, false, nil
	}
	t, err := m.table()
	if err != nil {
		return false, false, err
	}
	colors := t.element(Color, 0)
	for i := range m.Count {
		c := colors.color8At(i)
		colored, translucent = colored || !IsUninformative(c), translucent || c[3] < 255
	}
	return colored, translucent, nil
}

// Pictures holds the pictures that the materials of a scene use, as their files.
type Pictures []*Texture

// NewPictures lists the existing pictures, each once.
func NewPictures(s *Scene) (pictures Pictures) {
	index := make(map[pictureKey]int)
	for _, m := range s.materials(make(fallback)) {
		pictures = append(pictures, addPictures(index, m.Samplers()...)...)
	}
	return pictures
}

// Extensions returns the extensions of the files, with names that make them unique: .duck.png, .floor.dds.
func (p Pictures) Extensions() []string {
	return pictureExtensions(p, func(t *Texture) string { return path.Ext(t.Path) })
}

// Shared returns the keys of the files: their paths in the project, and the direction of their rows.
func (p Pictures) Shared() (names []string) {
	for _, t := range p {
		shared := ""
		if t.Path != "" {
			shared = fmt.Sprintf("%s %t", t.Path, t.Down)
		}
		names = append(names, shared)
	}
	return names
}

// Write writes one of the files.
func (p Pictures) Write(ctx context.Context, out io.Writer, file int) error {
	if file >= len(p) {
		return errFilesChanged
	}
	r, err := p[file].Open(ctx)
	if err != nil {
		return err
	}
	defer r.Close()
	_, err = io.Copy(out, r)
	return err
}

// addPictures returns the pictures of samplers that are not in index yet, and adds them to it.
func addPictures(index map[pictureKey]int, samplers ...*Sampler) (found []*Texture) {
	for _, use := range samplers {
		if use == nil || use.Texture == nil || use.Texture.Image == nil || use.Texture.Open == nil {
			continue
		}
		if _, ok := index[use.Texture.key()]; !ok {
			index[use.Texture.key()] = len(index)
			found = append(found, use.Texture)
		}
	}
	return found
}

// key returns the identity of the texture's picture.
func (t *Texture) key() pictureKey {
	if t.Path == "" {
		return pictureKey{t.Name, t.Down}
	}
	return pictureKey{t.Path, t.Down}
}

// pictureExtensions returns the ends of the names of pictures: a dot, the name of each and its extension, all
// different.
func pictureExtensions(pictures []*Texture, extension func(t *Texture) string) (endings []string) {
	visited := make(map[string]bool)
	for _, t := range pictures {
		base := path.Base(t.Path)
		stem, end := "."+objName(strings.TrimSuffix(base, path.Ext(base))), extension(t)
		name := stem + end
		for n := 2; visited[strings.ToLower(name)]; n++ {
			name = stem + "-" + strconv.Itoa(n) + end
		}
		visited[strings.ToLower(name)] = true
		endings = append(endings, name)
	}
	return endings
}

const pngSignature = "\x89PNG\r\n\x1A\n"

// plainPNG returns a PNG file with only its pixels: without the color space, the pixel aspect ratio and similar chunks,
// which glTF requires readers to ignore although some do not. Invalid PNG files are returned unchanged.
func plainPNG(file []byte) []byte {
	if !bytes.HasPrefix(file, []byte(pngSignature)) {
		return file
	}
	out := append(make([]byte, 0, len(file)), pngSignature...)
	for rest := file[len(pngSignature):]; len(rest) > 0; {
		if len(rest) < 12 {
			return file
		}
		size := 12 + int64(binary.BigEndian.Uint32(rest))
		if size > int64(len(rest)) {
			return file
		}
		kind := string(rest[4:8])
		if kind[0] < 'a' || kind == "tRNS" { // critical chunks begin with a capital
			out = append(out, rest[:size]...)
		}
		if rest = rest[size:]; kind == "IEND" {
			return out
		}
	}
	return file
}
