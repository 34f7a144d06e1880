package render

import (
	"context"
	"image"
	"image/color"
	"image/draw"
	"strings"

	"assay/model"
	"assay/model/font"
	"assay/model/sound"
)

// ink is the color for drawing sounds and fonts; it is visible on dark and on light.
var ink = color.NRGBA{0x4A, 0x8F, 0xD0, 0xFF}

// sampleMost is the size in bytes of the largest sound or font with a thumbnail.
const sampleMost = 16 << 20

// sample draws a sound or a font: the wave of a sound, two letters of a font; nil for other assets.
func (p *Painter) sample(ctx context.Context, d *model.Document, a *model.Payload) image.Image {
	var made func(ctx context.Context, src *model.Source, side int) image.Image
	switch kind, _, _ := strings.Cut(a.MediaType, "/"); {
	case kind == "font":
		made = letters
	case kind == "audio", strings.HasPrefix(a.MediaType, "application/ogg"):
		made = wave
	}
	if made == nil || a.Problem != "" || a.Open == nil || a.Size > sampleMost {
		return nil
	}
	return inside(ctx, d, a, sampleMost, func(src *model.Source) image.Image { return made(ctx, src, p.Size) })
}

func letters(ctx context.Context, src *model.Source, side int) image.Image {
	set, err := font.Sample(ctx, src, side)
	if err != nil {
		return nil
	}
	out := image.NewNRGBA(image.Rect(0, 0, side, side))
	origin := image.Pt((side-set.Rect.Dx())/2, (side-set.Rect.Dy())/2)
	draw.DrawMask(out, set.Rect.Add(origin), image.NewUniform(ink), image.Point{}, set, image.Point{}, draw.Over)
	return out
}

func wave(ctx context.Context, src *model.Source, side int) image.Image {
	s, err := sound.Open(ctx, src)
	if err != nil {
		return nil
	}
	return waveOf(ctx, s, side)
}

// waveOf draws the waveform of a sound, with all channels in one.
func waveOf(ctx context.Context, s *sound.Sound, side int) image.Image {
	var w sound.Wave
	if s.Shape(ctx, side, func(now sound.Wave) { w = now }) != nil && w.Parts == 0 || ctx.Err() != nil {
		return nil
	}
	out := image.NewNRGBA(image.Rect(0, 0, side, side))
	middle := float32(side) / 2
	for x := range side {
		low, high := extent(w, x*w.Parts/side)
		from, to := int(middle*(1-0.9*min(high, 1))), int(middle*(1-0.9*max(low, -1)))
		draw.Draw(out, image.Rect(x, from, x+1, max(to, from+1)), image.NewUniform(ink), image.Point{}, draw.Src)
	}
	return out
}

// extent returns the lowest and the highest sample of a part, of all channels.
func extent(w sound.Wave, part int) (low, high float32) {
	for c := range w.Low {
		if part < len(w.Low[c]) {
			low, high = min(low, w.Low[c][part]), max(high, w.High[c][part])
		}
	}
	return low, high
}
