// Package properties reads the text files around a bundle: .material, .scene, .physics, .animation, .terrain, .particle
// and game.config, all of one form:
//
//	namespace [id] [: parentId]        { on the same line or the next
//	{
//	    name = value                   the rest of the line
//	    namespace …
//	}
//	// a comment, to the end of the line; and one from a line that begins with /* to the line that has */
//
// A line that is neither of these is a name and a value without "=". As in the engine, what follows a { on the line of
// its namespace, or a }, is not read. Every byte of a file is in one field of its tree.
package properties

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"slices"
	"strings"

	"assay/formats/decode"
	"assay/model"
)

const (
	format = "gpb"
	// MaxSize is how many bytes of a text are read. Real ones have a few thousand.
	MaxSize = 16 << 20
	maxLine = 64 << 10 // of a line; the rest is the next line
	// maxDepth is how deep namespaces nest. A list of members is read once for each level that it is below.
	maxDepth = 32
)

var types = &decode.Types{Text: "string", Bytes: "bytes"}

// Namespace is a block of properties, or a whole file.
type Namespace struct {
	Name, ID, Parent string
	Properties       []Property
	Spaces           []*Namespace
	Offset           int64 // of the name, in the file
	start            int64 // of what separates it from the member before it
	parentAt         int64 // offset of Parent
	byID             map[string]*Namespace
}

// Property is a name with a value.
type Property struct {
	Name, Value string
	Offset      int64 // of the value
	start       int64 // of what separates it from the member before it
}

// The types of the nodes of properties and of namespaces.
const (
	PropertyType  = "Property"
	namespaceType = "Namespace"
)

// PropertyAt returns the property of n, or of a namespace below it, whose bytes begin at an offset of the file.
func (n *Namespace) PropertyAt(offset int64) (Property, bool) {
	for n != nil {
		i, ok := slices.BinarySearchFunc(n.Properties, offset,
			func(p Property, offset int64) int { return cmp.Compare(p.start, offset) })
		if ok {
			return n.Properties[i], true
		}
		i, ok = slices.BinarySearchFunc(n.Spaces, offset,
			func(s *Namespace, offset int64) int { return cmp.Compare(s.start, offset) })
		if !ok {
			i--
		}
		if i < 0 {
			break
		}
		n = n.Spaces[i]
	}
	return Property{}, false
}

// Key identifies the namespace among those of its level.
func (n *Namespace) Key() string { return strings.TrimSpace(n.Name + " " + n.ID) }

// Read reads the content of a text. Lines that make no sense are left out.
func Read(ctx context.Context, src *model.Source) (*Namespace, error) {
	file := &Namespace{}
	c := decode.New(ctx, src, "Properties", binary.LittleEndian, types).Quiet(model.Span{Size: MaxSize})
	(&parser{}).file(c, file)
	file.indexIDs()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return file, c.Err()
}

// fewSpaces are looked through for an id.
const fewSpaces = 8

// indexIDs lets the namespaces of each level of many be found by their ids.
func (n *Namespace) indexIDs() {
	for todo := []*Namespace{n}; len(todo) > 0; {
		n, todo = todo[len(todo)-1], todo[:len(todo)-1]
		todo = append(todo, n.Spaces...)
		if len(n.Spaces) <= fewSpaces {
			continue
		}
		n.byID = make(map[string]*Namespace, len(n.Spaces))
		for _, s := range n.Spaces {
			if s.ID != "" && n.byID[s.ID] == nil {
				n.byID[s.ID] = s
			}
		}
	}
}

// withID returns the first namespace of this level that has an id; nil if none has it.
func (n *Namespace) withID(id string) *Namespace {
	if len(n.Spaces) > fewSpaces {
		return n.byID[id]
	}
	for _, s := range n.Spaces {
		if s.ID == id && id != "" {
			return s
		}
	}
	return nil
}

// add puts a namespace below n and returns it; nil if n is.
func (n *Namespace) add(below Namespace) *Namespace {
	if n == nil {
		return nil
	}
	added := new(Namespace)
	*added = below
	n.Spaces = append(n.Spaces, added)
	return added
}

// parser is the grammar. What it finds wrong with parents is known only after a first reading.
type parser struct {
	parents map[int64]string // what is wrong with the parent at an offset
	link    func(value string) (*model.Link, string)
}

var byteOrderMark = []byte("\xEF\xBB\xBF")

// file reads a text. What it has goes into a namespace, as it does in all that follows, unless that is nil.
func (r *parser) file(c *decode.Cursor, into *Namespace) {
	if bytes.HasPrefix(c.Peek(3), byteOrderMark) {
		c.Text("byte_order_mark", 3)
		c.As("reserved")
	}
	r.members(c, into, 0)
	separator(c, blanks(c))
}

// members reads what is in a namespace, up to the } that ends it or the end of the text.
func (r *parser) members(c *decode.Cursor, into *Namespace, depth int) {
	c.Struct("members", "Member[]", func() {
		c.IndexedUntil(PropertyType, func(e *decode.Cursor, _ int) bool {
			n := blanks(e)
			next := e.Peek(n + 1)
			return e.Left() > n && (depth == 0 || next == nil || next[n] != '}')
		}, func(e *decode.Cursor, _ int) {
			r.member(e, into, depth)
		})
	})
}

// member reads one line, or a namespace.
func (r *parser) member(c *decode.Cursor, into *Namespace, depth int) {
	start := c.Pos()
	separator(c, blanks(c))
	text := line(c)
	switch {
	case len(text) == 0:
		c.Type("separator") // more blanks than a line may have
	case bytes.HasPrefix(text, []byte("//")):
		c.Type("Comment")
		filler(c, "text", int64(len(text)))
		c.CopyValueUp()
		lineEnd(c)
	case bytes.HasPrefix(text, []byte("/*")):
		c.Type("Comment")
		filler(c, "text", comment(c))
		c.CopyValueUp()
		lineEnd(c)
	case bytes.IndexByte(text, '=') >= 0:
		r.property(c, into, text, start)
	case text[0] == '}' || text[0] == '{':
		c.Remark(model.Warning, model.Span{Offset: c.Pos(), Size: int64(len(text))},
			"a %q that ends or begins no namespace", text[0])
		ignoredLine(c, text)
	default:
		r.header(c, into, text, start, depth)
	}
}

// ignoredLine reads a line that the engine makes nothing of.
func ignoredLine(c *decode.Cursor, text []byte) {
	c.Type("Line")
	filler(c, "text", int64(len(text)))
	c.CopyValueUp()
	lineEnd(c)
}

// property: name = value.
func (r *parser) property(c *decode.Cursor, into *Namespace, text []byte, start int64) {
	equals := bytes.IndexByte(text, '=')
	name := len(trimRight(text[:equals]))
	value := equals + 1 + len(text[equals+1:]) - len(trimLeft(text[equals+1:]))
	size := max(len(text)-value, 0)
	p := Property{Name: c.Text("name", int64(name)), start: start}
	c.Key(p.Name)
	separator(c, int64(value-name))
	if name == 0 {
		c.Remark(model.Warning, model.Span{Offset: c.Pos()}, "a value without a name before its \"=\"")
	}
	if n := c.Node(); n != nil && isColor(p.Name) {
		n.Role = model.RoleColor
	}
	r.value(c, into, p, int64(size))
}

// isColor reports whether the engine reads the value of a property as a color: those of scenes, lights and particles,
// and the parameters of its own shaders, of which an array has an index.
func isColor(name string) bool {
	name, _, _ = strings.Cut(name, "[")
	return slices.Contains([]string{"ambientColor", "color", "colorStart", "colorEnd", "u_diffuseColor", "u_ambientColor",
		"u_lightColor", "u_directionalLightColor", "u_pointLightColor", "u_spotLightColor", "u_modulateColor"}, name)
}

func (r *parser) value(c *decode.Cursor, into *Namespace, p Property, size int64) {
	p.Offset = c.Pos()
	p.Value = c.Text("value", size)
	if r.link != nil {
		link, missing := r.link(p.Value)
		c.Link(link)
		if missing != "" {
			c.Note("%s", missing)
		}
	}
	c.CopyValueUp()
	lineEnd(c)
	if into != nil {
		into.Properties = append(into.Properties, p)
	}
}

// header is the first line of a namespace: its name, its id, its parent. One that no { follows is a name and a value.
func (r *parser) header(c *decode.Cursor, into *Namespace, text []byte, start int64, depth int) {
	brace := bytes.IndexByte(text, '{')
	head := text
	after := int64(0) // from the end of the head to the {
	if brace >= 0 {
		head = trimRight(text[:brace])
		after = int64(brace - len(head))
	} else {
		size := int64(len(text))
		after = span(c, size, isBlank)
		if b := c.Peek(size + after + 1); b == nil || b[size+after] != '{' {
			after = -1
		}
		text = c.Peek(size)
		head = text
	}
	name := head
	if k := bytes.IndexAny(head, " \t\v\f"); k >= 0 {
		name = head[:k]
	}
	tail := trimLeft(head[len(name):])
	if after < 0 {
		p := Property{Name: c.Text("name", int64(len(name))), start: start}
		c.Key(p.Name)
		separator(c, int64(len(head)-len(name)-len(tail)))
		r.value(c, into, p, int64(len(tail)))
		return
	}
	if depth >= maxDepth {
		c.Remark(model.Warning, model.Span{Offset: c.Pos(), Size: int64(len(text))},
			"namespaces nest deeper than %d levels here, and no deeper ones are read", maxDepth)
		ignoredLine(c, text)
		return
	}
	n := Namespace{Offset: c.Pos(), start: start}
	id, parent, _ := bytes.Cut(tail, []byte(":"))
	sizes := headSizes{name: len(name), id: len(trimRight(id)), parent: len(trimLeft(parent)), whole: len(head),
		idAt: len(head) - len(tail), parentAt: len(head) - len(trimLeft(parent))}
	c.Type(namespaceType)
	r.identity(c, &n, sizes)
	separator(c, after)
	filler(c, "begin", 1)
	if brace >= 0 && r.endsOnLine(c) {
		into.add(n)
		return
	}
	r.members(c, into.add(n), depth+1)
	separator(c, blanks(c))
	if c.Left() == 0 {
		c.Remark(model.Warning, model.Span{Offset: n.Offset, Size: int64(sizes.whole)}, "the namespace %s has no }",
			model.OneLine(n.Key(), 60))
		return
	}
	r.end(c)
}

// headSizes is how the first line of a namespace is laid out.
type headSizes struct{ name, id, parent, whole, idAt, parentAt int }

// identity: namespace, id, parent.
func (r *parser) identity(c *decode.Cursor, n *Namespace, s headSizes) {
	start := c.Pos()
	n.Name = c.Text("namespace", int64(s.name))
	if s.id > 0 {
		separator(c, int64(s.idAt)-(c.Pos()-start))
		n.ID = c.Text("id", int64(s.id))
		c.Role(model.RoleName)
	}
	c.Key(n.Key())
	if s.parent > 0 {
		separator(c, int64(s.parentAt)-(c.Pos()-start))
		at := c.Pos()
		n.Parent, n.parentAt = c.Text("parent", int64(s.parent)), at
		if wrong := r.parents[at]; wrong != "" {
			c.Warn("%s", wrong)
		} else {
			c.Link(&model.Link{Key: n.Name + " " + n.Parent})
		}
	}
	separator(c, int64(s.whole)-(c.Pos()-start))
}

// endsOnLine reads the rest of the line that has the { of a namespace, which the engine skips, and reports whether the
// namespace ends on it.
func (r *parser) endsOnLine(c *decode.Cursor) bool {
	rest := line(c)
	inner := trimRight(rest)
	closed := len(inner) > 0 && inner[len(inner)-1] == '}'
	if closed {
		inner = inner[:len(inner)-1]
	}
	r.ignoredText(c, inner)
	if closed {
		r.end(c)
		return true
	}
	lineEnd(c)
	return false
}

// end: }, and the rest of its line, which the engine skips.
func (r *parser) end(c *decode.Cursor) {
	filler(c, "end", 1)
	r.ignoredText(c, line(c))
	lineEnd(c)
}

// ignoredText reads a part of a line that the engine skips.
func (r *parser) ignoredText(c *decode.Cursor, text []byte) {
	lead := len(text) - len(trimLeft(text))
	text = trimRight(trimLeft(text))
	size, said := int64(len(text)), !bytes.HasPrefix(text, []byte("//"))
	separator(c, int64(lead))
	if size == 0 {
		return
	}
	filler(c, "surplus", size)
	c.As("surplus")
	if said {
		c.Warn("what follows a brace on its line is not read")
	}
}

// filler reads a text that means nothing to the engine: only a node shows it.
func filler(c *decode.Cursor, name string, n int64) {
	if c.Recording() {
		c.Text(name, n)
	} else {
		c.Bytes(name, "", n)
	}
}

// separator reads blanks, line ends and signs between fields.
func separator(c *decode.Cursor, n int64) {
	if n > 0 {
		filler(c, "separator", n)
		c.As("separator")
		c.Role(model.RoleSpacing)
	}
}

// lineEnd reads the blanks at the end of a line, and its end.
func lineEnd(c *decode.Cursor) {
	n := span(c, 0, isLineBlank)
	rest := c.Peek(min(c.Left(), n+2))
	switch rest = rest[min(n, int64(len(rest))):]; {
	case bytes.HasPrefix(rest, []byte("\r\n")):
		n += 2
	case len(rest) > 0 && (rest[0] == '\n' || rest[0] == '\r'):
		n++
	}
	if n > 0 {
		filler(c, "line_end", n)
		c.As("line_end")
	}
}

// blanks returns how many blanks and line ends come next, up to the most that a line may have.
func blanks(c *decode.Cursor) int64 { return span(c, 0, isBlank) }

// span returns how many bytes after the next skip ones are of a kind, up to the most that a line may have.
func span(c *decode.Cursor, skip int64, is func(b byte) bool) int64 {
	var n int64
	for look := int64(64); ; look *= 4 {
		b := c.Peek(min(skip+min(look, maxLine), c.Left()))
		for skip+n < int64(len(b)) {
			if !is(b[skip+n]) {
				return n
			}
			n++
		}
		if n < look || n >= maxLine {
			return n
		}
	}
}

// line returns the rest of the line without the blanks at its end, up to the most that a line may have.
func line(c *decode.Cursor) []byte {
	for n := int64(256); ; n *= 4 {
		b := c.Peek(min(n, maxLine, c.Left()))
		if b == nil {
			return nil
		}
		k := bytes.IndexAny(b, "\r\n")
		if k < 0 && int64(len(b)) < min(maxLine, c.Left()) {
			continue
		}
		if k < 0 {
			k = len(b)
		}
		return trimRight(b[:k])
	}
}

// comment returns the size of a comment that begins with /*: up to the end of the line that has */, or of the text.
func comment(c *decode.Cursor) int64 {
	start := c.Pos()
	end := start
	e := c.Quiet(model.Span{Offset: start, Size: c.Left()})
	for ; e.Left() > 0 && e.Err() == nil; lineEnd(e) {
		text := line(e)
		closed := bytes.Contains(text, []byte("*/"))
		e.GoTo(e.Pos() + int64(len(text)))
		if end = e.Pos(); closed {
			break
		}
	}
	if e.Err() != nil {
		c.Fail("the comment cannot be read: %v", e.Err())
	}
	return end - start
}

const lineBlanks = " \t\v\f\x00"

func trimRight(b []byte) []byte { return bytes.TrimRight(b, lineBlanks) }
func trimLeft(b []byte) []byte  { return bytes.TrimLeft(b, lineBlanks) }

func isLineBlank(b byte) bool    { return b == ' ' || b >= '\t' && b <= '\f' && b != '\n' || b == 0 }
func isBlank(b byte) bool        { return isLineBlank(b) || b == '\n' || b == '\r' }
func trimBlanks(b []byte) []byte { return bytes.TrimLeft(b, lineBlanks+"\r\n") }
