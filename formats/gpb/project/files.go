package project

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"

	"assay/formats/gpb/properties"
	"assay/model"
	"assay/model/picture"
	"assay/model/scene"
)

// location describes where a project is.
type location struct {
	root        string            // on disk: a folder, or the package with the files
	isCertain   bool              // root is certain
	resources   string            // the resource folder that the user chose, or ""
	note        func(path string) // is called with each accessed path on disk; may be nil
	assignments model.Assignments // of this user; may be nil
}

// store caches the files of a project. The projects around all of these files share it.
type store struct {
	location

	mu         sync.Mutex
	index      index
	found      map[foundKey]Found
	texts      map[string]text
	size       int64    // of the texts
	aliasCache *aliases // nil until needed
	textures   map[textureKey]*scene.Texture
	otherRoots map[string]*store // stores of other roots, by root

	cache fileCache // has a lock of its own
}

// newStore returns a store of the files in some layers and in the resource folder.
func newStore(loc location, layers ...layer) *store {
	if loc.resources != "" {
		layers = append(layers, layer{diskFolder(loc.resources), resourceFolder, loc.resources})
	}
	return &store{location: loc, index: newIndex(loc.note, layers...), found: make(map[foundKey]Found),
		texts: make(map[string]text), textures: make(map[textureKey]*scene.Texture),
		otherRoots: make(map[string]*store), cache: fileCache{limit: maxCachedBytes}}
}

// foundKey is the key of a result of Find: a name in a text in textFolder, for a file in folder.
type foundKey struct{ folder, textFolder, name string }

// textureKey is the key of a texture: a name, and the result of Find for it.
type textureKey struct {
	name  string
	found Found
}

func (s *store) project(inRoot string) *Project {
	return &Project{store: s, folder: path.Dir(inRoot), name: path.Base(inRoot)}
}

// Root returns the location of the project on disk: its folder, or its package.
func (s *store) Root() string { return s.root }

// maxPictureSize is the maximum size of a picture, in bytes.
const maxPictureSize = 256 << 20

// NamesPicture reports whether a value may name a picture: by its path, or by an alias.
func NamesPicture(value string) bool {
	return strings.HasPrefix(value, "@") || picture.MediaType(value) != ""
}

// Texture returns the texture of a path in a text in textFolder. Names with the same meaning share a texture if the
// file exists.
func (p *Project) Texture(name, textFolder string) *scene.Texture {
	found := p.Find(name, textFolder)
	key := textureKey{name, found}
	p.mu.Lock()
	defer p.mu.Unlock()
	t := p.textures[key]
	if t != nil {
		return t
	}
	t = &scene.Texture{Name: name, Path: found.Path, Missing: found.Problem, Substitution: found.Substitution}
	if found.Path == "" {
		return t // not cached: the next Find may succeed
	}
	p.textures[key] = t
	t.Down = isCompressed(found.Path) // the engine flips other pictures when it loads them
	t.MediaType = picture.MediaType(found.Path)
	t.Open = func(context.Context) (io.ReadCloser, error) { return p.openFile(found.Path) }
	t.Image = func(ctx context.Context) (image.Image, error) { return p.picture(ctx, found.Path) }
	return t
}

// isCompressed reports whether a path is of a compressed picture of the engine.
func isCompressed(inRoot string) bool {
	extension := strings.ToLower(path.Ext(inRoot))
	return extension == ".dds" || extension == ".pvr"
}

// openFile opens a file of the project for reading.
func (s *store) openFile(inRoot string) (fs.File, error) {
	f, err := s.index.Open(inRoot)
	if err != nil {
		return nil, &accessError{Printable(inRoot) + " cannot be opened", err}
	}
	return f, nil
}

// accessError is the error of a file that cannot be opened or read, which may be temporary.
type accessError struct {
	text  string
	cause error
}

func (e *accessError) Error() string { return e.text }
func (e *accessError) Unwrap() error { return e.cause }

// cannotRead returns the error of a file that can be opened, but not read to its end.
func cannotRead(inRoot string, cause error) error {
	reason := cause
	if p := (*fs.PathError)(nil); errors.As(cause, &p) {
		reason = p.Err // the text begins with the path in the project
	}
	return &accessError{fmt.Sprintf("%s cannot be read: %v", Printable(inRoot), reason), cause}
}

// Start returns up to size bytes from the start of a file of the project, or fewer if it is shorter.
func (s *store) Start(inRoot string, size int64) ([]byte, error) {
	f, err := s.openFile(inRoot)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, size))
}

// picture decodes a picture of the project, also of formats that the engine does not support, because the user may
// assign one.
func (s *store) picture(ctx context.Context, inRoot string) (image.Image, error) {
	src, err := s.load(inRoot, maxPictureSize)
	if err != nil {
		return nil, err
	}
	p, err := picture.Open(ctx, src)
	if err != nil {
		return nil, fmt.Errorf("%s cannot be drawn: %w", Printable(inRoot), err)
	}
	return p.Image, nil
}

// aliases are the aliases in game.config.
type aliases struct {
	paths map[string]string
	err   error // why the existing game.config cannot be read
}

// aliases returns the aliases of the project, or of the resource folder if it has none. The error is of a folder.
func (s *store) aliases() (*aliases, error) {
	if s.aliasCache != nil {
		return s.aliasCache, nil
	}
	a := &aliases{paths: make(map[string]string)}
	for _, top := range s.index.tops() {
		file, err := s.index.pathOnDisk(path.Join(top, config), anyCase)
		if err != nil {
			return nil, err
		}
		if file != "" && len(a.paths) == 0 {
			a.err = a.read(s, file)
		}
	}
	s.aliasCache = a
	return a, nil
}

// read adds the aliases of a game.config.
func (a *aliases) read(s *store, inRoot string) error {
	file, err := s.read(inRoot)
	if err != nil {
		return err
	}
	for _, n := range file.Children {
		if n.Name == "aliases" {
			for _, p := range n.Properties {
				a.paths[p.Name] = p.Value
			}
		}
	}
	return nil
}

// Text reads a text of the project by its path from the root.
func (s *store) Text(inRoot string) (*properties.Namespace, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.read(inRoot)
}

const (
	maxTexts    = 4096     // texts that are read; together they have properties.MaxSize bytes
	maxFileSize = 64 << 20 // bytes of a file that is read into memory
)

var errTooManyTexts = errors.New("the project has too many text files; the rest is not read")

// text is a text that was read, or the error.
type text struct {
	file *properties.Namespace
	err  error
}

// read reads a text, once unless it cannot be opened or read.
func (s *store) read(inRoot string) (*properties.Namespace, error) {
	if t, ok := s.texts[inRoot]; ok {
		return t.file, t.err
	}
	if len(s.texts) >= maxTexts {
		return nil, errTooManyTexts
	}
	var t text
	t.file, t.err = s.parse(inRoot)
	if access := (*accessError)(nil); !errors.As(t.err, &access) {
		s.texts[inRoot] = t
	}
	return t.file, t.err
}

// parse reads a text that was not read before.
func (s *store) parse(inRoot string) (*properties.Namespace, error) {
	src, err := s.load(inRoot, properties.MaxSize)
	if err != nil {
		return nil, err
	}
	if src.Size() > properties.MaxSize-s.size {
		return nil, errTooManyTexts
	}
	s.size += src.Size()
	return properties.Read(context.Background(), src) // at most MaxSize bytes in memory
}

// load reads a file of at most limit bytes into memory.
func (s *store) load(inRoot string, limit int64) (*model.Source, error) {
	b, err := s.bytesOf(inRoot, limit)
	if err != nil {
		return nil, err
	}
	return model.NewSource(path.Base(inRoot), b, b.Size()), nil
}

// bytesOf returns the bytes of a file of at most limit bytes.
func (s *store) bytesOf(inRoot string, limit int64) (*bytes.Reader, error) {
	f, err := s.openFile(inRoot)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, cannotRead(inRoot, err)
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a file", Printable(inRoot))
	}
	b, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err != nil {
		return nil, cannotRead(inRoot, err)
	}
	if int64(len(b)) > limit {
		return nil, fmt.Errorf("%s is too large (limit: %d bytes)", Printable(inRoot), limit)
	}
	return bytes.NewReader(b), nil
}

// ReadFile reads a file of the project into memory.
func (s *store) ReadFile(inRoot string) (*model.Source, error) { return s.load(inRoot, maxFileSize) }

// Reference splits a reference to a namespace in a file: file#id.
func Reference(value string) (file, id string) {
	file, id, _ = strings.Cut(value, "#")
	return strings.TrimSpace(file), strings.TrimSpace(id)
}

// Printable returns a name of a file as one line of a sentence.
func Printable(name string) string { return model.OneLine(strings.ToValidUTF8(name, "\uFFFD"), 200) }

// Cached returns a function that makes a value once and caches it. If the context of a caller ends, the caller gets its
// error at once, even while another call makes the value. A value that was not completed because its context ended is
// made again by the next call.
func Cached[T any](build func(context.Context) (T, error)) func(context.Context) (T, error) {
	lock := make(chan struct{}, 1) // one call at a time can send to it
	var value T
	var err error
	isMade := false
	return func(ctx context.Context) (none T, _ error) {
		select {
		case lock <- struct{}{}:
		case <-ctx.Done():
			return none, ctx.Err()
		}
		defer func() { <-lock }()
		if !isMade {
			value, err = build(ctx)
			if ctx.Err() != nil {
				return none, ctx.Err()
			}
			isMade = true
		}
		return value, err
	}
}

// maxCachedBytes is the maximum size of the bundles of one project in memory, in bytes. A .scene may name 64 of 64 MB
// each.
const maxCachedBytes = 256 << 20

// fileCache manages the files of a project that are in memory, ordered by last use. The bytes of a dropped file are
// read again on demand.
type fileCache struct {
	limit int64
	mu    sync.Mutex
	size  int64
	files []*cachedFile
}

// cachedFile is a file of a project that may be in memory.
type cachedFile struct {
	parent *fileCache
	load   func() (*bytes.Reader, error)
	name   string
	size   int64
	data   *bytes.Reader // nil while it is not in memory
}

// CachedFile reads a file of the project. Its bytes may be dropped and read again, to stay within maxCachedBytes.
func (s *store) CachedFile(inRoot string) (*model.Source, error) {
	load := func() (*bytes.Reader, error) { return s.bytesOf(inRoot, maxFileSize) }
	f := &cachedFile{parent: &s.cache, name: inRoot, load: load}
	f.parent.mu.Lock()
	defer f.parent.mu.Unlock()
	if err := f.read(); err != nil {
		return nil, err
	}
	f.size = f.data.Size()
	return model.NewSource(path.Base(inRoot), f, f.size), nil
}

// ReadAt implements io.ReaderAt.
func (f *cachedFile) ReadAt(p []byte, offset int64) (int, error) {
	data, err := f.bytes()
	if err != nil {
		return 0, err
	}
	return data.ReadAt(p, offset)
}

var _ io.ReaderAt = (*cachedFile)(nil)

// bytes returns the bytes of the file; they stay valid if the file is dropped.
func (f *cachedFile) bytes() (*bytes.Reader, error) {
	f.parent.mu.Lock()
	defer f.parent.mu.Unlock()
	if f.data == nil {
		if err := f.read(); err != nil {
			return nil, err
		}
		if f.data.Size() != f.size {
			f.parent.drop(f)
			return nil, fmt.Errorf("%s: %w", Printable(f.name), model.ErrChanged)
		}
	} else if last := f.parent.files[len(f.parent.files)-1]; last != f {
		i := slices.Index(f.parent.files, f)
		f.parent.files = append(slices.Delete(f.parent.files, i, i+1), f)
	}
	return f.data, nil
}

// read reads the bytes of a file that is not in memory, and drops the least recently used ones.
func (f *cachedFile) read() (err error) {
	if f.data, err = f.load(); err != nil {
		f.data = nil
		return err
	}
	parent := f.parent
	parent.files, parent.size = append(parent.files, f), parent.size+f.data.Size()
	for parent.size > parent.limit && parent.files[0] != f {
		parent.drop(parent.files[0])
	}
	return nil
}

// drop drops the bytes of a file.
func (c *fileCache) drop(f *cachedFile) {
	c.files = slices.DeleteFunc(c.files, func(other *cachedFile) bool { return other == f })
	c.size -= f.data.Size()
	f.data = nil
}
