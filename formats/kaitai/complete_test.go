package kaitai

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestKeysTypesAndIDsAreCompleted(t *testing.T) {
	const text = `meta:
  id: x
seq:
  - id: header
    type: header
types:
  header:
    seq:
      - {id: width, type: u2}
    instances:
      body: {pos: width}
  tail: {seq: []}
`
	for before, want := range map[string][]string{
		"meta:\n  en":            {"encoding:", "endian:"},
		"  - id: a\n    rep":     {"repeat-expr:", "repeat-until:", "repeat:"},
		"  - {id: a, rep":        {"repeat-expr:", "repeat-until:", "repeat:"},
		"    type: ta":           {"tail"},
		"    type: st":           {"str", "strz"},
		"    repeat: e":          {"eos", "expr"},
		"    size: wi":           {"width"},
		"    size: header.wi":    {"width"},
		"    pos: bo":            {"body"},
		"inst":                   {"instances:"},
		"-assay-view:\n  pic":    {"picture:"},
		"    -assay-view: {pic":  {"picture:"},
		"  picture: {format: wi": {"width"},
		"  picture: {st":         {"stride:"},
		"    nothing: zz":        nil,
	} {
		for _, outer := range []string{"", text} {
			if outer == "" && slices.Contains([]string{"tail", "width", "body"}, slices.Concat(want, []string{""})[0]) {
				continue
			}
			prefix := outer
			if strings.HasPrefix(before, "  - ") {
				prefix += "seq:\n"
			}
			all := prefix + before
			lines := strings.Split(all, "\n")
			got := Complete(all, len(lines)-1, lines[len(lines)-1])
			require.Len(t, got, len(want), before)
			if len(want) > 0 {
				assert.Equal(t, want, got, before)
			}
		}
	}
	assert.LessOrEqual(t, len(Complete(strings.Repeat("a: {id: x}\n", 1000), 0, "")), maxCompletions)
}
