package kaitai

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"iter"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"assay/model"
)

// sketchText is the text of a description to which fields are added. It keeps its comments and its layout.
type sketchText string

// root returns the mapping of the whole description, or nil if the text is not one.
func (t sketchText) root() *yaml.Node {
	var doc yaml.Node
	if yaml.Unmarshal([]byte(t), &doc) != nil || len(doc.Content) != 1 || doc.Content[0].Kind != yaml.MappingNode {
		return nil
	}
	return doc.Content[0]
}

// pairs returns the keys of a mapping with their values. Another node, or nil, has none.
func pairs(n *yaml.Node) iter.Seq2[*yaml.Node, *yaml.Node] {
	return func(yield func(key, value *yaml.Node) bool) {
		if n == nil || n.Kind != yaml.MappingNode {
			return
		}
		for i := 0; i+1 < len(n.Content); i += 2 {
			if !yield(n.Content[i], n.Content[i+1]) {
				return
			}
		}
	}
}

// entryOf returns a key of a mapping with its value, or nil twice.
func entryOf(n *yaml.Node, name string) (key, value *yaml.Node) {
	for key, value := range pairs(n) {
		if key.Value == name {
			return key, value
		}
	}
	return nil, nil
}

// valueOf returns the value at a path of keys below a node, or nil.
func valueOf(n *yaml.Node, path ...string) *yaml.Node {
	for _, name := range path {
		_, n = entryOf(n, name)
	}
	return n
}

// textOf returns the text of the value of a key, or "" if there is none.
func textOf(n *yaml.Node, name string) string {
	if v := valueOf(n, name); v != nil {
		return v.Value
	}
	return ""
}

// atEnd is the position of a line that is added to the end of a mapping.
const atEnd = math.MaxInt64

// withLine adds a line, "name: value", to the mapping at a path of keys, before the first instance after a position in
// the file. Keys that are missing are added.
func (t sketchText) withLine(pos int64, line string, path ...string) sketchText {
	node := t.root()
	for i, name := range path {
		key, value := entryOf(node, name)
		if value != nil && value.Kind == yaml.MappingNode {
			node = value
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
		case node != nil && node.Style&yaml.FlowStyle != 0:
			return t.insertInside(node, name+": {"+inner+"}", pos)
		case i > 0:
			return t.insertInside(node, name+":\n"+strings.Repeat(" ", node.Content[0].Column+1)+inner, atEnd)
		}
		if t != "" && !strings.HasSuffix(string(t), "\n") {
			t += "\n"
		}
		return t + sketchText(name+":\n  "+inner+"\n")
	}
	return t.insertInside(node, line, pos)
}

// withType adds a type with attributes, in lines of its own unless the types are in braces. rest is another key, or "".
func (t sketchText) withType(typ string, attributes []string, rest string) sketchText {
	indent := 2
	if types := valueOf(t.root(), "types"); types != nil {
		if types.Kind != yaml.MappingNode || types.Style&yaml.FlowStyle != 0 {
			if rest != "" {
				rest = ", " + rest
			}
			return t.withLine(atEnd, typ+": {seq: ["+strings.Join(attributes, ", ")+"]"+rest+"}", "types")
		}
		indent = types.Content[0].Column - 1
	}
	inner := "\n" + strings.Repeat(" ", indent+2)
	text := typ + ":" + inner + "seq:" + inner + "  - " + strings.Join(attributes, inner+"  - ")
	if rest != "" {
		text += inner + rest
	}
	return t.withLine(atEnd, text, "types")
}

// insertInside adds a line to a mapping: in braces at its beginning, otherwise before the first instance with a greater
// position in the file, or at its end.
func (t sketchText) insertInside(n *yaml.Node, line string, pos int64) sketchText {
	if n.Style&yaml.FlowStyle != 0 {
		if len(n.Content) > 0 {
			line += ", "
		}
		offset := t.offset(n) + len("{")
		return t[:offset] + sketchText(line) + t[offset:]
	}
	indent := strings.Repeat(" ", n.Content[0].Column-1)
	for key, value := range pairs(n) {
		if numberIn(value, "pos", nil) > pos {
			offset := t.offset(key)
			return t[:offset] + sketchText(line+"\n"+indent) + t[offset:]
		}
	}
	return t.insertAfter(n, indent+line)
}

// insertAfter adds a line after the last key of a mapping, or the last element of a list.
func (t sketchText) insertAfter(n *yaml.Node, line string) sketchText {
	if !strings.HasSuffix(string(t), "\n") {
		t += "\n"
	}
	column, last := n.Column-1, n.Content[len(n.Content)-1]
	if n.Kind == yaml.MappingNode {
		last = n.Content[len(n.Content)-2]
	}
	offset, end := 0, 0
	for i := 1; offset < len(t); i++ {
		text, _, _ := strings.Cut(string(t[offset:]), "\n")
		offset += len(text) + 1
		inner := strings.TrimLeft(text, " ")
		indent := len(text) - len(inner)
		switch {
		case i <= last.Line || indent > column || indent == column && strings.HasPrefix(inner, "- "):
			if inner != "" {
				end = offset
			}
		case inner != "" && inner[0] != '#':
			return t[:end] + sketchText(line+"\n") + t[end:]
		}
	}
	return t[:end] + sketchText(line+"\n") + t[end:]
}

// offset returns where a node begins in the text. Columns of YAML count characters.
func (t sketchText) offset(n *yaml.Node) int {
	offset := 0
	for range n.Line - 1 {
		offset += strings.IndexByte(string(t[offset:]), '\n') + 1
	}
	for range n.Column - 1 {
		_, size := utf8.DecodeRuneInString(string(t[offset:]))
		offset += size
	}
	return offset
}

// placedField is a field at a constant offset of its type.
type placedField struct {
	name, typ string
	pos       int64
}

var numberType = regexp.MustCompile(`^[usf]([1248])(le|be)?$`)

// numberIn returns the value of a key: a number, or the name of a known one. It returns -1 for others.
func numberIn(n *yaml.Node, key string, known []knownNumber) int64 {
	text := textOf(n, key)
	for _, k := range known {
		if text != "" && k.name == text {
			return k.value
		}
	}
	if value, err := strconv.ParseInt(text, 0, 64); err == nil {
		return value
	}
	return -1
}

// typeAndSize returns the type of an attribute, and its size, or -1 if that is not constant. A list has no type.
func typeAndSize(a *yaml.Node) (typ string, size int64) {
	typ, size = textOf(a, "type"), numberIn(a, "size", nil)
	if m := numberType.FindStringSubmatch(typ); m != nil {
		size = int64(m[1][0] - '0')
	}
	if v := valueOf(a, "contents"); v != nil && v.Kind == yaml.ScalarNode {
		size = int64(len(v.Value))
	}
	if v := valueOf(a, "repeat"); v != nil {
		if v.Value != "expr" {
			return "", -1
		}
		typ, size = "", size*numberIn(a, "repeat-expr", nil)
	}
	if valueOf(a, "if") != nil {
		return "", -1
	}
	return typ, size
}

// fixedLayout returns the fields of a type at constant offsets, where its seq ends, or -1, and the attribute of the
// bytes from there on, if it has one.
func fixedLayout(typ *yaml.Node) (fields []placedField, end int64, trailing *yaml.Node) {
	seq := valueOf(typ, "seq")
	if seq != nil && (seq.Kind != yaml.SequenceNode || seq.Style&yaml.FlowStyle != 0) {
		end = -1
	}
	for i := 0; seq != nil && i < len(seq.Content) && end >= 0; i++ {
		a := seq.Content[i]
		if textOf(a, "size-eos") == "true" && i == len(seq.Content)-1 {
			trailing = a
			break
		}
		typ, size := typeAndSize(a)
		if id := valueOf(a, "id"); id != nil {
			fields = append(fields, placedField{id.Value, typ, end})
		}
		end += size
		if size < 0 {
			end = -1
		}
	}
	for key, instance := range pairs(valueOf(typ, "instances")) {
		if pos := numberIn(instance, "pos", nil); pos >= 0 {
			typ, _ := typeAndSize(instance)
			fields = append(fields, placedField{key.Value, typ, pos})
		}
	}
	return fields, end, trailing
}

// endianOf returns the order of the numbers of a type without one: "le", "be", or "".
func endianOf(typ *yaml.Node) string { return textOf(valueOf(typ, "meta"), "endian") }

// knownNumber is an integer without a sign that a description has at a constant offset of the file.
type knownNumber struct {
	placedField
	value int64
}

// numbers returns the numbers of a file that a description has.
func (t sketchText) numbers(src *model.Source) (numbers []knownNumber) {
	root := t.root()
	fields, _, _ := fixedLayout(root)
	for _, f := range fields {
		for _, n := range numberTypes {
			if strings.TrimRight(f.typ, "lbe") != n.name {
				continue
			}
			order := binary.ByteOrder(binary.LittleEndian)
			if strings.HasSuffix(f.typ, "be") || f.typ == n.name && endianOf(root) == "be" {
				order = binary.BigEndian
			}
			b, err := src.Bytes(model.Span{Offset: f.pos, Size: n.form.Size()})
			if err != nil || int64(len(b)) < n.form.Size() {
				continue
			}
			if v, isUnsigned := n.form.Decode(b, order).(uint64); isUnsigned && v <= math.MaxInt64 {
				numbers = append(numbers, knownNumber{f, int64(v)})
			}
		}
	}
	return numbers
}

// enclosingRecord is where selected bytes are in a list of records.
type enclosingRecord struct {
	typ    string
	offset int64 // of the selection in a record
	size   int64 // of a record
}

// recordAround returns the records that contain bytes: an instance of the whole file with a constant size. It returns
// nil if there are none.
func (t sketchText) recordAround(span model.Span, known []knownNumber) *enclosingRecord {
	root := t.root()
	for _, list := range pairs(valueOf(root, "instances")) {
		pos, size, count := numberIn(list, "pos", known), numberIn(list, "size", known), numberIn(list, "repeat-expr", known)
		if pos < 0 || size <= 0 || count <= 0 || span.Offset < pos || (span.Offset-pos)/size >= count {
			continue
		}
		offset := (span.Offset - pos) % size
		if span.Size > size-offset || span.Size == size {
			continue
		}
		name := textOf(list, "type")
		if typ := valueOf(root, "types", name); typ != nil && typ.Kind == yaml.MappingNode {
			return &enclosingRecord{name, offset, size}
		}
	}
	return nil
}

// insertion is where the fields for some bytes are added: to the whole file, or to the records around the bytes.
type insertion struct {
	text    sketchText
	path    []string // of the type
	span    model.Span
	pos     int64 // of the bytes in the type
	record  *enclosingRecord
	name    string // of the field; "" chooses one
	numbers []knownNumber
}

// typeNode returns the type that gets the new fields, or nil if the text is no description.
func (ins *insertion) typeNode() *yaml.Node { return valueOf(ins.text.root(), ins.path...) }

// hasField reports whether the type has a field with a name.
func (ins *insertion) hasField(name string) bool {
	typ := ins.typeNode()
	if valueOf(typ, "instances", name) != nil {
		return true
	}
	seq := valueOf(typ, "seq")
	return seq != nil && slices.ContainsFunc(seq.Content, func(a *yaml.Node) bool { return textOf(a, "id") == name })
}

// insertionFor returns where fields with a name for some bytes of a file are added to a description.
func insertionFor(text, name string, src *model.Source, span model.Span) *insertion {
	ins := &insertion{text: sketchText(text), span: span, pos: span.Offset, name: name}
	ins.numbers = ins.text.numbers(src)
	if ins.record = ins.text.recordAround(span, ins.numbers); ins.record != nil {
		ins.path, ins.pos = []string{"types", ins.record.typ}, ins.record.offset
	}
	if ins.name == "" {
		ins.name = fmt.Sprintf("at_%x", ins.pos)
	}
	first := ins.name
	for n := 2; ins.hasField(ins.name) || ins.hasField(ins.name+"_data"); n++ {
		ins.name = fmt.Sprintf("%s_%d", first, n)
	}
	return ins
}

// numberName returns the name of a number of the whole file with a value and at least so many bytes, or "".
func (ins *insertion) numberName(value int64, minSize byte) string {
	for _, k := range ins.numbers {
		if k.value == value && k.typ[1]-'0' >= minSize {
			return k.name
		}
	}
	return ""
}

// withField returns the description with the field and, unless rest is "", with another field for the bytes that it
// locates. The field continues the seq if that ends where the bytes begin, and no number is their offset; otherwise it
// is an instance.
func (ins *insertion) withField(keys, rest string) sketchText {
	text, instances := ins.text, append(slices.Clone(ins.path), "instances")
	typ := ins.typeNode()
	_, end, trailing := fixedLayout(typ)
	seq := valueOf(typ, "seq")
	offset := ""
	if ins.record == nil && ins.pos >= minOffset {
		offset = ins.numberName(ins.pos, 4)
	}
	switch {
	case seq == nil || end != ins.pos || offset != "":
		pos := cmp.Or(offset, fmt.Sprintf("%#x", ins.pos))
		text = text.withLine(ins.pos, fmt.Sprintf("%s: {pos: %s, %s}", ins.name, pos, keys), instances...)
	case trailing != nil:
		from, length := text.offset(trailing), 0
		if ins.record != nil && ins.pos+ins.span.Size == ins.record.size {
			length = strings.IndexByte(string(text[from:]), '\n') // it would be empty
		}
		line := sketchText(fmt.Sprintf("{id: %s, %s}", ins.name, keys))
		if length > 0 && trailing.Style&yaml.FlowStyle != 0 {
			text = text[:from] + line + text[from+length:]
		} else {
			text = text[:from] + line + "\n" + sketchText(strings.Repeat(" ", seq.Column-1)) + "- " + text[from:]
		}
	default:
		text = text.insertAfter(seq, fmt.Sprintf("%s- {id: %s, %s}", strings.Repeat(" ", seq.Column-1), ins.name, keys))
	}
	if rest != "" {
		text = text.withLine(atEnd, fmt.Sprintf("%s_data: {%s}", ins.name, rest), instances...)
	}
	return text
}

// byteOrders returns the byte orders of a number, the description's first, and the suffixes of its type.
func (ins *insertion) byteOrders() (orders []binary.ByteOrder, suffixes []string) {
	switch cmp.Or(endianOf(ins.typeNode()), endianOf(ins.text.root())) {
	case "le":
		return []binary.ByteOrder{binary.LittleEndian, binary.BigEndian}, []string{"", "be"}
	case "be":
		return []binary.ByteOrder{binary.BigEndian, binary.LittleEndian}, []string{"", "le"}
	}
	return []binary.ByteOrder{binary.LittleEndian, binary.BigEndian}, []string{"le", "be"}
}

// minOffset is the least number that may be an offset.
const minOffset = 16
