package expression

import "strings"

// Bounds on what an expression may be, so that neither a description of many megabytes nor one made to do harm takes
// stack or time without end.
const (
	maxNesting = 200
	maxLength  = 1 << 20 // bytes
)

// Expression is a parsed expression. It may be evaluated from several goroutines at once.
type Expression struct {
	text string
	root form
}

// String returns the text that the expression was parsed from.
func (e *Expression) String() string { return e.text }

// Eval evaluates the expression. Errors are an *Error, or what the scope returned.
func (e *Expression) Eval(s Scope) (Value, error) { return e.root.eval(s) }

// Constant returns the value of an expression that asks nothing of a scope; false if it does.
func (e *Expression) Constant() (Value, bool) {
	v, err := e.root.eval(noScope{})
	return v, err == nil
}

// Parse reads an expression. An error is an *Error with the offset in text.
func Parse(text string) (*Expression, error) {
	if len(text) > maxLength {
		return nil, errorAt(0, "the expression has %d bytes, %d are allowed", len(text), maxLength)
	}
	root, err := parseAt(text, 0, 0)
	if err != nil {
		return nil, err
	}
	return &Expression{text: text, root: root}, nil
}

// parseAt parses a text that begins at an offset of a larger one, already nested so deep.
func parseAt(text string, offset, depth int) (form, error) {
	p := &parser{scanner: scanner{text: text}, depth: depth}
	root, err := p.whole()
	if e, ok := err.(*Error); ok && offset > 0 {
		return nil, &Error{Offset: e.Offset + offset, Message: e.Message}
	}
	return root, err
}

// parser is a Pratt parser: binary operators bind by the numbers of the table below.
type parser struct {
	scanner scanner
	tok     token
	depth   int
}

// Binding powers: of a conditional, of `not`, and of signs before an operand.
const (
	bindTernary = 1
	bindNot     = 4
	bindUnary   = 13
)

// binding is how strongly a binary operator binds: as in the language's own compiler, comparisons bind weaker than
// the operators of bits.
var binding = map[string]int{
	"or": 2, "and": 3,
	"<": 5, "<=": 5, ">": 5, ">=": 5, "==": 5, "!=": 5,
	"|": 6, "^": 7, "&": 8, "<<": 9, ">>": 9, "+": 10, "-": 10, "*": 11, "/": 11, "%": 11,
}

// whole parses everything there is.
func (p *parser) whole() (form, error) {
	if err := p.advance(); err != nil {
		return nil, err
	}
	root, err := p.expression(0)
	if err == nil && p.tok.kind != tokenEnd {
		err = errorAt(p.tok.at, "the expression ends before %s", p.found())
	}
	return root, err
}

func (p *parser) advance() (err error) {
	p.tok, err = p.scanner.next()
	return err
}

func (p *parser) is(sign string) bool { return p.tok.kind == tokenSign && p.tok.text == sign }

// found describes the present token in a sentence.
func (p *parser) found() string {
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

// expect goes past a sign that must be there.
func (p *parser) expect(sign string) error {
	if !p.is(sign) {
		return errorAt(p.tok.at, "%q is expected before %s", sign, p.found())
	}
	return p.advance()
}

// expression parses operands and those operators between them that bind at least so strongly.
func (p *parser) expression(least int) (form, error) {
	if p.depth++; p.depth > maxNesting {
		return nil, errorAt(p.tok.at, "the expression nests deeper than %d", maxNesting)
	}
	defer func() { p.depth-- }()
	left, err := p.operand()
	if err != nil {
		return nil, err
	}
	links := 0
	for p.tok.kind == tokenSign {
		sign, at := p.tok.text, p.tok.at
		if sign == "?" && least <= bindTernary {
			if left, err = p.ternary(left); err != nil {
				return nil, err
			}
			continue
		}
		power, ok := binding[sign]
		if !ok || power < least {
			break
		}
		// A long chain is a tree that leans to the left: evaluating it recurses as deep as the chain is long.
		if links++; links > maxChain {
			return nil, errorAt(at, "more than %d operators follow each other", maxChain)
		}
		if err := p.advance(); err != nil {
			return nil, err
		}
		right, err := p.expression(power + 1)
		if err != nil {
			return nil, err
		}
		left = &binary{at: at, sign: sign, left: left, right: right}
	}
	return left, nil
}

// maxChain is how many operators, or points and brackets, may follow each other.
const maxChain = 2000

// ternary parses what follows a condition.
func (p *parser) ternary(condition form) (form, error) {
	at := p.tok.at
	if err := p.advance(); err != nil {
		return nil, err
	}
	yes, err := p.expression(bindTernary)
	if err != nil {
		return nil, err
	}
	if err := p.expect(":"); err != nil {
		return nil, err
	}
	no, err := p.expression(bindTernary)
	return &ternary{at: at, condition: condition, yes: yes, no: no}, err
}

// operand parses signs before an operand, the operand, and what follows it.
func (p *parser) operand() (form, error) {
	for _, sign := range [...]string{"-", "+", "~", "not"} {
		if !p.is(sign) {
			continue
		}
		at := p.tok.at
		if err := p.advance(); err != nil {
			return nil, err
		}
		least := bindUnary
		if sign == "not" {
			least = bindNot
		}
		of, err := p.expression(least)
		return &unary{at: at, sign: sign, of: of}, err
	}
	of, err := p.atom()
	for links := 0; err == nil && (p.is(".") || p.is("[")); links++ {
		if links > maxChain {
			return nil, errorAt(p.tok.at, "more than %d points and brackets follow each other", maxChain)
		}
		of, err = p.postfix(of)
	}
	return of, err
}

// atom parses a literal, a name, a list or an expression in parentheses.
func (p *parser) atom() (form, error) {
	t := p.tok
	switch {
	case t.kind == tokenNumber, t.kind == tokenText:
		return literal{t.value}, p.advance()
	case t.kind == tokenParts:
		return p.interpolated(t)
	case t.kind == tokenName:
		return p.name()
	case p.is("::"):
		return p.name()
	case p.is("("):
		if err := p.advance(); err != nil {
			return nil, err
		}
		of, err := p.expression(0)
		if err != nil {
			return nil, err
		}
		return of, p.expect(")")
	case p.is("["):
		if err := p.advance(); err != nil {
			return nil, err
		}
		items, err := p.list("]")
		return &array{items: items}, err
	}
	return nil, errorAt(t.at, "an operand is expected before %s", p.found())
}

// interpolated parses the expressions of an f-string.
func (p *parser) interpolated(t token) (form, error) {
	i := &interpolated{}
	for _, piece := range t.parts {
		var f form = literal{TextValue(piece.text)}
		if piece.expression {
			var err error
			if f, err = parseAt(piece.text, piece.at, p.depth); err != nil {
				return nil, err
			}
		}
		i.parts = append(i.parts, f)
	}
	return i, p.advance()
}

// list parses expressions between commas up to a closing sign, and goes past it. A comma may stand before that.
func (p *parser) list(closing string) ([]form, error) {
	var items []form
	for !p.is(closing) {
		item, err := p.expression(0)
		if err != nil {
			return nil, err
		}
		items = append(items, item)
		if !p.is(",") {
			break
		}
		if err := p.advance(); err != nil {
			return nil, err
		}
	}
	return items, p.expect(closing)
}

// name parses true, false, sizeof, bitsizeof, the name of an attribute, or the member of an enumeration.
func (p *parser) name() (form, error) {
	at, first := p.tok.at, p.tok.text
	switch first {
	case "true", "false":
		return literal{BoolValue(first == "true")}, p.advance()
	case "sizeof", "bitsizeof":
		if strings.HasPrefix(p.scanner.text[p.scanner.pos:], "<") {
			return p.sizeof(at, first == "bitsizeof")
		}
	}
	path, err := p.path()
	if err != nil {
		return nil, err
	}
	if len(path) == 1 {
		return &name{at: at, id: path[0]}, nil
	}
	return &member{at: at, path: path}, nil
}

// path parses names with :: between them; it may begin with ::, which means the top type.
func (p *parser) path() ([]string, error) {
	var path []string
	if p.is("::") {
		path = append(path, "")
		if err := p.advance(); err != nil {
			return nil, err
		}
	}
	for {
		if p.tok.kind != tokenName {
			return nil, errorAt(p.tok.at, "a name is expected before %s", p.found())
		}
		if len(path) > maxNesting {
			return nil, errorAt(p.tok.at, "the name has more than %d parts", maxNesting)
		}
		path = append(path, p.tok.text)
		if err := p.advance(); err != nil {
			return nil, err
		}
		if !p.is("::") {
			return path, nil
		}
		if err := p.advance(); err != nil {
			return nil, err
		}
	}
}

// sizeof parses sizeof<type> or bitsizeof<type>.
func (p *parser) sizeof(at int, bits bool) (form, error) {
	if err := p.advance(); err != nil {
		return nil, err
	}
	typ, err := p.typeName()
	return &sizeof{at: at, typ: typ, bits: bits}, err
}

// typeName parses <type>, where the type may be a path and a list: <a::b[]>.
func (p *parser) typeName() (string, error) {
	if err := p.expect("<"); err != nil {
		return "", err
	}
	path, err := p.path()
	if err != nil {
		return "", err
	}
	typ := strings.Join(path, "::")
	if p.is("[") {
		if err := p.advance(); err != nil {
			return "", err
		}
		if err := p.expect("]"); err != nil {
			return "", err
		}
		typ += "[]"
	}
	return typ, p.expect(">")
}

// postfix parses an index, a field, a method or a cast.
func (p *parser) postfix(of form) (form, error) {
	at, bracket := p.tok.at, p.is("[")
	if err := p.advance(); err != nil {
		return nil, err
	}
	if bracket {
		i, err := p.expression(0)
		if err != nil {
			return nil, err
		}
		return &index{at: at, of: of, i: i}, p.expect("]")
	}
	if p.tok.kind != tokenName {
		return nil, errorAt(p.tok.at, "a name is expected before %s", p.found())
	}
	id := p.tok.text
	if err := p.advance(); err != nil {
		return nil, err
	}
	if id == "as" && p.is("<") {
		typ, err := p.typeName()
		return &cast{at: at, of: of, typ: typ}, err
	}
	f := &field{at: at, of: of, id: id}
	if !p.is("(") {
		return f, nil
	}
	if err := p.advance(); err != nil {
		return nil, err
	}
	var err error
	f.args, err = p.list(")")
	return f, err
}

// ParseList reads expressions between commas. An error is an *Error with the offset in text.
func ParseList(text string) ([]*Expression, error) {
	if len(text) > maxLength {
		return nil, errorAt(0, "the expressions have %d bytes, %d are allowed", len(text), maxLength)
	}
	p := &parser{scanner: scanner{text: text}}
	if err := p.advance(); err != nil {
		return nil, err
	}
	var list []*Expression
	for {
		from := p.tok.at
		root, err := p.expression(0)
		if err != nil {
			return nil, err
		}
		list = append(list, &Expression{text: strings.TrimSpace(text[from:p.tok.at]), root: root})
		if p.tok.kind == tokenEnd {
			return list, nil
		}
		if err := p.expect(","); err != nil {
			return nil, err
		}
	}
}
