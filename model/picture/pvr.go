package picture

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"io"

	"assay/model"
)

// pvrHead is the size of the header of a PVR file, in both of its versions. Version 3 has more of its own after it.
const pvrHead = 52

// pvr2Formats are the numbered formats of version 2 of PVR, for OpenGL and earlier libraries.
var pvr2Formats = map[uint8]Format{0x0C: PVRTC2, 0x18: PVRTC2, 0x0D: PVRTC4, 0x19: PVRTC4, 0x12: RGBA8, 0x15: RGB8,
	0x1A: BGRA8, 0x16: R8, 0x13: RGB565, 0x20: BC1, 0x21: BC2, 0x22: BC2, 0x23: BC3, 0x24: BC3}

// pvr3Formats are the numbered formats of version 3, and pvr3Channels the spelled ones: the channels, then the bits of
// each. pvr3Unsupported names the formats that are not supported.
var (
	pvr3Formats = map[uint64]Format{0: PVRTC2, 1: PVRTC2, 2: PVRTC4, 3: PVRTC4, 7: BC1, 8: BC2, 9: BC2, 10: BC3,
		11: BC3, 12: BC4, 13: BC5, 15: BC7}
	pvr3Channels = map[string]Format{"rgba\x08\x08\x08\x08": RGBA8, "bgra\x08\x08\x08\x08": BGRA8,
		"rgb\x00\x08\x08\x08\x00": RGB8, "rgb\x00\x05\x06\x05\x00": RGB565,
		"l\x00\x00\x00\x08\x00\x00\x00": R8, "r\x00\x00\x00\x08\x00\x00\x00": R8}
	pvr3Unsupported = map[uint64]string{4: "PVRTC-II with 2 bits per pixel", 5: "PVRTC-II with 4 bits per pixel", 6: "ETC1",
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
	var channels string
	if string(head[:3]) == "PVR" {
		number := little.Uint64(head[8:])
		p = PVR{Height: int(little.Uint32(head[24:])), Width: int(little.Uint32(head[28:])),
			Format: pvr3Formats[number], Offset: pvrHead + int(little.Uint32(head[48:]))}
		if number>>32 != 0 {
			p.Format = pvr3Channels[string(head[8:16])]
		}
		if channels = pvr3Unsupported[number]; channels == "" {
			channels = fmt.Sprintf("number %#x", number)
		}
	} else {
		number := head[16]
		p = PVR{Height: int(little.Uint32(head[4:])), Width: int(little.Uint32(head[8:])), Format: pvr2Formats[number],
			Offset: pvrHead}
		if channels = fmt.Sprintf("number %#x", number); number == 0x36 {
			channels = "ETC1"
		}
	}
	if p.Format == Unknown {
		return p, fmt.Errorf("the pixel format %s is not supported", channels)
	}
	return p, nil
}

// Decode returns the largest picture of a file. The caller has checked its size.
func (p PVR) Decode(ctx context.Context, b []byte) (image.Image, error) {
	if p.Offset > len(b) {
		return nil, fmt.Errorf("its pixels begin at %d, past its end at %d", p.Offset, len(b))
	}
	return Decode(ctx, p.Format, p.Width, p.Height, b[p.Offset:])
}

func isPVR(f *fileHead) bool { return IsPVR(f.head) }

// openPVR reads the largest picture of a PVR file.
func openPVR(ctx context.Context, src *model.Source) (p model.Picture, err error) {
	b, err := io.ReadAll(stream(ctx, src))
	if err != nil {
		return p, err
	}
	d, err := ReadPVR(b)
	if err != nil {
		return p, err
	}
	if err := checkSize(d.Width, d.Height, 4); err != nil {
		return p, err
	}
	if p.Image, err = d.Decode(ctx, b); err != nil {
		return p, fmt.Errorf("its pixels cannot be drawn: %w", err)
	}
	p.Format = d.Format.String()
	return p, nil
}
