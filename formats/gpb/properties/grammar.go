package properties

import (
	"bytes"
	"slices"
	"strings"

	"assay/formats/decode"
	"assay/model"
)

// parser reads a text. A first, quiet reading finds the namespaces, from which the problems of parents follow, and a
// second one records.
type parser struct {
	parents map[int64]string // the problem of the parent at an offset
	link    func(value string) (*model.Link, string)
}

var byteOrderMark = []byte("\xEF\xBB\xBF")

// file reads a text. Here and below, into is the namespace that takes what is read; nil while it is recorded.
func (r *parser) file(c *decode.Cursor, into *Namespace) {
	if bytes.HasPrefix(c.Peek(3), byteOrderMark) {
		c.Text("byte_order_mark", 3)
		c.As("reserved")
	}
	r.members(c, into, 0)
	separator(c, blanks(c))
}

// members reads the members of a namespace, up to the } that ends it or the end of the text.
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
		if leaf := c.Last(); leaf != nil {
			leaf.Link = link
		}
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
	switch h := headOf(c, text); {
	case h.brace < 0:
		p := Property{Name: c.Text("name", int64(h.name)), start: start}
		c.Key(p.Name)
		separator(c, int64(h.tailAt-h.name))
		r.value(c, into, p, int64(h.whole-h.tailAt))
	case depth >= maxDepth:
		c.Remark(model.Warning, model.Span{Offset: c.Pos(), Size: int64(len(text))},
			"namespaces nest deeper than %d levels here, and no deeper ones are read", maxDepth)
		ignoredLine(c, text)
	default:
		r.namespace(c, into, h, start, depth)
	}
}

// namespace: the head, {, the members, }.
func (r *parser) namespace(c *decode.Cursor, into *Namespace, h head, start int64, depth int) {
	n := Namespace{Offset: c.Pos(), start: start}
	c.Type(namespaceType)
	r.identity(c, &n, h)
	separator(c, h.brace)
	filler(c, "begin", 1)
	if h.sameLine && r.endsOnLine(c) {
		into.add(n)
		return
	}
	r.members(c, into.add(n), depth+1)
	separator(c, blanks(c))
	if c.Left() == 0 {
		c.Remark(model.Warning, model.Span{Offset: n.Offset, Size: int64(h.whole)}, "the namespace %s has no }",
			model.OneLine(n.Key(), 60))
		return
	}
	r.end(c)
}

// head is where the parts of the first line of a namespace are: the sizes of the parts, and the offsets from its
// beginning of what follows the name, and of the parent.
type head struct {
	name, id, parent, whole int
	tailAt, parentAt        int
	brace                   int64 // bytes from the end of the head to the {; -1 if none follows
	sameLine                bool  // the { is on the line of the head
}

// headOf returns the head that a line begins with.
func headOf(c *decode.Cursor, text []byte) (h head) {
	first := text
	if k := bytes.IndexByte(text, '{'); k >= 0 {
		first = trimRight(text[:k])
		h.brace, h.sameLine = int64(k-len(first)), true
	} else {
		size := int64(len(text))
		h.brace = span(c, size, isBlank)
		if b := c.Peek(size + h.brace + 1); b == nil || b[size+h.brace] != '{' {
			h.brace = -1
		}
		first = c.Peek(size) // text is good only until the next Peek
	}
	name := first
	if k := bytes.IndexAny(first, " \t\v\f"); k >= 0 {
		name = first[:k]
	}
	tail := trimLeft(first[len(name):])
	id, parent, _ := bytes.Cut(tail, []byte(":"))
	h.name, h.id, h.parent, h.whole = len(name), len(trimRight(id)), len(trimLeft(parent)), len(first)
	h.tailAt, h.parentAt = len(first)-len(tail), len(first)-h.parent
	return h
}

// identity: namespace, id, parent.
func (r *parser) identity(c *decode.Cursor, n *Namespace, h head) {
	start := c.Pos()
	n.Name = c.Text("namespace", int64(h.name))
	if h.id > 0 {
		separator(c, int64(h.tailAt)-(c.Pos()-start))
		n.ID = c.Text("id", int64(h.id))
		c.Role(model.RoleName)
	}
	c.Key(n.Key())
	if h.parent > 0 {
		separator(c, int64(h.parentAt)-(c.Pos()-start))
		at := c.Pos()
		n.Parent, n.parentAt = c.Text("parent", int64(h.parent)), at
		if wrong := r.parents[at]; wrong != "" {
			c.Warn("%s", wrong)
		} else if leaf := c.Last(); leaf != nil {
			leaf.Link = &model.Link{Key: n.Name + " " + n.Parent}
		}
	}
	separator(c, int64(h.whole)-(c.Pos()-start))
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
	size, comment := int64(len(text)), bytes.HasPrefix(text, []byte("//"))
	separator(c, int64(lead))
	if size == 0 {
		return
	}
	filler(c, "surplus", size)
	c.As("surplus")
	if !comment {
		c.Warn("what follows a brace on its line is not read")
	}
}
