package expression

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Error is an error in an expression, at a byte of its text.
type Error struct {
	Offset  int
	Message string
}

// Error returns the sentence with the column, counted from 1.
func (e *Error) Error() string { return fmt.Sprintf("%s (column %d)", e.Message, e.Offset+1) }

func errorAt(offset int, format string, args ...any) error {
	return &Error{Offset: offset, Message: fmt.Sprintf(format, args...)}
}

type tokenKind uint8

const (
	tokenEnd tokenKind = iota
	tokenName
	tokenNumber // whole or not: Value
	tokenText   // Value
	tokenParts  // an f-string: parts
	tokenSign   // text is the sign, or one of the words and, or, not
)

// token is a word or a sign of an expression.
type token struct {
	kind   tokenKind
	offset int
	text   string
	value  Value
	parts  []part
	err    error // of a number that is too large: of its use, not of the text
}

// part is a piece of an f-string: a text, or an expression in braces that begins at an offset of the whole text.
type part struct {
	text       string
	offset     int
	expression bool
}

// signs are the tokens that are not words, longer ones first.
var signs = []string{
	"::", "<<", ">>", "<=", ">=", "==", "!=",
	"(", ")", "[", "]", "<", ">", ".", ",", "?", ":", "+", "-", "*", "/", "%", "&", "|", "^", "~",
}

// scanner reads the tokens of an expression one after the other.
type scanner struct {
	text string
	pos  int
}

func (s *scanner) next() (token, error) {
	s.space()
	offset := s.pos
	if offset == len(s.text) {
		return token{kind: tokenEnd, offset: offset}, nil
	}
	switch c := s.text[offset]; {
	case c == '"' || c == '\'':
		s.pos++
		parts, err := s.quotedText(c, false)
		if err != nil {
			return token{}, err
		}
		return token{kind: tokenText, offset: offset, value: TextValue(parts[0].text)}, nil
	case c == 'f' && offset+1 < len(s.text) && s.text[offset+1] == '"':
		s.pos += 2
		parts, err := s.quotedText('"', true)
		return token{kind: tokenParts, offset: offset, parts: parts}, err
	case isDigit(c), c == '.' && offset+1 < len(s.text) && isDigit(s.text[offset+1]):
		v, err := s.number()
		if errors.Is(err, errTooLarge) {
			return token{kind: tokenNumber, offset: offset, err: errorAt(offset, "%v", err)}, nil
		}
		return token{kind: tokenNumber, offset: offset, value: v}, err
	case isLetter(c):
		word := s.word()
		if word == "and" || word == "or" || word == "not" {
			return token{kind: tokenSign, offset: offset, text: word}, nil
		}
		return token{kind: tokenName, offset: offset, text: word}, nil
	}
	for _, sign := range signs {
		if strings.HasPrefix(s.text[offset:], sign) {
			s.pos += len(sign)
			return token{kind: tokenSign, offset: offset, text: sign}, nil
		}
	}
	r, _ := utf8.DecodeRuneInString(s.text[offset:])
	return token{}, errorAt(offset, "%q is not part of the expression language", r)
}

// space skips white space, and a backslash at the end of a line.
func (s *scanner) space() {
	for s.pos < len(s.text) {
		if !strings.ContainsRune(" \t\r\n", rune(s.text[s.pos])) && !strings.HasPrefix(s.text[s.pos:], "\\\n") {
			return
		}
		s.pos++
	}
}

func (s *scanner) word() string {
	from := s.pos
	for s.pos < len(s.text) && (isLetter(s.text[s.pos]) || isDigit(s.text[s.pos])) {
		s.pos++
	}
	return s.text[from:s.pos]
}

// A number is whole (decimal, or in another base after 0x, 0b or 0o) or has a fraction or an exponent. A point at its
// end belongs to it unless a name follows: that is a method.
var (
	basedNumber   = regexp.MustCompile(`^0[xXbBoO][0-9a-zA-Z_]*`)
	decimalNumber = regexp.MustCompile(`^([0-9][0-9_]*)?(\.[0-9][0-9_]*)?([eE][+-]?[0-9][0-9_]*)?`)
	pointAtEnd    = regexp.MustCompile(`^\.\s*(?:[^\s\w.]|$)`)
)

// number reads a number; _ may stand between its digits.
func (s *scanner) number() (Value, error) {
	from, base := s.pos, 10
	text := basedNumber.FindString(s.text[from:])
	if text != "" {
		base = map[byte]int{'x': 16, 'b': 2, 'o': 8}[text[1]|0x20]
	} else {
		text = decimalNumber.FindString(s.text[from:])
		if rest := s.text[from+len(text):]; isWhole(text) && pointAtEnd.MatchString(rest) {
			text += "."
		}
	}
	s.pos += len(text)
	if s.pos < len(s.text) && isLetter(s.text[s.pos]) {
		return Value{}, errorAt(s.pos, "a number is followed by %q", s.text[s.pos])
	}
	digits := strings.ReplaceAll(text, "_", "")
	if base == 10 && !isWhole(digits) {
		f, err := strconv.ParseFloat(digits, 64)
		if err != nil {
			return Value{}, errorAt(from, "%s is not a number", text)
		}
		return FloatValue(f), nil
	}
	if base != 10 {
		digits = digits[2:]
	}
	n, err := strconv.ParseUint(digits, base, 64)
	if errors.Is(err, strconv.ErrRange) {
		return Value{}, fmt.Errorf("%s %w", text, errTooLarge)
	}
	if err != nil {
		return Value{}, errorAt(from, "%s is not a number", text)
	}
	return UintValue(n), nil
}

// errTooLarge is the error of a whole number in an expression that has more than 64 bits.
var errTooLarge = errors.New("has more than 64 bits")

// isWhole reports whether a decimal number has neither a fraction nor an exponent.
func isWhole(text string) bool { return !strings.ContainsAny(text, ".eE") }

// quotedText reads a text up to its closing quote; pieces of it if it is an f-string, else one. In single quotes
// nothing is an escape.
func (s *scanner) quotedText(quote byte, hasBraces bool) ([]part, error) {
	var parts []part
	var text strings.Builder
	from := s.pos - 1
	for s.pos < len(s.text) {
		c := s.text[s.pos]
		s.pos++
		switch {
		case c == quote:
			return append(parts, part{text: text.String()}), nil
		case c == '\\' && quote == '"':
			r, err := s.escape()
			if utf16.IsSurrogate(r) && strings.HasPrefix(s.text[s.pos:], `\u`) {
				s.pos++
				var low rune
				low, err = s.escape()
				r = utf16.DecodeRune(r, low)
			}
			if err != nil {
				return nil, err
			}
			text.WriteRune(r)
		case c == '{' && hasBraces:
			inner, err := s.bracedPart()
			if err != nil {
				return nil, err
			}
			parts = append(parts, part{text: text.String()}, inner)
			text.Reset()
		default:
			text.WriteByte(c)
		}
	}
	return nil, errorAt(from, "the text has no closing quote")
}

// escapes has the characters after a backslash in double quotes; escape reads octal digits and u.
var escapes = map[byte]rune{
	'a': 7, 'b': 8, 't': 9, 'n': 10, 'v': 11, 'f': 12, 'r': 13, 'e': 27, '"': '"', '\'': '\'', '\\': '\\',
}

// numericEscape is octal digits, or u and four hexadecimal ones.
var numericEscape = regexp.MustCompile(`^(?:[0-7]{1,7}|u[0-9a-fA-F]{4})`)

// escape reads the characters after a backslash: a letter, or the number of a character.
func (s *scanner) escape() (rune, error) {
	offset := s.pos - 1
	if s.pos == len(s.text) {
		return 0, errorAt(offset, "the escape has no end")
	}
	if r, ok := escapes[s.text[s.pos]]; ok {
		s.pos++
		return r, nil
	}
	digits, base := numericEscape.FindString(s.text[s.pos:]), 8
	if digits == "" {
		return 0, errorAt(offset, "%q is not an escape", s.text[offset:s.pos+1])
	}
	s.pos += len(digits)
	if digits[0] == 'u' {
		digits, base = digits[1:], 16
	}
	n, err := strconv.ParseUint(digits, base, 32)
	return rune(n), err
}

// bracedPart reads the expression of an f-string up to its closing brace. Quotes in it may hold braces.
func (s *scanner) bracedPart() (part, error) {
	from := s.pos
	for s.pos < len(s.text) {
		c := s.text[s.pos]
		s.pos++
		switch c {
		case '}':
			return part{text: s.text[from : s.pos-1], offset: from, expression: true}, nil
		case '"', '\'':
			if _, err := s.quotedText(c, false); err != nil {
				return part{}, err
			}
		}
	}
	return part{}, errorAt(from-1, "the brace is not closed")
}

func isDigit(c byte) bool  { return c >= '0' && c <= '9' }
func isLetter(c byte) bool { return c == '_' || c|0x20 >= 'a' && c|0x20 <= 'z' }
