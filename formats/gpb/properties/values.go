package properties

import (
	"math"
	"regexp"
	"strconv"
	"strings"
)

// numbersMost is how many numbers a value has at most: those of a matrix.
const numbersMost = 16

// number is what sscanf takes for a float: the longest beginning that is one.
var number = regexp.MustCompile(`^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?`)

// Numbers returns the numbers that a value begins with, with commas between them. As in the engine, what follows the
// last of them is not read: it may be a unit, or a comment.
func Numbers(value string) (all []float32) {
	for len(all) < numbersMost {
		value = strings.TrimLeft(value, lineBlanks)
		digits := number.FindString(value)
		f, err := strconv.ParseFloat(digits, 32)
		if err != nil || math.Abs(f) > 1e30 {
			break
		}
		all = append(all, float32(f))
		rest := strings.TrimLeft(strings.TrimPrefix(value[len(digits):], "f"), lineBlanks)
		more := false
		if value, more = strings.CutPrefix(rest, ","); !more {
			break
		}
	}
	return all
}

// Vector returns the first n numbers of a property; nil if it does not begin with so many.
func (s *Space) Vector(name string, n int) []float32 {
	if v := Numbers(s.Get(name)); len(v) >= n {
		return v[:n]
	}
	return nil
}

// Number returns the number that a property begins with, or otherwise if it begins with none.
func (s *Space) Number(name string, otherwise float32) float32 {
	if v := s.Vector(name, 1); v != nil {
		return v[0]
	}
	return otherwise
}
