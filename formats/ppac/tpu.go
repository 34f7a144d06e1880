package ppac

import (
	"slices"
	"strconv"

	"assay/formats/decode"
)

// TPU identifies an asset: its type, its purpose, and a number that is unique among those.
type TPU struct {
	Type, Purpose uint16
	Unique        uint32
}

// String returns the TPU as a key: TTTT-PPPP-UUUUUUUU.
func (t TPU) String() string {
	const digits = "0123456789ABCDEF"
	b := []byte("TTTT-PPPP-UUUUUUUU")
	v := t.Bits()
	for i := len(b) - 1; i >= 0; i-- {
		if b[i] != '-' {
			b[i] = digits[v&15]
			v >>= 4
		}
	}
	return string(b)
}

// ParseTPU parses the format of TPU.String, with hexadecimal digits of either case.
func ParseTPU(s string) (TPU, bool) {
	if len(s) != 18 || s[4] != '-' || s[9] != '-' {
		return TPU{}, false
	}
	v, err := strconv.ParseUint(s[:4]+s[5:9]+s[10:], 16, 64)
	return TPUOf(v), err == nil
}

// Bits returns the TPU as the first eight bytes of an index entry.
func (t TPU) Bits() uint64 {
	return uint64(t.Type)<<48 | uint64(t.Purpose)<<32 | uint64(t.Unique)
}

// TPUOf returns the TPU with the given bits.
func TPUOf(bits uint64) TPU { return TPU{uint16(bits >> 48), uint16(bits >> 32), uint32(bits)} }

// readTPU reads the three fields of a TPU.
func readTPU(e *decode.Cursor) (t TPU) {
	t.Type = e.U16("type")
	nameNumber(e, typeNames)
	t.Purpose = e.U16("purpose")
	t.Unique = e.U32("unique")
	return t
}

// nameNumber names the last number. Unlike Enum it does nothing in the many quiet readings.
func nameNumber(e *decode.Cursor, names decode.Names) {
	if e.Recording() && e.Err() == nil {
		e.Last().Symbols = names
	}
}

// tpuList collects the TPUs of the index entries to find duplicates.
type tpuList struct {
	keys []uint64
	// The TPUs are not ascending; nor are the unique IDs alone.
	unsorted, unsortedUnique bool
}

func (l *tpuList) add(t TPU) {
	if n := len(l.keys); n > 0 {
		last := l.keys[n-1]
		l.unsorted = l.unsorted || t.Bits() <= last
		l.unsortedUnique = l.unsortedUnique || t.Unique <= uint32(last)
	}
	l.keys = append(l.keys, t.Bits())
}

// duplicates returns the duplicate TPUs, in order. It sorts the list only if there may be any.
func (l *tpuList) duplicates() (duplicated []uint64) {
	if !l.unsorted || !l.unsortedUnique {
		return nil
	}
	slices.Sort(l.keys)
	for i := 1; i < len(l.keys); i++ {
		if k := l.keys[i]; k == l.keys[i-1] && (i < 2 || k != l.keys[i-2]) {
			duplicated = append(duplicated, k)
		}
	}
	return duplicated
}

// tpuTable is TPUs in their order, each once.
type tpuTable []uint64

// find returns the index of a TPU, which usually follows the one found before.
func (l tpuTable) find(tpu uint64, before int) (k int, ok bool) {
	if k = before + 1; k < len(l) && l[k] == tpu {
		return k, true
	}
	return slices.BinarySearch(l, tpu)
}
