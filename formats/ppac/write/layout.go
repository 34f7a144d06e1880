package write

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// Layout is a revision of the format and the widths of its numbers.
type Layout struct {
	Later         bool  // the revision that the Java library writes
	SizeWidth     int64 // bytes of a size: 4 or 8
	PositionWidth int64 // bytes of an offset: 4 or 8
	MemorySize    bool  // published: index entries have a memory size before the Adler-32
}

// HeaderSize is the number of bytes of HEADER.
func (l Layout) HeaderSize() int64 { return 28 + 3*l.PositionWidth }

// entrySize is the number of bytes of INDEX ENTRY.
func (l Layout) entrySize() int64 {
	switch {
	case l.Later:
		return 52 + l.PositionWidth
	case l.MemorySize:
		return 16 + 2*l.SizeWidth + l.PositionWidth
	}
	return 16 + l.SizeWidth + l.PositionWidth
}

// hasMemorySize reports whether index entries have the size of the expanded content.
func (l Layout) hasMemorySize() bool { return l.Later || l.MemorySize }

// sumSize is the number of bytes of the sum in INDEX ENTRY.
func (l Layout) sumSize() int {
	if l.Later {
		return 32
	}
	return 4
}

// FLAGS. The first two have another meaning in each revision.
const (
	flagWideSize     = 1 // published: size fields are 64 bit
	flagWidePosition = 2 // published: offsets are 64 bit
	flagGiga         = 4 // published: there are values above 2^31-1
	flagLongOffsets  = 1 // later: offsets are 64 bit
	flagJavaArrays   = 2 // later: no asset exceeds 2^31-1 bytes
)

// extent is how much room the parts of an archive need.
type extent struct {
	body     int64 // bytes of all assets
	largest  int64 // bytes of the largest, with what surrounds it or, if the index has that size, expanded
	entries  int
	regions  int   // that are listed as trash
	metadata int64 // later: bytes of the blocks of the assets
	blocks   int
	pairs    int64
	file     []byte // the metadata of the file
}

// choose sets the narrowest layout that holds the archive, and its flags. It returns the extent in that layout.
func (a *Archive) choose() (room extent, err error) {
	l := &a.Layout
	l.SizeWidth, l.PositionWidth = 4, 4
	room, err = a.measure()
	if err == nil && room.largest > math.MaxUint32 && !l.Later {
		l.SizeWidth = 8
		room, err = a.measure()
	}
	if err != nil {
		return room, err
	}
	if a.end(room) > math.MaxUint32 {
		l.PositionWidth = 8
	}
	a.Flags = a.flags(room)
	return room, nil
}

// flags are those of the layout for what the archive has.
func (a *Archive) flags(room extent) (flags uint32) {
	l := a.Layout
	set := func(flag uint32, is bool) {
		if is {
			flags |= flag
		}
	}
	if l.Later {
		set(flagLongOffsets, l.PositionWidth == 8)
		set(flagJavaArrays, room.largest <= math.MaxInt32)
		return flags
	}
	set(flagWideSize, l.SizeWidth == 8)
	set(flagWidePosition, l.PositionWidth == 8)
	set(flagGiga, max(room.largest, a.end(room)) > math.MaxInt32)
	return flags
}

// framing is no less than the bytes that index, metadata and trash index have besides what they list: counts, sizes and
// guards.
const framing = 64

// end is the offset after which nothing of the archive begins.
func (a *Archive) end(room extent) int64 {
	l := a.Layout
	return l.HeaderSize() + room.body + int64(room.entries)*l.entrySize() + room.metadata + int64(len(room.file)) +
		framing
}

// measure asks for all assets, and refuses those that no layout holds.
func (a *Archive) measure() (room extent, err error) {
	if a.Len > math.MaxUint32 {
		return room, errors.New("ppac: an index has at most 4,294,967,295 entries")
	}
	if room.file, err = a.fileMetadata(); err != nil {
		return room, err
	}
	var size int64
	for i := range a.Len {
		s, err := a.Asset(i)
		if err != nil {
			return room, err
		}
		if a.Layout.hasMemorySize() && !s.Deleted {
			room.largest = max(room.largest, s.Expanded)
		}
		if !s.Shared {
			if size, err = a.stored(&s); err != nil {
				return room, err
			}
			room.body += size
			room.largest = max(room.largest, size)
		}
		if s.Deleted {
			room.regions++
			continue
		}
		room.entries++
		if a.Layout.Later {
			b, err := block(&s)
			if err != nil {
				return room, err
			}
			if len(b) > 0 {
				room.blocks++
				room.pairs += int64(binary.BigEndian.Uint16(b[8:]))
				room.metadata += int64(len(b))
			}
		}
	}
	return room, nil
}

// stored is the number of bytes that an asset has in the file.
func (a *Archive) stored(s *Asset) (int64, error) {
	if s.Size < 0 || s.Size > math.MaxInt64/2 {
		return 0, fmt.Errorf("ppac: %v has no size", s.TPU)
	}
	if s.Deleted {
		return s.Size, nil
	}
	if a.Layout.Later {
		if max(s.Size, s.Expanded) > math.MaxUint32 {
			return 0, fmt.Errorf("ppac: %v has %d bytes; the later revision holds assets below 4 GiB, "+
				"the published one larger ones, too", s.TPU, max(s.Size, s.Expanded))
		}
		return s.Size, nil
	}
	tail, err := s.Tail()
	return 16 + a.Layout.SizeWidth + s.Size + int64(len(tail)), err
}

// holds says which number does not fit in a layout that was not chosen but given.
func (a *Archive) holds(room extent) error {
	const most = math.MaxUint32
	switch {
	case a.Layout.SizeWidth == 4 && room.largest > most:
		return fmt.Errorf("ppac: an asset of %d bytes does not fit in sizes of 32 bits", room.largest)
	case a.Layout.PositionWidth == 4 && a.end(room) > most:
		return fmt.Errorf("ppac: %d bytes do not fit in offsets of 32 bits", a.end(room))
	}
	return nil
}
