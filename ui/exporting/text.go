package exporting

import (
	"fmt"
	"strconv"
)

func isAre(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

// size is a number of bytes for people.
func size(n int64) string {
	if n < 0 {
		return "?"
	}
	if n < 1000 {
		return strconv.FormatInt(n, 10) + " B"
	}
	f, unit := float64(n), 0
	for f >= 999.5 && unit < 6 {
		f, unit = f/1000, unit+1
	}
	digits := 0
	if f < 99.5 {
		digits = 1
	}
	return fmt.Sprintf("%.*f %cB", digits, f, " kMGTPE"[unit])
}
