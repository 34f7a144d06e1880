package properties

import (
	"math"
	"regexp"
	"strconv"
	"strings"
)

// mostNumbers is how many numbers a value has at most: those of a matrix.
const mostNumbers = 16

// decimal is what sscanf takes for a decimal float: the longest beginning that is one.
var decimal = regexp.MustCompile(`^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?`)

// largest is how large numbers are. With larger ones nothing can be drawn.
const largest = 1e30

// Numbers returns the numbers that a value begins with, with commas between them. As in the engine, a comma must follow
// a number at once, and what follows the last is not read: it may be a unit, or a comment. Only decimal numbers are
// known.
func Numbers(value string) []float32 {
	all, _ := numbers(value)
	return all
}

// numbers is Numbers, and returns what follows the last of them.
func numbers(value string) (all []float32, rest string) {
	for more := true; more && len(all) < mostNumbers; {
		value = strings.TrimLeft(value, lineBlanks)
		digits := decimal.FindString(value)
		f, err := strconv.ParseFloat(digits, 32)
		if err != nil || math.Abs(f) > largest {
			break
		}
		all = append(all, float32(f))
		rest = value[len(digits):]
		value, more = strings.CutPrefix(rest, ",")
	}
	return all, rest
}

// numbersBroken reports whether a person would see a number after those that a value begins with, and the engine does
// not, since blanks or an f are before the comma. n is how many it sees.
func numbersBroken(value string) (n int, broken bool) {
	if value == "" || !strings.Contains(value, ",") || value[0] > '9' {
		return 0, false // most values
	}
	all, rest := numbers(value)
	more, comma := strings.CutPrefix(strings.TrimLeft(strings.TrimPrefix(rest, "f"), lineBlanks), ",")
	return len(all), comma && rest[0] != ',' && decimal.MatchString(strings.TrimLeft(more, lineBlanks))
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
