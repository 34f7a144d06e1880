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

// String is the TPU as a key: TTTT-PPPP-UUUUUUUU.
func (t TPU) String() string {
	const digits = "0123456789ABCDEF"
	b := []byte("TTTT-PPPP-UUUUUUUU")
	v := t.Bits()
	for at := len(b) - 1; at >= 0; at-- {
		if b[at] != '-' {
			b[at] = digits[v&15]
			v >>= 4
		}
	}
	return string(b)
}

// ParseTPU reads what String writes, with digits of either case.
func ParseTPU(s string) (TPU, bool) {
	if len(s) != 18 || s[4] != '-' || s[9] != '-' {
		return TPU{}, false
	}
	v, err := strconv.ParseUint(s[:4]+s[5:9]+s[10:], 16, 64)
	return TPUOf(v), err == nil
}

// Bits is the TPU as the first eight bytes of an index entry.
func (t TPU) Bits() uint64 {
	return uint64(t.Type)<<48 | uint64(t.Purpose)<<32 | uint64(t.Unique)
}

// TPUOf is the TPU whose bits these are.
func TPUOf(bits uint64) TPU { return TPU{uint16(bits >> 48), uint16(bits >> 32), uint32(bits)} }

// readTPU reads the three fields of a TPU.
func readTPU(e *decode.Cursor) (t TPU) {
	t.Type = e.U16("type")
	nameNumber(e, typeNames)
	t.Purpose = e.U16("purpose")
	t.Unique = e.U32("unique")
	return t
}

// nameNumber names the number that was just read. Unlike Enum it does nothing in quiet readings, of which there are
// many.
func nameNumber(e *decode.Cursor, names decode.Names) {
	if e.Recording() && e.Err() == nil {
		e.Last().Symbols = names
	}
}

// tpuList collects the TPUs of the index entries to find those that are used twice.
type tpuList struct {
	keys []uint64
	// The TPUs do not rise from entry to entry; nor do the unique ids alone.
	mixed, mixedUnique bool
}

func (l *tpuList) add(t TPU) {
	if n := len(l.keys); n > 0 {
		last := l.keys[n-1]
		l.mixed = l.mixed || t.Bits() <= last
		l.mixedUnique = l.mixedUnique || t.Unique <= uint32(last)
	}
	l.keys = append(l.keys, t.Bits())
}

// repeated returns the TPUs that are there more than once, in order. It sorts the list only if there may be any.
func (l *tpuList) repeated() (twice []uint64) {
	if !l.mixed || !l.mixedUnique {
		return nil
	}
	slices.Sort(l.keys)
	for i := 1; i < len(l.keys); i++ {
		if k := l.keys[i]; k == l.keys[i-1] && (i < 2 || k != l.keys[i-2]) {
			twice = append(twice, k)
		}
	}
	return twice
}

// tpuTable is TPUs in their order, each once.
type tpuTable []uint64

// find returns where a TPU is, which mostly follows the one that was found before.
func (l tpuTable) find(tpu uint64, before int) (k int, ok bool) {
	if k = before + 1; k < len(l) && l[k] == tpu {
		return k, true
	}
	return slices.BinarySearch(l, tpu)
}
