package dragout

import (
	"context"
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"unicode/utf16"
)

// offer holds the files of one drag. Each is written once, when first requested, so that a target that reads them in
// order gets the first before the others are ready.
type offer struct {
	ctx     context.Context
	folder  *folder
	items   []Item
	entries []entry

	mu       sync.Mutex
	dir      string
	written  map[int]error
	progress progress
}

// entry is a file or a folder of an offer.
type entry struct {
	name string // path in the drag, with slashes
	item int    // index of the item; -1 for a folder
}

func newOffer(ctx context.Context, f *folder, items []Item) *offer {
	items = withSafeNames(items, maxNameLength(f.base))
	return &offer{ctx: ctx, folder: f, items: items, entries: entriesOf(items), written: make(map[int]error),
		progress: progress{total: totalOf(items)}}
}

// entriesOf returns the items with their folders, each before its content, as CFSTR_FILEDESCRIPTORW requires.
func entriesOf(items []Item) []entry {
	var all []entry
	made := make(map[string]bool)
	for i := range items {
		name := items[i].Name
		for at, c := range name {
			if c == '/' && !made[name[:at]] {
				made[name[:at]] = true
				all = append(all, entry{name[:at], -1})
			}
		}
		all = append(all, entry{name, i})
	}
	return all
}

// maxNameLength returns the maximum length of a name in a folder of this base, in bytes: many programs, such as
// Explorer, do not support paths of 260 characters or more. The names of dragged folders are not counted.
func maxNameLength(base string) int {
	const pathMax, least = 259, 40
	folder := filepath.Join(base, runPrefix+"4294967295", "4294967295") // the longest name that os.MkdirTemp creates
	return max(pathMax-len(folder)-1, least)
}

// writeItem writes the i-th file unless it exists, and returns its path.
func (o *offer) writeItem(i int) (string, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.dir == "" {
		dir, err := o.folder.newBatchFolder()
		if err != nil {
			return "", err
		}
		o.dir = dir
	}
	path := filepath.Join(o.dir, o.items[i].Name)
	err, done := o.written[i]
	if !done {
		if err = os.MkdirAll(filepath.Dir(path), 0o777); err == nil {
			err = writeFile(o.ctx, path, &o.items[i], &o.progress)
		}
		o.written[i] = err
	}
	return path, err
}

// writeAll writes all files, and returns the successful ones.
func (o *offer) writeAll() *batch {
	b := new(batch)
	for i := range o.items {
		if _, err := o.writeItem(i); err != nil {
			b.problems = append(b.problems, Problem{o.items[i].Name, err})
			continue
		}
		b.add(o.dir, o.items[i].Name)
	}
	b.dir = o.dir
	return b
}

// problems returns the problems of the requested files.
func (o *offer) problems() []Problem {
	o.mu.Lock()
	defer o.mu.Unlock()
	var all []Problem
	for i := range o.items {
		if err := o.written[i]; err != nil {
			all = append(all, Problem{o.items[i].Name, err})
		}
	}
	return all
}

// Sizes and flags of FILEDESCRIPTORW.
const (
	descriptorSize = 592
	nameChars      = 260
	hasAttributes  = 0x4
	hasWriteTime   = 0x20
	hasSize        = 0x40
	showsProgress  = 0x4000
	isUnicode      = 0x80000000
)

// Offsets of fields in FILEDESCRIPTORW, in bytes.
const (
	attributesOffset = 36
	writeTimeOffset  = 56
	sizeOffset       = 64 // the upper half first
	nameOffset       = 72
)

// descriptors returns the files as CFSTR_FILEDESCRIPTORW: names, sizes and times of files that need not exist yet.
func (o *offer) descriptors() []byte {
	b := binary.LittleEndian.AppendUint32(nil, uint32(len(o.entries)))
	for _, e := range o.entries {
		b = append(b, o.descriptor(e)...)
	}
	return b
}

// descriptor returns a FILEDESCRIPTORW.
func (o *offer) descriptor(e entry) []byte {
	d := make([]byte, descriptorSize)
	flags := uint32(showsProgress | isUnicode)
	if e.item < 0 {
		flags |= hasAttributes
		binary.LittleEndian.PutUint32(d[attributesOffset:], syscall.FILE_ATTRIBUTE_DIRECTORY)
	} else {
		it := &o.items[e.item]
		if !it.ModTime.IsZero() {
			flags |= hasWriteTime
			t := syscall.NsecToFiletime(it.ModTime.UnixNano())
			binary.LittleEndian.PutUint32(d[writeTimeOffset:], t.LowDateTime)
			binary.LittleEndian.PutUint32(d[writeTimeOffset+4:], t.HighDateTime)
		}
		if it.Size >= 0 {
			flags |= hasSize
			binary.LittleEndian.PutUint32(d[sizeOffset:], uint32(it.Size>>32))
			binary.LittleEndian.PutUint32(d[sizeOffset+4:], uint32(it.Size&math.MaxUint32))
		}
	}
	binary.LittleEndian.PutUint32(d, flags)
	name := utf16.Encode([]rune(filepath.FromSlash(e.name)))
	for k, c := range name[:min(len(name), nameChars-1)] {
		binary.LittleEndian.PutUint16(d[nameOffset+2*k:], c)
	}
	return d
}

// dropFiles returns paths as CF_HDROP.
func dropFiles(paths []string) []byte {
	const header = 20
	b := make([]byte, header)
	binary.LittleEndian.PutUint32(b, header)
	binary.LittleEndian.PutUint32(b[16:], 1) // the paths are UTF-16
	for _, path := range paths {
		for _, c := range utf16.Encode([]rune(path)) {
			b = binary.LittleEndian.AppendUint16(b, c)
		}
		b = append(b, 0, 0)
	}
	return append(b, 0, 0)
}
