package paint

import "math"

// leastContrast is that of a text with its ground, as WCAG 2 asks.
const leastContrast = 4.5

// Legible returns a colour as near to that of a text as can be read on an opaque ground.
func (c *Colors) Legible(text, ground Color) Color {
	if contrast(text, ground) >= leastContrast {
		return text
	}
	toward := c.Foreground
	if contrast(toward, ground) < leastContrast {
		toward = Color{A: 0xff}
		if white := (Color{R: 0xff, G: 0xff, B: 0xff, A: 0xff}); contrast(white, ground) > contrast(toward, ground) {
			toward = white
		}
	}
	const steps = 10
	for i := 1; i < steps; i++ {
		if m := Mix(toward, text, float32(i)/steps); contrast(m, ground) >= leastContrast {
			return m
		}
	}
	return toward
}

// On returns the colours with those of texts as they can be read on a ground.
func (c Colors) On(ground Color) Colors {
	k, s := &c.Kinds, &c.States
	with := c
	for _, text := range []*Color{&c.Foreground, &c.Dim, &c.Faint, &c.Primary, &c.Error, &c.Warning, &c.Success,
		&k.Number, &k.Word, &k.Name, &k.Bytes, &k.Group, &k.Link, &s.Changed, &s.Moved, &s.Added, &s.Removed} {
		*text = with.Legible(*text, ground)
	}
	return c
}

// OnSelected returns the colours of texts in a selected row.
func (c Colors) OnSelected() Colors { return c.On(c.Selection).On(c.Inactive) }

// Under returns the ground of the lit pieces of a text.
func (c *Colors) Under(t Tone) Color { return Mix(c.Of(t), c.Background, 0.30) }

// contrast is the ratio of contrast of two opaque colours, 1 to 21.
func contrast(a, b Color) float32 {
	x, y := luminance(a)+0.05, luminance(b)+0.05
	return max(x, y) / min(x, y)
}

func luminance(c Color) float32 { return 0.2126*linear[c.R] + 0.7152*linear[c.G] + 0.0722*linear[c.B] }

// linear is the light of each value of a channel.
var linear = func() (light [256]float32) {
	for i := range light {
		v := float64(i) / 255
		light[i] = float32(v / 12.92)
		if v > 0.04045 {
			light[i] = float32(math.Pow((v+0.055)/1.055, 2.4))
		}
	}
	return light
}()
