package model

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"slices"
	"strings"
)

// OutlineOptions are the options of an outline.
type OutlineOptions struct {
	Depth int // levels below the first node; 0 for that one alone, negative for all
	// NoOffsets leaves out everything that follows from the layout of the file: the positions of nodes and problems,
	// offsets, sizes, counts, and the indexes of elements; and it writes each item of a list as a block at the margin.
	// So a node that grows does not change the following lines, and one that moves to another level does not change the
	// lines of its content. Elements are sorted by key or, in long lists without keys, by content; one line has a
	// digest of their order in the file. An element with few short fields is one line.
	NoOffsets bool
}

// Outline writes the structure of d as indented text, a node per line: name, type, key, value, span. Problems follow
// the line of their node.
func (d *Document) Outline(ctx context.Context, out io.Writer, r *Report, o OutlineOptions) error {
	d.ShowGaps(r)
	d.restartBudget()
	size := ""
	if !o.NoOffsets {
		size = fmt.Sprintf("%d bytes, ", d.Source.Size())
	}
	_, err := fmt.Fprintf(out, "%s %s, %s%s, %s\n", d.Format, d.Variant, size, d.CoverageText(r),
		PlainCount(len(r.Problems)+r.Omitted, "problem"))
	if err != nil {
		return err
	}
	return d.outline(ctx, out, d.Root(), r, o)
}

// OutlineNode writes a node and its descendants as Outline writes the root.
func (d *Document) OutlineNode(ctx context.Context, out io.Writer, n *Node, o OutlineOptions) error {
	return d.outline(ctx, out, n, &Report{}, o)
}

// outline writes nodes line by line. Without the layout it writes them in blocks.
type outline struct {
	*bufio.Writer
	hasLayout  bool
	item       func(n *Node) (Item, bool)
	blocks     []outlineBlock // that the current node is in
	afterBlock bool           // a block ended, so that the next line is not in the one before

	coverage []Problem // of the report, which are on no node

	unprinted hash.Hash // of the bytes that no line has; nil if there are none
}

// outlineBlock is an item in a list: a heading at the margin, followed by its content, except for the items of inner
// lists, which are blocks themselves. So a subtree that moves to another level changes one line.
type outlineBlock struct {
	node  *Node
	level int
}

func (d *Document) outline(ctx context.Context, out io.Writer, n *Node, r *Report, o OutlineOptions) error {
	defer d.ReadUntil(ctx)()
	w := &outline{Writer: bufio.NewWriterSize(out, 64<<10), hasLayout: !o.NoOffsets, item: d.Item, coverage: r.coverage}
	level := -1
	var order func(n *Node) []int
	if o.NoOffsets {
		order = func(n *Node) []int {
			sorted := orderByKey(n)
			if sorted == nil {
				sorted = orderByContent(d.Source, n)
			}
			w.writeOrder(n, sorted, level+1)
			return sorted
		}
	}
	err := ScanTo(n, o.Depth, func(n *Node) (bool, error) {
		level++
		if err := ctx.Err(); err != nil {
			return false, err
		}
		if o.NoOffsets && n.Leaf() && (n.Role.IsLayout() || n.Value == nil && n.Size > 0) {
			w.addUnprinted(d.Source, n.Span)
		}
		if o.NoOffsets && n.Role.IsLayout() && n.Leaf() && len(n.Problems()) == 0 {
			return false, nil
		}
		fields := ""
		if o.Depth < 0 || level < o.Depth {
			fields = w.fieldsInLine(n)
		}
		w.writeNode(n, fields, level)
		_, err := w.Write(nil) // returns the first error of all writes before: a closed pipe ends the walk
		return fields == "" && (o.Depth < 0 || level < o.Depth), err
	}, func(*Node) error {
		w.endBlock(level)
		level--
		return nil
	}, order)
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return err
	}
	if p := cmp.Or(d.Stopped(), r.stopped); p != nil {
		fmt.Fprintf(w, "! %s: %s: %s\n", p.Severity, OneLine(p.Path, 200), OneLine(p.Message, 400))
	}
	if w.unprinted != nil && n.Parent == nil && o.Depth < 0 {
		fmt.Fprintf(w, "layout (offsets, sizes, padding): sha256 %s\n",
			hex.EncodeToString(w.unprinted.Sum(nil))[:digestDigits])
	}
	return w.Flush()
}

// unprintedHead is the number of bytes of a node that are read without a buffer for more.
const unprintedHead = 4 << 10

// addUnprinted adds bytes that no line has to the digest in the last line, so that files which differ in nothing else
// have different outlines.
func (o *outline) addUnprinted(src *Source, s Span) {
	if o.unprinted == nil {
		o.unprinted = sha256.New()
	}
	b, err := src.Bytes(Span{Offset: s.Offset, Size: min(s.Size, unprintedHead)})
	o.unprinted.Write(b)
	if rest := s.Size - unprintedHead; rest > 0 && err == nil {
		_, err = io.Copy(o.unprinted, src.Reader(Span{Offset: s.Offset + unprintedHead, Size: rest}))
	}
	if err != nil {
		fmt.Fprintf(o, "! %s: %s\n", Error, OneLine(err.Error(), 400))
	}
}

// maxSorted is the maximum number of children of a list whose elements are written in the order of their keys or bytes.
const maxSorted = 1 << 16

// orderByKey returns the children of a list in the order of their keys, if each element has a key of its own, so that
// the order in the list has no meaning; else nil.
func orderByKey(list *Node) []int {
	n := list.Len()
	if n < 2 || n > maxSorted || list.Child(n-1).Key == "" {
		return nil
	}
	var keys []string
	var order []int
	first := 0 // the children before it are no elements, such as the count
	for i := range n {
		c := list.Child(i)
		switch {
		case !c.IsElement() && len(keys) == 0:
			first++
		case !c.IsElement() || c.Key == "":
			return nil
		default:
			keys = append(keys, c.Key)
		}
		order = append(order, i)
	}
	key := func(i int) string { return keys[i-first] }
	slices.SortStableFunc(order[first:], func(a, b int) int { return strings.Compare(key(a), key(b)) })
	for i := first + 1; i < n; i++ {
		if key(order[i]) == key(order[i-1]) {
			return nil
		}
	}
	return order
}

// minSortedByContent is the minimum length of a list without keys that is sorted by content: a short list is easier to
// read in the order of the file. maxContents limits the bytes of its lines, which are kept in memory.
const (
	minSortedByContent = 256
	maxContents        = 64 << 20
)

// orderByContent returns the children of a long list in the order of their bytes, if none has a key and they fill the
// list one after the other, so that a list in another order has the same lines; else nil.
func orderByContent(src *Source, list *Node) []int {
	n := list.Len()
	if n < minSortedByContent || n > maxSorted || list.Span.Size > maxContents {
		return nil
	}
	var spans []Span
	var order []int
	first := 0 // the children before it are no elements, such as the count
	for i := range n {
		c := list.Child(i)
		switch {
		case !c.IsElement() && len(spans) == 0:
			first++
		case !c.IsElement() || c.Key != "" || len(spans) > 0 && c.Span.Offset != spans[len(spans)-1].End():
			return nil
		default:
			spans = append(spans, c.Span)
		}
		order = append(order, i)
	}
	if len(spans) < minSortedByContent {
		return nil
	}
	span := Span{Offset: spans[0].Offset, Size: spans[len(spans)-1].End() - spans[0].Offset}
	if span.Size > maxContents || span.Offset < list.Span.Offset || span.End() > list.Span.End() {
		return nil
	}
	content, err := src.Bytes(span)
	if err != nil {
		return nil // the walk reports the error
	}
	bytesOf := func(i int) []byte {
		s := spans[i-first]
		return content[s.Offset-span.Offset : s.End()-span.Offset]
	}
	slices.SortStableFunc(order[first:], func(a, b int) int { return bytes.Compare(bytesOf(a), bytesOf(b)) })
	return order
}

// writeOrder writes a line with the number of elements of a list and a digest of their order in the file, unless they
// are written in that order.
func (o *outline) writeOrder(list *Node, sorted []int, level int) {
	if slices.IsSorted(sorted) {
		return
	}
	for !list.Child(sorted[0]).IsElement() {
		sorted = sorted[1:]
	}
	var indexes []byte
	for _, i := range sorted {
		indexes = binary.LittleEndian.AppendUint32(indexes, uint32(i))
	}
	sum := sha256.Sum256(indexes)
	block := o.blocks[len(o.blocks)-1]
	fmt.Fprintf(o, "%sorder of %s in the file: sha256 %s\n", outlineIndent(level-block.level),
		PlainCount(len(sorted), "element"), hex.EncodeToString(sum[:])[:digestDigits])
}

// An element of a list is written in one line if it has at most maxLineFields fields of maxFieldBytes bytes each,
// and the line has at most maxLineBytes bytes.
const maxLineFields, maxFieldBytes, maxLineBytes = 16, 64, 240

// fieldsInLine returns the fields of an element, such as a vertex, to write in its line, or "". So a thousand moved
// vertices change a thousand lines, and not five times as many.
func (o *outline) fieldsInLine(n *Node) string {
	if o.hasLayout || !n.IsElement() || n.Len() == 0 || n.Len() > maxLineFields || o.isBlock(n) {
		return ""
	}
	fields := make([]string, n.Len())
	for i := range fields {
		c := n.Child(i)
		value := c.ValueText()
		if !c.Leaf() || c.Role.IsLayout() || c.Size > maxFieldBytes || value == "" || len(c.Problems()) > 0 {
			return ""
		}
		if _, ok := c.Value.(Blob); ok {
			return "" // its own line has a digest
		}
		if sum, err := digestOfShortened(c.Value); sum != "" || err != nil {
			return "" // the same
		}
		fields[i] = OneLine(c.Name, 200) + " = " + value
	}
	line := strings.Join(fields, ", ")
	if len(line) > maxLineBytes {
		return ""
	}
	return line
}

// writeNode writes a node with its problems, and the fields that are in its line.
func (o *outline) writeNode(n *Node, fields string, level int) {
	indent := o.writeLine(n, fields, level)
	for _, p := range slices.Concat(n.Problems(), o.coverageOf(n)) {
		fmt.Fprintf(o, "%s  ! %s", indent, p.Severity)
		if o.hasLayout {
			fmt.Fprintf(o, " at %#x", p.Span.Offset)
		}
		fmt.Fprintf(o, ": %s\n", OneLine(p.Message, 400))
	}
}

// coverageOf returns the problems with the coverage of the file if n is the root, or the list of gaps.
func (o *outline) coverageOf(n *Node) (found []Problem) {
	if len(o.coverage) == 0 || n.Parent != nil && (n.Parent.Parent != nil || n.Name != gapList) {
		return nil
	}
	path := n.PathText()
	for _, p := range o.coverage {
		if p.Path == path {
			found = append(found, p)
		}
	}
	return found
}

// writeLine writes the line of a node, and returns its indent.
func (o *outline) writeLine(n *Node, fields string, level int) string {
	switch {
	case o.hasLayout:
		indent := outlineIndent(level)
		o.WriteString(indent)
		o.writeLabel(n, fields)
		return indent
	case level == 0 || o.isBlock(n):
		o.blocks = append(o.blocks, outlineBlock{n, level})
		o.afterBlock = false
		o.writeLabel(n, fields)
		o.writeContainers(n)
		return ""
	}
	block := o.blocks[len(o.blocks)-1]
	if o.afterBlock {
		o.afterBlock = false
		o.writeHeading(block.node)
		o.WriteString(", continued\n")
	}
	indent := outlineIndent(level - block.level)
	o.WriteString(indent)
	o.writeLabel(n, fields)
	return indent
}

func (o *outline) isBlock(n *Node) bool {
	if o.item == nil || !n.IsElement() {
		return false
	}
	_, ok := o.item(n)
	return ok
}

// writeContainers writes the list and the block that contain n, unless that block is the first.
func (o *outline) writeContainers(n *Node) {
	if len(o.blocks) < 3 {
		return
	}
	block := o.blocks[len(o.blocks)-2].node
	var names []string
	for up := n.Parent; up != nil && up != block; up = up.Parent {
		names = append(names, OneLine(up.Name, 200))
	}
	slices.Reverse(names)
	fmt.Fprintf(o, "  %s of ", strings.Join(names, "/"))
	o.writeHeading(block)
	o.WriteString("\n")
}

func (o *outline) endBlock(level int) {
	if last := len(o.blocks) - 1; last >= 0 && o.blocks[last].level == level {
		o.blocks = o.blocks[:last]
		o.afterBlock = true
	}
}

// maxOutlineDepth is the maximum level that is indented; deeper lines have the number of their level instead. The
// indents of a chain of thousands of nodes would be hundreds of times its size.
const maxOutlineDepth = 100

func outlineIndent(level int) string {
	if level <= maxOutlineDepth {
		return strings.Repeat("  ", level)
	}
	return strings.Repeat("  ", maxOutlineDepth) + fmt.Sprintf("(%d) ", level)
}

// writeLabel writes the content of a node's line.
func (o *outline) writeLabel(n *Node, fields string) {
	o.writeHeading(n)
	if fields != "" {
		o.WriteString(": " + fields)
	}
	if v := n.ValueText(); v != "" && (o.hasLayout || !n.Role.IsLayout()) {
		o.WriteString(" = ")
		o.WriteString(v)
		o.writeDigest(n)
	}
	if o.hasLayout {
		o.WriteString(" @ ")
		o.Write(n.Span.append(o.AvailableBuffer()))
		if bits := n.BitText(); bits != "" {
			o.WriteString(", " + bits)
		}
	}
	o.WriteString("\n")
}

// digestDigits is the number of digits of a digest that an outline prints.
const digestDigits = 16

// writeDigest writes a digest of a value that its line shows only in part, so that two such values differ. With the
// layout it is omitted: those lines are not compared.
func (o *outline) writeDigest(n *Node) {
	if o.hasLayout || !n.Leaf() {
		return
	}
	sum, err := digestOfShortened(n.Value)
	switch {
	case err != nil:
		o.WriteString(", cannot be read: " + OneLine(err.Error(), 200))
	case sum != "":
		o.WriteString(", sha256 " + sum[:digestDigits])
	}
}

// writeHeading writes the name, the type and the key of a node. Without the layout an element is identified by its key
// only.
func (o *outline) writeHeading(n *Node) {
	hasText := true
	switch {
	case n.Name == "":
		o.WriteString("/")
	case o.hasLayout || !n.IsElement():
		o.WriteString(OneLine(n.Name, 200))
	case n.Key == "":
		o.WriteString("-")
	default:
		hasText = false
	}
	word := func(before, s, after string) {
		if hasText {
			o.WriteString(" ")
		}
		hasText = true
		o.WriteString(before)
		o.WriteString(OneLine(s, 200))
		o.WriteString(after)
	}
	if n.Type != "" {
		word("[", n.Type, "]")
	}
	switch name := o.nameOf(n); {
	case name != "":
		word("", name, "")
		word("(", n.Key, ")")
	case n.Key != "" && (n.Key != n.Name || !o.hasLayout && n.IsElement()):
		word("", n.Key, "")
	}
}

// nameOf returns the name of an element with a key that is not its name, or "". With the layout it always returns "".
func (o *outline) nameOf(n *Node) string {
	if o.hasLayout || n.Key == "" || !n.IsElement() {
		return ""
	}
	if name := n.DisplayName(); name != n.Key && name != n.Name {
		return name
	}
	return ""
}
