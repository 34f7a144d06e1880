package export

import (
	"encoding/binary"
	"sync"

	"assay/model"
)

// Item is what a plan says about one file.
type Item struct {
	From  model.Payloads // with Index the asset
	Index int
	File  string // name of the file that the asset comes from
	*Kind
	Key, Name string // the asset's own
	Target    string // where it is going to be, relative to the folder, with forward slashes; empty if nowhere
	Wanted    string // the path that the template makes: Target, unless the item is Renamed
	Size      int64  // bytes that are expected; -1 if unknown
	Renamed   bool   // Target is not the name that the template gave
	Exists    bool   // a file of that name is in the folder, and the rule is not Number
	Same      string // the file with the same content that is there, or that is written before it; set by Foresee

	repeats bool // its file is that of another item of the plan

	file, files uint8 // which of the files of its form, if that has several
}

// First reports whether the item is an asset's first, or only, file.
func (it *Item) First() bool { return it.file == 0 }

// Kind is what an item has in common with most others of a plan.
type Kind struct {
	Form      string
	MediaType string // empty for assets that are described in bulk
	Recorded  string // as of a Payload
	Forms     []string
	Problem   string // why it goes nowhere
}

// kindsMost is how many kinds are remembered.
const kindsMost = 256

// kinds are those of a plan, each once. It is safe for concurrent use.
type kinds struct {
	mu    sync.Mutex
	known map[string]*Kind
}

// one returns the Kind that is equal to k.
func (ks *kinds) one(k Kind) *Kind {
	var space [128]byte
	key := space[:0]
	for _, s := range []string{k.Form, k.MediaType, k.Recorded, k.Problem} {
		key = append(append(key, s...), 0)
	}
	for _, s := range k.Forms {
		key = append(append(key, s...), 0)
	}
	ks.mu.Lock()
	defer ks.mu.Unlock()
	if known, ok := ks.known[string(key)]; ok {
		return known
	}
	if len(ks.known) < kindsMost {
		if ks.known == nil {
			ks.known = make(map[string]*Kind)
		}
		ks.known[string(key)] = &k
	}
	return &k
}

// items are those of a plan: a million of them take 32 bytes each and their texts.
type items struct {
	all   []kept
	texts []string // of textsOf items each
	last  []byte   // of those after them
}

// textsOf is how many items have their texts in one string.
const textsOf = 1024

// kept is an item as a plan keeps it.
type kept struct {
	kind        *Kind
	size        int64
	text        uint32 // where its texts begin, each after its length: its key, target, name and Wanted
	pick        uint32
	index       uint32
	file, files uint8
	flags       flags
}

type flags uint8

const (
	isPlaced   flags = 1 << iota // it has a target
	isNamed                      // its target is its own name
	isRenamed                    // Item.Renamed
	isThere                      // Item.Exists
	isRepeated                   // Item.repeats
)

func (s *items) len() int { return len(s.all) }

// room makes room for n items.
func (s *items) room(n int) { s.all = make([]kept, 0, n) }

// clear forgets all items.
func (s *items) clear() { s.all, s.texts, s.last = s.all[:0], s.texts[:0], s.last[:0] }

// add keeps an item of a pick.
func (s *items) add(it *Item, pick int) {
	k := kept{kind: it.Kind, size: it.Size, text: uint32(len(s.last)), pick: uint32(pick), index: uint32(it.Index),
		file: it.file, files: it.files}
	for _, f := range []struct {
		flag flags
		on   bool
	}{{isPlaced, it.Target != ""}, {isNamed, it.Target == it.Name}, {isRenamed, it.Renamed}, {isThere, it.Exists},
		{isRepeated, it.repeats}} {
		if f.on {
			k.flags |= f.flag
		}
	}
	s.last = appendText(appendText(s.last, it.Key), it.Target)
	if k.flags&isNamed == 0 {
		s.last = appendText(s.last, it.Name)
	}
	if it.Renamed {
		s.last = appendText(s.last, it.Wanted)
	}
	s.all = append(s.all, k)
	if len(s.all)%textsOf == 0 {
		s.seal()
	}
}

// seal puts the texts of the last items where they can be read. No others are added after it, but for those that begin
// another part of textsOf.
func (s *items) seal() {
	if len(s.last) > 0 {
		s.texts, s.last = append(s.texts, string(s.last)), s.last[:0]
	}
}

// at returns the i-th item.
func (s *items) at(i int, picks []Pick) Item {
	k := &s.all[i]
	pick := &picks[k.pick]
	it := Item{From: pick.From, Index: int(k.index), File: pick.File, Kind: k.kind, Size: k.size, file: k.file,
		files: k.files, Renamed: k.flags&isRenamed != 0, Exists: k.flags&isThere != 0,
		repeats: k.flags&isRepeated != 0}
	rest := s.texts[i/textsOf][k.text:]
	it.Key, rest = cutText(rest)
	it.Target, rest = cutText(rest)
	if it.Name = it.Target; k.flags&isNamed == 0 {
		it.Name, rest = cutText(rest)
	}
	if it.Wanted = it.Target; it.Renamed {
		it.Wanted, _ = cutText(rest)
	}
	return it
}

// textMost is how much of a text is kept: textsOf of them are counted in 32 bits.
const textMost = 1 << 20

func appendText(b []byte, text string) []byte {
	text = text[:min(len(text), textMost)]
	return append(binary.AppendUvarint(b, uint64(len(text))), text...)
}

// cutText cuts off the text that s begins with.
func cutText(s string) (text, rest string) {
	size, n := binary.Uvarint([]byte(s[:min(len(s), binary.MaxVarintLen64)]))
	return s[n : n+int(size)], s[n+int(size):]
}
