package details

import (
	"strings"

	"assay/ui/paint"
)

// wrap cuts a text into lines that are at most width pixels wide, between words where it can.
func wrap(c *paint.Canvas, s string, width int, mono bool) []string {
	face := paint.Regular
	if mono {
		face = paint.Mono
	}
	var lines []string
	for _, l := range strings.Split(strings.ReplaceAll(s, "\r\n", "\n"), "\n") {
		l = strings.ReplaceAll(l, "\t", "    ")
		for c.MeasureUpTo(l, face, width) > width {
			at := fit(c, l, face, width)
			lines = append(lines, l[:at])
			l = strings.TrimLeft(l[at:], " ")
		}
		lines = append(lines, l)
	}
	return lines
}

// fit gives how many bytes of a line fit, at least one character.
func fit(c *paint.Canvas, l string, face paint.Face, width int) int {
	at, space := 0, 0
	for i, r := range l {
		if i > 0 && c.MeasureUpTo(l[:i], face, width) > width {
			break
		}
		at = i
		if r == ' ' && i > 0 {
			space = i
		}
	}
	if at == 0 { // not even two characters fit
		for i := range l {
			if i > 0 {
				return i
			}
		}
		return len(l)
	}
	if space > at/3 {
		return space
	}
	return at
}
