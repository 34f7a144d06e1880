package project

import (
	"context"
	"fmt"
	"image"
	"io"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"assay/model"
	"assay/model/picture"
	"assay/model/scene"
)

// pictureMost is how many bytes of a picture are read.
const pictureMost = 256 << 20

// pictureTypes are the extensions of the pictures that textures are read from, with their media types.
var pictureTypes = map[string]string{".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg",
	".bmp": "image/bmp", ".dds": "image/vnd.ms-dds", ".pvr": "application/octet-stream", ".tga": "image/x-tga"}

// PictureType returns the media type of the picture at a path; empty if its extension is not that of a picture.
func PictureType(full string) string { return pictureTypes[strings.ToLower(path.Ext(full))] }

// PictureExtensions returns the extensions of the pictures that textures are read from, with their dots.
func PictureExtensions() []string { return slices.Sorted(maps.Keys(pictureTypes)) }

// NamesPicture reports whether a value may name a picture: by its path, or by an alias.
func NamesPicture(value string) bool {
	return strings.HasPrefix(value, "@") || PictureType(value) != ""
}

// Texture returns the texture that a path in a text of the folder from means: of a file that is there, the same one for
// the same meaning of a name.
func (p *Project) Texture(name, from string) *scene.Texture {
	found := p.Find(name, from)
	key := meaning{name, found}
	p.mu.Lock()
	defer p.mu.Unlock()
	t := p.images[key]
	if t != nil {
		return t
	}
	t = &scene.Texture{Name: name, Path: found.Path, Missing: found.Problem, Substitution: found.Substitution}
	if found.Path == "" {
		return t // as Find has it, which may look again
	}
	p.images[key] = t
	extension := strings.ToLower(path.Ext(found.Path))
	// The engine flips a .png when it loads it, but not compressed pictures.
	t.Down = extension == ".dds" || extension == ".pvr"
	t.MediaType = pictureTypes[extension]
	t.Open = func(context.Context) (io.ReadCloser, error) { return p.openFile(found.Path) }
	t.Image = func(ctx context.Context) (image.Image, error) { return p.picture(ctx, found.Path) }
	return t
}

// openFile opens a file of the project for reading.
func (s *store) openFile(full string) (io.ReadCloser, error) {
	var f fs.File
	var err error
	_ = s.withRoot(func(root fs.FS) { f, err = root.Open(full) }) // which fails without the root
	if err != nil {
		return nil, fmt.Errorf("%s cannot be opened", Printable(full))
	}
	return f, nil
}

// picture decodes a picture of the project, of those formats too that the engine does not load: a person may assign
// one.
func (s *store) picture(ctx context.Context, full string) (image.Image, error) {
	var src *model.Source
	var err error
	_ = s.withRoot(func(root fs.FS) { src, err = load(root, full, pictureMost) }) // which fails without the root
	if err != nil {
		return nil, err
	}
	p, err := picture.Open(ctx, src)
	if err != nil {
		return nil, fmt.Errorf("%s cannot be drawn: %w", Printable(full), err)
	}
	return p.Image, nil
}
