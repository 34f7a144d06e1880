package scene

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"strconv"
)

// OBJ is a scene as the files that Wavefront OBJ needs: the meshes, the materials if there are any, and their pictures.
type OBJ struct {
	scene *Scene
	fallback
	materials []*Material
	pictures  []*Texture
	index     map[pictureKey]int // of pictures
}

// NewOBJ finds out which files the scene is written to.
func NewOBJ(s *Scene) *OBJ {
	o := &OBJ{scene: s, fallback: make(fallback), index: make(map[pictureKey]int)}
	o.materials = s.materials(o.fallback)
	if len(o.materials) == 1 && len(o.fallback) == 1 {
		o.materials = nil // a color that tells nothing apart
	}
	for _, m := range o.materials {
		o.pictures = append(o.pictures, newPictures(o.index, m.Texture, m.Normal)...)
	}
	return o
}

func (o *OBJ) has(key pictureKey) bool {
	_, ok := o.index[key]
	return ok
}

// Extensions returns those of the files, with what tells the pictures apart: .obj, .mtl, .duck.png.
func (o *OBJ) Extensions() []string {
	if len(o.materials) == 0 {
		return []string{".obj"}
	}
	return append([]string{".obj", ".mtl"}, pictureEndings(o.pictures, func(t *Texture) string {
		if t.asIs(t.Down) && t.MediaType == "image/jpeg" {
			return ".jpg"
		}
		return ".png"
	})...)
}

// Shared returns what the files that other scenes may need are known by, in the order of Extensions.
func (o *OBJ) Shared() []string { return append([]string{"", ""}, Pictures(o.pictures).Shared()...) }

// Write writes one of the files, of which names has the names. It says what OBJ has no place for.
func (o *OBJ) Write(ctx context.Context, out io.Writer, file int, names []string) ([]string, error) {
	switch {
	case file == 0 && len(names) == 1:
		return o.writeScene(ctx, out, "")
	case len(names) != len(o.pictures)+2:
		return nil, errListed
	case file == 0:
		return o.writeScene(ctx, out, names[1])
	case file == 1:
		return nil, o.library(ctx, out, names)
	}
	t := o.pictures[file-2]
	picture, err := t.encoded(ctx, t.Down)
	if err != nil {
		return nil, fmt.Errorf("texture %q: %w", t.Name, err)
	}
	_, err = out.Write(picture.data)
	return nil, err
}

var errListed = errors.New("the files of the scene changed; reopen it")

// materialNames returns each material a name that OBJ takes and that no other has.
func materialNames(all []*Material) map[*Material]string {
	names := make(map[*Material]string, len(all))
	used, next := make(map[string]bool, len(all)), make(map[string]int)
	for _, m := range all {
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

// library writes the materials. Of those of which only the names are known it says no more.
func (o *OBJ) library(ctx context.Context, out io.Writer, names []string) error {
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
			o.unknown(w, color, ok)
			continue
		}
		fmt.Fprintf(w, "Ka %s\nKd %s\nd %v\n", rgb(m.Ambient[:]), rgb(m.Diffuse[:3]), number(m.Diffuse[3]))
		switch {
		case m.Shading == Unlit:
			fmt.Fprint(w, "illum 0\n")
		case m.SpecularExponent > 0:
			fmt.Fprintf(w, "Ks 0.3 0.3 0.3\nNs %v\nillum 2\n", number(m.SpecularExponent))
		default:
			fmt.Fprint(w, "illum 1\n")
		}
		o.use(w, "map_Kd", m.Texture, names)
		o.use(w, "map_Bump", m.Normal, names)
	}
	return w.Flush()
}

// unknown writes the color of a material of which no more is known; without one its vertices have it.
func (o *OBJ) unknown(w io.Writer, color [3]uint8, ok bool) {
	if !ok {
		color = [3]uint8{255, 255, 255}
	}
	fmt.Fprintf(w, "Kd %.4g %.4g %.4g\nillum 1\n", float32(color[0])/255, float32(color[1])/255, float32(color[2])/255)
}

func rgb(v []float32) string {
	return fmt.Sprintf("%v %v %v", number(v[0]), number(v[1]), number(v[2]))
}

// use writes which picture a material reads, and how. The option -clamp is left out: VTK reads no picture after it.
func (o *OBJ) use(w io.Writer, word string, s *Sampler, names []string) {
	if s == nil || s.Texture == nil || !o.has(s.Texture.key()) {
		return
	}
	options := ""
	if s.Repeat != [2]float32{1, 1} && s.Repeat != [2]float32{} {
		options += fmt.Sprintf(" -s %v %v 1", number(s.Repeat[0]), number(s.Repeat[1]))
	}
	if s.Offset != [2]float32{} {
		options += fmt.Sprintf(" -o %v %v 0", number(s.Offset[0]), number(s.Offset[1]))
	}
	fmt.Fprintf(w, "%s%s %s\n", word, options, path.Base(names[2+o.index[s.Texture.key()]]))
}
