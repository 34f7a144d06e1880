package inspect

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"strconv"
	"time"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"assay/model"
)

// Window is how many bytes the inspector looks at.
const Window = 64

// Line is one way to read the bytes, in both byte orders; Big is empty where there is only one.
type Line struct {
	Name, Little, Big string
}

// Read reads b in all ways. Where there are too few bytes a value is empty.
func Read(b []byte) []Line {
	le, be := binary.LittleEndian, binary.BigEndian
	n := func(name string, form model.Number) Line {
		if int64(len(b)) < form.Size() {
			return Line{Name: name}
		}
		l := Line{name, model.FormatValue(form.Decode(b, le)), model.FormatValue(form.Decode(b, be))}
		if form.Size() == 1 {
			l.Big = ""
		}
		return l
	}
	lines := []Line{
		{Name: "binary", Little: binaryText(b)},
		n("u8", model.U8), n("s8", model.S8), n("u16", model.U16), n("s16", model.S16),
		n("u32", model.U32), n("s32", model.S32), n("u64", model.U64), n("s64", model.S64),
		half(b), n("f32", model.F32), n("f64", model.F64),
		both("time s", b, 4, func(o binary.ByteOrder) string { return unix(int64(o.Uint32(b)), 0) }),
		both("time s 64", b, 8, func(o binary.ByteOrder) string { return unix(int64(o.Uint64(b)), 0) }),
		both("time ms", b, 8, func(o binary.ByteOrder) string { return millis(int64(o.Uint64(b))) }),
		both("FILETIME", b, 8, func(o binary.ByteOrder) string { return filetime(o.Uint64(b)) }),
		uuid(b),
		{Name: "UTF-8", Little: utf8Text(b)},
		both("UTF-16", b, 2, func(o binary.ByteOrder) string { return utf16Text(b, o) }),
	}
	return lines
}

func both(name string, b []byte, size int, read func(binary.ByteOrder) string) Line {
	if len(b) < size {
		return Line{Name: name}
	}
	return Line{name, read(binary.LittleEndian), read(binary.BigEndian)}
}

func binaryText(b []byte) string {
	if len(b) == 0 {
		return ""
	}
	return fmt.Sprintf("%04b %04b", b[0]>>4, b[0]&15)
}

func half(b []byte) Line {
	return both("f16", b, 2, func(o binary.ByteOrder) string {
		return strconv.FormatFloat(float16(o.Uint16(b)), 'g', 5, 64)
	})
}

// float16 is the value of an IEEE half.
func float16(v uint16) float64 {
	sign := 1.0
	if v>>15 != 0 {
		sign = -1
	}
	exp, frac := int(v>>10&0x1f), float64(v&0x3ff)
	switch exp {
	case 0:
		return sign * math.Ldexp(frac, -24)
	case 0x1f:
		if frac != 0 {
			return math.NaN()
		}
		return math.Inf(int(sign))
	}
	return sign * math.Ldexp(1+frac/1024, exp-15)
}

const timeForm = "2006-01-02 15:04:05"

// plausible are the years for which a number is shown as a time.
func plausible(t time.Time) bool { return t.Year() >= 1900 && t.Year() <= 2200 }

func unix(s, ns int64) string {
	if s < -1<<40 || s > 1<<40 {
		return ""
	}
	t := time.Unix(s, ns).UTC()
	if !plausible(t) {
		return ""
	}
	return t.Format(timeForm)
}

func millis(ms int64) string {
	t := time.UnixMilli(ms).UTC()
	if ms < -1<<50 || ms > 1<<50 || !plausible(t) {
		return ""
	}
	return t.Format(timeForm + ".000")
}

func filetime(v uint64) string {
	const toUnix = 11_644_473_600 // seconds from 1601 to 1970
	s := int64(v / 10_000_000)
	return unix(s-toUnix, int64(v%10_000_000)*100)
}

func uuid(b []byte) Line {
	if len(b) < 16 {
		return Line{Name: "UUID"}
	}
	form := func(b []byte) string {
		h := hex.EncodeToString(b)
		return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:32]
	}
	little := append([]byte(nil), b[:16]...)
	for _, r := range [][2]int{{0, 4}, {4, 6}, {6, 8}} {
		for i, j := r[0], r[1]-1; i < j; i, j = i+1, j-1 {
			little[i], little[j] = little[j], little[i]
		}
	}
	return Line{"UUID", form(little), form(b[:16])}
}

func utf8Text(b []byte) string {
	end := 0
	for end < len(b) {
		r, n := utf8.DecodeRune(b[end:])
		if r == utf8.RuneError && n <= 1 || r == 0 || !unicode.IsPrint(r) && r != '\n' && r != '\t' {
			break
		}
		end += n
	}
	return model.OneLine(string(b[:end]), 60)
}

func utf16Text(b []byte, o binary.ByteOrder) string {
	var units []uint16
	for i := 0; i+1 < len(b); i += 2 {
		u := o.Uint16(b[i:])
		if u == 0 || !unicode.IsPrint(rune(u)) && !utf16.IsSurrogate(rune(u)) {
			break
		}
		units = append(units, u)
	}
	return model.OneLine(string(utf16.Decode(units)), 30)
}
