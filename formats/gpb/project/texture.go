package project

import (
	"bytes"
	"context"
	"fmt"
	"image"
	_ "image/jpeg" // pictures of projects
	_ "image/png"
	"io"
	"io/fs"
	"path"
	"strings"

	_ "golang.org/x/image/bmp"

	"assay/model"
	"assay/model/picture"
	"assay/model/pixels"
	"assay/model/scene"
)

// The bounds of a picture.
const (
	pictureBytes  = 256 << 20
	picturePixels = 64 << 20
)

// pictureTypes are the extensions of the pictures that textures are read from, with their media types.
var pictureTypes = map[string]string{".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg",
	".bmp": "image/bmp", ".dds": "image/vnd.ms-dds", ".pvr": "application/octet-stream", ".tga": "image/x-tga"}

// PictureType returns the media type of the picture at a path; empty if its extension is not that of a picture.
func PictureType(full string) string { return pictureTypes[strings.ToLower(path.Ext(full))] }

// NamesPicture reports whether a value may name a picture: by its path, or by an alias.
func NamesPicture(value string) bool {
	return strings.HasPrefix(value, "@") || PictureType(value) != ""
}

// Texture returns the texture that a path in a text of the folder from means, the same one for the same file and name.
func (p *Project) Texture(name, from string) *scene.Texture {
	found := p.Find(name, from)
	key := name + "\x00" + found.Path
	p.mu.Lock()
	defer p.mu.Unlock()
	t := p.images[key]
	if t != nil {
		return t
	}
	t = &scene.Texture{Name: name, Path: found.Path, Missing: found.Problem, Substitution: found.Substitution}
	p.images[key] = t
	if found.Path == "" {
		return t
	}
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
	err := s.withRoot(func(root fs.FS) (err error) {
		f, err = root.Open(full)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("%s cannot be opened", Printable(full))
	}
	return f, nil
}

// picture decodes a picture of the project.
func (s *store) picture(ctx context.Context, full string) (image.Image, error) {
	f, err := s.openFile(full)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := readPicture(f)
	var img image.Image
	if err == nil {
		img, err = decodePicture(ctx, path.Base(full), b)
	}
	if err != nil {
		return nil, fmt.Errorf("%s cannot be drawn: %w", Printable(full), err)
	}
	return img, nil
}

// readPicture reads a file of a bounded size.
func readPicture(f io.Reader) ([]byte, error) {
	var size int64
	if f, ok := f.(fs.File); ok {
		if info, err := f.Stat(); err == nil {
			size = max(0, info.Size())
		}
	}
	var b bytes.Buffer
	if size <= pictureBytes {
		b.Grow(int(size) + bytes.MinRead)
		n, err := io.Copy(&b, io.LimitReader(f, pictureBytes+1))
		if size = n; err != nil {
			return nil, err
		}
	}
	if size > pictureBytes {
		return nil, fmt.Errorf("it has more than %d bytes", pictureBytes)
	}
	return b.Bytes(), nil
}

// decodePicture decodes the content of a picture of a name.
func decodePicture(ctx context.Context, name string, b []byte) (image.Image, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	switch {
	case pixels.IsDDS(b):
		return pixels.DecodeDDS(ctx, b, picturePixels)
	case pixels.IsPVR(b):
		return pixels.DecodePVR(ctx, b, picturePixels)
	}
	c, _, err := image.DecodeConfig(bytes.NewReader(b))
	if err != nil { // what the engine does not load, but a person may assign
		p, failed := picture.Open(ctx, model.NewSource(name, bytes.NewReader(b), int64(len(b))))
		if failed != nil {
			return nil, err
		}
		return p.Image, nil
	}
	if c.Width < 1 || c.Height < 1 || c.Height > picturePixels/c.Width {
		return nil, fmt.Errorf("%d × %d pixels are more than can be drawn", c.Width, c.Height)
	}
	img, _, err := image.Decode(bytes.NewReader(b))
	return img, err
}
