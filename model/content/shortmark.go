package content

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"assay/model/sound"
)

// extraChecks are further checks of the first bytes, for types whose files begin with a mark of less than four bytes:
// of a million random files, fifteen begin with a mark of two. A bare JPEG XL has only the mark and arbitrary bits, so
// it is recognized only in its container.
var extraChecks = map[string]func(head []byte) bool{
	"application/gzip":   isGzip,
	"application/cbor":   func(head []byte) bool { return len(head) > 3 && (head[3]>>5 == 4 || head[3]>>5 == 5) },
	"application/zlib":   func(head []byte) bool { return isDeflated(head[2:]) },
	"application/x-cpio": isOldCPIO,
	"application/x-ndjson": func(head []byte) bool {
		line, _, _ := bytes.Cut(head, []byte("\n"))
		return json.Valid(line)
	},
	"application/vnd.microsoft.portable-executable": isExecutable,
	"application/x-bzip2":                           isBzip2,
	"application/x-shockwave-flash":                 isFlash,
	"audio/aac":                                     isADTS,
	"audio/mpeg":                                    func(head []byte) bool { return sound.Recognize(head) != "" },
	"image/jpeg":                                    isJPEG,
	"image/jxl":                                     func(head []byte) bool { return !bytes.HasPrefix(head, []byte("\xff\x0a")) },
}

// isWide reports whether a text of UTF-16 has whole characters, which are defined or for private use, and are controls
// only between lines.
func isWide(head []byte, order binary.ByteOrder) bool {
	units := make([]uint16, len(head)/2)
	for i := range units {
		units[i] = order.Uint16(head[2*i:])
	}
	if n := len(units); utf16.IsSurrogate(rune(units[n-1])) { // the second half may be cut off
		units = units[:n-1]
	}
	return len(head)%2 == 0 && !slices.ContainsFunc(utf16.Decode(units[1:]), func(c rune) bool {
		return c == utf8.RuneError ||
			!unicode.IsPrint(c) && !unicode.IsSpace(c) && !unicode.In(c, unicode.Cf, unicode.Co)
	})
}

// isGzip checks the header of RFC 1952: one method, no reserved flags, defined values of level and system.
func isGzip(h []byte) bool {
	return len(h) >= 10 && h[2] == 8 && h[3]&0xe0 == 0 && (h[8] == 0 || h[8] == 2 || h[8] == 4) &&
		(h[9] <= 13 || h[9] == 255)
}

// minInflated is the number of compressed bytes that must be valid if they do not end within the first ones of a
// file.
const minInflated = 64

// isDeflated reports whether bytes are valid by RFC 1951, as far as they go.
func isDeflated(b []byte) bool {
	_, err := io.CopyN(io.Discard, flate.NewReader(bytes.NewReader(b)), 1<<16)
	return err == nil || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) && len(b) >= minInflated
}

// isOldCPIO checks the length of the first name, which ends with a zero; new archives begin with six digits.
func isOldCPIO(h []byte) bool {
	const head = 26
	if bytes.HasPrefix(h, []byte("0707")) {
		return true
	}
	if len(h) < head {
		return false
	}
	order := binary.ByteOrder(binary.LittleEndian)
	if h[0] == 0x71 {
		order = binary.BigEndian
	}
	n := int(order.Uint16(h[20:]))
	return n > 1 && head+n <= len(h) && bytes.IndexByte(h[head:], 0) == n-1
}

// isExecutable checks the offset of the newer header, and the header if it is within the first bytes.
func isExecutable(h []byte) bool {
	const headerOffset = 0x3c
	if len(h) < headerOffset+4 {
		return false
	}
	to := int64(binary.LittleEndian.Uint32(h[headerOffset:]))
	if to+4 <= int64(len(h)) {
		return bytes.HasPrefix(h[to:], []byte("PE\x00\x00"))
	}
	return to < 1<<16
}

// isBzip2 checks the marks of the first block, or of the end.
func isBzip2(h []byte) bool {
	return len(h) >= 10 && h[3] >= '1' && h[3] <= '9' &&
		(string(h[4:10]) == "1AY&SY" || string(h[4:10]) == "\x17\x72\x45\x38\x50\x90")
}

// isFlash checks the version and the length of the whole.
func isFlash(h []byte) bool {
	return len(h) >= 9 && h[3] > 0 && h[3] <= 60 && binary.LittleEndian.Uint32(h[4:]) >= 9 && h[7] < 0x10
}

// isADTS checks that another frame is behind the first one.
func isADTS(h []byte) bool {
	if len(h) < 7 || h[1]&6 != 0 || h[2]>>2&15 > 12 {
		return false
	}
	size := int(h[3]&3)<<11 | int(h[4])<<3 | int(h[5])>>5
	return size >= 7 && size+2 <= len(h) && h[size] == 0xff && h[size+1] == h[1]
}

// isJPEG checks the first segment.
func isJPEG(h []byte) bool {
	return len(h) >= 6 && (h[3] >= 0xc0 && h[3] <= 0xfe) && h[3]&0xf8 != 0xd0 && binary.BigEndian.Uint16(h[4:]) >= 2
}
