package ppac

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"assay/formats/decode"
	"assay/model"
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
func (t tpuTable) find(tpu uint64, before int) (k int, ok bool) {
	if k = before + 1; k < len(t) && t[k] == tpu {
		return k, true
	}
	return slices.BinarySearch(t, tpu)
}

// Extensions are the library's registered types (StdPacTypeIDs): the present ones, then types of 2015 to January 2017.
// They are advice: a file may give a picture another type.
var Extensions = decode.Names{
	0x0001: "bin",
	0x0100: "txt", 0x0101: "xml", 0x0102: "json", 0x0103: "yaml", 0x0104: "css", 0x0105: "csv", 0x0106: "html",
	0x0107: "vert", 0x0108: "frag", 0x0109: "geom", 0x010A: "tesc", 0x010B: "tese",
	0x0200: "png", 0x0201: "gif", 0x0202: "jpg", 0x0203: "tif", 0x0204: "bmp", 0x0205: "ico", 0x0206: "dds",
	0x0300: "mp3", 0x0301: "m4a", 0x0302: "ogg", 0x0303: "wav", 0x0304: "aac",
	0x0400: "h264", 0x0401: "mp4", 0x0402: "ogv", 0x0403: "webm",
	0x0500: "ttf", 0x0501: "otf",
	0x0600: "zip", 0x0601: "tar", 0x0602: "bz", 0x0603: "bz2", 0x0604: "7z", 0x0605: "pac",
	0x0700: "exe", 0x0701: "jar", 0x0702: "class", 0x0703: "lua", 0x0704: "luac",

	0x0002: "txt", 0x0003: "xml", 0x0004: "json", 0x0005: "yaml", 0x0006: "css", 0x0007: "csv", 0x0008: "html",
	0x0009: "png", 0x000A: "gif", 0x000B: "jpg", 0x000C: "tif", 0x000D: "bmp", 0x000E: "ico",
	0x000F: "mp3", 0x0010: "m4a", 0x0011: "ogg", 0x0012: "wav", 0x0013: "aac",
	0x0014: "h264", 0x0015: "mp4", 0x0016: "ogv", 0x0017: "webm",
	0x0018: "ttf", 0x0019: "otf",
	0x001A: "zip", 0x001B: "tar", 0x001C: "bz", 0x001D: "bz2", 0x001E: "7z", 0x001F: "pac",
	0x0020: "exe", 0x0021: "jar", 0x0022: "class",
	0x0030: "properties", 0x0031: "strings",
}

// typesByExtension are the registered types by the extensions of files; of two, the present one.
var typesByExtension = func() map[string]uint16 {
	types := map[string]uint16{"jpeg": 0x0202, "tiff": 0x0203, "yml": 0x0103, "htm": 0x0106, "ppac": 0x0605}
	for id, extension := range Extensions {
		types[extension] = max(types[extension], uint16(id))
	}
	return types
}()

// TypeOf returns the registered type of files with an extension, which begins with its dot.
func TypeOf(extension string) (id uint16, ok bool) {
	id, ok = typesByExtension[strings.ToLower(strings.TrimPrefix(extension, "."))]
	return id, ok
}

// isText reports whether a registered type is a text's.
func isText(extension string) bool {
	switch extension {
	case "txt", "xml", "json", "yaml", "css", "csv", "html", "vert", "frag", "geom", "tesc", "tese", "lua", "properties",
		"strings":
		return true
	}
	return false
}

// isUnmarked reports whether files of a registered type may have no signature.
func isUnmarked(extension string) bool {
	switch extension {
	case "bin", "mp3", "m4a", "aac", "h264", "tar", "bz":
		return true
	}
	return false
}

var typeNames = func() decode.Names {
	n := decode.Names{0: model.UnknownType}
	for id, ext := range Extensions {
		n[id] = ext
	}
	return n
}()

func typeName(id uint16) string {
	if s, ok := typeNames[uint64(id)]; ok {
		return s
	}
	if id >= 0x8000 {
		return "private"
	}
	return "unregistered"
}

// typeLabel returns a type with its number, as a group of the index is called.
func typeLabel(id uint16) string { return fmt.Sprintf("%04X %s", id, typeName(id)) }
