package kaitai

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"assay/model"
)

// sketchText is the text of a description to which fields are added. The text keeps its comments and its layout.
type sketchText string

// root returns the mapping of the whole description, or nil if the text is not one.
func (t sketchText) root() *yaml.Node {
	var doc yaml.Node
	if yaml.Unmarshal([]byte(t), &doc) != nil || len(doc.Content) != 1 || doc.Content[0].Kind != yaml.MappingNode {
		return nil
	}
	return doc.Content[0]
}

// valueOf returns a key of a mapping with its value, or nil twice.
func valueOf(n *yaml.Node, name string) (key, value *yaml.Node) {
	for i := 0; i+1 < len(n.Content) && n.Kind == yaml.MappingNode; i += 2 {
		if n.Content[i].Value == name {
			return n.Content[i], n.Content[i+1]
		}
	}
	return nil, nil
}

// with adds a line, "name: value", to the mapping at a path of keys. Keys that are missing are added.
func (t sketchText) with(line string, path ...string) sketchText {
	at := t.root()
	for i, name := range path {
		key, value := (*yaml.Node)(nil), (*yaml.Node)(nil)
		if at != nil {
			key, value = valueOf(at, name)
		}
		if value != nil && value.Kind == yaml.MappingNode {
			at = value
			continue
		}
		inner := line
		for _, missing := range path[i+1:] {
			inner = missing + ": {" + inner + "}"
		}
		switch {
		case key != nil: // a key without a value
			end := t.offset(key) + len(name)
			return t[:end] + sketchText(": {"+inner+"}") + t[end:][1:]
		case at != nil && at.Style&yaml.FlowStyle != 0:
			return t.inside(at, name+": {"+inner+"}")
		case i > 0:
			return t.inside(at, name+":\n"+strings.Repeat(" ", at.Content[0].Column+1)+inner)
		}
		if t != "" && !strings.HasSuffix(string(t), "\n") {
			t += "\n"
		}
		return t + sketchText(name+":\n  "+inner+"\n")
	}
	return t.inside(at, line)
}

// withRecord adds a type of records without fields, in lines of its own unless the types are in braces.
func (t sketchText) withRecord(typ string) sketchText {
	indent := 2
	if root := t.root(); root != nil {
		if _, types := valueOf(root, "types"); types != nil {
			if types.Kind != yaml.MappingNode || types.Style&yaml.FlowStyle != 0 {
				return t.with(typ+": {seq: [{id: data, size-eos: true}]}", "types")
			}
			indent = types.Content[0].Column - 1
		}
	}
	inner := "\n" + strings.Repeat(" ", indent+2)
	return t.with(typ+":"+inner+"seq:"+inner+"  - {id: data, size-eos: true}", "types")
}

// inside adds a line to a mapping, before its first key.
func (t sketchText) inside(n *yaml.Node, line string) sketchText {
	if n.Style&yaml.FlowStyle != 0 {
		if len(n.Content) > 0 {
			line += ", "
		}
		at := t.offset(n) + len("{")
		return t[:at] + sketchText(line) + t[at:]
	}
	at := t.offset(n.Content[0])
	return t[:at] + sketchText(line+"\n"+strings.Repeat(" ", n.Content[0].Column-1)) + t[at:]
}

// offset returns where a node begins in the text. Columns of YAML count characters.
func (t sketchText) offset(n *yaml.Node) int {
	at := 0
	for range n.Line - 1 {
		at += strings.IndexByte(string(t[at:]), '\n') + 1
	}
	for range n.Column - 1 {
		at += len(string([]rune(string(t[at:min(len(t), at+4)]))[:1]))
	}
	return at
}

// recordAround returns the type of the records in which bytes lie, and where in a record: the records are an instance
// of the whole file at a constant position, with a constant size. It returns "" if there are none.
func (t sketchText) recordAround(at model.Span) (typ string, offset int64) {
	root := t.root()
	if root == nil {
		return "", 0
	}
	_, all := valueOf(root, "instances")
	_, types := valueOf(root, "types")
	if all == nil || types == nil {
		return "", 0
	}
	for i := 1; i < len(all.Content); i += 2 {
		number := func(key string) int64 {
			_, v := valueOf(all.Content[i], key)
			if v == nil {
				return -1
			}
			n, err := strconv.ParseInt(v.Value, 0, 64)
			if err != nil {
				return -1
			}
			return n
		}
		pos, size, count := number("pos"), number("size"), number("repeat-expr")
		_, name := valueOf(all.Content[i], "type")
		if pos < 0 || size <= 0 || count <= 0 || name == nil || at.Offset < pos || (at.Offset-pos)/size >= count {
			continue
		}
		if offset = (at.Offset - pos) % size; at.Size > size-offset || at.Size == size {
			continue
		}
		if _, known := valueOf(types, name.Value); known != nil && known.Kind == yaml.MappingNode {
			return name.Value, offset
		}
	}
	return "", 0
}

// insertion is where the fields for some bytes are added: to the instances of the whole file, or of the records around
// the bytes.
type insertion struct {
	text   sketchText
	path   []string // of the mapping
	pos    int64    // of the bytes
	record bool
	name   string // of the field; "" chooses one
}

// has reports whether a type, whose instances are at a path, has a field with a name.
func (t sketchText) has(path []string, name string) bool {
	typ := t.root()
	for _, step := range path[:len(path)-1] {
		if typ == nil {
			return false
		}
		_, typ = valueOf(typ, step)
	}
	if typ == nil {
		return false
	}
	if _, all := valueOf(typ, path[len(path)-1]); all != nil {
		if key, _ := valueOf(all, name); key != nil {
			return true
		}
	}
	_, seq := valueOf(typ, "seq")
	return seq != nil && slices.ContainsFunc(seq.Content, func(a *yaml.Node) bool {
		_, id := valueOf(a, "id")
		return id != nil && id.Value == name
	})
}

// insertionFor returns where fields with a name for some bytes of a file are added to a description.
func insertionFor(text, name string, at model.Span) *insertion {
	in := &insertion{text: sketchText(text), path: []string{"instances"}, pos: at.Offset, name: name}
	if typ, offset := in.text.recordAround(at); typ != "" {
		in.path, in.pos, in.record = []string{"types", typ, "instances"}, offset, true
	}
	if in.name == "" {
		in.name = fmt.Sprintf("at_%x", in.pos)
	}
	first := in.name
	for n := 2; in.text.has(in.path, in.name) || in.text.has(in.path, in.name+"_data"); n++ {
		in.name = fmt.Sprintf("%s_%d", first, n)
	}
	return in
}

// with returns the description with the field and, unless rest is "", with another field for the bytes that it locates.
func (in *insertion) with(keys, rest string) sketchText {
	text := in.text
	if rest != "" {
		text = text.with(fmt.Sprintf("%s_data: {%s}", in.name, rest), in.path...)
	}
	return text.with(fmt.Sprintf("%s: {pos: %#x, %s}", in.name, in.pos, keys), in.path...)
}
