package find

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"assay/model"
)

// Limits of regular expressions. A match may lie across two of the blocks that are searched one after the other: they
// share as many bytes as the longest match has.
const (
	maxRegexp      = 4 << 10 // bytes of the expression
	maxRegexpMatch = 4 << 10 // bytes of a match; a longer one is cut, and the search continues after the cut
)

// RegexpID is the ID of the interpretation as a regular expression.
const RegexpID = "regexp"

// Regexp returns the pattern of a regular expression in Go's syntax, whose time is linear. ^ and $ match at lines.
// Empty matches do not count.
func Regexp(text string, matchCase bool) (*Pattern, error) {
	switch {
	case text == "":
		return nil, errors.New(`type the regular expression, such as tex_\d+`)
	case len(text) > maxRegexp:
		return nil, fmt.Errorf("a regular expression can have at most %d bytes", maxRegexp)
	}
	flags := "(?m)"
	if !matchCase {
		flags = "(?im)"
	}
	if _, err := regexp.Compile(text); err != nil {
		return nil, fmt.Errorf("invalid regular expression: %s", strings.TrimPrefix(err.Error(), "error parsing regexp: "))
	}
	re, err := regexp.Compile(flags + text)
	return &Pattern{regexp: re}, err
}

// appendMatches appends the matches in b that begin in [from, to), one after the other.
func (p *Pattern) appendMatches(found []model.Span, b []byte, from, to int) []model.Span {
	for offset := from; offset < to; {
		begin, end, ok := p.firstMatch(b, offset)
		switch {
		case !ok || begin >= to:
			return found
		case end == begin:
			offset = begin + 1
		default:
			offset = min(end, begin+maxRegexpMatch)
			found = append(found, model.Span{Offset: int64(begin), Size: int64(offset - begin)})
		}
	}
	return found
}

// firstMatch returns the first match that begins at an index or later. A line may begin there.
func (p *Pattern) firstMatch(b []byte, offset int) (begin, end int, ok bool) {
	before := max(0, offset-1)
	found := p.regexp.FindIndex(b[before:])
	if found != nil && before+found[0] < offset { // an earlier one may hide it
		before = offset
		found = p.regexp.FindIndex(b[before:])
	}
	if found == nil {
		return 0, 0, false
	}
	return before + found[0], before + found[1], true
}
