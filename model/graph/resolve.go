package graph

import (
	"os"
	"path"
	"strings"
)

// resolver finds what references mean.
type resolver struct {
	g      *Graph
	byPath map[string]int32           // files, as things
	keys   map[int32]map[string]int32 // of the assets of a file, as things
	names  map[int32]map[string]int32 // of the assets of a file, as things
}

func newResolver(g *Graph) *resolver {
	r := &resolver{g: g, byPath: make(map[string]int32, len(g.Paths)), keys: make(map[int32]map[string]int32),
		names: make(map[int32]map[string]int32)}
	for i, thing := range g.files {
		r.byPath[g.Paths[i]] = thing
	}
	return r
}

// pair is who refers to what; to what is missing by its name.
type pair struct {
	from, to int32
	name     string
}

// resolve makes uses of references: one for each pair.
func (r *resolver) resolve(all []ref) {
	known := make(map[pair]int)
	for i := range all {
		f := &all[i]
		to, there := r.thing(f)
		if !there {
			continue
		}
		p := pair{from: f.thing, to: to}
		if to == Missing {
			p.name = f.name
		}
		at, is := known[p]
		switch {
		case !is:
			at = len(r.g.Uses)
			known[p] = at
			r.g.Uses = append(r.g.Uses, Use{From: p.from, To: to, Name: f.name, Path: f.path, Span: f.span,
				Inside: f.inside, Count: f.count, Guessed: f.guessed})
		case !f.guessed:
			r.g.Uses[at].Count += f.count
		}
		u := &r.g.Uses[at]
		if to != Missing && f.to.key != "" && r.g.IsFile(to) && len(u.Keys) < keysMost {
			u.Keys = append(u.Keys, f.to.key)
		}
	}
}

// keysMost is how many keys are kept of what one thing means in another.
const keysMost = 1000

// thing returns the thing that a reference means, or Missing; false if it means nothing that is told of.
func (r *resolver) thing(f *ref) (int32, bool) {
	from := r.g.all[f.thing].file
	file := r.g.FileOf(f.thing)
	to := Missing
	switch {
	case f.missing:
	case f.to.file == "":
		to = int(r.inFile(r.keys, from, f.to.key, assetKey))
		if to == Missing {
			return 0, false // it leads to what is no asset
		}
	case f.to.inside:
		to = int(r.inFile(r.names, from, f.to.file, assetName))
	default:
		if thing, ok := r.byPath[f.to.file]; ok {
			to = int(thing)
			if asset := r.inFile(r.keys, r.g.all[thing].file, f.to.key, assetKey); f.to.key != "" && asset != Missing {
				to = int(asset)
			}
		} else if isThere(f) {
			return 0, false // it is outside of what was read
		}
	}
	if to == Missing {
		return Missing, !f.optional && !f.guessed
	}
	return int32(to), int32(to) != f.thing && int32(to) != file && r.g.FileOf(int32(to)) != f.thing
}

// isThere reports whether a file that was not read is on disk: one below the folder of whoever names it, or one that a
// format found. Others are not looked for, since a file may lead anywhere.
func isThere(f *ref) bool {
	if !f.to.local {
		return false
	}
	_, err := os.Stat(f.to.file)
	return err == nil
}

func assetKey(t Thing) string  { return t.Key }
func assetName(t Thing) string { return strings.TrimPrefix(path.Clean("/"+t.Name), "/") }

// inFile looks for an asset of a file, by what of gives of each; Missing if there is none.
func (r *resolver) inFile(index map[int32]map[string]int32, file int32, what string, of func(t Thing) string) int32 {
	all := index[file]
	if all == nil {
		all = make(map[string]int32)
		for i := r.g.files[file] + 1; int(i) < r.g.Len() && r.g.all[i].file == file; i++ {
			if name := of(r.g.Thing(i)); name != "" {
				if _, is := all[name]; !is {
					all[name] = i
				}
			}
		}
		index[file] = all
	}
	if i, ok := all[what]; ok {
		return i
	}
	return Missing
}
