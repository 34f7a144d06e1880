package scene

import (
	"context"
	"fmt"
	"io"
	"path"
	"strconv"
	"strings"
)

// Pictures is the pictures that the materials of a scene use, as the files that they are.
type Pictures []*Texture

// NewPictures lists the pictures that were found, each once.
func NewPictures(s *Scene) (all Pictures) {
	index := make(map[pictureKey]int)
	for _, m := range s.materials(make(fallback)) {
		all = append(all, newPictures(index, m.Samplers()...)...)
	}
	return all
}

// Extensions returns those of the files, with what tells them apart: .duck.png, .floor.dds.
func (p Pictures) Extensions() []string {
	return pictureEndings(p, func(t *Texture) string { return path.Ext(t.Path) })
}

// Shared returns what the files are known by: their paths in the project, and which way their rows go.
func (p Pictures) Shared() (all []string) {
	for _, t := range p {
		known := ""
		if t.Path != "" {
			known = fmt.Sprintf("%s %t", t.Path, t.Down)
		}
		all = append(all, known)
	}
	return all
}

// Write writes one of the files.
func (p Pictures) Write(ctx context.Context, out io.Writer, file int) error {
	if file >= len(p) {
		return errListed
	}
	r, err := p[file].Open(ctx)
	if err != nil {
		return err
	}
	defer r.Close()
	_, err = io.Copy(out, r)
	return err
}

// newPictures returns the pictures of samplers that are not in an index of all so far, and puts them there.
func newPictures(index map[pictureKey]int, uses ...*Sampler) (found []*Texture) {
	for _, use := range uses {
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

// key is what the texture's picture is known by.
func (t *Texture) key() pictureKey {
	if t.Path == "" {
		return pictureKey{t.Name, t.Down}
	}
	return pictureKey{t.Path, t.Down}
}

// pictureEndings returns the ends of the names of pictures: a dot, the name of each and its extension, no two the same.
func pictureEndings(pictures []*Texture, extension func(t *Texture) string) (all []string) {
	seen := make(map[string]bool)
	for _, t := range pictures {
		base := path.Base(t.Path)
		stem, end := "."+objName(strings.TrimSuffix(base, path.Ext(base))), extension(t)
		name := stem + end
		for n := 2; seen[strings.ToLower(name)]; n++ {
			name = stem + "-" + strconv.Itoa(n) + end
		}
		seen[strings.ToLower(name)] = true
		all = append(all, name)
	}
	return all
}
