package query

import (
	"cmp"
	"math"
)

// compareNumbers compares a cell with a number exactly, whatever their kinds; false if one is NaN. A float32 is
// compared with the nearest float32, because people type 0.2 and mean it.
func compareNumbers(cell, want any) (int, bool) {
	if f, ok := cell.(float32); ok {
		if w, ok := want.(float64); ok {
			cell, want = float64(f), float64(float32(w))
		} else {
			cell = float64(f)
		}
	}
	a, aFloat := cell.(float64)
	b, bFloat := want.(float64)
	switch {
	case aFloat && bFloat:
		if math.IsNaN(a) || math.IsNaN(b) {
			return 0, false
		}
		return cmp.Compare(a, b), true
	case aFloat:
		return compareFloat(a, want)
	case bFloat:
		c, ok := compareFloat(b, cell)
		return -c, ok
	}
	return compareIntegers(cell, want), true
}

// compareFloat compares a float with an integer: by their whole parts first, because a float64 does not hold every
// 64-bit integer.
func compareFloat(f float64, integer any) (int, bool) {
	whole := math.Floor(f)
	switch {
	case math.IsNaN(f):
		return 0, false
	case whole >= 1<<64:
		return 1, true
	case whole < -(1 << 63):
		return -1, true
	}
	var c int
	if whole >= 1<<63 {
		c = compareIntegers(uint64(whole), integer)
	} else {
		c = compareIntegers(int64(whole), integer)
	}
	if c == 0 && f > whole {
		return 1, true
	}
	return c, true
}

func compareIntegers(a, b any) int {
	an, au := split(a)
	bn, bu := split(b)
	if an != bn {
		if an {
			return -1
		}
		return 1
	}
	return cmp.Compare(au, bu) // of two negative numbers in two's complement the higher bits are the higher number
}

// split returns whether an integer is negative, and its bits.
func split(v any) (bool, uint64) {
	switch v := v.(type) {
	case int64:
		return v < 0, uint64(v)
	case uint64:
		return false, v
	case bool:
		if v {
			return false, 1
		}
	}
	return false, 0
}
