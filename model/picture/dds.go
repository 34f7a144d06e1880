package picture

import (
	"context"
	"encoding/binary"
	"fmt"
	"image"

	"assay/model"
)

// DirectDraw Surface, as Microsoft's programming guide for DDS describes it: a header of 128 bytes, one of 20 more for
// formats of DXGI, then for each layer and side all mip levels, the largest first.

const (
	ddsHead     = 128
	ddsExtended = 20
	ddsParts    = 4096

	ddsCubemap = 0x200
	ddsVolume  = 0x200000
)

var ddsSides = [6]string{"+X", "-X", "+Y", "-Y", "+Z", "-Z"}

// surface is what a DDS says of its pictures.
type surface struct {
	DDS
	depth, levels, layers int
	sides                 []string // of a cube
}

func openDDS(ctx context.Context, src *model.Source) (p model.Picture, err error) {
	head := make([]byte, min(src.Size(), ddsHead+ddsExtended))
	if n, _ := src.ReadAt(head, 0); n < ddsHead {
		return p, fmt.Errorf("the header needs %d bytes, but there are %d", ddsHead, n)
	}
	s, err := parseDDS(head)
	if err != nil {
		return p, err
	}
	if err := bounded(s.Width, s.Height, 8); err != nil {
		return p, err
	}
	p = model.Picture{Format: s.Format.String(), Parts: s.parts(src)}
	if len(p.Parts) == 0 {
		return p, fmt.Errorf("%d × %d pixels of %s need %d bytes, but there are %d", s.Width, s.Height, s.Format,
			s.Format.Size(s.Width, s.Height), src.Size()-int64(s.Offset))
	}
	if p.Image, err = p.Parts[0].Load(ctx); len(p.Parts) == 1 {
		p.Parts = nil
	}
	return p, err
}

func parseDDS(head []byte) (s surface, err error) {
	word := func(at int) uint32 { return binary.LittleEndian.Uint32(head[at:]) }
	s = surface{depth: 1, layers: 1, levels: int(min(max(word(28), 1), 32))}
	if s.DDS, err = ReadDDS(head); err != nil {
		return s, err
	}
	if caps := word(112); caps&ddsCubemap != 0 {
		for i, side := range ddsSides {
			if caps&(0x400<<i) != 0 {
				s.sides = append(s.sides, side)
			}
		}
	} else if caps&ddsVolume != 0 {
		s.depth = int(min(max(word(24), 1), 1<<12))
	}
	if s.Extended {
		s.layers = int(min(max(word(140), 1), ddsParts))
		if word(136)&4 != 0 {
			s.sides = ddsSides[:]
		}
	}
	return s, nil
}

// parts lists the pictures whose pixels are there, the first level of all before the smaller ones of the first.
func (s *surface) parts(src *model.Source) (parts []model.Part) {
	at := int64(s.Offset)
	sides := s.sides
	if sides == nil {
		sides = []string{""}
	}
	for layer := range s.layers {
		for _, side := range sides {
			for level := range s.levels {
				w, h, d := max(1, s.Width>>level), max(1, s.Height>>level), max(1, s.depth>>level)
				for slice := range d {
					size := s.Format.Size(w, h)
					span := model.Span{Offset: at, Size: size}
					if at += size; !span.Within(src.Size()) || len(parts) == ddsParts {
						return parts
					}
					parts = append(parts, model.Part{Name: s.partName(layer, side, level, slice, w, h),
						Load: func(ctx context.Context) (image.Image, error) { return s.load(ctx, src, span, w, h) }})
				}
			}
		}
	}
	return parts
}

func (s *surface) partName(layer int, side string, level, slice, w, h int) string {
	name := fmt.Sprintf("level %d, %d × %d", level, w, h)
	if side != "" {
		name = "side " + side + ", " + name
	}
	if s.layers > 1 {
		name = fmt.Sprintf("layer %d, %s", layer, name)
	}
	if s.depth > 1 {
		name += fmt.Sprintf(", slice %d", slice)
	}
	return name
}

func (s *surface) load(ctx context.Context, src *model.Source, span model.Span, w, h int) (image.Image, error) {
	b, err := src.Bytes(span)
	if err != nil {
		return nil, err
	}
	return s.Decode(ctx, w, h, b)
}
