package kaitai

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"assay/model"
)

// Skeleton returns a first description of a file, given its name and its first bytes: its magic, if these are an ASCII
// name. The other bytes are gaps until they are described.
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

// isWord reports whether bytes are an ASCII name, which YAML takes as a text unless it is null or true in some case.
func isWord(b []byte) bool { return regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]*$`).Match(b) }

// Sketch is a field that a selection of bytes can be.
type Sketch struct {
	Title string // such as "u4 = 560"
	Why   string // the reason for it; may be empty
	Text  string // the description with the field
}

// numberTypes are the types of numbers, without a byte order.
var numberTypes = []struct {
	name string
	form model.NumberForm
}{{"u1", model.U8}, {"s1", model.S8}, {"u2", model.U16}, {"s2", model.S16}, {"u4", model.U32}, {"s4", model.S32},
	{"f4", model.F32}, {"u8", model.U64}, {"s8", model.S64}, {"f8", model.F64}}

// minArray is the minimum number of elements of an array.
const minArray = 2

// Sketches returns the fields that a selection of a file may be, each as a description with it: an attribute that
// continues seq, if that ends at the selection, else an instance at its position, of the whole file or of the records
// around it. text is the description so far; name is the name of the field, or "" for one made of the position.
func Sketches(text, name string, src *model.Source, span model.Span) ([]Sketch, error) {
	head, err := src.Bytes(model.Span{Offset: span.Offset, Size: min(span.Size, 64)})
	if err != nil {
		return nil, err
	}
	ins := insertionFor(text, name, src, span)
	sketches := slices.Concat(ins.asNumber(head, src.Size()), ins.asText(head), ins.asArray(head),
		[]Sketch{ins.sketch(fmt.Sprintf("%d bytes", span.Size), "", fmt.Sprintf("size: %d", span.Size))})
	slices.SortStableFunc(sketches, func(a, b Sketch) int {
		return cmp.Compare(min(len(b.Why), 1), min(len(a.Why), 1))
	})
	if ins.record != nil || span.Size == 1 {
		return sketches, nil
	}
	b, err := src.Bytes(model.Span{Offset: span.Offset, Size: min(maxRecordBytes, src.Size()-span.Offset)})
	if err != nil {
		return sketches, err
	}
	if named := ins.namedRecords(b); named != nil {
		return slices.Insert(sketches, 0, *named), nil
	}
	records := ins.records(src, b)
	if records == nil {
		return sketches, nil
	}
	index := 0
	for span.Size < 8 && strings.Contains(sketches[index].Title, " = ") { // a number is more likely
		index++
	}
	return slices.Insert(sketches, index, *records), nil
}

// sketch returns the description with a field that has keys.
func (ins *insertion) sketch(title, why, keys string) Sketch {
	return Sketch{title, why, string(ins.withField(keys, ""))}
}

// asNumber returns the numbers that the selection can be, in the description's byte order and in the other.
func (ins *insertion) asNumber(head []byte, fileSize int64) (sketches []Sketch) {
	orders, suffixes := ins.byteOrders()
	for _, n := range numberTypes {
		for i, order := range orders {
			if ins.span.Size != n.form.Size() || ins.span.Size == 1 && i > 0 {
				continue
			}
			typ, value := n.name, n.form.Decode(head, order)
			if ins.span.Size > 1 {
				typ += suffixes[i]
			}
			title, why := typ+" = "+model.FormatValue(value), reason(value, fileSize, ins.span, i == 0)
			if i == 0 && arePlausible(head, n.form, order) {
				why = "a plausible value"
			}
			sketches = append(sketches, ins.sketch(title, why, "type: "+typ))
			if i == 0 || why != "" {
				sketches = append(sketches, ins.locating(title, typ, value, fileSize)...)
			}
		}
	}
	return sketches
}

// asText returns the texts that the selection can be: none if its first bytes are not printable.
func (ins *insertion) asText(head []byte) []Sketch {
	isOther := func(c byte) bool { return (c < ' ' || c >= 0x7f) && c != 0 }
	if len(head) == 0 || slices.ContainsFunc(head, isOther) {
		return nil
	}
	size := ins.span.Size
	return []Sketch{
		ins.sketch(fmt.Sprintf("text of %d bytes", size), "", fmt.Sprintf("type: strz, size: %d, encoding: UTF-8", size)),
		ins.sketch("text up to a zero byte", "", "type: strz, encoding: UTF-8"),
	}
}

// asArray returns the arrays of numbers that fill the selection.
func (ins *insertion) asArray(head []byte) (sketches []Sketch) {
	orders, suffixes := ins.byteOrders()
	for _, n := range numberTypes {
		size := n.form.Size()
		count := ins.span.Size / size
		if ins.span.Size%size != 0 || count < minArray || size == 1 {
			continue
		}
		typ, why := n.name+suffixes[0], ""
		if arePlausible(head, n.form, orders[0]) {
			why = "plausible values"
		}
		sketches = append(sketches, ins.sketch(fmt.Sprintf("%d × %s", count, typ), why,
			fmt.Sprintf("type: %s, repeat: expr, repeat-expr: %d", typ, count)))
	}
	return sketches
}

// Limits of the search for records like the selected one.
const (
	minRecord      = 4       // bytes of a record
	maxRecord      = 1 << 16 // bytes of a record
	maxRecordBytes = 1 << 20 // bytes that are compared
	recordAlike    = 4       // one byte of so many is the same in each record
	countWithin    = 16      // bytes before the records that may have their number
	minName        = 2       // bytes of a name
	maxData        = 256     // bytes after a name
)

// locating returns the fields that a number can be with the bytes that it locates: it is their offset or their size.
func (ins *insertion) locating(title, typ string, value any, size int64) []Sketch {
	v, isUnsigned := value.(uint64)
	if !isUnsigned || v == 0 || ins.span.Size == 1 {
		return nil
	}
	var sketches []Sketch
	if v < uint64(size) && !ins.span.Contains(int64(v)) {
		rest := "pos: " + ins.name + ", size-eos: true"
		if ins.record != nil {
			rest += ", io: _root._io"
		}
		sketches = append(sketches, Sketch{title + ", the offset of bytes", "", string(ins.withField("type: "+typ, rest))})
	}
	if v <= uint64(size-ins.span.End()) && ins.record == nil {
		rest := fmt.Sprintf("pos: %#x, size: %s", ins.span.End(), ins.name)
		sketches = append(sketches, Sketch{title + ", the size of the bytes after it", "", string(ins.withField("type: "+typ, rest))})
	}
	return sketches
}

// records returns the list of records that the selection is the first of, or nil if no number before it is their count
// and the bytes after it are not like it: fields of small numbers and padding repeat at the distance of the records.
// b has the bytes from the selection on.
func (ins *insertion) records(src *model.Source, b []byte) *Sketch {
	if ins.span.Size < minRecord || ins.span.Size > maxRecord {
		return nil
	}
	size := int(ins.span.Size)
	count, why := countAlike(b, size), "their bytes repeat at this distance"
	if n, offset := ins.countBefore(src); n > 0 {
		count, why = n, fmt.Sprintf("the number at %#x is their count", offset)
	}
	if count < minArray {
		return nil
	}
	expr := strconv.Itoa(count)
	if name := ins.numberName(int64(count), 1); name != "" {
		why, expr = name+" is their count", name
	}
	return ins.list(fmt.Sprintf("%d × record of %d bytes", count, size), why, expr, fmt.Sprintf("size: %d, ", size),
		[]string{"{id: data, size-eos: true}"}, "")
}

// countAlike returns the number of records at the beginning of b that have enough bytes in common with the first one.
func countAlike(b []byte, size int) int {
	count := 1
	for ; len(b) >= (count+1)*size; count++ {
		equal := 0
		for i, c := range b[count*size:][:size] {
			if c == b[i] {
				equal++
			}
		}
		if equal*recordAlike < size {
			break
		}
	}
	return count
}

// countBefore returns the nearest number before the selection that can be the count of records like it, and its offset;
// 0 if there is none.
func (ins *insertion) countBefore(src *model.Source) (count int, offset int64) {
	from := max(0, ins.span.Offset-countWithin)
	before, err := src.Bytes(model.Span{Offset: from, Size: ins.span.Offset - from})
	if err != nil {
		return 0, 0
	}
	orders, _ := ins.byteOrders()
	for i := len(before) - 4; i >= 0; i -= 4 {
		n := int64(orders[0].Uint32(before[i:]))
		if n >= minArray && n <= (src.Size()-ins.span.Offset)/ins.span.Size {
			return int(n), from + int64(i)
		}
	}
	return 0, 0
}

// list returns a list of records of a type of its own.
func (ins *insertion) list(title, why, count, size string, attributes []string, rest string) *Sketch {
	typ := ins.name + "_record"
	text := ins.withField(fmt.Sprintf("type: %s, %srepeat: expr, repeat-expr: %s", typ, size, count), "")
	return &Sketch{title, why, string(text.withType(typ, attributes, rest))}
}

// namedRecords returns the list of records that begin with a name after its length, and have as many bytes after it as
// fill the selection with records. If it is one record, the list includes the records after it.
func (ins *insertion) namedRecords(b []byte) *Sketch {
	for data := range maxData {
		count := ins.countNamed(b, data)
		if count == 0 {
			continue
		}
		if count < minArray {
			break
		}
		why, expr := "each begins with the length of a name", strconv.Itoa(count)
		if name := ins.numberName(int64(count), 1); name != "" {
			why, expr = why+"; "+name+" is their count", name
		}
		attributes := []string{"{id: len_name, type: u1}", "{id: name, type: str, size: len_name, encoding: UTF-8}"}
		if data > 0 {
			attributes = append(attributes, fmt.Sprintf("{id: data, size: %d}", data))
		}
		return ins.list(fmt.Sprintf("%d × record with a name and %s", count, model.Count(data, "byte")), why, expr, "",
			attributes, "to-string: name")
	}
	return nil
}

// countNamed returns the number of records that fill the selection, or 0. If it is one record, countNamed includes the
// records after it. Each has a number of bytes of data after its name.
func (ins *insertion) countNamed(b []byte, data int) int {
	count, offset := 0, 0
	for end := endOfNamed(b, 0, data); end > 0 && int64(end) <= ins.span.Size; end = endOfNamed(b, offset, data) {
		offset, count = end, count+1
	}
	if int64(offset) != ins.span.Size {
		return 0
	}
	if count == 1 {
		for end := endOfNamed(b, offset, data); end > 0; end = endOfNamed(b, end, data) {
			count++
		}
	}
	return count
}

// endOfNamed returns where the record at an offset ends, or 0 if there is none.
func endOfNamed(b []byte, offset, data int) int {
	if offset >= len(b) {
		return 0
	}
	isOther := func(c byte) bool { return c < ' ' || c >= 0x7f }
	nameEnd := offset + 1 + int(b[offset])
	if b[offset] < minName || nameEnd+data > len(b) || slices.ContainsFunc(b[offset+1:nameEnd], isOther) {
		return 0
	}
	return nameEnd + data
}

// arePlausible reports whether bytes are f4 of a usual size. Other numbers, and most f8 of two f4, could be any.
func arePlausible(b []byte, form model.NumberForm, order binary.ByteOrder) bool {
	isAny := false
	for ; form == model.F32 && len(b) >= 4; b = b[4:] {
		v, _ := model.Float(form.Decode(b, order))
		if v = math.Abs(v); v != 0 && !(v >= 1e-5 && v <= 1e6) {
			return false
		}
		isAny = isAny || v != 0
	}
	return isAny
}

// reason returns the property of the file that equals a number, or "". guess permits an offset.
func reason(value any, size int64, span model.Span, guess bool) string {
	v, ok := value.(uint64)
	if !ok || v == 0 {
		return ""
	}
	for _, fact := range []struct {
		value int64
		kind  string
	}{{size, "the size of the file"}, {size - span.End(), "the bytes that follow it"},
		{size - span.Offset, "the bytes from here on"}, {span.End(), "the offset after it"}} {
		if fact.value > 0 && v == uint64(fact.value) {
			return "it is " + fact.kind
		}
	}
	if guess && v > uint64(span.End()) && v < uint64(size) && v > minOffset {
		return "it may be an offset in the file"
	}
	return ""
}
