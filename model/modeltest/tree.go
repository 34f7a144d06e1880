package modeltest

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"assay/model"
)

// Tree is a node of a made document. A leaf's bytes are its value as text; leaves with a role of the layout hold the
// offset of the whole.
type Tree struct {
	Name, Type, Key string
	Value           any
	Symbol          string
	Role            model.Role
	Kids            []Tree
}

// Leaf is a value.
func Leaf(name string, v any) Tree { return Tree{Name: name, Type: fmt.Sprintf("%T", v), Value: v} }

// Place is an offset in the file.
func Place(name string, v uint64) Tree {
	return Tree{Name: name, Type: "offset", Value: v, Role: model.RoleOffset}
}

// At is a point in time.
func At(name string, v int64) Tree {
	return Tree{Name: name, Type: "timestamp", Value: v, Role: model.RoleTime}
}

// Node is a struct.
func Node(name, typ, key string, kids ...Tree) Tree {
	return Tree{Name: name, Type: typ, Key: key, Kids: kids}
}

// List is a count and elements of a type.
func List(name, elem string, kids ...Tree) Tree {
	for i := range kids {
		kids[i].Name, kids[i].Type = fmt.Sprint(i), elem
	}
	count := Tree{Name: "count", Type: "uint", Value: uint64(len(kids)), Role: model.RoleCount}
	return Tree{Name: name, Type: elem + "[]", Kids: append([]Tree{count}, kids...)}
}

func (t Tree) build(out *bytes.Buffer) *model.Node {
	n := &model.Node{Name: t.Name, Type: t.Type, Key: t.Key, Value: t.Value, Role: t.Role}
	if t.Symbol != "" {
		n.Symbols = model.Symbol(t.Symbol)
	}
	n.Offset = int64(out.Len())
	if len(t.Kids) == 0 {
		fmt.Fprintf(out, "%v;", t.Value)
	}
	var kids model.List
	for _, k := range t.Kids {
		kids = append(kids, k.build(out))
	}
	if len(kids) > 0 {
		n.SetChildren(kids)
	}
	n.Size = int64(out.Len()) - n.Offset
	return n
}

// names are all keys and types: documents that differ in them differ in their bytes.
func (t Tree) names() string {
	s := t.Type + " " + t.Key
	for _, k := range t.Kids {
		s += " " + k.names()
	}
	return s
}

// Document is a file of a made format.
func Document(variant string, root Tree) *model.Document {
	var out bytes.Buffer
	root.Kids = append(slices.Clone(root.Kids),
		Tree{Name: "names", Type: "names", Value: root.names(), Role: model.RoleIndex})
	n := root.build(&out)
	src := model.NewSource("made", bytes.NewReader(out.Bytes()), int64(out.Len()))
	return model.NewDocument(src, "made", variant, n)
}

// Noise returns n random bytes.
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

// Things are nodes with keys, each of a number, a place and a mass.
func Things(values ...[3]int) []Tree {
	var out []Tree
	for _, v := range values {
		out = append(out, Node("", "Thing", fmt.Sprint("t", v[0]), Leaf("x", uint64(v[1])), Leaf("mass", uint64(v[2])),
			Leaf("text", strings.Repeat(fmt.Sprint(v[0], " "), 20))))
	}
	return out
}
