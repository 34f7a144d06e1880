package graph

import (
	"os"
	"path"
	"strings"
)

// resolver finds the targets of references.
type resolver struct {
	g      *Graph
	byPath map[string]int32           // the item numbers of the files, by path
	keys   map[int32]map[string]int32 // by FileIndex: the item numbers of the assets, by key
	names  map[int32]map[string]int32 // by FileIndex: the item numbers of the assets, by name
}

func newResolver(g *Graph) *resolver {
	r := &resolver{g: g, byPath: make(map[string]int32, len(g.Paths)), keys: make(map[int32]map[string]int32),
		names: make(map[int32]map[string]int32)}
	for i, item := range g.files {
		r.byPath[g.Paths[i]] = item
	}
	return r
}

// pair identifies a use; a missing target is identified by its name.
type pair struct {
	from, to int32
	name     string
}

// resolve makes uses of references: one for each pair.
func (r *resolver) resolve(refs []ref) {
	indexes := make(map[pair]int)
	for i := range refs {
		f := &refs[i]
		to, found := r.targetOf(f)
		if !found {
			continue
		}
		p := pair{from: f.item, to: to}
		if to == Missing {
			p.name = f.name
		}
		index, isKnown := indexes[p]
		switch {
		case !isKnown:
			index = len(r.g.Uses)
			indexes[p] = index
			r.g.Uses = append(r.g.Uses, Use{From: p.from, To: to, Name: f.name, Path: f.path, Span: f.span,
				Nested: f.isNested, Count: f.count, Guessed: f.guessed})
		case !f.guessed:
			r.g.Uses[index].Count += f.count
		}
		u := &r.g.Uses[index]
		if to != Missing && f.to.key != "" && r.g.IsFile(to) && len(u.Keys) < maxKeys {
			u.Keys = append(u.Keys, f.to.key)
		}
	}
}

// maxKeys is the maximum number of stored keys in the references of one item to another.
const maxKeys = 1000

// targetOf returns the item that a reference refers to, or Missing. It returns false if the reference is not to be
// reported.
func (r *resolver) targetOf(f *ref) (int32, bool) {
	fromFileIndex := r.g.entries[f.item].fileIndex
	fromFile := r.g.FileOf(f.item)
	to := Missing
	switch {
	case f.missing:
	case f.to.file == "":
		to = int(r.findAsset(r.keys, fromFileIndex, f.to.key, assetKey))
		if to == Missing {
			return 0, false // the target is not an asset
		}
	case f.to.isNested:
		to = int(r.findAsset(r.names, fromFileIndex, f.to.file, assetName))
	default:
		if item, ok := r.byPath[f.to.file]; ok {
			to = int(item)
			asset := r.findAsset(r.keys, r.g.entries[item].fileIndex, f.to.key, assetKey)
			if f.to.key != "" && asset != Missing {
				to = int(asset)
			}
		} else if existsOnDisk(f) {
			return 0, false // it is outside of the files that were read
		}
	}
	if to == Missing {
		return Missing, !f.optional && !f.guessed
	}
	return int32(to), int32(to) != f.item && int32(to) != fromFile && r.g.FileOf(int32(to)) != f.item
}

// existsOnDisk reports whether an unread file exists: below the folder of the referring file, or found by a format.
// Other files are not checked, since a path may refer to any folder.
func existsOnDisk(f *ref) bool {
	if !f.to.local {
		return false
	}
	_, err := os.Stat(f.to.file)
	return err == nil
}

func assetKey(t Item) string { return t.Key }

func assetName(t Item) string { return strings.TrimPrefix(path.Clean("/"+t.Name), "/") }

// findAsset finds the asset of a file whose property is name, or returns Missing.
func (r *resolver) findAsset(index map[int32]map[string]int32, fileIndex int32, name string,
	property func(t Item) string) int32 {
	indexes := index[fileIndex]
	if indexes == nil {
		indexes = make(map[string]int32)
		for i := r.g.files[fileIndex] + 1; int(i) < r.g.Len() && r.g.entries[i].fileIndex == fileIndex; i++ {
			if p := property(r.g.Item(i)); p != "" {
				if _, ok := indexes[p]; !ok {
					indexes[p] = i
				}
			}
		}
		index[fileIndex] = indexes
	}
	if i, ok := indexes[name]; ok {
		return i
	}
	return Missing
}
