package casset

import (
	"context"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"assay/formats/decode"
	"assay/model"
)

type objectKeys struct {
	once   sync.Once
	byID   map[id]int32
	byPath map[string]int32
}

// indexKeys returns the keys after it has read the head of each object, which the first call does.
func (f *file) indexKeys() *objectKeys {
	k := &f.keys
	k.once.Do(func() {
		n := len(f.objects.entries)
		k.byID, k.byPath = make(map[id]int32, n), make(map[string]int32, n)
		_ = f.heads(context.Background(), func(i int, h head, ok bool) {
			if !ok {
				return
			}
			if _, known := k.byID[h.uuid]; !known {
				k.byID[h.uuid] = int32(i)
			}
			if _, known := k.byPath[h.path]; !known && h.path != "" {
				k.byPath[h.path] = int32(i)
			}
		})
	})
	return k
}

// link returns a link to an object in this file, or to another file. name is the package's path if the reference has
// one. If the file of a bundle is not found, the target is the object of this file with the UUID.
func (f *file) link(object, bundle id, name string) *model.Link {
	key := object.String()
	link := &model.Link{Key: key, Name: f.nameOf(object),
		Target: func() (model.Path, bool) { return f.pathOfObject(object) }}
	switch {
	case name != "" && name != f.header.name:
		return &model.Link{File: f.dependencies.byName(f, name), Key: key}
	case name != "" || bundle.isNull() || bundle == f.header.uuid:
		return link
	}
	other := f.dependencies.byUUID(f, bundle)
	if _, ok := f.indexKeys().byID[object]; ok && other == "" {
		return link
	}
	return &model.Link{File: other, Key: key}
}

// pathOfObject returns the path of the first object with a UUID.
func (f *file) pathOfObject(key id) (path model.Path, ok bool) {
	i, ok := f.indexKeys().byID[key]
	if ok {
		path = f.objectPath(int(i))
	}
	return path, ok
}

// maxNames bounds the objects that are searched for a title, because the user waits for it.
const maxNames = 50_000

// nameOf returns a function that returns the title of the object with a UUID; empty if there is no such object, or more
// than maxNames objects.
func (f *file) nameOf(key id) func() string {
	return func() string {
		if len(f.objects.entries) > maxNames {
			return ""
		}
		i, ok := f.indexKeys().byID[key]
		if !ok {
			return ""
		}
		h, _ := f.head(f.quiet(), int(i))
		return h.title()
	}
}

// findKey returns the path of the node with a key: an object's UUID, its path, or the name of a schema entry.
func (f *file) findKey(key string) (model.Path, bool) {
	if u, ok := f.parseKey(key); ok {
		if path, ok := f.pathOfObject(u); ok {
			return path, true
		}
	}
	if i, ok := f.indexKeys().byPath[key]; ok {
		return f.objectPath(int(i)), true
	}
	for i := range f.schema.entries {
		if f.schema.entries[i].name == key {
			return f.schema.path(i)
		}
	}
	return nil, false
}

// dependencies finds the files that a package depends on: beside it, and in its project's folder, which its own name
// gives (/Game/A/B in .../A/B.casset). It searches at the first call.
type dependencies struct {
	bundles *bundleFiles

	mu    sync.Mutex
	names map[string]string
	found []map[id]string // the files of bundles by their UUIDs, in each folder; nil before the search
}

// The bounds of a search.
const (
	maxFolders    = 8    // folders above this one to search for a name
	projectLevels = 16   // levels of folders that are searched for a UUID
	maxFiles      = 2000 // bundles in a folder whose UUIDs are read, which takes 30 to 40 ms
)

// byName returns the file of a package by its path (/Game/A/B), relative to this file's folder, or "" if there is none.
func (d *dependencies) byName(f *file, name string) string {
	ownPath := f.src.Path()
	if ownPath == "" || name == "" || len(name) > 1024 || strings.ContainsRune(name, '\\') {
		return ""
	}
	parts := strings.Split(strings.Trim(name, "/"), "/")
	for _, p := range parts {
		if p == "" || p == "." || p == ".." {
			return "" // not a path in a project
		}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if to, ok := d.names[name]; ok {
		return to
	}
	if d.names == nil || len(d.names) > 4096 {
		d.names = make(map[string]string)
	}
	to := d.search(f, ownPath, parts)
	d.names[name] = to
	return to
}

func (d *dependencies) search(f *file, ownPath string, parts []string) string {
	folder := filepath.Dir(ownPath)
	inProject := filepath.Join(parts[1:]...) + ".casset"
	var candidates []string
	if root, space := projectFolder(ownPath, f.header.name); root != "" && space == parts[0] {
		candidates = append(candidates, filepath.Join(root, inProject))
	}
	candidates = append(candidates, filepath.Join(folder, parts[len(parts)-1]+".casset"))
	for up, i := folder, 0; i < maxFolders; up, i = filepath.Dir(up), i+1 {
		candidates = append(candidates, filepath.Join(up, parts[0], inProject),
			filepath.Join(up, parts[0], "Assets", inProject))
	}
	for _, t := range candidates {
		if info, err := os.Stat(t); err == nil && info.Mode().IsRegular() && t != ownPath {
			if rel, err := filepath.Rel(folder, t); err == nil {
				return rel
			}
		}
	}
	return ""
}

// projectFolder returns the folder for the first part of the file's own name (/Game), and that part.
func projectFolder(ownPath, name string) (root, space string) {
	parts := strings.Split(strings.Trim(name, "/"), "/")
	if len(parts) < 2 {
		return "", ""
	}
	folder := strings.TrimSuffix(ownPath, filepath.Ext(ownPath))
	for i := len(parts) - 1; i > 0; i-- {
		if filepath.Base(folder) != parts[i] {
			return "", ""
		}
		folder = filepath.Dir(folder)
	}
	return folder, parts[0]
}

// byUUID returns the file of a bundle by its UUID, relative to this file's folder, or "" if there is none. Leaves are
// decoded without a context, so the first call waits until the bundles are found.
func (d *dependencies) byUUID(f *file, uuid id) string {
	_ = d.findBundles(context.Background(), f)
	ownPath := f.src.Path()
	for _, candidates := range d.found {
		if path := candidates[uuid]; path != "" && path != ownPath {
			if rel, err := filepath.Rel(filepath.Dir(ownPath), path); err == nil {
				return rel
			}
		}
	}
	return ""
}

// findBundles finds the bundles beside the file, and then in its project. All calls share the result. An error is from
// ctx.
func (d *dependencies) findBundles(ctx context.Context, f *file) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	ownPath := f.src.Path()
	if d.found != nil || ownPath == "" {
		return nil
	}
	folders := []folderSearch{{filepath.Dir(ownPath), 1}}
	if root, _ := projectFolder(ownPath, f.header.name); root != "" && root != folders[0].folder {
		folders = append(folders, folderSearch{root, projectLevels})
	}
	found := make([]map[id]string, len(folders))
	for i, folder := range folders {
		var err error
		if found[i], err = d.bundles.pathsIn(ctx, folder); err != nil {
			return err
		}
	}
	d.found = found
	return nil
}

// bundleFiles finds bundles by their UUIDs, for all open files: bundles of a project refer to each other. When each
// file read the UUIDs of all, the verb graph took 19 seconds of CPU for 1,000 bundles; now it takes 0.2.
type bundleFiles struct {
	now func() time.Time

	mu    sync.Mutex
	found map[folderSearch]foundBundles
}

// folderSearch is a folder, with the number of levels of folders to search.
type folderSearch struct {
	folder string
	levels int
}

// foundBundles is the files of bundles by their UUIDs, and when they were found.
type foundBundles struct {
	paths   map[id]string
	foundAt time.Time
}

// listingLifetime is how long a folder counts as unchanged.
const listingLifetime = time.Second

func newBundleFiles() *bundleFiles {
	return &bundleFiles{now: time.Now, found: make(map[folderSearch]foundBundles)}
}

// pathsIn returns the files of the bundles in a folder by their UUIDs. The error is the context's.
func (b *bundleFiles) pathsIn(ctx context.Context, folder folderSearch) (map[id]string, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	maps.DeleteFunc(b.found, func(_ folderSearch, f foundBundles) bool {
		return b.now().Sub(f.foundAt).Abs() >= listingLifetime
	})
	if f, ok := b.found[folder]; ok {
		return f.paths, nil
	}
	paths, err := folder.readUUIDs(ctx)
	if err == nil {
		b.found[folder] = foundBundles{paths, b.now()}
	}
	return paths, err
}

// readUUIDs reads the UUIDs of the bundles in the folder.
func (s folderSearch) readUUIDs(ctx context.Context) (map[id]string, error) {
	uuids, count := make(map[id]string), 0
	err := filepath.WalkDir(s.folder, func(path string, e fs.DirEntry, err error) error {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			return fs.SkipDir
		}
		if count++; count > 10*maxFiles || len(uuids) >= maxFiles {
			return fs.SkipAll
		}
		if e.IsDir() {
			if rel, err := filepath.Rel(s.folder, path); err != nil || rel != "." &&
				strings.Count(rel, string(filepath.Separator))+1 >= s.levels {
				return fs.SkipDir
			}
			return nil
		}
		if !e.Type().IsRegular() || !strings.EqualFold(filepath.Ext(path), ".casset") {
			return nil
		}
		if uuid, ok := fileUUID(ctx, path); ok && uuids[uuid] == "" {
			uuids[uuid] = path
		}
		return nil
	})
	return uuids, err
}

// fileUUID reads the UUID in a file's header; false if it cannot be read.
func fileUUID(ctx context.Context, path string) (id, bool) {
	src, err := model.OpenFile(path)
	if err != nil {
		return id{}, false
	}
	defer src.Close()
	f := &file{src: src, cursor: decode.NewProbe(ctx, src, order, decode.PlainTypes)}
	q := f.quiet()
	t, _ := f.chooseByHeader(ctx, q)
	h, _ := t.quietHeader(q)
	return h.uuid, h.uuid.size > 0 && !h.uuid.isNull()
}
