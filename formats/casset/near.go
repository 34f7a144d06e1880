package casset

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"assay/formats/decode"
	"assay/model"
)

// near finds the files that a package depends on: beside it, and under the folder that its own name says is the
// project's (/Game/A/B in .../A/B.casset). It looks when it is asked for the first time.
type near struct {
	mu     sync.Mutex
	names  map[string]string
	uuids  map[string]string
	looked bool
}

const (
	nearFiles = 2000 // files whose UUID is read
	nearAbove = 8    // folders above this one that are looked into
)

// byName returns the file of a package by its path (/Game/A/B), relative to this file's folder; "" if there is none.
func (n *near) byName(f *file, name string) string {
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
	n.mu.Lock()
	defer n.mu.Unlock()
	if to, ok := n.names[name]; ok {
		return to
	}
	if n.names == nil || len(n.names) > 4096 {
		n.names = make(map[string]string)
	}
	to := n.lookUp(f, own, parts)
	n.names[name] = to
	return to
}

func (n *near) lookUp(f *file, own string, parts []string) string {
	folder := filepath.Dir(own)
	below := filepath.Join(parts[1:]...) + ".casset"
	var tries []string
	if root, space := projectFolder(own, f.name); root != "" && space == parts[0] {
		tries = append(tries, filepath.Join(root, below))
	}
	tries = append(tries, filepath.Join(folder, parts[len(parts)-1]+".casset"))
	for up, i := folder, 0; i < nearAbove; up, i = filepath.Dir(up), i+1 {
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

// byUUID returns the file of a bundle by its UUID, relative to this file's folder; "" if there is none.
func (n *near) byUUID(f *file, uuid string) string {
	own := f.src.Path()
	if own == "" {
		return ""
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if !n.looked {
		n.looked = true
		n.uuids = make(map[string]string)
		folder := filepath.Dir(own)
		n.look(folder, folder, own, 1)
		if root, _ := projectFolder(own, f.name); root != "" && root != folder {
			n.look(root, folder, own, 16)
		}
	}
	return n.uuids[uuid]
}

// look reads the UUIDs of the packages in a folder and, depth levels deep, in those below.
func (n *near) look(root, folder, own string, depth int) {
	seen := 0
	filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return fs.SkipDir
		}
		if seen++; seen > 10*nearFiles || len(n.uuids) >= nearFiles {
			return fs.SkipAll
		}
		if e.IsDir() {
			if rel, err := filepath.Rel(root, path); err != nil || rel != "." &&
				strings.Count(rel, string(filepath.Separator))+1 >= depth {
				return fs.SkipDir
			}
			return nil
		}
		if !e.Type().IsRegular() || path == own || !strings.EqualFold(filepath.Ext(path), ".casset") {
			return nil
		}
		if id := fileUUID(path); id != "" {
			if rel, err := filepath.Rel(folder, path); err == nil && n.uuids[id] == "" {
				n.uuids[id] = rel
			}
		}
		return nil
	})
}

// fileUUID reads the UUID in a file's header; "" if it cannot be read.
func fileUUID(path string) string {
	src, err := model.OpenFile(path)
	if err != nil {
		return ""
	}
	defer src.Close()
	f := &file{ctx: context.Background(), src: src,
		cursor: decode.NewProbe(context.Background(), src, little, &types)}
	f.chooseLayout()
	q := f.quiet()
	switch f.lay.generation {
	case 1, 2:
		f.at(q, 0)
		f.header12(q)
	case 3:
		f.chooseFrame(q)
		f.at(q, 0)
		f.header3(q)
	}
	return f.uuid
}
