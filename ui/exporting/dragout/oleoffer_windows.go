package dragout

import (
	"context"
	"encoding/binary"
	"math"
	"path/filepath"
	"sync"
	"syscall"
	"unicode/utf16"
)

// offer holds the files of one drag. Each is written once, when first requested, so that a target that reads them in
// order gets the first before the others are ready.
type offer struct {
	ctx    context.Context
	folder *folder
	items  []Item

	mu       sync.Mutex
	dir      string
	written  map[int]error
	progress progress
}

func newOffer(ctx context.Context, f *folder, items []Item) *offer {
	for i := range items {
		items[i].Folder = "" // descriptors of files have no folders
	}
	items = named(items, nameRoom(f.base))
	return &offer{ctx: ctx, folder: f, items: items, written: make(map[int]error),
		progress: progress{total: totalOf(items)}}
}

// nameRoom returns the maximum length of a file name in a folder of this base, in bytes: many programs, such as
// Explorer, do not support paths of 260 characters or more.
func nameRoom(base string) int {
	const pathMax, least = 259, 40
	folder := filepath.Join(base, runPrefix+"4294967295", "4294967295") // the longest name that os.MkdirTemp creates
	return max(pathMax-len(folder)-1, least)
}

// path writes the i-th file unless it exists, and returns its path.
func (o *offer) path(i int) (string, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.dir == "" {
		dir, err := o.folder.make()
		if err != nil {
			return "", err
		}
		o.dir = dir
	}
	path := filepath.Join(o.dir, o.items[i].Name)
	err, done := o.written[i]
	if !done {
		err = writeFile(o.ctx, path, &o.items[i], &o.progress)
		o.written[i] = err
	}
	return path, err
}

// batch writes all files, and returns the successful ones.
func (o *offer) batch() *batch {
	b := new(batch)
	for i := range o.items {
		path, err := o.path(i)
		if err != nil {
			b.problems = append(b.problems, Problem{o.items[i].Name, err})
		} else {
			b.paths = append(b.paths, path)
			b.files++
		}
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
	hasWriteTime   = 0x20
	hasSize        = 0x40
	showsProgress  = 0x4000
	isUnicode      = 0x80000000
)

// descriptors returns the files as CFSTR_FILEDESCRIPTORW: names, sizes and times of files that need not exist yet.
func (o *offer) descriptors() []byte {
	b := binary.LittleEndian.AppendUint32(nil, uint32(len(o.items)))
	for i := range o.items {
		it := &o.items[i]
		d := make([]byte, descriptorSize)
		flags := uint32(showsProgress | isUnicode)
		if !it.ModTime.IsZero() {
			flags |= hasWriteTime
			t := syscall.NsecToFiletime(it.ModTime.UnixNano())
			binary.LittleEndian.PutUint32(d[56:], t.LowDateTime)
			binary.LittleEndian.PutUint32(d[60:], t.HighDateTime)
		}
		if it.Size >= 0 {
			flags |= hasSize
			binary.LittleEndian.PutUint32(d[64:], uint32(it.Size>>32))
			binary.LittleEndian.PutUint32(d[68:], uint32(it.Size&math.MaxUint32))
		}
		binary.LittleEndian.PutUint32(d, flags)
		name := utf16.Encode([]rune(it.Name))
		for k, c := range name[:min(len(name), nameChars-1)] {
			binary.LittleEndian.PutUint16(d[72+2*k:], c)
		}
		b = append(b, d...)
	}
	return b
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
