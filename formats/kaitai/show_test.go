package kaitai

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/klauspost/compress/zlib"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
)

// TestInstancesThatNeedEachOtherEnd tests that instances that need or display one another end, as objects or in lists.
func TestInstancesThatNeedEachOtherEnd(t *testing.T) {
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
		d := openHex(t, text, strings.Repeat("00", 12))
		nodes := 0
		require.NoError(t, model.Walk(d.Root(), func(n *model.Node) (bool, error) {
			nodes++
			return true, nil
		}, nil))
		assert.Less(t, nodes, 1<<19, name)
	}
}

func TestLimitOfDisplayedObjectsDoesNotLimitElements(t *testing.T) {
	const count = maxDisplayed + 10
	d := openHex(t, fmt.Sprintf(`
instances: {entries: {pos: 0, type: entry, repeat: expr, repeat-expr: %d}}
types:
  entry: {seq: [{id: size, type: u1}], instances: {body: {pos: 1, type: body}}}
  body: {seq: [{id: a, type: u1}], instances: {twice: {value: a * 2}}}`, count), strings.Repeat("02", count))
	entries := d.Root().ChildNamed("entries")
	for i := range count {
		if body := entries.Child(i).ChildNamed("body"); len(body.Problems()) > 0 || body.ChildNamed("twice").Value != int64(4) {
			require.Fail(t, "an element is not shown", "%d: %v", i, body.Problems())
		}
	}
}

// TestExportKeyIsOfOneAttribute tests that -assay-export applies to one attribute, not to others with its ID, and to
// each element of a list.
func TestExportKeyIsOfOneAttribute(t *testing.T) {
	doc := openHex(t, `
seq:
  - {id: picture, type: picture}
  - {id: other, type: other}
  - {id: parts, size: 2, repeat: expr, repeat-expr: 2, -assay-export: {name: part.bin}}
types:
  picture: {seq: [{id: data, size: 3, -assay-export: {name: picture.png, media-type: image/png}}]}
  other: {seq: [{id: data, size: 3, -assay-export: false}]}`, "010203 040506 0708 090a")
	require.NotNil(t, doc.Payloads)
	var got []string
	for i := range doc.Payloads.Len() {
		p := doc.Payloads.At(i)
		got = append(got, p.Key+" "+p.Name)
	}
	assert.Equal(t, []string{"/picture/data picture.png", "/parts/0 part.bin", "/parts/1 part.bin"}, got)
}

func TestAssetsAreNamedByTheLabelsAroundThem(t *testing.T) {
	doc := openHex(t, `
seq: [{id: files, type: file, repeat: eos}]
types:
  file:
    -webide-representation: '{name}'
    seq: [{id: name, type: strz}, {id: body, type: body}]
  body: {seq: [{id: data, size: 2, -assay-export: true}]}`, "612e706e6700 0102 62206300 0304 00 0506 632f642e7800 0708")
	var got []string
	for i := range doc.Payloads.Len() {
		got = append(got, doc.Payloads.At(i).Name)
	}
	assert.Equal(t, []string{"a.png", "1 b c-body-data.bin", "files-2-body-data.bin", "c/d.x"}, got)
	assert.Equal(t, "0 a.png", doc.Root().Child(0).Child(0).Title())
}

// TestBlocksOfAnySizeAreFoundInElements has blocks in elements, elsewhere by instances, and made by a process, also
// after a long list.
func TestBlocksOfAnySizeAreFoundInElements(t *testing.T) {
	var packed bytes.Buffer
	z := zlib.NewWriter(&packed)
	_, err := z.Write(make([]byte, 64))
	require.NoError(t, err)
	require.NoError(t, z.Close())
	doc := openHex(t, fmt.Sprintf(`
seq:
  - {id: bare, type: bare, repeat: expr, repeat-expr: 4}
  - {id: far, type: far, repeat: expr, repeat-expr: 2}
  - {id: made, type: made, repeat: expr, repeat-expr: 1}
  - {id: rest, size: 64}
types:
  bare: {seq: [{id: a, type: u1}, {id: b, size: 1}]}
  far: {seq: [{id: in, size: 1, type: {switch-on: 1, cases: {1: there}}}]}
  there: {seq: [{id: a, type: u1}], instances: {block: {io: _root._io, pos: 0, size: 64}}}
  made: {seq: [{id: block, size: %d, process: zlib}]}`, packed.Len()),
		fmt.Sprintf("0102 0304 0506 0708 09 0a %x %0128d", packed.Bytes(), 0))
	var got []string
	for i := range doc.Payloads.Len() {
		got = append(got, doc.Payloads.At(i).Key)
	}
	assert.Equal(t, []string{"/bare/0/b", "/bare/1/b", "/bare/2/b", "/bare/3/b", "/far/0/in/block", "/far/1/in/block", "/made/0/block", "/rest"}, got)
}

// TestSearchForBlocksIsBounded tests that the search for blocks of bytes is limited, with a problem that says so.
func TestSearchForBlocksIsBounded(t *testing.T) {
	for description, want := range map[string]string{
		"seq: [{id: a, size: 64, repeat: eos}]": "blocks of bytes after the first 10000 are not listed as assets",
		"seq: [{id: a, type: t, repeat: eos}]\ntypes: {t: {seq: [{id: b, type: u1, if: 'true'}, {id: c, size: b}]}}": "blocks of bytes after the first 100000 nodes are not listed as assets",
	} {
		d := openHex(t, description, strings.Repeat("00", 64*maxPayloads+64))
		require.Len(t, d.Root().Problems(), 1)
		assert.Equal(t, model.Note, d.Root().Problems()[0].Severity)
		assert.Equal(t, want, d.Root().Problems()[0].Message)
	}
	assert.Empty(t, openHex(t, "seq: [{id: a, size: 64, repeat: eos}]", strings.Repeat("00", 64*maxPayloads)).Root().Problems())
}

// TestLabelsHaveNamesAndInnerLabels tests that to-string and -webide-representation are the label of an object, with
// the names of enumerations and the labels of inner objects.
func TestLabelsHaveNamesAndInnerLabels(t *testing.T) {
	d := openHex(t, `
-webide-representation: 'file of {entry} and {entry:flags}'
seq: [{id: entry, type: entry}, {id: other, type: other}, {id: odd, type: odd}, {id: forms, type: forms}]
types:
  entry:
    seq: [{id: kind, type: u1, enum: kind}, {id: size, type: u1}]
    -webide-representation: '{kind}: {size:dec} bytes'
  other: {to-string: '"#" + n.to_s', -webide-representation: '{n}', seq: [{id: n, type: u1}]}
  odd: {-webide-representation: '{1 +} {n', seq: [{id: n, type: u1}]}
  forms:
    -webide-representation: '{n} {n:dec} {b} {b:str} {l:dec} {f:flags} {u:uuid} {most}'
    seq: [{id: n, type: u1}, {id: b, size: 2}, {id: l, type: u1, repeat: expr, repeat-expr: 2}, {id: f, type: bits}, {id: u, size: 16}]
    instances: {most: {value: 0xffffffffffffffff}}
  bits: {seq: [{id: old, type: b1}, {id: odd, type: b1}, {id: new, type: b1}, {id: rest, type: b5}]}
enums: {kind: {1: stone}}`, "01 05 07 09 1f 6869 0304 a0 00112233445566778899aabbccddeeff")
	for path, want := range map[string]string{
		"":       "file of stone: 5 bytes and",
		"/entry": "stone: 5 bytes", "/other": "#7", "/odd": "{1 +}",
		"/forms": "0x1f 31 68 69 hi 3, 4 old|new 00112233-4455-6677-8899-aabbccddeeff 0xffffffffffffffff",
	} {
		n, err := d.Find(path)
		require.NoError(t, err)
		assert.Equal(t, want, n.Label(), path)
	}
}
