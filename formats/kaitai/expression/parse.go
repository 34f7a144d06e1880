// Package expression implements the expression language of Kaitai Struct descriptions: the values of size, if,
// repeat-expr, switch-on, value, valid and others. https://doc.kaitai.io/user_guide.html#_expression_language describes
// it.
//
// The package does not read files. A Scope resolves names and the fields of objects and streams. Lists are interfaces,
// so that elements are read only when an expression uses them.
//
// Types are dynamic: `as<bytes>` converts a list of numbers to bytes, `as<...[]>` bytes to a list of numbers, `as<f4>`
// and `as<f8>` a whole number to one with a fraction. Other casts return the value unchanged. Whole numbers have 64
// bits, signed or unsigned; a result outside both ranges is an error.
package expression

import (
	"slices"
	"strings"
)

// Limits of an expression, so that neither a huge description nor a hostile one uses unlimited stack or time.
const (
	maxNesting = 200
	maxLength  = 1 << 20 // bytes
	maxChain   = 2000    // operators, or points and brackets, that follow each other
)

// Expression is a parsed expression. It may be evaluated from several goroutines at once.
type Expression struct {
	text string
	root node
	mentions
}

// mentions lists the names in an expression.
type mentions struct {
	names, fields []string
	members       [][]string
}

// Names returns the names that the expression resolves in its scope.
func (e *Expression) Names() []string { return e.names }

// Fields returns the names that follow points in the expression.
func (e *Expression) Fields() []string { return e.fields }

// Members returns the members of enumerations that the expression names.
func (e *Expression) Members() [][]string { return e.members }

// String returns the text that the expression was parsed from.
func (e *Expression) String() string { return e.text }

// Eval evaluates the expression. An error is an *Error, or from the scope or the elements of a list.
func (e *Expression) Eval(s Scope) (Value, error) { return e.root.eval(s) }

// Constant returns the value of an expression that does not use a scope, and false for any other.
func (e *Expression) Constant() (Value, bool) {
	v, err := e.root.eval(noScope{})
	return v, err == nil
}

// Parse reads an expression. An error is an *Error with the offset in text.
func Parse(text string) (*Expression, error) {
	p := newParser(text, 0, new(mentions))
	root := p.parseAll()
	return &Expression{text: text, root: root, mentions: *p.mentions}, p.err
}

// ParseList reads expressions between commas. An error is an *Error with the offset in text.
func ParseList(text string) ([]*Expression, error) {
	p := newParser(text, 0, nil)
	var list []*Expression
	for {
		from := p.tok.offset
		p.mentions = new(mentions)
		root := p.expression(0)
		if p.err != nil {
			return nil, p.err
		}
		list = append(list, &Expression{strings.TrimSpace(text[from:p.tok.offset]), root, *p.mentions})
		if p.tok.kind == tokenEnd {
			return list, nil
		}
		p.expect(",")
	}
}

// parser is a Pratt parser: the table of binary operators has their precedences. The first error is kept, and every
// later token is the end.
type parser struct {
	scanner scanner
	tok     token
	depth   int
	err     error
	*mentions
}

// newParser returns a parser at the first token of a text with a nesting depth. It adds the names in the text to names.
func newParser(text string, depth int, names *mentions) *parser {
	p := &parser{scanner: scanner{text: text}, depth: depth, mentions: names}
	if len(text) > maxLength {
		p.fail(0, "the expression has %d bytes; at most %d are allowed", len(text), maxLength)
		return p
	}
	p.advance()
	return p
}

// How strongly a conditional, `not` and signs before an operand bind; see operators for others.
const (
	precedenceTernary = 1
	precedenceNot     = 4
	precedenceUnary   = 13
)

// fail notes the first error.
func (p *parser) fail(offset int, format string, args ...any) {
	if p.err == nil {
		p.err = errorAt(offset, format, args...)
	}
	p.tok = token{kind: tokenEnd, offset: offset}
}

func (p *parser) advance() {
	if p.err != nil {
		return
	}
	if p.tok, p.err = p.scanner.next(); p.err != nil {
		p.tok = token{kind: tokenEnd, offset: p.scanner.pos}
	}
}

func (p *parser) isSign(sign string) bool { return p.tok.kind == tokenSign && p.tok.text == sign }

// accept skips a sign if it is the next token.
func (p *parser) accept(sign string) bool {
	ok := p.isSign(sign)
	if ok {
		p.advance()
	}
	return ok
}

// expect skips a required sign.
func (p *parser) expect(sign string) {
	if !p.accept(sign) {
		p.fail(p.tok.offset, "%q is expected before %s", sign, p.describeToken())
	}
}

// expectName skips a required name, and returns it.
func (p *parser) expectName() string {
	if p.tok.kind != tokenName {
		p.fail(p.tok.offset, "a name is expected before %s", p.describeToken())
	}
	name := p.tok.text
	p.advance()
	return name
}

// describeToken describes the current token in an error message.
func (p *parser) describeToken() string {
	switch p.tok.kind {
	case tokenEnd:
		return "the end"
	case tokenName, tokenSign:
		return "\"" + p.tok.text + "\""
	case tokenNumber:
		return p.tok.value.String()
	}
	return "a text"
}

// parseAll parses the whole text.
func (p *parser) parseAll() node {
	root := p.expression(0)
	if p.tok.kind != tokenEnd {
		p.fail(p.tok.offset, "the expression ends before %s", p.describeToken())
	}
	return root
}

// expression parses operands and the operators between them that bind at least so strongly.
func (p *parser) expression(least int) node {
	if p.depth++; p.depth > maxNesting {
		p.fail(p.tok.offset, "the expression nests deeper than %d", maxNesting)
	}
	defer func() { p.depth-- }()
	if p.err != nil {
		return nil
	}
	left := p.operand()
	for links := 0; p.tok.kind == tokenSign; links++ {
		sign, offset := p.tok.text, p.tok.offset
		if sign == "?" && least <= precedenceTernary {
			left = p.ternary(left)
			continue
		}
		o := operators[sign]
		if o == nil || o.precedence < least {
			break
		}
		// A long chain is a tree that leans to the left: evaluating it recurses as deep as the chain is long.
		if links >= maxChain {
			p.fail(offset, "more than %d operators follow each other", maxChain)
		}
		p.advance()
		right := p.expression(o.precedence + 1)
		if sign == "and" || sign == "or" {
			left = &logical{offset: offset, decides: sign == "or", left: left, right: right}
		} else {
			left = &binary{operator: o, offset: offset, sign: sign, left: left, right: right}
		}
	}
	return left
}

// ternary parses the rest of a conditional expression after its condition.
func (p *parser) ternary(condition node) node {
	t := &ternary{offset: p.tok.offset, condition: condition}
	p.advance()
	t.yes = p.expression(precedenceTernary)
	p.expect(":")
	t.no = p.expression(precedenceTernary)
	return t
}

// operand parses signs before an operand, the operand, and its suffixes.
func (p *parser) operand() node {
	sign, offset := p.tok.text, p.tok.offset
	if p.tok.kind == tokenSign && slices.Contains([]string{"-", "+", "~", "not"}, sign) {
		p.advance()
		least := precedenceUnary
		if sign == "not" {
			least = precedenceNot
		}
		return &unary{offset: offset, sign: sign, operand: p.expression(least)}
	}
	operand := p.atom()
	for links := 0; p.isSign(".") || p.isSign("["); links++ {
		if links >= maxChain {
			p.fail(p.tok.offset, "more than %d points and brackets follow each other", maxChain)
		}
		operand = p.postfix(operand)
	}
	return operand
}

// atom parses a literal, a name, a list or an expression in parentheses.
func (p *parser) atom() node {
	t := p.tok
	switch {
	case t.kind == tokenNumber:
		p.advance()
		if t.err != nil {
			return &unusable{t.err}
		}
		return literal{t.value}
	case t.kind == tokenText:
		return p.text()
	case t.kind == tokenParts:
		return p.interpolation(t)
	case t.kind == tokenName, p.isSign("::"):
		return p.name()
	case p.accept("("):
		operand := p.expression(0)
		p.expect(")")
		return operand
	case p.accept("["):
		return &array{items: p.list("]")}
	}
	p.fail(t.offset, "an operand is expected before %s", p.describeToken())
	return nil
}

// text parses a text, which may be in several pieces one after the other.
func (p *parser) text() node {
	var text strings.Builder
	for p.tok.kind == tokenText {
		text.WriteString(p.tok.value.s)
		p.advance()
	}
	return literal{TextValue(text.String())}
}

// interpolation parses the expressions of an f-string.
func (p *parser) interpolation(t token) node {
	i := &interpolated{offset: t.offset}
	for _, piece := range t.parts {
		var f node = literal{TextValue(piece.text)}
		if piece.expression {
			inner := newParser(piece.text, p.depth, p.mentions)
			f = inner.parseAll()
			if e, ok := inner.err.(*Error); ok {
				p.fail(e.Offset+piece.offset, "%s", e.Message)
			}
		}
		i.parts = append(i.parts, f)
	}
	p.advance()
	return i
}

// list parses expressions between commas up to a closing sign, and skips that. A comma may precede it.
func (p *parser) list(closing string) []node {
	var items []node
	for !p.isSign(closing) && p.err == nil {
		items = append(items, p.expression(0))
		if !p.accept(",") {
			break
		}
	}
	p.expect(closing)
	return items
}

// name parses true, false, sizeof, bitsizeof, the name of an attribute, or the member of an enumeration.
func (p *parser) name() node {
	first := p.tok.text
	switch first {
	case "true", "false":
		p.advance()
		return literal{BoolValue(first == "true")}
	case "sizeof", "bitsizeof":
		if p.scanner.space(); strings.HasPrefix(p.scanner.text[p.scanner.pos:], "<") {
			p.advance()
			return &sizeof{typ: p.typeName(), bits: first == "bitsizeof"}
		}
	}
	path := p.path()
	if len(path) == 1 {
		p.names = append(p.names, path[0])
		return &name{path[0]}
	}
	p.members = append(p.members, path)
	return &member{path: path}
}

// path parses names with :: between them; it may begin with ::, which means the top type.
func (p *parser) path() []string {
	var path []string
	if p.accept("::") {
		path = append(path, "")
	}
	for {
		if len(path) > maxNesting {
			p.fail(p.tok.offset, "the name has more than %d parts", maxNesting)
		}
		if path = append(path, p.expectName()); !p.accept("::") {
			return path
		}
	}
}

// typeName parses <type>, where the type may be a path and a list: <a::b[]>.
func (p *parser) typeName() string {
	p.expect("<")
	typ := strings.Join(p.path(), "::")
	if p.accept("[") {
		p.expect("]")
		typ += "[]"
	}
	p.expect(">")
	return typ
}

// postfix parses an index, a field, a method or a cast.
func (p *parser) postfix(operand node) node {
	offset := p.tok.offset
	if p.accept("[") {
		x := &index{offset: offset, operand: operand, subscript: p.expression(0)}
		p.expect("]")
		return x
	}
	p.advance()
	id := p.expectName()
	if id == "as" && p.isSign("<") {
		return &cast{offset: offset, operand: operand, typ: p.typeName()}
	}
	p.fields = append(p.fields, id)
	if id == "_sizeof" {
		return &sizeOfValue{field{offset: offset, operand: operand, id: id}}
	}
	f := &field{offset: offset, operand: operand, id: id}
	if p.accept("(") {
		f.args = p.list(")")
	}
	return f
}
