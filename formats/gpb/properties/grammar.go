package properties

import (
	"bytes"
	"slices"
	"strings"

	"assay/formats/decode"
	"assay/model"
)

// parser reads a text. A quiet reading makes its namespaces; then their members are recorded on demand.
//
// Differences from the engine, of which the document reports the first three:
//
//   - a byte order mark is not part of the first name
//   - in a namespace, a line that begins with a } ends it, even if the line has a "="
//   - the first character after a namespace on one line is not skipped
//   - the text after the { of a namespace without an id is ignored, and not the id
//   - an unmatched brace does not end the reading
//   - a CR alone ends a line, and a line has up to 64 KiB; the engine's have 2,047 bytes
//   - variables of nested namespaces are separate, and inherited or referenced namespaces keep theirs
//   - parents are only searched on the same level, and a merged namespace also keeps its own parent
type parser struct {
	file      *Namespace
	complete  bool            // the namespaces are complete
	variables map[string]bool // that are set
	root      *model.Node
	link      Link
}

// shortNamespace is the maximum size of a namespace whose members are recorded with it.
const shortNamespace = 1 << 10

var byteOrderMark = []byte("\xEF\xBB\xBF")

func (r *parser) read(c *decode.Cursor) {
	if bytes.HasPrefix(c.Peek(3), byteOrderMark) {
		c.Text("byte_order_mark", 3)
		c.As("reserved")
		c.Notef("the engine treats the byte order mark as part of the first name")
	}
	r.members(c, r.file, 0)
	separator(c, blanks(c))
}

// members reads the members of a namespace, up to the } that ends it or the end of the text. Those of a long namespace
// are recorded by their marks, and after a first quiet reading only its outcome is used: namespaces around it would
// read them again and again.
func (r *parser) members(c *decode.Cursor, enclosing *Namespace, depth int) {
	c.Struct("members", "Member[]", func() {
		switch long := r.complete && enclosing.members != nil && c.Remaining() > shortNamespace; {
		case !long:
			r.eachMember(c, enclosing, depth)
		case c.Recording():
			enclosing.members.Record(c, PropertyType)
		case c.Outcome() != decode.Clean || enclosing.unclean.Load():
			c.GoTo(enclosing.members.Span().End()) // which makes the outcome worse than clean
		case enclosing.clean.Load():
			filler(c, "members", enclosing.members.Span().End()-c.Pos())
		default:
			r.eachMember(c, enclosing, depth)
			enclosing.clean.Store(c.Outcome() == decode.Clean)
			enclosing.unclean.Store(c.Outcome() != decode.Clean)
		}
	})
}

// eachMember reads the members of a namespace, and in the first reading marks them.
func (r *parser) eachMember(c *decode.Cursor, enclosing *Namespace, depth int) {
	each := func(e *decode.Cursor, _ int) { r.member(e, enclosing, depth) }
	c.IndexedUntil(PropertyType, func(e *decode.Cursor, _ int) bool {
		n := blanks(e)
		next := e.Peek(n + 1)
		return e.Remaining() > n && (depth == 0 || next == nil || next[n] != '}')
	}, func(e *decode.Cursor, i int) {
		if !r.complete && enclosing.members == nil {
			enclosing.members = decode.NewMarks(e, each)
		}
		if each(e, i); !r.complete {
			enclosing.members.Add(e.Pos())
		}
	})
}

// member reads one line, or a namespace.
func (r *parser) member(c *decode.Cursor, enclosing *Namespace, depth int) {
	memberStart := c.Pos()
	separator(c, blanks(c))
	text := line(c)
	switch {
	case len(text) == 0:
		c.Type("separator") // more blanks than the limit of a line
	case bytes.HasPrefix(text, []byte("//")):
		makeComment(c)
		filler(c, "text", int64(len(text)))
		c.CopyValueUp()
		lineEnd(c)
	case bytes.HasPrefix(text, []byte("/*")):
		blockComment(c)
	case bytes.IndexByte(text, '=') >= 0:
		r.property(c, text, memberStart, enclosing)
	case text[0] == '}' || text[0] == '{':
		c.Remark(model.Warning, model.Span{Offset: c.Pos(), Size: int64(len(text))},
			"a %q that ends or begins no namespace", text[0])
		ignoredLine(c, text)
	default:
		r.propertyOrNamespace(c, headOf(c, text), memberStart, enclosing, depth)
	}
}

// makeComment makes the open struct a comment.
func makeComment(c *decode.Cursor) {
	c.Type("Comment")
	if n := c.Node(); n != nil {
		n.Role = model.RoleComment
	}
}

// blockComment reads a comment that begins with /*, and remarks on a */ that the engine ignores.
func blockComment(c *decode.Cursor) {
	makeComment(c)
	start, b := c.Pos(), measureBlock(c)
	filler(c, "text", b.size)
	c.CopyValueUp()
	if b.falseEnd > 0 {
		c.Remark(model.Warning, model.Span{Offset: b.falseEnd, Size: 2},
			"the comment does not end here: for that a line after its first must begin or end with */")
	}
	if !b.closed {
		c.Remark(model.Warning, model.Span{Offset: start, Size: 2},
			"the comment has no end; the rest of the file is ignored")
	}
	if len(b.rest) > 0 && !bytes.HasPrefix(b.rest, []byte("//")) {
		c.Remark(model.Warning, model.Span{Offset: start + b.size - int64(len(b.rest)), Size: int64(len(b.rest))},
			"text after the end of a comment is ignored")
	}
	lineEnd(c)
}

// ignoredLine reads a line that the engine ignores.
func ignoredLine(c *decode.Cursor, text []byte) {
	c.Type("Line")
	filler(c, "text", int64(len(text)))
	c.CopyValueUp()
	lineEnd(c)
}

// part is a part of a line: its position in the line, and its length in bytes.
type part struct{ offset, size int }

// field reads a part of the line that begins at lineStart, with the separator before it.
func field(c *decode.Cursor, lineStart int64, p part, name string) string {
	separator(c, lineStart+int64(p.offset)-c.Pos())
	return c.Text(name, int64(p.size))
}

// property: name = value.
func (r *parser) property(c *decode.Cursor, text []byte, memberStart int64, enclosing *Namespace) {
	equalsIndex := bytes.IndexByte(text, '=')
	name := part{0, len(trimRight(text[:equalsIndex]))}
	rest := trimLeft(text[equalsIndex+1:])
	r.nameAndValue(c, name, part{len(text) - len(rest), len(rest)}, memberStart, enclosing)
	lineEnd(c)
}

// nameAndValue reads a property from its parts of a line, and returns its name.
func (r *parser) nameAndValue(c *decode.Cursor, name, value part, memberStart int64, enclosing *Namespace) string {
	lineStart := c.Pos()
	p := Property{Name: field(c, lineStart, name, "name"), start: memberStart}
	c.Key(p.Name)
	if strings.ContainsAny(p.Name, "{}") && !isVariable(p.Name) {
		c.Warnf("a brace in a name begins or ends no namespace: the line has a \"=\"")
	}
	separator(c, lineStart+int64(value.offset)-c.Pos())
	if name.size == 0 {
		c.Remark(model.Warning, model.Span{Offset: c.Pos()}, "a value without a name before its \"=\"")
	}
	if n := c.Node(); n != nil && isColor(p.Name) {
		n.Role = model.RoleColor
	}
	p.Offset = c.Pos()
	p.Value = c.Text("value", int64(value.size))
	if !r.complete {
		enclosing.Properties = append(enclosing.Properties, p)
		if isVariable(p.Name) {
			r.variables[p.Name] = true
		}
		return p.Name
	}
	r.linkValue(c, p.Value)
	if stored := enclosing.property(memberStart); stored != nil {
		p.occurrence = stored.occurrence
	}
	r.checkValue(c, p)
	c.CopyValueUp()
	return p.Name
}

// isColor reports whether the engine reads the value of a property as a color: of scenes, lights and particles, and
// parameters of its own shaders, arrays of which have an index.
func isColor(name string) bool {
	name, _, _ = strings.Cut(name, "[")
	return slices.Contains([]string{"ambientColor", "color", "colorStart", "colorEnd", "u_diffuseColor",
		"u_ambientColor", "u_lightColor", "u_directionalLightColor", "u_pointLightColor", "u_spotLightColor",
		"u_modulateColor"}, name)
}

// head is the first line of a namespace: name [id] [: parent]. An absent part has no bytes.
type head struct {
	name, id, parent part
	parentAsID       bool  // the engine reads the written parent as the id
	size             int64 // of the whole head
	brace            int64 // the position of the { that follows, or 0
	sameLine         bool  // the { is on the line of the head
}

// headOf returns the head at the start of a line. As in the engine, if a name without an id has one blank before the
// ":", the text after that is the id.
func headOf(c *decode.Cursor, text []byte) (h head) {
	first := text
	if k := bytes.IndexByte(text, '{'); k >= 0 {
		first = trimRight(text[:k])
		h.brace, h.sameLine = int64(k), true
	} else {
		size := int64(len(text))
		offset := size + runLength(c, size, isBlank)
		if b := c.Peek(offset + 1); b != nil && b[offset] == '{' {
			h.brace = offset
		}
		first = c.Peek(size) // text is only valid until the next Peek
	}
	h.name.size, h.size = len(first), int64(len(first))
	if k := bytes.IndexAny(first, " \t\v\f"); k >= 0 {
		h.name.size = k
	}
	tail := trimLeft(first[h.name.size:])
	h.parentAsID = len(tail) > 0 && tail[0] == ':' && len(first)-len(tail) == h.name.size+1
	if h.parentAsID {
		tail = trimLeft(bytes.TrimLeft(tail, ":"))
	}
	id, parent, _ := bytes.Cut(tail, []byte(":"))
	id, parent = trimRight(id), trimLeft(parent)
	h.id = part{len(first) - len(tail), len(id)}
	h.parent = part{len(first) - len(parent), len(parent)}
	return h
}

// propertyOrNamespace reads the member that begins with a head: a namespace if a { follows it, else a property.
func (r *parser) propertyOrNamespace(c *decode.Cursor, h head, memberStart int64, enclosing *Namespace, depth int) {
	switch {
	case h.brace == 0:
		checkBareName(c, r.nameAndValue(c, h.name, h.id, memberStart, enclosing))
		r.ignoredText(c, line(c), "text after the \":\" is ignored: the line has no \"=\"")
		lineEnd(c)
	case depth >= maxDepth:
		text := line(c)
		c.Remark(model.Warning, model.Span{Offset: c.Pos(), Size: int64(len(text))},
			"namespaces nest deeper than %d levels here, and no deeper ones are read", maxDepth)
		ignoredLine(c, text)
	default:
		r.namespace(c, h, memberStart, enclosing, depth)
	}
}

// namespace: the head, {, the members, }.
func (r *parser) namespace(c *decode.Cursor, h head, memberStart int64, enclosing *Namespace, depth int) {
	n := enclosing.childBefore(memberStart)
	if !r.complete || n == nil || n.start != memberStart { // the file has changed, unless it is read for the first time
		n = &Namespace{Offset: c.Pos(), start: memberStart}
	}
	c.Type(namespaceType)
	r.identity(c, n, h)
	if !r.complete {
		enclosing.add(n)
	}
	separator(c, h.brace-h.size)
	filler(c, "begin", 1)
	c.Role(model.RoleBrace)
	if !h.sameLine || !r.endsOnLine(c) {
		r.members(c, n, depth+1)
		separator(c, blanks(c))
		if c.Remaining() > 0 {
			r.end(c)
		} else {
			c.Remark(model.Warning, model.Span{Offset: n.Offset, Size: h.size},
				"the namespace %s has no }", model.OneLine(n.Key(), 60))
		}
	}
	if !r.complete {
		n.finish()
	}
}

// identity: namespace, id, parent.
func (r *parser) identity(c *decode.Cursor, n *Namespace, h head) {
	lineStart := c.Pos()
	var named Namespace
	named.Name = field(c, lineStart, h.name, "namespace")
	if h.id.size > 0 {
		named.ID = field(c, lineStart, h.id, "id")
		c.Role(model.RoleName)
		if h.parentAsID {
			c.Warnf("read as an id, not a parent: without an id, write two blanks before the \":\"")
		}
		if hasComment(named.ID) {
			c.Warnf("this is part of the id: comments are only recognized at the start of a line")
		}
	}
	c.Key(named.Key())
	if h.parent.size > 0 {
		named.ParentID = field(c, lineStart, h.parent, "parent")
		r.linkParent(c, n)
	}
	separator(c, lineStart+h.size-c.Pos())
	if !r.complete {
		n.Name, n.ID, n.ParentID = named.Name, named.ID, named.ParentID
	}
}

// endsOnLine reads the rest of the line after the { of a namespace, which the engine skips, and reports whether the
// namespace ends on it: whether the first } is the last character.
func (r *parser) endsOnLine(c *decode.Cursor) bool {
	rest := line(c)
	inner := trimRight(rest)
	isClosed := len(inner) > 0 && bytes.IndexByte(inner, '}') == len(inner)-1
	if isClosed {
		inner = inner[:len(inner)-1]
	}
	r.ignoredText(c, inner, afterBrace)
	if isClosed {
		if bytes.HasPrefix(trimLeft(inner), []byte("//")) {
			c.Warnf("the } ends the namespace, also in a comment")
		}
		separator(c, blanks(c))
		r.end(c)
		next := c.Aside(model.Span{Offset: c.Pos(), Size: 1}).Peek(1) // it may be beyond the element that c reads
		if next != nil && !isBlank(next[0]) {
			c.Warnf("the engine skips the first character after a namespace on one line")
		}
		return true
	}
	lineEnd(c)
	return false
}

// end: }, and the rest of its line, which the engine skips.
func (r *parser) end(c *decode.Cursor) {
	filler(c, "end", 1)
	c.Role(model.RoleBrace)
	rest := line(c)
	if bytes.IndexByte(rest, '=') >= 0 {
		c.Warnf("for the engine this line is a property, and ends no namespace")
	}
	r.ignoredText(c, rest, afterBrace)
	lineEnd(c)
}

const afterBrace = "text after a brace is ignored"

// ignoredText reads a part of a line that the engine skips, and warns unless it is a comment.
func (r *parser) ignoredText(c *decode.Cursor, text []byte, warning string) {
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
		c.Warnf("%s", warning)
	}
}

// filler reads a text that the engine ignores: a quiet reading does not allocate it.
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
	n := runLength(c, 0, isLineBlank)
	rest := c.Peek(min(c.Remaining(), n+2))
	switch rest = rest[min(n, int64(len(rest))):]; {
	case bytes.HasPrefix(rest, []byte("\r\n")):
		n += 2
	case len(rest) > 0 && (rest[0] == '\n' || rest[0] == '\r'):
		n++
	}
	if n > 0 {
		filler(c, "line_end", n)
		c.As("line_end")
		c.Role(model.RoleSpacing)
	}
}

// blanks returns the number of blanks and line ends at the cursor, up to the limit of a line.
func blanks(c *decode.Cursor) int64 { return runLength(c, 0, isBlank) }

// runLength returns the number of bytes of a kind after the next skip ones, up to the limit of a line.
func runLength(c *decode.Cursor, skip int64, match func(b byte) bool) int64 {
	var n int64
	for limit := int64(64); ; limit *= 4 {
		b := c.Peek(min(skip+min(limit, maxLine), c.Remaining()))
		for skip+n < int64(len(b)) {
			if !match(b[skip+n]) {
				return n
			}
			n++
		}
		if n < limit || n >= maxLine {
			return n
		}
	}
}

// line returns the rest of the line without the blanks at its end, up to the limit of a line.
func line(c *decode.Cursor) []byte {
	for n := int64(256); ; n *= 4 {
		b := c.Peek(min(n, maxLine, c.Remaining()))
		if b == nil {
			return nil
		}
		k := bytes.IndexAny(b, "\r\n")
		if k < 0 && int64(len(b)) < min(maxLine, c.Remaining()) {
			continue
		}
		if k < 0 {
			k = len(b)
		}
		return trimRight(b[:k])
	}
}

// block is a comment that begins with /*.
type block struct {
	size     int64 // up to the end of its last line, or of the text
	falseEnd int64 // offset of the first */ that does not end it, or 0
	closed   bool
	rest     []byte // text after the */ that ends it, on the same line
}

// measureBlock finds the end of a comment that begins with /*. As in the engine, it is the first line after its first
// one that begins or ends with */.
func measureBlock(c *decode.Cursor) (b block) {
	start, mark := c.Pos(), []byte("*/")
	e := c.Aside(model.Span{Offset: start, Size: c.Remaining()})
	b.size = int64(len(mark))
	e.GoTo(start + b.size)
	for first := true; e.Remaining() > 0 && e.Err() == nil && !b.closed; first = false {
		text := line(e)
		inner := trimLeft(text)
		b.closed = !first && (bytes.HasPrefix(inner, mark) || bytes.HasSuffix(inner, mark))
		if k := bytes.Index(text, mark); k >= 0 && !b.closed && b.falseEnd == 0 {
			b.falseEnd = e.Pos() + int64(k)
		}
		if b.closed && !bytes.HasSuffix(inner, mark) {
			b.rest = slices.Clone(trimLeft(inner[len(mark):])) // text is only valid until the next Peek
		}
		e.GoTo(e.Pos() + int64(len(text)))
		b.size = e.Pos() - start
		lineEnd(e)
	}
	if e.Err() != nil {
		c.Fail("the comment cannot be read: %v", e.Err())
	}
	return b
}

// lineBlanks are the blanks of a line for the engine.
const lineBlanks = " \t\v\f\x00"

func trimRight(b []byte) []byte { return bytes.TrimRight(b, lineBlanks) }
func trimLeft(b []byte) []byte  { return bytes.TrimLeft(b, lineBlanks) }

func isLineBlank(b byte) bool { return b == ' ' || b >= '\t' && b <= '\f' && b != '\n' || b == 0 }
func isBlank(b byte) bool     { return isLineBlank(b) || b == '\n' || b == '\r' }

// trimLeftBlanks is trimLeft, and also removes line ends.
func trimLeftBlanks(b []byte) []byte { return bytes.TrimLeft(b, lineBlanks+"\r\n") }

// isWord reports whether names of namespaces may contain a byte.
func isWord(b byte) bool {
	return b == '_' || b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z'
}
