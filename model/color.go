package model

import (
	"image/color"
	"strconv"
	"strings"
)

// Color returns the color that the value of a node is, as its decoder says: three or four floats from 0 to 1, or a text
// of such numbers with commas between them.
func (n *Node) Color() (c color.NRGBA, ok bool) {
	if n.Role != RoleColor {
		return c, false
	}
	var parts []float64
	switch v := n.Value.(type) {
	case Array:
		if v.Len() > 4 {
			return c, false
		}
		values, err := v.Slice(0, v.Len())
		if err != nil {
			return c, false
		}
		for _, f := range values {
			f, ok := f.(float32)
			if !ok {
				return c, false
			}
			parts = append(parts, float64(f))
		}
	case string:
		for part := range strings.SplitSeq(v, ",") {
			f, err := strconv.ParseFloat(strings.TrimSpace(part), 64)
			if err != nil {
				return c, false
			}
			parts = append(parts, f)
		}
	}
	if len(parts) != 3 && len(parts) != 4 {
		return c, false
	}
	channel := func(f float64) uint8 {
		if !(f > 0) { // no number is none as well
			return 0
		}
		return uint8(min(1, f)*255 + .5)
	}
	c = color.NRGBA{R: channel(parts[0]), G: channel(parts[1]), B: channel(parts[2]), A: 255}
	if len(parts) == 4 {
		c.A = channel(parts[3])
	}
	return c, true
}
