package kaitai

import (
	"encoding/binary"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"assay/formats/kaitai/expression"
	"assay/model"
)

// imported is an entry of meta/imports.
type imported struct {
	location
	path string
}

// imports are the entries of meta/imports, which may be one without a list.
type imports []imported

func (i *imports) read(r *yamlReader, e entry) (err error) {
	*i, err = readEach(r, e, r.listOrOne, func(e entry) (imported, error) {
		path, err := e.scalar()
		return imported{e.location, path}, err
	})
	return err
}

// read reads a type: an entry of `types`, or the description as a whole.
func (t *objectType) read(r *yamlReader, e entry) error {
	t.location, t.names.description, t.Name = e.location, r.description, e.key
	if r.types++; r.types > maxTypes {
		r.isLimited = true
		return e.fail("the description has more than %d types", maxTypes)
	}
	if r.depth++; r.depth > maxNesting {
		r.isLimited = true
		return e.fail("types nest deeper than %d", maxNesting)
	}
	defer func() { r.depth-- }()
	if err := r.keys(e, t); err != nil {
		return err
	}
	if t.Name == "" {
		t.Name = t.Meta.ID
	} else {
		r.report(e.checkID(t.Name))
	}
	t.names.types, t.names.enums = make(map[string]*objectType, len(t.Types)), make(map[string]*enum, len(t.Enums))
	for _, inner := range t.Types {
		t.names.types[inner.Name], inner.names.outer = inner, t
	}
	for _, e := range t.Enums {
		t.names.enums[e.Name] = e
	}
	t.indexAttributes(r)
	return nil
}

// indexAttributes indexes the attributes of a type by slot and by ID, and reports duplicate IDs. Attributes without an
// ID are numbered, as in the language.
func (t *objectType) indexAttributes(r *yamlReader) {
	t.names.attributes = make(map[string]*attribute)
	for i, a := range t.attributes() {
		if a.ID == "" {
			a.ID = fmt.Sprintf("_unnamed%d", i-len(t.Params))
		}
		if other := t.names.attributes[a.ID]; other != nil {
			r.report(a.fail("duplicate id %q (also in %s)", a.ID, other.path))
		}
		a.plan.owner, a.plan.slot = t, i
		t.names.attributes[a.ID] = a
	}
}

// params are the parameters of a type: attributes with fewer keys.
type params []*attribute

func (p *params) read(r *yamlReader, e entry) (err error) {
	*p, err = readEach(r, e, r.list, r.parameter)
	return err
}

func (r *yamlReader) parameter(e entry) (*attribute, error) {
	if err := r.countAttribute(e); err != nil {
		return nil, err
	}
	a := &attribute{location: e.location}
	err := r.keys(e, &a.parameter)
	if err == nil && a.ID == "" {
		r.report(a.fail("the id of the parameter is missing"))
	}
	return a, err
}

// seq is the attributes that are read one after the other.
type seq []*attribute

func (s *seq) read(r *yamlReader, e entry) (err error) {
	*s, err = readEach(r, e, r.list, r.sequenceAttribute)
	return err
}

// sequenceAttribute reads an attribute of the sequence.
func (r *yamlReader) sequenceAttribute(e entry) (*attribute, error) {
	a, err := r.attribute(e)
	if err == nil && (a.Pos != nil || a.IO != nil || a.Value != nil) {
		r.report(a.fail("pos, io and value are for instances"))
	}
	return a, err
}

// instances are attributes by ID, with additional keys.
type instances []*attribute

func (i *instances) read(r *yamlReader, e entry) error {
	entries, err := r.mapping(e)
	for _, e := range entries {
		a, err := r.attribute(e)
		if err == nil {
			a.ID = e.key
			r.report(a.checkID(a.ID))
			*i = append(*i, a)
		} else if r.leaveOut(err) {
			return err
		}
	}
	return err
}

// attribute reads the keys of an attribute.
func (r *yamlReader) attribute(e entry) (*attribute, error) {
	if err := r.countAttribute(e); err != nil {
		return nil, err
	}
	a := &attribute{location: e.location, Consume: true, EOSError: true}
	before := len(r.errors)
	if err := r.keys(e, a); err != nil {
		return nil, err
	}
	a.mergeRepeat()
	r.report(a.checkCombination())
	a.plan.isBroken = len(r.errors) > before
	for i := 0; i+1 < len(e.value.Content); i += 2 {
		if key := e.value.Content[i].Value; key == "encoding" || key == "enum" {
			if a.plan.keyLocations == nil {
				a.plan.keyLocations = make(map[string]location)
			}
			a.plan.keyLocations[key] = r.locationOf(e.value.Content[i+1], e.path+"/"+key)
		}
	}
	return a, nil
}

// locationOf returns the location of the value of a key, or of the attribute if the location is not kept.
func (a *attribute) locationOf(key string) location {
	if loc, ok := a.plan.keyLocations[key]; ok {
		return loc
	}
	return a.location
}

// countAttribute counts an attribute; an error if there are too many.
func (r *yamlReader) countAttribute(e entry) error {
	if r.attributes++; r.attributes > maxAttributes {
		r.isLimited = true
		return e.fail("the description has more than %d attributes", maxAttributes)
	}
	return nil
}

// mergeRepeat moves repeat-expr or repeat-until, if it is the one that the repetition needs, to Repeat.Expr.
func (a *attribute) mergeRepeat() {
	by := map[repeatKind]**expression.Expression{repeatTimes: &a.RepeatExpr, repeatUntil: &a.RepeatUntil}[a.Repeat.Kind]
	if by != nil && a.Repeat.Expr == nil {
		a.Repeat.Expr, *by = *by, nil
	}
}

// checkCombination checks the combination of keys of an attribute, after mergeRepeat.
func (a *attribute) checkCombination() error {
	switch {
	case a.Repeat.Kind == repeatTimes && a.Repeat.Expr == nil:
		return a.fail("repeat: expr needs repeat-expr")
	case a.Repeat.Kind == repeatUntil && a.Repeat.Expr == nil:
		return a.fail("repeat: until needs repeat-until")
	case a.RepeatExpr != nil:
		return a.fail("repeat-expr needs repeat: expr")
	case a.RepeatUntil != nil:
		return a.fail("repeat-until needs repeat: until")
	case a.Size != nil && a.SizeEOS:
		return a.fail("only one of size and size-eos can be used")
	case len(a.PadRight) > 1:
		return a.fail("pad-right is one byte, not %d", len(a.PadRight))
	case a.Value != nil && (a.Pos != nil || a.IO != nil || a.hasEnd() || a.Repeat.Kind != repeatOnce ||
		a.Contents != nil || a.Process != nil || a.Type.Value.Name != "" || a.Type.On != nil):
		return a.fail("a value instance has no type, pos, io, size, terminator, repeat, contents or process")
	}
	return nil
}

// contents are the bytes that must be there: a text, or a list of texts and bytes.
type contents []byte

func (c *contents) read(r *yamlReader, e entry) error {
	list, err := r.listOrOne(e)
	*c = contents{}
	for i := 0; i < len(list) && err == nil; i++ {
		var text string
		if text, err = list[i].scalar(); err != nil {
			return err
		}
		switch quoted := e.value.Kind == yaml.SequenceNode && quotedNumber.MatchString(text); {
		case list[i].value.Tag == "!!int":
			err = c.addByte(list[i], text, 0)
		case quoted && strings.HasPrefix(text, "0x"):
			err = c.addByte(list[i], text[2:], 16)
		case quoted:
			err = c.addByte(list[i], text, 10)
		default:
			*c = append(*c, text...)
		}
	}
	return err
}

// quotedNumber is a text of a list of contents that is a byte, too.
var quotedNumber = regexp.MustCompile(`^(-?[0-9]+|0x[0-9a-fA-F]+)$`)

// addByte adds a number, which may be signed, in a base of strconv.ParseInt.
func (c *contents) addByte(e entry, digits string, base int) error {
	n, err := strconv.ParseInt(wholeDigits(digits), base, 64)
	if err != nil || n < math.MinInt8 || n > math.MaxUint8 {
		return e.fail("a whole number from -128 to 255 is expected, not %q", short(e.value.Value))
	}
	*c = append(*c, byte(n))
	return nil
}

// maxTerminator is the maximum size of a terminator in bytes: a longer one takes long to find.
const maxTerminator = 64

type terminator []byte

func (t *terminator) read(r *yamlReader, e entry) (err error) {
	*t, err = readEach(r, e, r.listOrOne, entry.byteValue)
	if err == nil && (len(*t) == 0 || len(*t) > maxTerminator) {
		err = e.fail("a terminator has from 1 to %d bytes, not %d", maxTerminator, len(*t))
	}
	return err
}

// read reads a value, or the expression that chooses one of several.
func (s *switchable[T]) read(r *yamlReader, e entry) error {
	if e.value.Kind == yaml.ScalarNode {
		return r.read(e, &s.Value)
	}
	s.cases = new(cases)
	err := r.keys(e, s)
	if err == nil && s.On == nil {
		err = e.fail("switch-on is missing")
	}
	return err
}

// read reads a case: the key is an expression.
func (c *switchCase[T]) read(r *yamlReader, e entry) (err error) {
	c.location = e.location
	if e.key != "_" {
		if c.On, err = r.parse(e.location, e.key); err != nil {
			return err
		}
	}
	return r.read(e, &c.Value)
}

// call is a name with arguments in parentheses: a type with parameters, or a process. A type may be a list of another.
var call = regexp.MustCompile(`(?s)^\s*((?:::)?[\w.]+(?:\s*::\s*[\w.]+)*)\s*(?:\((.*)\))?\s*(?:\[\])?\s*$`)

// call splits a name from its arguments.
func (r *yamlReader) call(e entry) (name string, args []*expression.Expression, err error) {
	text, err := e.scalar()
	if err != nil {
		return "", nil, err
	}
	found := call.FindStringSubmatch(text)
	if found == nil {
		return "", nil, e.fail("a name is expected, with arguments in parentheses where it takes them, not %q", short(text))
	}
	if strings.TrimSpace(found[2]) != "" {
		if args, err = expression.ParseList(found[2]); err != nil {
			err = e.fail("parsing the arguments %q failed: %v", short(found[2]), err)
		}
		for _, arg := range args {
			r.description.locations[arg] = r.locationOf(e.value, e.path)
		}
	}
	return strings.Join(strings.Fields(found[1]), ""), args, err
}

var namedKinds = map[string]typeKind{"bytes": bytesKind, "str": strKind, "strz": strzKind, "bool": boolKind,
	"struct": structKind, "io": streamKind, "any": anyKind}

// sizedType is the name of a number or of a bit field: a letter, its bytes or bits, and its byte order.
var sizedType = regexp.MustCompile(`^([usfb])([1-9][0-9]?)(le|be)?$`)

// builtin returns the built-in type with a name, and false if there is none.
func builtin(name string) (typeReference, bool) {
	ref := typeReference{Name: name}
	var ok bool
	if ref.Kind, ok = namedKinds[name]; ok {
		return ref, true
	}
	m := sizedType.FindStringSubmatch(name)
	if m == nil {
		return ref, false
	}
	ref.Width, _ = strconv.Atoi(m[2])
	ref.Order = orderOf(m[3])
	if m[1] == "b" {
		ref.Kind = bitsKind
		return ref, ref.Width <= 64
	}
	form := slices.Index(types.Numbers[:], m[1]+m[2])
	ref.Kind, ref.form = numberKind, model.NumberForm(max(form, 0))
	return ref, form >= 0 && (ref.Width > 1 || m[3] == "")
}

func orderOf(suffix string) binary.ByteOrder {
	switch suffix {
	case "le":
		return binary.LittleEndian
	case "be":
		return binary.BigEndian
	}
	return nil
}

// read reads the name of a type. Types of the description are found later.
func (ref *typeReference) read(r *yamlReader, e entry) error {
	name, args, err := r.call(e)
	var ok bool
	if *ref, ok = builtin(name); !ok {
		ref.Kind = userKind
	}
	ref.location, ref.Args = r.locationOf(e.value, e.path), args
	ref.isList = strings.HasSuffix(strings.TrimSpace(e.value.Value), "[]")
	return err
}

var repeatKinds = map[string]repeatKind{"eos": repeatToEnd, "expr": repeatTimes, "until": repeatUntil}

// read reads the repetition of an attribute: `repeat: expr`, or `repeat: {expr: count}` with the expression in it.
func (p *repetition) read(r *yamlReader, e entry) error {
	if e.value.Kind != yaml.MappingNode {
		text, err := e.scalar()
		if p.Kind = repeatKinds[text]; p.Kind == repeatOnce && err == nil {
			err = e.fail("unknown repeat: %q, expected: eos, expr, until", short(text))
		}
		return err
	}
	var by struct {
		Times *expression.Expression `key:"expr"`
		Until *expression.Expression `key:"until"`
	}
	err := r.keys(e, &by)
	if *p = (repetition{repeatTimes, by.Times}); by.Until != nil {
		*p = repetition{repeatUntil, by.Until}
	}
	if err == nil && by.Times != nil && by.Until != nil {
		err = e.fail("only one of expr and until can be used")
	}
	return err
}

func (p *process) read(r *yamlReader, e entry) (err error) {
	p.Name, p.Args, err = r.call(e)
	count, known := map[string]int{"zlib": 0, "xor": 1, "rol": 1, "ror": 1}[p.Name]
	if err == nil && known && len(p.Args) != count {
		err = e.fail("%s takes %d arguments, not %d", p.Name, count, len(p.Args))
	}
	return err
}

func (p *parentRule) read(r *yamlReader, e entry) (err error) {
	if p.None = e.value.Value == "false"; !p.None {
		p.Value, err = r.expression(e)
	}
	return err
}

// read reads a constraint: a value, a list of values, or a mapping.
func (c *constraint) read(r *yamlReader, e entry) error {
	switch e.value.Kind {
	case yaml.ScalarNode:
		return r.read(e, &c.Eq)
	case yaml.SequenceNode:
		return r.read(e, &c.AnyOf)
	}
	return r.keys(e, c)
}

// read reads the name and the media type of an asset; true gives neither.
func (x *exportRule) read(r *yamlReader, e entry) error {
	if e.value.Kind == yaml.ScalarNode {
		x.none = e.value.Value == "false"
		return nil
	}
	return r.keys(e, x)
}

// read reads an enumeration: members by their values.
func (n *enum) read(r *yamlReader, e entry) error {
	entries, err := r.mapping(e)
	if err != nil {
		return err
	}
	*n = enum{Name: e.key, byValue: make(map[expression.Value]*enumMember), byName: make(map[string]*enumMember)}
	n.symbols = symbolOf(n)
	for _, e := range entries {
		m := new(enumMember)
		err := m.read(r, e)
		switch {
		case err != nil:
		case n.byName[m.Name] != nil:
			err = e.fail("duplicate name %q", m.Name)
		case n.byValue[m.Value] != nil:
			err = e.fail("duplicate value %v", m.Value)
		}
		if err != nil && r.leaveOut(err) {
			return err
		}
		n.byName[m.Name], n.byValue[m.Value] = m, m
	}
	return nil
}

// read reads a member of an enumeration: a name, or a mapping with an ID. The key is its value.
func (m *enumMember) read(r *yamlReader, e entry) (err error) {
	if m.Value, err = e.keyNumber(); err != nil {
		return err
	}
	if e.value.Kind == yaml.ScalarNode {
		m.Name, err = e.name()
		return err
	}
	err = r.keys(e, m)
	if err == nil && m.Name == "" {
		err = e.fail("the id is missing")
	}
	return err
}

// leadingZeros matches the leading zeros of a decimal number, which Go would parse as octal.
var leadingZeros = regexp.MustCompile(`^([+-]?)0+([0-9])`)

// wholeDigits returns a whole number in the form of strconv.ParseInt.
func wholeDigits(text string) string {
	return leadingZeros.ReplaceAllString(strings.ReplaceAll(text, "_", ""), "$1$2")
}

// keyNumber returns the key of an entry as a whole number of 64 bits, with a sign or without.
func (e entry) keyNumber() (expression.Value, error) {
	digits := wholeDigits(e.key)
	if n, err := strconv.ParseInt(digits, 0, 64); err == nil {
		return expression.IntValue(n), nil
	}
	n, err := strconv.ParseUint(digits, 0, 64)
	if err != nil {
		return expression.Value{}, e.fail("a whole number is expected, not %q", short(e.key))
	}
	return expression.UintValue(n), nil
}
