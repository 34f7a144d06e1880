package kaitai

import (
	"encoding/binary"
	"fmt"
	"path"
	"regexp"
	"strings"

	"assay/model"
)

// Skeleton returns a description to begin with, of a file with a name that begins with head: its magic, if the first
// bytes are letters. The other bytes are gaps until they are described.
func Skeleton(name string, head []byte) string {
	extension := strings.TrimPrefix(path.Ext(name), ".")
	id := strings.Trim(regexp.MustCompile(`[^a-z0-9]+`).ReplaceAllString(strings.ToLower(extension), "_"), "_")
	if !identifier.MatchString(id) {
		id = "file"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "meta:\n  id: %s\n", id)
	if id == extension {
		fmt.Fprintf(&b, "  file-extension: %s\n", extension)
	}
	b.WriteString("  endian: le\n")
	if magic := head[:min(4, len(head))]; len(magic) == 4 && isWord(magic) {
		fmt.Fprintf(&b, "seq:\n  - id: magic\n    contents: %s\n", magic)
	}
	return b.String()
}

// isWord reports whether bytes are letters and digits, which YAML takes as a text.
func isWord(b []byte) bool { return regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]*$`).Match(b) }

// Sketch is a field that a selection of bytes can be.
type Sketch struct {
	Title string // such as "u4 = 560"
	Why   string // what speaks for it; may be empty
	Text  string // the description with that field
}

// numberSketches are the numbers of a size, little-endian first.
var numberSketches = []struct {
	typ  string
	form model.Number
}{{"u1", model.U8}, {"s1", model.S8}, {"u2", model.U16}, {"s2", model.S16}, {"u4", model.U32}, {"s4", model.S32},
	{"f4", model.F32}, {"u8", model.U64}, {"s8", model.S64}, {"f8", model.F64}}

// arrayLeast is the number of elements from which on a selection may be an array.
const arrayLeast = 2

// Sketches returns the fields that a selection of a file can be, each as a description with it: an instance at the
// position of the selection, of the whole file or of the records in which it lies. text is the description so far; name
// is the name of the field, or "" for one made of the position.
func Sketches(text, name string, src *model.Source, at model.Span) ([]Sketch, error) {
	head, err := src.Bytes(model.Span{Offset: at.Offset, Size: min(at.Size, 64)})
	if err != nil {
		return nil, err
	}
	in := insertionFor(text, name, at)
	var all []Sketch
	add := func(title, why, keys string) {
		all = append(all, Sketch{title, why, string(in.with(keys, ""))})
	}
	for _, n := range numberSketches {
		size := n.form.Size()
		for i, order := range []binary.ByteOrder{binary.LittleEndian, binary.BigEndian} {
			typ := n.typ
			if size > 1 {
				typ += []string{"le", "be"}[i]
			} else if i > 0 {
				continue
			}
			if at.Size == size {
				value := n.form.Decode(head, order)
				title := typ + " = " + model.FormatValue(value)
				add(title, reason(value, src.Size(), at), "type: "+typ)
				all = append(all, in.locating(title, typ, value, src.Size(), at)...)
			}
		}
	}
	isText := len(head) > 0
	for _, c := range head {
		isText = isText && (c >= ' ' && c < 0x7f || c == 0)
	}
	if isText {
		add(fmt.Sprintf("text of %d bytes", at.Size), "", fmt.Sprintf("type: strz, size: %d, encoding: UTF-8", at.Size))
		add("text up to a zero byte", "", "type: strz, encoding: UTF-8")
	}
	for _, n := range numberSketches {
		if count := at.Size / n.form.Size(); at.Size%n.form.Size() == 0 && count >= arrayLeast && n.form.Size() > 1 {
			add(fmt.Sprintf("%d × %sle", count, n.typ), "",
				fmt.Sprintf("type: %sle, repeat: expr, repeat-expr: %d", n.typ, count))
		}
	}
	add(fmt.Sprintf("%d bytes", at.Size), "", fmt.Sprintf("size: %d", at.Size))
	records, err := in.records(src, at)
	if err != nil || records == nil {
		return all, err
	}
	return append([]Sketch{*records}, all...), nil
}

// Limits of the search for records like the selected one.
const (
	recordLeast = 4       // bytes of a record
	recordMost  = 1 << 16 // bytes of a record
	recordsRead = 1 << 20 // bytes that are compared
	recordAlike = 4       // one byte of so many is the same in every record
)

// locating returns the fields that a number can be with the bytes that it locates: it is their offset or their size.
func (in *insertion) locating(title, typ string, value any, size int64, at model.Span) []Sketch {
	v, isUnsigned := value.(uint64)
	if !isUnsigned || v == 0 || at.Size == 1 {
		return nil
	}
	var all []Sketch
	if v < uint64(size) && !at.Contains(int64(v)) {
		rest := "pos: " + in.name + ", size-eos: true"
		if in.record {
			rest += ", io: _root._io"
		}
		all = append(all, Sketch{title + ", the offset of bytes", "", string(in.with("type: "+typ, rest))})
	}
	if v <= uint64(size-at.End()) && !in.record {
		rest := fmt.Sprintf("pos: %#x, size: %s", at.End(), in.name)
		all = append(all, Sketch{title + ", the size of the bytes after it", "", string(in.with("type: "+typ, rest))})
	}
	return all
}

// records returns the list of records that the selection is the first of, or nil if the bytes after it are not
// like it: fields of small numbers and padding repeat at the distance of the records.
func (in *insertion) records(src *model.Source, at model.Span) (*Sketch, error) {
	if in.record || at.Size < recordLeast || at.Size > recordMost {
		return nil, nil
	}
	b, err := src.Bytes(model.Span{Offset: at.Offset, Size: min(recordsRead, src.Size()-at.Offset)})
	if err != nil {
		return nil, err
	}
	size := int(at.Size)
	first, count := b[:size], 1
	for ; len(b) >= (count+1)*size; count++ {
		same := 0
		for i, c := range b[count*size:][:size] {
			if c == first[i] {
				same++
			}
		}
		if same*recordAlike < size {
			break
		}
	}
	if count < arrayLeast {
		return nil, nil
	}
	why := "their bytes repeat at this distance"
	if before, err := src.Bytes(model.Span{Size: min(at.Offset, 1<<10)}); err == nil {
		largest := 1 // smaller numbers may be a version, or of other lists
		for i := 0; i+4 <= len(before); i++ {
			if n := int(binary.LittleEndian.Uint32(before[i:])); n > largest && n <= count {
				largest, why = n, fmt.Sprintf("the number at %#x is their count", i)
			}
		}
		if largest > 1 {
			count = largest
		}
	}
	typ := in.name + "_record"
	text := in.with(fmt.Sprintf("type: %s, size: %d, repeat: expr, repeat-expr: %d", typ, size, count), "")
	text = text.withRecord(typ)
	return &Sketch{fmt.Sprintf("%d × record of %d bytes", count, size), why, string(text)}, nil
}

// reason returns what a number is equal to in its file, or "".
func reason(value any, size int64, at model.Span) string {
	v, ok := value.(uint64)
	if !ok || v == 0 {
		return ""
	}
	for _, known := range []struct {
		value int64
		is    string
	}{{size, "the size of the file"}, {size - at.End(), "the bytes that follow it"},
		{size - at.Offset, "the bytes from here on"}, {at.End(), "the offset after it"}} {
		if known.value > 0 && v == uint64(known.value) {
			return "it is " + known.is
		}
	}
	if v > uint64(at.End()) && v < uint64(size) && v > 16 {
		return "it may be an offset in the file"
	}
	return ""
}
