package casset

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// dependencies finds the files that a package depends on: beside it, and under the folder that its own name says is the
// project's (/Game/A/B in .../A/B.casset). It looks when it is asked for the first time.
type dependencies struct {
	bundles *bundleFiles

	mu    sync.Mutex
	names map[string]string
	found []map[id]string // the files of bundles by their UUIDs, in each folder; nil until they are found
}

const (
	foldersMost   = 8  // folders above this one in which a name is looked for
	projectLevels = 16 // of folders in which a UUID is
)

// byName returns the file of a package by its path (/Game/A/B), relative to this file's folder; "" if there is none.
func (d *dependencies) byName(f *file, name string) string {
	own := f.src.Path()
	if own == "" || name == "" || len(name) > 1024 || strings.ContainsRune(name, '\\') {
		return ""
	}
	parts := strings.Split(strings.Trim(name, "/"), "/")
	for _, p := range parts {
		if p == "" || p == "." || p == ".." {
			return "" // not a place in a project
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
	to := d.lookUp(f, own, parts)
	d.names[name] = to
	return to
}

func (d *dependencies) lookUp(f *file, own string, parts []string) string {
	folder := filepath.Dir(own)
	below := filepath.Join(parts[1:]...) + ".casset"
	var tries []string
	if root, space := projectFolder(own, f.header.name); root != "" && space == parts[0] {
		tries = append(tries, filepath.Join(root, below))
	}
	tries = append(tries, filepath.Join(folder, parts[len(parts)-1]+".casset"))
	for up, i := folder, 0; i < foldersMost; up, i = filepath.Dir(up), i+1 {
		tries = append(tries, filepath.Join(up, parts[0], below), filepath.Join(up, parts[0], "Assets", below))
	}
	for _, t := range tries {
		if info, err := os.Stat(t); err == nil && info.Mode().IsRegular() && t != own {
			if rel, err := filepath.Rel(folder, t); err == nil {
				return rel
			}
		}
	}
	return ""
}

// projectFolder returns the folder that stands for the first part of the file's own name (/Game), and that part.
func projectFolder(own, name string) (root, space string) {
	parts := strings.Split(strings.Trim(name, "/"), "/")
	if len(parts) < 2 {
		return "", ""
	}
	at := strings.TrimSuffix(own, filepath.Ext(own))
	for i := len(parts) - 1; i > 0; i-- {
		if filepath.Base(at) != parts[i] {
			return "", ""
		}
		at = filepath.Dir(at)
	}
	return at, parts[0]
}

// byUUID returns the file of a bundle by its UUID, relative to this file's folder; "" if there is none. Leaves are read
// without a context: the first one waits until the bundles are found.
func (d *dependencies) byUUID(f *file, uuid id) string {
	_ = d.findBundles(context.Background(), f)
	own := f.src.Path()
	for _, in := range d.found {
		if path := in[uuid]; path != "" && path != own {
			if rel, err := filepath.Rel(filepath.Dir(own), path); err == nil {
				return rel
			}
		}
	}
	return ""
}

// findBundles finds the bundles beside the file, and then those in its project. What one call found, all others have.
// The error is the context's.
func (d *dependencies) findBundles(ctx context.Context, f *file) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	own := f.src.Path()
	if d.found != nil || own == "" {
		return nil
	}
	places := []searched{{filepath.Dir(own), 1}}
	if root, _ := projectFolder(own, f.header.name); root != "" && root != places[0].folder {
		places = append(places, searched{root, projectLevels})
	}
	found := make([]map[id]string, len(places))
	for i, place := range places {
		var err error
		if found[i], err = d.bundles.in(ctx, place); err != nil {
			return err
		}
	}
	d.found = found
	return nil
}
