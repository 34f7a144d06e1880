package scene

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"strconv"
	"strings"
	"unicode"

	"assay/model"
)

// OBJ writes a scene as the files of Wavefront OBJ: the meshes, the materials if there are any, and their pictures.
type OBJ struct {
	scene *Scene
	fallback
	materials []*Material
	pictures  []*Texture
	index     map[pictureKey]int // of pictures
}

// NewOBJ determines the files of the scene.
func NewOBJ(s *Scene) *OBJ {
	o := &OBJ{scene: s, fallback: make(fallback), index: make(map[pictureKey]int)}
	o.materials = s.materials(o.fallback)
	if len(o.materials) == 1 && len(o.fallback) == 1 {
		o.materials = nil // a single color distinguishes nothing
	}
	for _, m := range o.materials {
		o.pictures = append(o.pictures, addPictures(o.index, m.Texture, m.Normal)...)
	}
	return o
}

// Extensions returns the extensions of the files, with unique names of the pictures: .obj, .mtl, .duck.png.
func (o *OBJ) Extensions() []string {
	if len(o.materials) == 0 {
		return []string{".obj"}
	}
	return append([]string{".obj", ".mtl"}, pictureExtensions(o.pictures, func(t *Texture) string {
		if t.isCopied(t.Down) && t.MediaType == "image/jpeg" {
			return ".jpg"
		}
		return ".png"
	})...)
}

// Shared returns the keys of the files that other scenes may need, in the order of Extensions.
func (o *OBJ) Shared() []string { return append([]string{"", ""}, Pictures(o.pictures).Shared()...) }

// Write writes one of the files, which have these names, and returns the losses.
func (o *OBJ) Write(ctx context.Context, out io.Writer, file int, names []string) ([]string, error) {
	switch {
	case file == 0 && len(names) == 1:
		return o.writeMeshes(ctx, out, "")
	case len(names) != len(o.pictures)+2:
		return nil, errFilesChanged
	case file == 0:
		return o.writeMeshes(ctx, out, names[1])
	case file == 1:
		return nil, o.writeMaterials(ctx, out, names)
	}
	t := o.pictures[file-2]
	picture, err := t.encode(ctx, t.Down)
	if err != nil {
		return nil, fmt.Errorf("texture %q: %w", t.Name, err)
	}
	_, err = out.Write(picture.data)
	return nil, err
}

var errFilesChanged = errors.New("the files of the scene changed; reopen it")

// materialNames returns a unique valid name for each material.
func materialNames(materials []*Material) map[*Material]string {
	names := make(map[*Material]string, len(materials))
	used, next := make(map[string]bool, len(materials)), make(map[string]int)
	for _, m := range materials {
		base := objName(m.Name)
		name := base
		for used[name] {
			next[base]++
			name = base + "_" + strconv.Itoa(next[base]+1)
		}
		used[name] = true
		names[m] = name
	}
	return names
}

// writeMaterials writes the materials. For materials with only a name it writes only a color.
func (o *OBJ) writeMaterials(ctx context.Context, out io.Writer, names []string) error {
	w := bufio.NewWriter(out)
	appearances, err := o.scene.newAppearances(o.fallback)
	if err != nil {
		return err
	}
	material := materialNames(o.materials)
	for _, m := range o.materials {
		if err := ctx.Err(); err != nil {
			return err
		}
		fmt.Fprintf(w, "newmtl %s\n", material[m]) // errors stick until Flush
		if color, ok := appearances.plain[m]; ok || m.Shading == UnknownShading {
			o.writePlaceholder(w, color, ok)
			continue
		}
		fmt.Fprintf(w, "Ka %s\nKd %s\nd %v\n", rgb(m.Ambient[:]), rgb(m.Diffuse[:3]), finiteOrZero(m.Diffuse[3]))
		switch {
		case m.Shading == Unlit:
			fmt.Fprint(w, "illum 0\n")
		case m.SpecularExponent > 0:
			fmt.Fprintf(w, "Ks 0.3 0.3 0.3\nNs %v\nillum 2\n", finiteOrZero(m.SpecularExponent))
		default:
			fmt.Fprint(w, "illum 1\n")
		}
		o.writeMap(w, "map_Kd", m.Texture, names)
		o.writeMap(w, "map_Bump", m.Normal, names)
	}
	return w.Flush()
}

// writePlaceholder writes the color of a material with only a name; if ok is false, its vertices have the colors.
func (o *OBJ) writePlaceholder(w io.Writer, color [3]uint8, ok bool) {
	if !ok {
		color = [3]uint8{255, 255, 255}
	}
	fmt.Fprintf(w, "Kd %.4g %.4g %.4g\nillum 1\n", float32(color[0])/255, float32(color[1])/255, float32(color[2])/255)
}

func rgb(v []float32) string {
	return fmt.Sprintf("%v %v %v", finiteOrZero(v[0]), finiteOrZero(v[1]), finiteOrZero(v[2]))
}

// writeMap writes the picture of a material, with its options. It omits the option -clamp, because VTK reads no picture
// after it.
func (o *OBJ) writeMap(w io.Writer, word string, s *Sampler, names []string) {
	if s == nil || s.Texture == nil {
		return
	}
	picture, ok := o.index[s.Texture.key()]
	if !ok {
		return
	}
	options := ""
	if s.Repeat != [2]float32{1, 1} && s.Repeat != [2]float32{} {
		options += fmt.Sprintf(" -s %v %v 1", finiteOrZero(s.Repeat[0]), finiteOrZero(s.Repeat[1]))
	}
	if s.Offset != [2]float32{} {
		options += fmt.Sprintf(" -o %v %v 0", finiteOrZero(s.Offset[0]), finiteOrZero(s.Offset[1]))
	}
	fmt.Fprintf(w, "%s%s %s\n", word, options, path.Base(names[2+picture]))
}

// writeMeshes writes the meshes and points of the scene, in its pose, as Wavefront OBJ. library is the name of the file
// with its materials, or "". It returns the losses.
func (o *OBJ) writeMeshes(ctx context.Context, out io.Writer, library string) ([]string, error) {
	s := o.scene
	w := &objWriter{w: bufio.NewWriterSize(out, 64<<10), report: newReport(), vertex: 1, texture: 1, normal: 1}
	pose := NewPose(s)
	poseName := pose.SetInitial(s)
	s.reportOmitted(w.report, poseName)
	if poseName != "" {
		w.writeLine("#", "skins are posed as "+model.OneLine(poseName, 200)+" begins")
	}
	var err error
	if w.appearances, err = s.newAppearances(o.fallback); err != nil {
		return nil, err
	}
	if library != "" {
		w.names = materialNames(o.materials)
		w.writeLine("mtllib", library)
	}
	if err := s.shapes(ctx, pose, w.report, w.writeShape); err != nil {
		return nil, err
	}
	if err := s.eachPoint(ctx, w.writePoint); err != nil {
		return nil, err
	}
	return append(w.report.lines(), s.Missing...), w.w.Flush()
}

// materials lists all materials, each once, with the fallbacks for parts without one.
func (s *Scene) materials(f fallback) []*Material {
	var out []*Material
	visited := make(map[*Material]bool)
	s.Walk(func(n *Node, _ Matrix) {
		if n.Mesh == nil {
			return
		}
		for i := range n.Mesh.Parts {
			if m := f.materialOf(n, i); !visited[m] {
				visited[m] = true
				out = append(out, m)
			}
		}
	})
	return out
}

// reportOmitted reports everything that OBJ cannot store. poseName is the name of the animation that poses the skins,
// or "" for the bind pose.
func (s *Scene) reportOmitted(r *report, poseName string) {
	for _, a := range s.Animations {
		r.add("animations are not exported", a.Name)
	}
	s.Walk(func(n *Node, _ Matrix) {
		if n.Camera != nil {
			r.add("cameras are not exported", n.Camera.Name)
		}
		if n.Light != nil {
			r.add("lights are not exported", n.Light.Name)
		}
		if n.Mesh == nil {
			return
		}
		switch {
		case n.Skin != nil && poseName != "":
			r.add("OBJ has no skins: meshes are exported in the first pose of an animation", n.Name)
		case n.Skin != nil:
			r.add("OBJ has no skins: meshes are exported in the stored pose", n.Name)
		}
		for _, e := range n.Mesh.Elements {
			if e.Usage == Tangent || e.Usage == Binormal || e.Usage == Other ||
				(e.Usage == Weights || e.Usage == Joints) &&
					n.Skin == nil {
				r.add("only positions, normals, colors, and texture coordinates are exported",
					n.Mesh.Name)
			}
		}
		if len(n.Mesh.sets()[TexCoord]) > 1 {
			r.add("texture coordinates after the first are not exported", n.Mesh.Name)
		}
	})
}

// eachPoint passes all points of the scene.
func (s *Scene) eachPoint(ctx context.Context, visit func(n *Node, d *Dot) error) error {
	var err error
	s.Walk(func(n *Node, world Matrix) {
		if err != nil || n.Points == nil {
			return
		}
		if !world.finite() {
			world = Identity
		}
		err = n.Points.Each(func(d *Dot) error {
			if err := ctx.Err(); err != nil {
				return err
			}
			d.Position = world.Apply(finitePoint(d.Position))
			return visit(n, d)
		})
	})
	return err
}

type objWriter struct {
	w           *bufio.Writer
	report      *report
	appearances *appearances
	names       map[*Material]string
	buf         []byte
	// OBJ counts the vertices, texture coordinates and normals of the whole file, each from 1. These are the next.
	vertex, texture, normal int64
	currentPoints           *Node // the node of the points that are being written
}

func (o *objWriter) writeLine(word, rest string) {
	_, _ = o.w.WriteString(word + " " + rest + "\n") // errors stick until Flush
}

func (o *objWriter) writeFloats(word string, v ...float32) {
	o.buf = append(o.buf[:0], word...)
	for _, f := range v {
		o.buf = append(o.buf, ' ')
		o.buf = strconv.AppendFloat(o.buf, float64(f), 'g', -1, 32)
	}
	_, _ = o.w.Write(append(o.buf, '\n'))
}

func (o *objWriter) writeShape(sh *shape) error {
	m := sh.node.Mesh
	o.writeLine("o", objName(cmp.Or(sh.node.Name, m.Name)))
	for i, p := range sh.positions {
		if sh.colors != nil && o.appearances.colored[m] {
			c := sh.colors[i]
			o.writeFloats("v", p[0], p[1], p[2], float32(c[0])/255, float32(c[1])/255, float32(c[2])/255)
		} else {
			o.writeFloats("v", p[:]...)
		}
	}
	for _, t := range sh.texture {
		o.writeFloats("vt", t[:]...)
	}
	for _, n := range sh.normals {
		o.writeFloats("vn", n[:]...)
	}
	for i, p := range m.Parts {
		idx, err := p.readIndices(m)
		if err != nil {
			return err
		}
		if name := o.names[o.appearances.materialOf(sh.node, i)]; name != "" {
			o.writeLine("usemtl", name)
		}
		o.writePart(sh, p, idx)
	}
	o.vertex += int64(len(sh.positions))
	o.texture += int64(len(sh.texture))
	o.normal += int64(len(sh.normals))
	return nil
}

func (o *objWriter) writePart(sh *shape, p *Part, idx []uint32) {
	missing := 0
	for _, i := range idx {
		if int64(i) >= int64(len(sh.positions)) {
			missing++
		}
	}
	o.report.addN("indices of vertices that do not exist are not exported", sh.node.Mesh.Name, missing)
	sh.triangles(p, idx, func(a, b, c uint32) {
		o.buf = append(o.buf[:0], 'f')
		for _, i := range [...]uint32{a, b, c} {
			o.appendCorner(sh, int64(i))
		}
		_, _ = o.w.Write(append(o.buf, '\n'))
	})
	exists := func(i uint32) bool { return int64(i) < int64(len(sh.positions)) }
	p.Primitive.EachLine(idx, func(a, b uint32) {
		if exists(a) && exists(b) {
			o.writeLine("l", strconv.FormatInt(o.vertex+int64(a), 10)+" "+strconv.FormatInt(o.vertex+int64(b), 10))
		}
	})
	if p.Primitive == PointList {
		for _, i := range idx {
			if exists(i) {
				o.writeLine("p", strconv.FormatInt(o.vertex+int64(i), 10))
			}
		}
	}
}

// appendCorner adds a corner of a face: v, v/vt, v//vn or v/vt/vn.
func (o *objWriter) appendCorner(sh *shape, i int64) {
	o.buf = strconv.AppendInt(append(o.buf, ' '), o.vertex+i, 10)
	if sh.texture != nil || sh.normals != nil {
		o.buf = append(o.buf, '/')
	}
	if sh.texture != nil {
		o.buf = strconv.AppendInt(o.buf, o.texture+i, 10)
	}
	if sh.normals != nil {
		o.buf = strconv.AppendInt(append(o.buf, '/'), o.normal+i, 10)
	}
}

func (o *objWriter) writePoint(n *Node, d *Dot) error {
	if o.currentPoints != n {
		o.currentPoints = n
		o.writeLine("o", objName(cmp.Or(n.Name, n.Points.Name)))
	}
	o.writeFloats("v", d.Position[0], d.Position[1], d.Position[2], float32(d.Color[0])/255, float32(d.Color[1])/255,
		float32(d.Color[2])/255)
	o.writeLine("p", strconv.FormatInt(o.vertex, 10))
	o.vertex++
	return nil
}

// objName returns a valid name for OBJ: one word.
func objName(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || unicode.IsControl(r) || r == '#' || r == '\\' {
			return '_'
		}
		return r
	}, s)
	if s == "" {
		return "unnamed"
	}
	return s
}
