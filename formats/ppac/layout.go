package ppac

import "assay/model"

// Layout is how the fields of a file are laid out.
type Layout struct {
	Later         bool
	SizeWidth     int64 // bytes of a size: 4 or 8
	PositionWidth int64 // bytes of an offset: 4 or 8
	MemorySize    bool  // published: index entries have a memory size before the Adler-32
}

// byFlags is the published layout that a header's flags ask for.
func byFlags(flags uint32) Layout {
	l := Layout{SizeWidth: 4, PositionWidth: 4}
	if flags&FlagWideSize != 0 {
		l.SizeWidth = 8
	}
	if flags&FlagWidePosition != 0 {
		l.PositionWidth = 8
	}
	return l
}

// String is the layout in words: "4.0 published, wide size".
func (l Layout) String() string {
	if l.Later {
		if l.PositionWidth == 8 {
			return "4.0 later, long offsets"
		}
		return "4.0 later, short offsets"
	}
	s := "4.0 published, " + map[[2]int64]string{
		{4, 4}: "narrow", {8, 4}: "wide size", {4, 8}: "wide position", {8, 8}: "wide size and position",
	}[[2]int64{l.SizeWidth, l.PositionWidth}]
	if l.MemorySize {
		s += ", memory sizes"
	}
	return s
}

func wide(width int64) model.Number {
	if width == 8 {
		return model.U64
	}
	return model.U32
}

func (l Layout) size() model.Number     { return wide(l.SizeWidth) }
func (l Layout) position() model.Number { return wide(l.PositionWidth) }

// sized reports whether index entries have the size of the expanded content.
func (l Layout) sized() bool { return l.Later || l.MemorySize }

func (l Layout) headerSize() int64 { return 28 + 3*l.PositionWidth }

// stride is the size of an index entry.
func (l Layout) stride() int64 {
	switch {
	case l.Later:
		return 52 + l.PositionWidth
	case l.MemorySize:
		return 16 + 2*l.SizeWidth + l.PositionWidth
	}
	return 16 + l.SizeWidth + l.PositionWidth
}

// trashStride is the size of a trash entry.
func (l Layout) trashStride() int64 { return l.PositionWidth + l.SizeWidth }

// least is the size of the smallest asset there can be.
func (l Layout) least() uint64 {
	if l.Later {
		return 0
	}
	return uint64(20 + l.SizeWidth)
}
