package modeltest

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/model/compare"
)

// Compare compares two documents. An error fails the test.
func Compare(t testing.TB, old, new *model.Document, o compare.Options) *compare.Comparison {
	t.Helper()
	c, err := compare.Documents(context.Background(), old, new, o, nil)
	require.NoError(t, err)
	return c
}

// Rows returns the rows of a report, one line each: sign, path, key. Their counts must equal the comparison's.
func Rows(t testing.TB, c *compare.Comparison) []string {
	t.Helper()
	var out []string
	var n compare.Counts
	require.NoError(t, c.Rows(func(p *compare.Pair) error {
		out = append(out, strings.TrimSpace(p.Status.Sign()+" "+p.Node().PathText()+" "+p.Node().Key))
		return p.EachListed(func(p *compare.Pair) error { p.CountIn(&n); return nil })
	}))
	n.Same = c.Counts().Same
	assert.Equal(t, n, c.Counts(), "the counts are those of the rows")
	return out
}

// CheckMirror compares in the other direction: it must have the same rows, with old and new exchanged.
func CheckMirror(t testing.TB, c *compare.Comparison) {
	t.Helper()
	other := Compare(t, c.New, c.Old, c.Options)
	assert.Equal(t, pairs(t, c, false), pairs(t, other, true))
	assert.Equal(t, c.Counts().Same, other.Counts().Same)
}

// pairs returns the rows in any order, with old and new exchanged if flip is set.
func pairs(t testing.TB, c *compare.Comparison, flip bool) []string {
	t.Helper()
	var out []string
	require.NoError(t, c.Rows(func(p *compare.Pair) error {
		status, old, new := p.Status, p.Old, p.New
		if flip {
			status, old, new = mirror(status), new, old
		}
		out = append(out, fmt.Sprint(status, " ", path(old), " ", path(new), " ", p.Renamed))
		return nil
	}))
	slices.Sort(out)
	return out
}

func mirror(s compare.Status) compare.Status {
	switch s {
	case compare.Added:
		return compare.Removed
	case compare.Removed:
		return compare.Added
	}
	return s
}

func path(n *model.Node) string {
	if n == nil {
		return "-"
	}
	return n.PathText()
}

// Tree is a node of a test document. A leaf's bytes are its value as text and a semicolon.
type Tree struct {
	Name, Type, Key string
	Value           any
	Symbol          string
	Role            model.Role
	Children        []Tree
}

// Leaf returns a value.
func Leaf(name string, v any) Tree { return Tree{Name: name, Type: fmt.Sprintf("%T", v), Value: v} }

// OffsetNode returns an offset in the file.
func OffsetNode(name string, v uint64) Tree {
	return Tree{Name: name, Type: "offset", Value: v, Role: model.RoleOffset}
}

// TimeNode returns a timestamp.
func TimeNode(name string, v int64) Tree {
	return Tree{Name: name, Type: "timestamp", Value: v, Role: model.RoleTime}
}

// Node returns a struct.
func Node(name, typ, key string, kids ...Tree) Tree {
	return Tree{Name: name, Type: typ, Key: key, Children: kids}
}

// List returns a list with a count and elements of a type.
func List(name, elem string, kids ...Tree) Tree {
	for i := range kids {
		kids[i].Name, kids[i].Type = fmt.Sprint(i), elem
	}
	count := Tree{Name: "count", Type: "uint", Value: uint64(len(kids)), Role: model.RoleCount}
	return Tree{Name: name, Type: elem + "[]", Children: append([]Tree{count}, kids...)}
}

func (t Tree) buildNode(out *bytes.Buffer) *model.Node {
	n := &model.Node{Name: t.Name, Type: t.Type, Key: t.Key, Value: t.Value, Role: t.Role}
	if t.Symbol != "" {
		n.Symbols = model.Symbol(t.Symbol)
	}
	n.Offset = int64(out.Len())
	if len(t.Children) == 0 {
		fmt.Fprintf(out, "%v;", t.Value)
	}
	var kids model.List
	for _, k := range t.Children {
		kids = append(kids, k.buildNode(out))
	}
	if len(kids) > 0 {
		n.SetChildren(kids)
	}
	n.Size = int64(out.Len()) - n.Offset
	return n
}

// names returns all keys and types: documents that differ in them differ in their bytes.
func (t Tree) names() string {
	s := t.Type + " " + t.Key
	for _, k := range t.Children {
		s += " " + k.names()
	}
	return s
}

// Document returns a document of a test format.
func Document(variant string, root Tree) *model.Document {
	var out bytes.Buffer
	root.Children = append(slices.Clone(root.Children),
		Tree{Name: "names", Type: "names", Value: root.names(), Role: model.RoleIndex})
	n := root.buildNode(&out)
	src := model.NewSource("made", bytes.NewReader(out.Bytes()), int64(out.Len()))
	return model.NewDocument(src, "made", variant, n)
}

// Noise returns n random bytes, of which the last n%8 are 0.
func Noise(n int, seed uint64) []byte {
	r := rand.New(rand.NewPCG(seed, 1))
	b := make([]byte, n)
	for i := 0; i+8 <= n; i += 8 {
		v := r.Uint64()
		for k := range 8 {
			b[i+k] = byte(v >> (8 * k))
		}
	}
	return b
}

// Items returns nodes with keys, each with an x, a mass and a text.
func Items(values ...[3]int) []Tree {
	var out []Tree
	for _, v := range values {
		out = append(out, Node("", "Thing", fmt.Sprint("t", v[0]), Leaf("x", uint64(v[1])), Leaf("mass", uint64(v[2])),
			Leaf("text", strings.Repeat(fmt.Sprint(v[0], " "), 20))))
	}
	return out
}
