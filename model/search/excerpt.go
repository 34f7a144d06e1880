package search

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"assay/model"
	"assay/model/find"
)

// Length of an excerpt around a hit: bytes of text, and bytes in hex.
const (
	textBefore = 24 // few, so that the hit itself is in view
	textAfter  = 72
	hexBefore  = 4
	hexAfter   = 8
	maxHex     = 32
	maxHitText = 100 // bytes of a long text that was found
)

// excerpt returns the text of a hit: its line, or the bytes in hex with the hit in brackets.
func (s *Search) excerpt(h find.Hit) string {
	switch {
	case s.OmitText:
		return ""
	case s.Query.interpretation.Text:
		return textAt(h)
	}
	suffix := ""
	if len(h.Bytes) > maxHex {
		suffix = " …"
	}
	return strings.TrimSpace(fmt.Sprintf("% x [% x%s] % x", h.Before[max(0, len(h.Before)-hexBefore):],
		h.Bytes[:min(len(h.Bytes), maxHex)], suffix, h.After[:min(len(h.After), hexAfter)]))
}

// textAt returns the line around a hit.
func textAt(h find.Hit) string {
	before, after := h.Before[max(0, len(h.Before)-2*textBefore):], h.After
	if wide := bytes.IndexByte(h.Bytes, 0) >= 0; wide {
		high := bytes.IndexByte(h.Bytes, 0) % 2 // of the high bytes
		before, after = before[len(before)%2:], after[:len(after)&^1]
		return line(narrow(before, high), narrow(h.Bytes, high), narrow(after, high))
	}
	return line(before, h.Bytes, after)
}

// narrow returns the low bytes of text in units of two bytes; high is the index of the high byte. Units other than
// ASCII become dots.
func narrow(b []byte, high int) []byte {
	out := make([]byte, 0, len(b)/2)
	for i := 0; i+1 < len(b); i += 2 {
		if low := b[i+1-high]; b[i+high] == 0 && low < utf8.RuneSelf {
			out = append(out, low)
		} else {
			out = append(out, 0)
		}
	}
	return out
}

// line returns a hit with its surroundings in its line, limited on each side, as appendText writes them.
func line(before, hit, after []byte) string {
	before, after = before[max(0, len(before)-textBefore):], after[:min(len(after), textAfter)]
	for i, c := range slices.Backward(before) {
		if isLineEnd(c) {
			before = before[i+1:]
			break
		}
	}
	if i := slices.IndexFunc(after, isLineEnd); i >= 0 {
		after = after[:i]
	}
	out := make([]byte, 0, len(before)+len(hit)+len(after)+32)
	out = appendText(out, bytes.TrimLeft(before, " \t"))
	out = appendText(out, hit[:min(len(hit), maxHitText)])
	if len(hit) > maxHitText {
		out = append(out, "…"...)
	}
	out = appendText(out, bytes.TrimRight(after, " \t"))
	return model.OneLine(string(out), len(out))
}

func isLineEnd(c byte) bool { return c == '\r' || c == '\n' }

// appendText appends bytes as text: control characters and bytes that are not UTF-8 become dots, tabs become spaces.
func appendText(out, b []byte) []byte {
	for len(b) > 0 {
		c := b[0]
		if c >= ' ' && c < 0x7f {
			out, b = append(out, c), b[1:]
			continue
		}
		r, n := rune(c), 1
		if c >= utf8.RuneSelf {
			r, n = utf8.DecodeRune(b)
		}
		switch {
		case c == '\t':
			out = append(out, ' ')
		case r < ' ' || r == 0x7f || r == utf8.RuneError:
			out = append(out, "·"...)
		default:
			out = append(out, b[:n]...)
		}
		b = b[n:]
	}
	return out
}

// assetPath names the assets that something is in.
func assetPath(assets []Asset) string {
	var names []string
	for _, a := range assets {
		names = append(names, model.OneLine(a.Name, maxText))
	}
	return strings.Join(names, " / ")
}
