package export

import (
	"encoding/binary"
	"sync"

	"assay/model"
)

// Item is a file of a plan.
type Item struct {
	From  model.Payloads // with Index the asset
	Index int
	File  string // name of the file that the asset comes from
	*Kind
	Key, Name string // the asset's own
	Target    string // the planned path in the folder, with forward slashes; empty if nowhere
	Wanted    string // the path that the template makes: Target, unless the item is Renamed
	Size      int64  // bytes that are expected; -1 if unknown
	Renamed   bool   // Target differs from the template's name
	Exists    bool   // a file of that name exists, and the rule is not Number
	Same      string // the file with the same content that exists, or is written before it; set by Foresee

	isOwnFile bool // Exists, as in Options.Own
	isRepeat  bool // its file is written for another item of the plan

	file           uint16 // which of the files of its form, if that has several
	isOneOfSeveral bool   // it has
}

// First reports whether the item is an asset's first, or only, file.
func (item *Item) First() bool { return item.file == 0 }

// Kind holds the properties that an item shares with most others of a plan.
type Kind struct {
	Form      string
	MediaType string // empty for assets that are described in bulk
	Recorded  string // as of a Payload
	Forms     []string
	Problem   string // why it is not written
}

const maxKinds = 256

// kinds holds each kind of a plan once. It is safe for concurrent use.
type kinds struct {
	mu    sync.Mutex
	kinds map[string]*Kind
}

// intern returns the Kind that is equal to k.
func (ks *kinds) intern(k Kind) *Kind {
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
	if existing, ok := ks.kinds[string(key)]; ok {
		return existing
	}
	if len(ks.kinds) < maxKinds {
		if ks.kinds == nil {
			ks.kinds = make(map[string]*Kind)
		}
		ks.kinds[string(key)] = &k
	}
	return &k
}

// items holds the items of a plan: 32 bytes each and their texts, as there may be a million.
type items struct {
	items    []packedItem
	texts    []string // of itemsPerText items each
	unsealed []byte   // of those after them
}

// itemsPerText is the number of items with their texts in one string.
const itemsPerText = 1024

// packedItem is an item as a plan keeps it.
type packedItem struct {
	kind  *Kind
	size  int64
	text  uint32 // where its texts begin, each after its length: its key, target, name and Wanted
	pick  uint32
	index uint32
	file  uint16
	flags flags
}

type flags uint8

const (
	flagHasTarget    flags = 1 << iota // it has a target
	flagKeepsName                      // its target is its own name
	flagRenamed                        // Item.Renamed
	flagExists                         // Item.Exists
	flagRepeat                         // Item.isRepeat
	flagOneOfSeveral                   // Item.isOneOfSeveral
	flagOwnFile                        // Item.isOwnFile
)

func (s *items) len() int { return len(s.items) }

// reserve allocates space for n items.
func (s *items) reserve(n int) { s.items = make([]packedItem, 0, n) }

func (s *items) clear() { s.items, s.texts, s.unsealed = s.items[:0], s.texts[:0], s.unsealed[:0] }

func (s *items) add(item *Item, pick int) {
	k := packedItem{kind: item.Kind, size: item.Size, text: uint32(len(s.unsealed)), pick: uint32(pick),
		index: uint32(item.Index),
		file:  item.file}
	for _, f := range []struct {
		flag    flags
		enabled bool
	}{{flagHasTarget, item.Target != ""}, {flagKeepsName, item.Target == item.Name}, {flagRenamed, item.Renamed},
		{flagExists, item.Exists}, {flagRepeat, item.isRepeat}, {flagOneOfSeveral, item.isOneOfSeveral},
		{flagOwnFile, item.isOwnFile}} {
		if f.enabled {
			k.flags |= f.flag
		}
	}
	s.unsealed = appendText(appendText(s.unsealed, item.Key), item.Target)
	if k.flags&flagKeepsName == 0 {
		s.unsealed = appendText(s.unsealed, item.Name)
	}
	if item.Renamed {
		s.unsealed = appendText(s.unsealed, item.Wanted)
	}
	s.items = append(s.items, k)
	if len(s.items)%itemsPerText == 0 {
		s.seal()
	}
}

// seal makes the texts of the last items readable. Only items that begin another part of itemsPerText may be added
// after it.
func (s *items) seal() {
	if len(s.unsealed) > 0 {
		s.texts, s.unsealed = append(s.texts, string(s.unsealed)), s.unsealed[:0]
	}
}

func (s *items) itemAt(i int, picks []Pick) Item {
	k := &s.items[i]
	pick := &picks[k.pick]
	item := Item{From: pick.From, Index: int(k.index), File: pick.File, Kind: k.kind, Size: k.size, file: k.file,
		isOneOfSeveral: k.flags&flagOneOfSeveral != 0, Renamed: k.flags&flagRenamed != 0,
		Exists: k.flags&flagExists != 0, isRepeat: k.flags&flagRepeat != 0, isOwnFile: k.flags&flagOwnFile != 0}
	rest := s.texts[i/itemsPerText][k.text:]
	item.Key, rest = cutText(rest)
	item.Target, rest = cutText(rest)
	if item.Name = item.Target; k.flags&flagKeepsName == 0 {
		item.Name, rest = cutText(rest)
	}
	if item.Wanted = item.Target; item.Renamed {
		item.Wanted, _ = cutText(rest)
	}
	return item
}

// maxTextLength is the maximum length of a stored text: the texts of itemsPerText items are counted in 32 bits.
const maxTextLength = 1 << 20

func appendText(b []byte, text string) []byte {
	text = text[:min(len(text), maxTextLength)]
	return append(binary.AppendUvarint(b, uint64(len(text))), text...)
}

// cutText cuts off the text that s begins with.
func cutText(s string) (text, rest string) {
	size, n := binary.Uvarint([]byte(s[:min(len(s), binary.MaxVarintLen64)]))
	return s[n : n+int(size)], s[n+int(size):]
}
