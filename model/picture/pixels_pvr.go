package picture

import (
	"bytes"
	"context"
	"fmt"
	"image"
)

// pvrHead is the size of the header of a PVR file, in both of its versions. Version 3 has more of its own after it.
const pvrHead = 52

// pvr2 are the formats that version 2 of PVR numbers, those of OpenGL and of the libraries before it.
var pvr2 = map[uint8]Format{0x0C: PVRTC2, 0x18: PVRTC2, 0x0D: PVRTC4, 0x19: PVRTC4, 0x12: RGBA8, 0x15: RGB8,
	0x1A: BGRA8, 0x16: R8, 0x13: RGB565, 0x20: BC1, 0x21: BC2, 0x22: BC2, 0x23: BC3, 0x24: BC3}

// pvr3 are the formats that version 3 numbers, and those that it spells: the channels, then the bits of each.
var (
	pvr3 = map[uint64]Format{0: PVRTC2, 1: PVRTC2, 2: PVRTC4, 3: PVRTC4, 7: BC1, 8: BC2, 9: BC2, 10: BC3, 11: BC3,
		12: BC4, 13: BC5, 15: BC7}
	pvr3Spelled = map[string]Format{"rgba\x08\x08\x08\x08": RGBA8, "bgra\x08\x08\x08\x08": BGRA8,
		"rgb\x00\x08\x08\x08\x00": RGB8, "rgb\x00\x05\x06\x05\x00": RGB565,
		"l\x00\x00\x00\x08\x00\x00\x00": R8, "r\x00\x00\x00\x08\x00\x00\x00": R8}
	pvr3Names = map[uint64]string{4: "PVRTC-II with 2 bits a pixel", 5: "PVRTC-II with 4 bits a pixel", 6: "ETC1",
		22: "ETC2", 23: "ETC2 with alpha", 24: "ETC2 with punchthrough alpha"}
)

// IsPVR reports whether a file begins as a PVR file does.
func IsPVR(head []byte) bool {
	return bytes.HasPrefix(head, []byte("PVR\x03")) || len(head) >= pvrHead && string(head[44:48]) == "PVR!"
}

// PVR describes a PVR file: the size and the format of its largest picture, and where its pixels begin.
type PVR struct {
	Width, Height int
	Format        Format
	Offset        int
}

// ReadPVR reads the header of a PVR file. head has the first 52 bytes, or all there are.
func ReadPVR(head []byte) (p PVR, err error) {
	if !IsPVR(head) || len(head) < pvrHead {
		return p, fmt.Errorf("it does not begin as a PVR file does")
	}
	var what string
	if string(head[:3]) == "PVR" {
		number := little.Uint64(head[8:])
		p = PVR{Height: int(little.Uint32(head[24:])), Width: int(little.Uint32(head[28:])), Format: pvr3[number],
			Offset: pvrHead + int(little.Uint32(head[48:]))}
		if number>>32 != 0 {
			p.Format = pvr3Spelled[string(head[8:16])]
		}
		if what = pvr3Names[number]; what == "" {
			what = fmt.Sprintf("number %#x", number)
		}
	} else {
		number := head[16]
		p = PVR{Height: int(little.Uint32(head[4:])), Width: int(little.Uint32(head[8:])), Format: pvr2[number],
			Offset: pvrHead}
		if what = fmt.Sprintf("number %#x", number); number == 0x36 {
			what = "ETC1"
		}
	}
	if p.Format == Unknown {
		return p, fmt.Errorf("its pixel format %s is not one that can be drawn", what)
	}
	return p, nil
}

// Decode returns the largest picture of a file, whose size the caller has bounded.
func (p PVR) Decode(ctx context.Context, b []byte) (image.Image, error) {
	if p.Offset > len(b) {
		return nil, fmt.Errorf("its pixels begin at %d, past its end at %d", p.Offset, len(b))
	}
	return Decode(ctx, p.Format, p.Width, p.Height, b[p.Offset:])
}
