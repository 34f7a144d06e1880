package project

import (
	"context"
	"fmt"
	"image"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
	"sync"

	"assay/model"
	"assay/model/picture"
	"assay/model/scene"
)

// location describes where the files of a project are.
type location struct {
	open      func() (fs.FS, func(), error)
	root      string            // on disk: a folder, or the package with the files
	marked    bool              // root is certain to be that of the project
	disk      bool              // root is a folder
	resources string            // the resource folder that the user chose, or ""
	note      func(path string) // is called with each accessed path on disk; may be nil
	assigned  model.Assignments // of this user; may be nil
}

// store caches the files below the root of a project. The projects around all of these files share it.
type store struct {
	location

	mu        sync.Mutex
	lookups   map[lookup]Found
	folders   map[string]*listing
	trees     map[string]*tree // the trees below the root, and below resourceFolder
	texts     map[string]text
	size      int64 // of the texts
	aliases   map[string]string
	noAliases error // why the existing game.config cannot be read
	images    map[meaning]*scene.Texture
	elsewhere map[string]*store // those of other roots, by their roots

	held held // has a lock of its own
}

func newStore(at location) *store {
	return &store{location: at, lookups: make(map[lookup]Found), folders: make(map[string]*listing),
		trees: make(map[string]*tree), texts: make(map[string]text), images: make(map[meaning]*scene.Texture),
		elsewhere: make(map[string]*store), held: held{most: heldMost}}
}

// lookup is the key of a result of Find: a name in a text of the folder from, for a file in folder.
type lookup struct{ folder, from, name string }

// meaning is the result of Find for a name.
type meaning struct {
	name string
	Found
}

// project returns the project around one of the files.
func (s *store) project(full string) *Project {
	return &Project{store: s, folder: path.Dir(full), name: path.Base(full)}
}

// Root returns the location of the project on disk: its folder, or its package.
func (s *store) Root() string { return s.root }

// withRoot calls read with the file system of the project. The root is only opened at the first access: most paths are
// in folders that were listed before. The error is that of opening the root.
func (s *store) withRoot(read func(root fs.FS)) error {
	own := NewLazy(s.open)
	defer own.Close()
	var root fs.FS = own
	if s.resources != "" {
		named := NewLazy(func() (fs.FS, func(), error) { return openFolder(s.resources) })
		defer named.Close()
		root = Overlay{Below: own, Folder: resourceFolder, Above: named}
	}
	if s.note != nil {
		root = Observed{FS: root, Note: s.noteFile}
	}
	read(root)
	return own.Err()
}

// look calls at, which searches files, with the lock of the caches. If the root cannot be opened, which may be
// temporary, the cached results are dropped. The error is that of opening the root.
func (s *store) look(at func(root fs.FS)) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	err := s.withRoot(at)
	if err != nil {
		clear(s.lookups)
		clear(s.folders)
		clear(s.trees)
		maps.DeleteFunc(s.texts, func(_ string, t text) bool { return t.err != nil })
		s.aliases, s.noAliases = nil, nil
	}
	return err
}

// openFolder opens a folder on disk; no path or link can point out of it.
func openFolder(name string) (fs.FS, func(), error) {
	r, err := os.OpenRoot(name)
	if err != nil {
		return nil, nil, err
	}
	return r.FS(), func() { r.Close() }, nil
}

// pictureMost is the maximum size of a picture, in bytes.
const pictureMost = 256 << 20

// pictureTypes maps the extensions of supported pictures to their media types.
var pictureTypes = map[string]string{".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg",
	".bmp": "image/bmp", ".dds": "image/vnd.ms-dds", ".pvr": "application/octet-stream", ".tga": "image/x-tga"}

// PictureType returns the media type of the picture at a path, or "" if it has no extension of a picture.
func PictureType(full string) string { return pictureTypes[strings.ToLower(path.Ext(full))] }

// PictureExtensions returns the extensions of supported pictures, with their dots.
func PictureExtensions() []string { return slices.Sorted(maps.Keys(pictureTypes)) }

// NamesPicture reports whether a value may name a picture: by its path, or by an alias.
func NamesPicture(value string) bool {
	return strings.HasPrefix(value, "@") || PictureType(value) != ""
}

// Texture returns the texture of a path in a text of the folder from. Names with the same meaning share a texture if
// the file exists.
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

// Start returns up to size bytes from the start of a file of the project, or fewer if it is shorter or cannot be read.
func (s *store) Start(full string, size int) string {
	f, err := s.openFile(full)
	if err != nil {
		return ""
	}
	defer f.Close()
	b := make([]byte, size)
	n, _ := io.ReadFull(f, b)
	return string(b[:n])
}

// picture decodes a picture of the project, also of formats that the engine does not support, because the user may
// assign one.
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
