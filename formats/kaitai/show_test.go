package kaitai

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
)

// TestInstancesEnd holds that instances which need or show one another come to an end, as objects or in lists.
func TestInstancesEnd(t *testing.T) {
	for name, text := range map[string]string{
		"itself":           "instances: {a: {value: a + 1}}",
		"each other":       "instances: {a: {value: b}, b: {value: a}}",
		"a chain":          "seq: [{id: x, type: t}]\ntypes: {t: {instances: {next: {pos: 0, type: t}}}}",
		"parents":          "seq: [{id: x, type: t}]\ntypes: {t: {seq: [{id: y, type: u1}], instances: {up: {value: _parent}, top: {value: _root}}}}",
		"two chains":       "seq: [{id: x, type: t}]\ntypes: {t: {instances: {n: {pos: _io.pos + 1, type: t}, m: {pos: _io.pos + 1, type: t}}}}",
		"a list of chains": "instances: {l: {pos: 0, type: t, repeat: eos}}\ntypes: {t: {seq: [{id: y, type: u1}], instances: {n: {pos: _io.pos % 12, type: t}, m: {pos: (_io.pos + 5) % 12, type: t}}}}",
		"lists":            "seq: [{id: x, type: t}]\ntypes: {t: {instances: {l: {pos: 0, type: t, repeat: expr, repeat-expr: 1}}}}",
		"longer lists":     "seq: [{id: x, type: t}]\ntypes: {t: {seq: [{id: y, type: u1}], instances: {l: {pos: 0, type: t, repeat: expr, repeat-expr: 2}}}}",
	} {
		d := open(t, text, strings.Repeat("00", 12))
		nodes := 0
		require.NoError(t, model.Walk(d.Root(), func(n *model.Node) (bool, error) {
			nodes++
			return true, nil
		}, nil))
		assert.Less(t, nodes, 1<<19, name)
	}
}

// TestManyObjectsOfInstances holds that the bound on what instances show is not one on the elements of a list.
func TestManyObjectsOfInstances(t *testing.T) {
	const count = maxShown + 10
	d := open(t, fmt.Sprintf(`
instances: {entries: {pos: 0, type: entry, repeat: expr, repeat-expr: %d}}
types:
  entry: {seq: [{id: size, type: u1}], instances: {body: {pos: 1, type: body}}}
  body: {seq: [{id: a, type: u1}], instances: {twice: {value: a * 2}}}`, count), strings.Repeat("02", count))
	entries := d.Root().Named("entries")
	for i := range count {
		if body := entries.Child(i).Named("body"); len(body.Problems()) > 0 || body.Named("twice").Value != int64(4) {
			require.Fail(t, "an element is not shown", "%d: %v", i, body.Problems())
		}
	}
}
