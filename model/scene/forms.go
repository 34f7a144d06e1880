package scene

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"

	"assay/model"
)

// Forms returns the export formats of a scene, independent of its file format: glTF; OBJ, with as many files as it
// needs; and the original pictures of its materials, if there are any. newScene is called for each export, with its
// context, and once to list the formats.
func Forms(newScene func(context.Context) *Scene) []model.Form {
	s := newScene(context.Background()) // payloads are listed without a context
	obj := NewOBJ(s)
	glb := GLBForms(newScene)
	forms := []model.Form{glb[0],
		{Name: "obj", Extension: ".obj", MediaType: "model/obj", Extensions: obj.Extensions(), Shared: obj.Shared(),
			WriteFiles: func(ctx context.Context, w io.Writer, file int, names []string) error {
				return withLoss(NewOBJ(newScene(ctx)).Write(ctx, w, file, names))
			}}}
	pictures := NewPictures(s)
	if textures := pictures.Extensions(); len(textures) > 0 {
		forms = append(forms, model.Form{Name: "textures", Extension: textures[0],
			MediaType: "application/octet-stream", Extensions: textures, Shared: pictures.Shared(),
			WriteFiles: func(ctx context.Context, w io.Writer, file int, _ []string) error {
				return NewPictures(newScene(ctx)).Write(ctx, w, file)
			}})
	}
	return append(forms, glb[1:]...)
}

// GLBForms returns the forms of Forms that write GLB.
func GLBForms(newScene func(context.Context) *Scene) []model.Form {
	return []model.Form{GLBForm("glb", newScene, GLBOptions{}), GLBForm("glb-unlit", newScene, GLBOptions{Unlit: true}),
		GLBForm("glb-lights", newScene, GLBOptions{FillLights: true}),
		GLBForm("glb-as-stored", newScene, GLBOptions{KeepUp: true})}
}

// WholeForms returns the forms of Forms that every scene has, without their functions. Forms of several files have
// Extensions.
func WholeForms() []model.Form {
	forms := Forms(func(context.Context) *Scene { return new(Scene) })
	for i := range forms {
		forms[i].Write, forms[i].WriteFiles = nil, nil
	}
	return forms
}

// GLBForm returns a form that writes a scene as GLB.
func GLBForm(name string, newScene func(context.Context) *Scene, options GLBOptions) model.Form {
	return model.Form{Name: name, Extension: ".glb", MediaType: "model/gltf-binary",
		Write: func(ctx context.Context, w io.Writer) error {
			return withLoss(newScene(ctx).WriteGLB(ctx, w, options))
		}}
}

// withLoss returns err or, if that is nil, the losses of the written file as a model.Loss.
func withLoss(lost []string, err error) error {
	if err == nil && len(lost) > 0 {
		return model.Loss(lost)
	}
	return err
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

// report collects losses: a sentence for each kind, with the names of the items.
type report struct {
	quiet bool
	order []string
	names map[string][]string
	count map[string]int
}

func newReport() *report {
	return &report{names: make(map[string][]string), count: make(map[string]int)}
}

const maxLossNames = 5

func (r *report) add(loss, name string) { r.addN(loss, name, 1) }

func (r *report) addN(loss, name string, n int) {
	if r.quiet || n == 0 {
		return
	}
	if r.count[loss] == 0 {
		r.order = append(r.order, loss)
	}
	r.count[loss] += n
	if l := r.names[loss]; name != "" && len(l) <= maxLossNames && !slices.Contains(l, name) {
		r.names[loss] = append(l, name)
	}
}

func (r *report) lines() []string {
	var out []string
	for _, loss := range r.order {
		line, before := fmt.Sprintf("%s (%d", loss, r.count[loss]), ", in "
		for _, name := range r.names[loss][:min(len(r.names[loss]), maxLossNames)] {
			line, before = line+before+strconv.Quote(name), ", "
		}
		if len(r.names[loss]) > maxLossNames {
			line += " …"
		}
		out = append(out, line+")")
	}
	return out
}
