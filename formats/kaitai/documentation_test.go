package kaitai

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
)

const documented = `
doc: A file of entries.
seq:
  - id: count
    type: u1
    doc: |
      How many entries
      follow.
    doc-ref: https://example.org/count
  - id: entries
    type: entry
    repeat: expr
    repeat-expr: count
    doc: The entries.
  - id: last
    size: 4
    type:
      switch-on: count
      cases:
        2: entry
types:
  entry:
    doc: One entry.
    seq:
      - id: kind
        type: u1
        enum: kinds
    instances:
      same:
        value: _root.entries[0]
      twice:
        value: kind.to_i * 2
        doc: Two times the kind.
enums:
  kinds:
    1: {id: one, doc: The first.}
    2: two
`

func TestNodesHaveTheLinesAndTextsOfTheirRules(t *testing.T) {
	d := openHex(t, documented, "02 01 02 01ffffff ee")
	for path, want := range map[string]struct {
		line int
		doc  string
	}{
		"":                     {1, "A file of entries."},
		"/count":               {5, "How many entries follow."},
		"/entries":             {11, "The entries."},
		"/entries/1":           {11, "The entries.\nOne entry."},
		"/entries/0/kind":      {26, "one: The first."},
		"/entries/1/kind":      {26, ""},
		"/entries/1/twice":     {32, "Two times the kind."},
		"/entries/1/same":      {30, "One entry."},
		"/entries/1/same/kind": {26, "one: The first."},
		"/last":                {16, "One entry."},
		"/last/kind":           {26, "one: The first."},
	} {
		n := d.Root()
		if path != "" {
			var err error
			n, err = d.Find(path)
			require.NoError(t, err, path)
		}
		file, line, ok := d.Description.Rule(n)
		assert.True(t, ok, path)
		assert.Equal(t, "test.ksy", file, path)
		assert.Equal(t, want.line, line, path)
		assert.Equal(t, want.doc, d.Meaning(n).Text(), path)
		assert.True(t, n.Parent == nil || n.IsElement() || d.Meaning(n).Term.Title == n.Name, path)
	}
	assert.Contains(t, d.Description.Text("test.ksy"), "How many entries")
	assert.Equal(t, []model.Reference{{Title: "example.org/count", URL: "https://example.org/count"}},
		d.Meaning(d.Root().Child(0)).References)
	assert.Empty(t, d.Meaning(d.Root().Child(1)).References)

	_, err := (&Library{ImportsAnywhere: true}).Read("wrong.ksy", []byte("meta: {id: a}\nseq:\n  - id: a\n    type: u9"))
	var wrong *Error
	require.ErrorAs(t, err, &wrong)
	file, line := wrong.Location()
	assert.Equal(t, "wrong.ksy", file)
	assert.Equal(t, 4, line)
}

func TestLargestNumberAndMinusOneAreTwoMembers(t *testing.T) {
	d := openHex(t, "seq: [{id: a, type: u8, enum: e}, {id: b, type: s8, enum: e}]\n"+
		"enums: {e: {0xffffffffffffffff: {id: big, doc: The largest.}, -1: {id: minus, doc: Below.}}}",
		strings.Repeat("ff", 16))
	assert.Equal(t, "big: The largest.", d.Meaning(d.Root().Child(0)).Text())
	assert.Equal(t, "minus: Below.", d.Meaning(d.Root().Child(1)).Text())
}

const sameNames = `
seq:
  - id: kind
    type: u1
  - id: body
    type:
      switch-on: kind
      cases:
        1: a::entry
        2: b::entry
  - id: list
    size: 2
    process: xor(0)
    type: many
instances:
  again:
    value: body
types:
  many:
    seq:
      - id: each
        repeat: eos
        type:
          switch-on: _root.kind - _index
          cases:
            1: a::entry
            2: b::entry
  a:
    types:
      entry:
        seq:
          - {id: x, type: u1, doc: The x of a.}
  b:
    types:
      entry:
        seq:
          - {id: x, type: u1, doc: The x of b.}
`

func TestNodesHaveTheRulesOfTheirTypeAmongTypesOfOneName(t *testing.T) {
	d := openHex(t, sameNames, "02 07 0809")
	for path, want := range map[string]string{
		"/body/x":        "The x of b.",
		"/again/x":       "The x of b.",
		"/list/each/0/x": "The x of b.",
		"/list/each/1/x": "The x of a.",
	} {
		n, err := d.Find(path)
		require.NoError(t, err, path)
		assert.Equal(t, want, d.Meaning(n).Text(), path)
	}
}

func TestAttributesCalledGapAreNotGaps(t *testing.T) {
	d := openHex(t, `
seq:
  - {id: b, type: gap, doc: The b.}
  - {id: gap, type: gap, repeat: expr, repeat-expr: 2, doc: The gaps.}
instances:
  pair:
    value: '[b, gap[0]]'
    doc: Two.
types:
  gap:
    doc: Type gap.
    seq:
      - {id: x, type: u1, doc: The x.}`, "01 02 03 ff ff")
	report, err := d.Check(context.Background(), nil)
	require.NoError(t, err)
	d.ShowGaps(report)
	for path, want := range map[string]struct {
		line int
		doc  string
	}{
		"/b": {4, "The b.\nType gap."}, "/b/x": {14, "The x."}, "/gap": {5, "The gaps."}, "/gap/1": {5, "The gaps.\nType gap."},
		"/gap/1/x": {14, "The x."}, "/pair": {7, "Two."}, "/pair/1": {7, "Two.\nType gap."}, "/pair/1/x": {14, "The x."},
	} {
		n, err := d.Find(path)
		require.NoError(t, err, path)
		_, line, ok := d.Description.Rule(n)
		assert.True(t, ok, path)
		assert.Equal(t, want.line, line, path)
		assert.Equal(t, want.doc, d.Meaning(n).Text(), path)
	}
	gaps := d.Root().Child(d.Root().Len() - 1)
	for _, n := range []*model.Node{gaps, gaps.Child(0)} {
		_, _, ok := d.Description.Rule(n)
		assert.False(t, ok, n.PathText())
		assert.Empty(t, d.Meaning(n).Text())
	}
}
