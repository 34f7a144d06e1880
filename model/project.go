package model

import (
	"context"
	"io"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"
	"time"
)

// maxSiblings is the maximum number of assets of a document that are files for references between them.
const maxSiblings = 200_000

// Nested returns an asset's content as a Source of its own, as Payload.Nested does, which knows the assets beside it.
func (d *Document) Nested(ctx context.Context, p *Payload, limit int64) (*Source, error) {
	src, err := p.Nested(ctx, d.Source, limit)
	if err == nil {
		src.siblings, src.siblingName = &siblings{d: d}, assetPath(p.Name)
	}
	return src, err
}

// OpenNested opens an asset's content as a file inside of the document. Closing the Source of the result closes it.
func (d *Document) OpenNested(ctx context.Context, p *Payload, limit int64, open Opener) (*Document, error) {
	src, err := d.Nested(ctx, p, limit)
	if err != nil {
		return nil, err
	}
	return OpenSource(ctx, src, open)
}

// Siblings returns the file system that contains an asset's source, and its name there, or nil for other sources. It is
// readable while its document is open.
func (s *Source) Siblings() (files fs.FS, name string) {
	if s.siblings == nil || s.siblingName == "" {
		return nil, ""
	}
	return s.siblings, s.siblingName
}

// assetPath returns an asset's name as a path below a root, or "" if the name is not a valid path.
func assetPath(name string) string {
	name = path.Clean(strings.TrimLeft(strings.ReplaceAll(name, `\`, "/"), "/"))
	if !fs.ValidPath(name) || name == "." {
		return ""
	}
	return name
}

// siblings is the assets of a document as files in folders, by their names. Of several with one name the first has it.
type siblings struct {
	d       *Document
	once    sync.Once
	files   map[string]int
	folders map[string][]fs.DirEntry
}

func (s *siblings) list() {
	s.files, s.folders = make(map[string]int), map[string][]fs.DirEntry{".": nil}
	if s.d.Payloads == nil {
		return
	}
	add := func(i int, p *Payload) bool {
		name := assetPath(p.Name)
		_, exists := s.files[name]
		if _, isFolder := s.folders[name]; name == "" || exists || isFolder {
			return true
		}
		s.files[name] = i
		for child := (sibling{name: path.Base(name), size: p.Size}); ; child = (sibling{name: path.Base(name),
			folder: true}) {
			folder := path.Dir(name)
			_, ok := s.folders[folder]
			s.folders[folder] = append(s.folders[folder], child)
			if ok {
				return true
			}
			name = folder
		}
	}
	n := min(s.d.Payloads.Len(), maxSiblings)
	_ = DescribeEach(context.Background(), s.d.Payloads, 0, n, add) // assets that could not be described are omitted
}

func (s *siblings) Open(name string) (fs.File, error) {
	s.once.Do(s.list)
	if entries, ok := s.folders[name]; ok {
		return &openFolder{sibling: sibling{name: path.Base(name), folder: true}, remaining: slices.Clone(entries)}, nil
	}
	i, ok := s.files[name]
	if !ok {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	p := s.d.Payloads.At(i)
	if p.Problem != "" || p.Open == nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	r, err := p.Open(context.Background())
	if err != nil {
		return nil, err
	}
	return &openSibling{r, sibling{name: path.Base(name), size: p.Size}}, nil
}

// sibling describes an asset, or a folder of some.
type sibling struct {
	name   string
	folder bool
	size   int64
}

func (s sibling) Name() string               { return s.name }
func (s sibling) IsDir() bool                { return s.folder }
func (s sibling) Info() (fs.FileInfo, error) { return s, nil }
func (s sibling) Size() int64                { return s.size }
func (s sibling) ModTime() time.Time         { return time.Time{} }
func (s sibling) Sys() any                   { return nil }
func (s sibling) Type() fs.FileMode          { return s.Mode().Type() }

func (s sibling) Mode() fs.FileMode {
	if s.folder {
		return fs.ModeDir | 0o555
	}
	return 0o444
}

type openSibling struct {
	io.ReadCloser
	sibling
}

func (o *openSibling) Stat() (fs.FileInfo, error) { return o.sibling, nil }

type openFolder struct {
	sibling
	remaining []fs.DirEntry
}

func (o *openFolder) Stat() (fs.FileInfo, error) { return o.sibling, nil }
func (o *openFolder) Close() error               { return nil }

func (o *openFolder) Read([]byte) (int, error) {
	return 0, &fs.PathError{Op: "read", Path: o.name, Err: fs.ErrInvalid}
}

func (o *openFolder) ReadDir(n int) ([]fs.DirEntry, error) {
	if n <= 0 || n > len(o.remaining) {
		entries := o.remaining
		o.remaining = nil
		if n > 0 && len(entries) == 0 {
			return nil, io.EOF
		}
		return entries, nil
	}
	entries := o.remaining[:n]
	o.remaining = o.remaining[n:]
	return entries, nil
}

// maxDependencies is the maximum number of paths that Dependencies returns. If there are more, it returns none.
const maxDependencies = 1 << 14

// dependencies are the recorded paths, shared by a source and the sources inside it.
type dependencies struct {
	mu    sync.Mutex
	paths map[string]struct{}
}

// NoteDependency records the path of another file that was read, or searched, to display the source.
func (s *Source) NoteDependency(path string) {
	d := s.dependencies()
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.paths) <= maxDependencies {
		d.paths[path] = struct{}{}
	}
}

// Dependencies returns the recorded files and folders, in order; some may not exist. It returns false if there were too
// many to record.
func (s *Source) Dependencies() (paths []string, complete bool) {
	d := s.dependencies()
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.paths) > maxDependencies {
		return nil, false
	}
	return slices.Sorted(maps.Keys(d.paths)), true
}

func (s *Source) dependencies() *dependencies {
	if d := s.depends.Load(); d != nil {
		return d
	}
	s.depends.CompareAndSwap(nil, &dependencies{paths: make(map[string]struct{})})
	return s.depends.Load()
}

// Assignment is a material or a picture that the user assigned to parts of the models of a project. It overrides the
// files.
type Assignment struct {
	To       Target   `json:"to"`
	Material Material `json:"wears"`
}

// Target is the parts that an assignment is for: a part of a mesh, or all of its parts, on nodes of a name or on any
// node; or all parts of the project that have a material.
type Target struct {
	File string `json:"file,omitempty"` // that has the mesh, from the root of the project; empty for any
	Node string `json:"node,omitempty"` // empty for any
	Mesh string `json:"mesh,omitempty"`
	Part int    `json:"part"` // its number; AllParts for all
	// Has is the material of the parts; the zero value for parts that are named. Its technique is ignored.
	Has Material `json:"has,omitzero"`
}

// AllParts is the Part of a Target that includes all parts of a mesh.
const AllParts = -1

// Covers reports whether all parts of another target are parts of this one.
func (t Target) Covers(o Target) bool {
	part := t.Part
	t.Part = o.Part
	return t == o && (part == AllParts || part == o.Part)
}

// Material is a material or a picture in a file.
type Material struct {
	// File is its path from the root of the project with slashes, or an absolute path on disk.
	File string `json:"file"`
	ID   string `json:"id,omitempty"` // of the material in the file; empty for a picture, or for the file's first one
	// Technique is the name of the way to draw it; empty for the usual one.
	Technique string `json:"technique,omitempty"`
}

// Name returns the display name: the material, else the file.
func (m Material) Name() string {
	if m.ID != "" {
		return m.ID
	}
	return path.Base(strings.ReplaceAll(m.File, `\`, "/"))
}

// Assignments has the assignments of projects.
type Assignments interface {
	// ForProject returns the assignments of a project, which is a folder or a package on disk, and the path of the file
	// that they are kept in, which need not be there.
	ForProject(project string) (assignments []Assignment, file string, err error)
}

// Materials lists the materials and pictures that can be assigned to parts of the models of a project.
type Materials interface {
	// Root returns where the project is on disk: a folder or a package.
	Root() string
	// List returns the materials of the project.
	List(ctx context.Context) ([]Material, error)
	// Unused returns the unused materials: no scene refers to them, they are not parents of others, and they do not
	// belong to a bundle outside files.
	Unused(ctx context.Context, files []string) ([]Material, error)
	// ReadFile returns the materials of a file on disk: of a text, or a picture as a material. The error is a sentence.
	ReadFile(ctx context.Context, file string) ([]Material, error)
	// Extensions returns the extensions of the files that ReadFile reads, with their dots.
	Extensions() []string
}

// Assignments returns the store of the assignments of the source's project, or nil.
func (s *Source) Assignments() Assignments {
	if a := s.assignments.Load(); a != nil {
		return *a
	}
	return nil
}

// SetAssignments sets the result of Assignments, for documents that are opened later.
func (s *Source) SetAssignments(a Assignments) { s.assignments.Store(&a) }
