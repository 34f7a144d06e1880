package export

import (
	"math/bits"
	"path"
	"strconv"
	"strings"

	"github.com/zeebo/xxh3"

	"assay/model"
)

// pathSet is the set of paths that a plan has given away. A million of them are kept as 64-bit hashes of their folded
// text: two that share one by chance only cost one of them a number.
type pathSet struct {
	files   hashes
	numbers map[uint64]int32  // of a file that others wanted: the number that was tried last for the next of its name
	folders map[string]string // folded path of a folder: the spelling it got first
}

func newPathSet(n int) *pathSet {
	return &pathSet{files: newHashes(n), numbers: map[uint64]int32{},
		folders: map[string]string{"": ""}}
}

// try returns the path with the spelling of existing folders, and reports whether it was free; then it is reserved.
// Folders that differ only in case become one.
func (t *pathSet) try(p string) (spelled string, free bool) {
	p = t.firstSpelling(p)
	key := model.FoldName(p)
	return p, !t.isFolder(key) && t.files.add(xxh3.HashString(key))
}

// firstSpelling returns p with the first spelling of its folder.
func (t *pathSet) firstSpelling(p string) string {
	if dir, name := path.Split(p); dir != "" {
		return path.Join(t.folder(strings.TrimSuffix(dir, "/")), name)
	}
	return p
}

// reserve returns the path under which p is free, with a number if need be, and keeps it from others.
func (t *pathSet) reserve(p string) string {
	p, free := t.try(p)
	if free {
		return p
	}
	hash := xxh3.HashString(model.FoldName(p))
	n := int(t.numbers[hash])
	for {
		n = max(n+1, 2)
		q := numberedPath(p, n)
		k := model.FoldName(q)
		if !t.isFolder(k) && t.files.add(xxh3.HashString(k)) {
			t.numbers[hash] = int32(n)
			return q
		}
	}
}

func (t *pathSet) isFolder(key string) bool {
	if len(t.folders) == 1 && key != "" {
		return false
	}
	_, ok := t.folders[key]
	return ok
}

func (t *pathSet) isFree(key string) bool {
	return !t.files.has(xxh3.HashString(key)) && !t.isFolder(key)
}

// folder returns the folder that dir is in this plan. Where a file has the name already, the folder gets a number.
func (t *pathSet) folder(dir string) string {
	if spelled, ok := t.folders[model.FoldName(dir)]; ok {
		return spelled
	}
	parent, name := path.Split(dir)
	target := path.Join(t.folder(strings.TrimSuffix(parent, "/")), name)
	if got, ok := t.folders[model.FoldName(target)]; ok {
		t.folders[model.FoldName(dir)] = got
		return got
	}
	spelled := target
	for n := 2; !t.isFree(model.FoldName(spelled)); n++ {
		spelled = target + " (" + strconv.Itoa(n) + ")"
	}
	t.folders[model.FoldName(dir)], t.folders[model.FoldName(spelled)] = spelled, spelled
	return spelled
}

// hashes is a set of hashes, in eleven bytes each: a map takes twice as much.
type hashes struct {
	slots []uint64 // each hash at its slot or after it; 0 is a free one
	n     int
}

func newHashes(n int) hashes { return hashes{slots: make([]uint64, max(16, n+n/3))} }

// add adds a hash, and reports whether it was not there.
func (s *hashes) add(hash uint64) bool {
	index := s.find(hash)
	if s.slots[index] != 0 {
		return false
	}
	if s.slots[index] = nonZero(hash); s.n >= len(s.slots)*3/4 {
		s.grow()
	}
	s.n++
	return true
}

func (s *hashes) has(hash uint64) bool { return s.slots[s.find(hash)] != 0 }

// find returns the slot of a hash, or the free slot for it.
func (s *hashes) find(hash uint64) int {
	hash = nonZero(hash)
	high, _ := bits.Mul64(hash, uint64(len(s.slots)))
	index := int(high)
	for s.slots[index] != hash && s.slots[index] != 0 {
		if index++; index == len(s.slots) {
			index = 0
		}
	}
	return index
}

func (s *hashes) grow() {
	old := s.slots
	s.slots = make([]uint64, 2*len(old))
	for _, hash := range old {
		if hash != 0 {
			s.slots[s.find(hash)] = hash
		}
	}
}

// nonZero replaces the hash 0, which marks a free slot.
func nonZero(hash uint64) uint64 { return max(1, hash) }
