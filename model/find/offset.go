package find

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"assay/model"
)

// ParseOffset parses an offset: "0x1a4" or "1a4h" in hex, "420" in decimal, "+16" and "-0x10" from the current offset,
// "end-16" from the end, "50%" of the size. The result is less than size.
func ParseOffset(text string, current, size int64) (int64, error) {
	s := strings.ToLower(strings.ReplaceAll(strings.ReplaceAll(strings.TrimSpace(text), "_", ""), ",", ""))
	if s == "" {
		return 0, errors.New("enter an offset, such as 0x1a4, 420, +16, -16, end-16, or 50%")
	}
	if size == 0 {
		return 0, errors.New("the file is empty")
	}
	base := int64(0)
	sign := int64(1)
	relative := false
	switch {
	case s == "end":
		return size - 1, nil
	case strings.HasPrefix(s, "end"):
		base, s, relative = size, strings.TrimSpace(s[3:]), true
		if s[0] != '-' {
			return 0, fmt.Errorf("%q is past the end of the file; write, for example, end-16", text)
		}
	case s[0] == '+' || s[0] == '-':
		base, relative = current, true
	}
	if relative {
		if s[0] == '-' {
			sign = -1
		}
		s = strings.TrimSpace(s[1:])
	}
	if p, ok := strings.CutSuffix(s, "%"); ok && !relative {
		f, err := strconv.ParseFloat(strings.TrimSpace(p), 64)
		if err != nil || !(f >= 0 && f <= 100) {
			return 0, fmt.Errorf("%q is not a percentage between 0%% and 100%%", text)
		}
		return min(size-1, int64(f/100*float64(size))), nil
	}
	v, err := parseDigits(s)
	if err != nil || v < 0 {
		return 0, fmt.Errorf("%q is not an offset; write 0x1a4, 420, +16, -16, end-16 or 50%%", text)
	}
	off := base + sign*v
	if off < 0 || sign > 0 && off < base {
		return 0, fmt.Errorf("%s is outside the file", text)
	}
	if off >= size {
		return 0, fmt.Errorf("%s is past the end: the file has %s (%#x)", text, model.Count(size, "byte"), size)
	}
	return off, nil
}

// parseDigits parses a number in decimal or, if it is written as one, in hex.
func parseDigits(s string) (int64, error) {
	radix := 10
	if digits, ok := strings.CutPrefix(s, "0x"); ok {
		s, radix = digits, 16
	} else if digits, ok := strings.CutSuffix(s, "h"); ok {
		s, radix = digits, 16
	} else if strings.ContainsAny(s, "abcdef") {
		radix = 16
	}
	return strconv.ParseInt(s, radix, 64)
}
