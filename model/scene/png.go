package scene

import (
	"bytes"
	"encoding/binary"
)

const pngHead = "\x89PNG\r\n\x1A\n"

// plainPNG returns a PNG file with nothing but its pixels: without the colour space, the shape of its pixels and the
// like, which glTF forbids readers to follow and which some follow all the same. What is not a whole PNG stays as it
// is.
func plainPNG(file []byte) []byte {
	if !bytes.HasPrefix(file, []byte(pngHead)) {
		return file
	}
	out := append(make([]byte, 0, len(file)), pngHead...)
	for rest := file[len(pngHead):]; len(rest) > 0; {
		if len(rest) < 12 {
			return file
		}
		size := 12 + int64(binary.BigEndian.Uint32(rest))
		if size > int64(len(rest)) {
			return file
		}
		kind := string(rest[4:8])
		if kind[0] < 'a' || kind == "tRNS" { // what a reader must know begins with a capital
			out = append(out, rest[:size]...)
		}
		if rest = rest[size:]; kind == "IEND" {
			return out
		}
	}
	return file
}
