package expression

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Error is what is wrong with an expression, at a byte of its text.
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
	kind  tokenKind
	at    int
	text  string
	value Value
	parts []part
}

// part is a piece of an f-string: a text, or an expression in braces that begins at an offset of the whole text.
type part struct {
	text       string
	at         int
	expression bool
}

// signs are what is not a word, the longer before the shorter.
var signs = []string{
	"::", "<<", ">>", "<=", ">=", "==", "!=",
	"(", ")", "[", "]", "<", ">", ".", ",", "?", ":", "+", "-", "*", "/", "%", "&", "|", "^", "~",
}

// scanner reads the tokens of an expression one after the other.
type scanner struct {
	text string
	pos  int
}

// next returns the next token.
func (s *scanner) next() (token, error) {
	s.space()
	at := s.pos
	if at == len(s.text) {
		return token{kind: tokenEnd, at: at}, nil
	}
	switch c := s.text[at]; {
	case c == '"' || c == '\'':
		s.pos++
		text, err := s.quoted(c)
		return token{kind: tokenText, at: at, value: TextValue(text)}, err
	case c == 'f' && at+1 < len(s.text) && s.text[at+1] == '"':
		s.pos += 2
		parts, err := s.parts()
		return token{kind: tokenParts, at: at, parts: parts}, err
	case isDigit(c):
		v, err := s.number()
		return token{kind: tokenNumber, at: at, value: v}, err
	case isLetter(c):
		word := s.word()
		if word == "and" || word == "or" || word == "not" {
			return token{kind: tokenSign, at: at, text: word}, nil
		}
		return token{kind: tokenName, at: at, text: word}, nil
	}
	for _, sign := range signs {
		if strings.HasPrefix(s.text[at:], sign) {
			s.pos += len(sign)
			return token{kind: tokenSign, at: at, text: sign}, nil
		}
	}
	r, _ := utf8.DecodeRuneInString(s.text[at:])
	return token{}, errorAt(at, "%q is not part of the expression language", r)
}

func (s *scanner) space() {
	for s.pos < len(s.text) && strings.IndexByte(" \t\r\n\\", s.text[s.pos]) >= 0 {
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

// number reads a whole number (decimal, 0x, 0b, 0o, with _ between digits) or one with a fraction or an exponent. A
// point that no digit follows begins a method.
func (s *scanner) number() (Value, error) {
	from := s.pos
	if s.text[from] == '0' && from+1 < len(s.text) && strings.IndexByte("xXbBoO", s.text[from+1]) >= 0 {
		s.pos += 2
		digits := strings.ReplaceAll(s.word(), "_", "")
		base := map[byte]int{'x': 16, 'b': 2, 'o': 8}[s.text[from+1]|0x20]
		n, err := strconv.ParseUint(digits, base, 64)
		if err != nil {
			return Value{}, errorAt(from, "%s is not a number of at most 64 bits", s.text[from:s.pos])
		}
		return UintValue(n), nil
	}
	s.digits()
	whole := true
	if s.pos+1 < len(s.text) && s.text[s.pos] == '.' && isDigit(s.text[s.pos+1]) {
		whole = false
		s.pos++
		s.digits()
	}
	if s.exponent() {
		whole = false
	}
	if s.pos < len(s.text) && isLetter(s.text[s.pos]) {
		return Value{}, errorAt(s.pos, "a number is followed by %q", s.text[s.pos])
	}
	digits := strings.ReplaceAll(s.text[from:s.pos], "_", "")
	if whole {
		n, err := strconv.ParseUint(digits, 10, 64)
		if err != nil {
			return Value{}, errorAt(from, "%s has more than 64 bits", digits)
		}
		return UintValue(n), nil
	}
	f, err := strconv.ParseFloat(digits, 64)
	if err != nil {
		return Value{}, errorAt(from, "%s is not a number", digits)
	}
	return FloatValue(f), nil
}

func (s *scanner) digits() {
	for s.pos < len(s.text) && (isDigit(s.text[s.pos]) || s.text[s.pos] == '_') {
		s.pos++
	}
}

// exponent reads e, a sign and digits, if they are all there.
func (s *scanner) exponent() bool {
	at := s.pos
	if at == len(s.text) || s.text[at]|0x20 != 'e' {
		return false
	}
	at++
	if at < len(s.text) && (s.text[at] == '+' || s.text[at] == '-') {
		at++
	}
	if at == len(s.text) || !isDigit(s.text[at]) {
		return false
	}
	s.pos = at
	s.digits()
	return true
}

// quoted reads a text up to its closing quote. In single quotes nothing is an escape.
func (s *scanner) quoted(quote byte) (string, error) {
	var text strings.Builder
	from := s.pos - 1
	for s.pos < len(s.text) {
		c := s.text[s.pos]
		s.pos++
		switch {
		case c == quote:
			return text.String(), nil
		case c == '\\' && quote == '"':
			r, err := s.escape()
			if err != nil {
				return "", err
			}
			text.WriteRune(r)
		default:
			text.WriteByte(c)
		}
	}
	return "", errorAt(from, "the text has no closing quote")
}

// escapes are what follows a backslash in double quotes; octal digits and u are read by escape.
var escapes = map[byte]rune{
	'a': 7, 'b': 8, 't': 9, 'n': 10, 'v': 11, 'f': 12, 'r': 13, 'e': 27, '"': '"', '\'': '\'', '\\': '\\',
}

// escape reads what follows a backslash: a letter, octal digits, or u and four hexadecimal ones.
func (s *scanner) escape() (rune, error) {
	at := s.pos - 1
	if s.pos == len(s.text) {
		return 0, errorAt(at, "the escape has no end")
	}
	c := s.text[s.pos]
	if r, ok := escapes[c]; ok {
		s.pos++
		return r, nil
	}
	from, most, base := s.pos, 7, 8
	if c == 'u' {
		s.pos++
		from, most, base = s.pos, 4, 16
	}
	for s.pos < len(s.text) && s.pos-from < most && digitBelow(s.text[s.pos], base) {
		s.pos++
	}
	n, err := strconv.ParseUint(s.text[from:s.pos], base, 32)
	if err != nil || base == 16 && s.pos-from != most {
		return 0, errorAt(at, "%q is not an escape", s.text[at:min(s.pos+1, len(s.text))])
	}
	return rune(n), nil
}

// parts reads the pieces of an f-string up to its closing quote.
func (s *scanner) parts() ([]part, error) {
	from := s.pos - 2
	var parts []part
	var text strings.Builder
	for s.pos < len(s.text) {
		c := s.text[s.pos]
		s.pos++
		switch c {
		case '"':
			return append(parts, part{text: text.String()}), nil
		case '\\':
			r, err := s.escape()
			if err != nil {
				return nil, err
			}
			text.WriteRune(r)
		case '{':
			parts = append(parts, part{text: text.String()})
			text.Reset()
			inner, err := s.braced()
			if err != nil {
				return nil, err
			}
			parts = append(parts, inner)
		default:
			text.WriteByte(c)
		}
	}
	return nil, errorAt(from, "the text has no closing quote")
}

// braced reads the expression of an f-string up to its closing brace. Quotes in it may hold braces.
func (s *scanner) braced() (part, error) {
	from := s.pos
	for s.pos < len(s.text) {
		c := s.text[s.pos]
		s.pos++
		switch c {
		case '}':
			return part{text: s.text[from : s.pos-1], at: from, expression: true}, nil
		case '"', '\'':
			if _, err := s.quoted(c); err != nil {
				return part{}, err
			}
		}
	}
	return part{}, errorAt(from-1, "the brace is not closed")
}

func isDigit(c byte) bool  { return c >= '0' && c <= '9' }
func isLetter(c byte) bool { return c == '_' || c|0x20 >= 'a' && c|0x20 <= 'z' }

// digitBelow reports whether c is a digit of base 8 or 16.
func digitBelow(c byte, base int) bool {
	if base == 8 {
		return c >= '0' && c <= '7'
	}
	return isDigit(c) || c|0x20 >= 'a' && c|0x20 <= 'f'
}
