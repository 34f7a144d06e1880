package query

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"assay/model"
)

// maxNesting is the maximum nesting of brackets and "not".
const maxNesting = 100

// Parse parses a filter for the items of a list. Incomplete input is accepted: a quote, a bracket and "not" may be left
// open at the end. The error is a *Mistake: a sentence and the place of the token in question.
func Parse(text string, list *List) (*Filter, error) {
	p := &parser{text: text, list: list, filter: &Filter{list: list}}
	top, err := p.alternatives(0)
	if err != nil {
		return nil, &Mistake{min(p.from, len(text)), min(max(p.offset, p.from), len(text)), err}
	}
	p.filter.top = top
	return p.filter, nil
}

// Mistake is the error of a part of a filter, in bytes of its text.
type Mistake struct {
	From, To int
	err      error
}

// Error implements error.
func (m *Mistake) Error() string { return m.err.Error() }

// Unwrap returns the cause.
func (m *Mistake) Unwrap() error { return m.err }

// parser is the state of parsing a text.
type parser struct {
	text   string
	offset int
	from   int // the start of the last term
	list   *List
	filter *Filter
	open   int // brackets
}

// skipSpaces moves to the next character that is not a space.
func (p *parser) skipSpaces() {
	for p.offset < len(p.text) {
		r, n := utf8.DecodeRuneInString(p.text[p.offset:])
		if !unicode.IsSpace(r) {
			break
		}
		p.offset += n
	}
}

// rest returns the remaining text after skipping leading spaces.
func (p *parser) rest() string {
	p.skipSpaces()
	return p.text[p.offset:]
}

// keyword reads a word of the language, in lower or upper case, and reports whether it is there.
func (p *parser) keyword(word string) bool {
	rest := p.rest()
	if len(rest) < len(word) || rest[:len(word)] != word && rest[:len(word)] != strings.ToUpper(word) {
		return false
	}
	if after := rest[len(word):]; after != "" && !strings.ContainsAny(after[:1], " \t\n()") {
		return false
	}
	p.offset += len(word)
	return true
}

// alternatives parses expressions with "or" between them.
func (p *parser) alternatives(depth int) (expression, error) {
	var out some
	for {
		e, err := p.conjunction(depth)
		if err != nil {
			return nil, err
		}
		if e != nil {
			out = append(out, e)
		}
		if !p.keyword("or") {
			break
		}
	}
	return simplify(out), nil
}

// simplify returns nil for an empty list, and the only part of a list of one.
func simplify[T interface {
	~[]expression
	expression
}](parts T) expression {
	switch len(parts) {
	case 0:
		return nil
	case 1:
		return parts[0]
	}
	return parts
}

// conjunction parses terms that must all match.
func (p *parser) conjunction(depth int) (expression, error) {
	var out all
	for {
		for p.keyword("and") {
		}
		rest := p.rest()
		before := p.offset
		if rest == "" || p.open > 0 && rest[0] == ')' || p.keyword("or") {
			p.offset = before
			break
		}
		e, err := p.term(depth)
		if err != nil {
			return nil, err
		}
		if e != nil {
			out = append(out, e)
		}
	}
	return simplify(out), nil
}

// term parses one term: a word, a condition, a filter in brackets, or "not" and one of these.
func (p *parser) term(depth int) (expression, error) {
	rest := p.rest()
	p.from = p.offset
	if depth == maxNesting {
		return nil, fmt.Errorf("brackets are nested more than %d deep", maxNesting)
	}
	if rest[0] == '(' {
		p.offset++
		p.open++
		e, err := p.alternatives(depth + 1)
		p.open--
		if err == nil && strings.HasPrefix(p.rest(), ")") {
			p.offset++
		}
		return e, err
	}
	if p.keyword("not") {
		if rest := p.rest(); rest == "" || rest[0] == ')' {
			return nil, nil // another term may follow
		}
		e, err := p.term(depth + 1)
		if err != nil || e == nil {
			return nil, err
		}
		return not{e}, nil
	}
	if column, name, ok := p.readColumn(); ok {
		return p.condition(column, name)
	}
	return p.word()
}

// readColumn reads the name of a column, of one or several words, if a comparison follows.
func (p *parser) readColumn() (column int, name string, ok bool) {
	rest := p.rest()
	for i := range p.list.Columns {
		for _, n := range p.list.Columns[i].names() {
			if len(n) <= len(name) || len(rest) < len(n) || !strings.EqualFold(rest[:len(n)], n) {
				continue
			}
			if _, isSign := signAt(strings.TrimLeft(rest[len(n):], " ")); isSign {
				column, name, ok = i, n, true
			}
		}
	}
	if ok {
		if exact, found := p.list.find(rest[:len(name)]); found {
			column = exact
		}
		name = rest[:len(name)]
		p.offset += len(name)
	}
	return column, name, ok
}

// signAt returns the sign that a text begins with.
func signAt(text string) (s sign, ok bool) {
	i := slices.IndexFunc(signs, func(s sign) bool { return strings.HasPrefix(text, s.text) })
	if i < 0 {
		return s, false
	}
	return signs[i], true
}

// word reads a word or a pattern. If a comparison follows, it is the name of a column or a field, or an error.
func (p *parser) word() (expression, error) {
	from := p.offset
	text, _ := p.tokenUntil(p.compares)
	if sign, compared := signAt(strings.TrimLeft(p.text[p.offset:], " ")); compared && p.offset > from {
		if column, ok := p.list.find(text); ok {
			return p.condition(column, text)
		}
		if p.list.Fields && text != "" {
			return p.field(text)
		}
		return nil, p.unknownColumn(text, sign.text)
	}
	if p.offset == from { // a sign without a column before it is text
		text, _ = p.token()
	}
	if text == "" {
		return nil, nil
	}
	return newWord(text), nil
}

// unknownColumn returns the error for a name that is not the name of a column.
func (p *parser) unknownColumn(name, sign string) error {
	hint := "there are " + p.list.titles()
	if similar := p.list.closest(name); len(similar) > 0 {
		hint = "did you mean " + strings.Join(similar, " or ") + "?"
	}
	return fmt.Errorf("unknown column %q; %s (to search for text with %s in it, use quotes)", name, hint, sign)
}

// token reads up to a space, or a text in quotes.
func (p *parser) token() (text string, quoted bool) {
	return p.tokenUntil(func(string, int) bool { return false })
}

// tokenUntil reads a token, which also ends at an offset for which stop returns true.
func (p *parser) tokenUntil(stop func(token string, offset int) bool) (text string, quoted bool) {
	rest := p.rest()
	if strings.HasPrefix(rest, `"`) {
		text, _, closed := strings.Cut(rest[1:], `"`)
		if p.offset += len(text) + 1; closed {
			p.offset++
		}
		return text, true
	}
	end := 0
	for end < len(rest) {
		r, n := utf8.DecodeRuneInString(rest[end:])
		if unicode.IsSpace(r) || stop(rest, end) {
			break
		}
		end += n
	}
	for i := 0; i < p.open && strings.HasSuffix(rest[:end], ")"); i++ {
		end--
	}
	p.offset += end
	return rest[:end], false
}

// compares reports whether the sign at an index of a token is a comparison: the less and greater of a type's name,
// array<int>, are not.
func (p *parser) compares(token string, offset int) bool {
	sign, ok := signAt(token[offset:])
	if !ok {
		return false
	}
	if !p.list.Fields || strings.HasSuffix(sign.text, "=") {
		return true
	}
	after := strings.TrimLeft(token[offset+len(sign.text):], " ")
	return after != "" && strings.ContainsAny(after[:1], "0123456789.-+\"")
}

// field reads the condition of a field.
func (p *parser) field(name string) (expression, error) {
	for i, n := range p.filter.fields {
		if strings.EqualFold(n, name) {
			return p.condition(len(p.list.Columns)+i, name)
		}
	}
	p.filter.fields = append(p.filter.fields, name)
	return p.condition(len(p.list.Columns)+len(p.filter.fields)-1, name)
}

// condition parses the part after the name of a column.
func (p *parser) condition(column int, name string) (expression, error) {
	c := Column{Name: name}
	if column < len(p.list.Columns) {
		c = p.list.Columns[column]
	}
	sign, _ := signAt(p.rest())
	p.offset += len(sign.text)
	op := sign.op
	negated := op == unequal
	if negated {
		op = equal
	}
	p.skipSpaces()
	value, quoted := p.value(&c, op)
	test := newTest(op, value, c.Kind)
	switch {
	case value == "" && !quoted:
		return nil, fmt.Errorf("add a value for %s, as in %s", c.Name, c.example(sign.text))
	case op != contained && (c.Kind == Number || c.Kind == Size) && test.number == nil:
		return nil, fmt.Errorf("%s needs a number, as in %[3]s; %[2]q is not one", c.Name, value,
			c.example(sign.text))
	case op != contained && c.Kind == Time && !isTime(value):
		return nil, fmt.Errorf("%s needs a date, as in %[3]s; %[2]q is not one", c.Name, value,
			c.example(sign.text))
	}
	return &condition{column, test, negated}, nil
}

// value parses the operand of a comparison: a text in quotes, the longest of the column's Values that follows, a number
// with its unit, a date with its time, or words: several after = and != for a text column without Values if the list
// has no fields, else one.
func (p *parser) value(c *Column, op comparison) (text string, quoted bool) {
	rest := p.rest()
	if !strings.HasPrefix(rest, `"`) {
		if known := c.valueAt(rest); known != "" {
			p.offset += len(known)
			return known, true
		}
	}
	from := p.offset
	text, quoted = p.token()
	if quoted || text == "" {
		return text, quoted
	}
	switch {
	case c.Kind == Time:
		p.accept(isClock)
	case c.Kind != Text || p.list.Fields:
		if numberOf(text) != nil {
			p.accept(isUnit)
		}
	case c.Values == nil && op == equal:
		for !p.beginsCondition() && p.accept(p.isPlain) {
		}
	}
	return p.text[from:p.offset], false
}

// accept reads the next token if match accepts it.
func (p *parser) accept(match func(token string) bool) bool {
	before := p.offset
	if token, quoted := p.token(); token != "" && !quoted && match(token) {
		return true
	}
	p.offset = before
	return false
}

// isPlain reports whether a token is a word without a meaning in the language, also with the text after it.
func (p *parser) isPlain(token string) bool {
	after := strings.TrimLeft(p.text[p.offset:], " ")
	_, compared := signAt(after)
	lower := strings.ToLower(token)
	return !compared && !strings.ContainsAny(token, `*?()<>=!~"`) && lower != "and" && lower != "or" && lower != "not"
}

// beginsCondition reports whether the name of a column follows that is compared.
func (p *parser) beginsCondition() bool {
	before := p.offset
	_, _, ok := p.readColumn()
	p.offset = before
	return ok
}

// isUnit reports whether a token is a unit of bytes.
func isUnit(token string) bool {
	switch strings.ToLower(token) {
	case "b", "kb", "mb", "gb", "tb", "kib", "mib", "gib", "tib":
		return true
	}
	return false
}

func isTime(text string) bool {
	return text != "" && strings.Trim(text, "0123456789-: ") == "" && text[0] >= '0' && text[0] <= '9'
}

func isClock(token string) bool { return strings.Contains(token, ":") && isTime(token) }

// valueAt returns the longest of the column's values that a text begins with, as a word or several.
func (c *Column) valueAt(text string) string {
	longest := ""
	for _, v := range c.Values {
		if len(v) > len(longest) && len(text) >= len(v) && strings.EqualFold(text[:len(v)], v) &&
			(len(text) == len(v) || strings.ContainsAny(text[len(v):len(v)+1], " \t)")) {
			longest = text[:len(v)]
		}
	}
	return longest
}

// example returns a condition on the column.
func (c *Column) example(sign string) string {
	value := "100"
	switch {
	case c.Kind == Size:
		value = "100 KB"
	case c.Kind == Time:
		value = "2026-11-23"
	case c.Kind == Text && len(c.Values) > 0:
		value = Quote(c.Values[0])
	case c.Kind == Text:
		value = "duck"
	}
	return c.Name + " " + sign + " " + value
}

// Quote returns a text as it is written in a filter.
func Quote(text string) string {
	if text == "" || strings.ContainsAny(text, " \t()<>=!~") {
		return `"` + text + `"`
	}
	return text
}

// maxTitles is the number of columns that the error for an unknown one lists.
const maxTitles = 12

func (l *List) titles() string {
	var names []string
	for i, c := range l.Columns {
		if i == maxTitles {
			return strings.Join(names, ", ") + " and others"
		}
		names = append(names, c.Name)
	}
	return strings.Join(names, ", ")
}

// closest returns the columns with names similar to an unknown one.
func (l *List) closest(name string) []string {
	var names []string
	for _, c := range l.Columns {
		names = append(names, c.Name)
	}
	return model.SimilarNames(name, names)
}
