package kaitai

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"reflect"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"assay/formats/kaitai/expression"
	"assay/model"
)

// Bounds on a description, with all that it imports, so that one made to do harm is refused early.
const (
	maxFile    = model.MaxDescription
	maxNesting = 100      // types within types
	maxNodes   = maxSigns // of YAML, with aliases followed: without aliases there are no more
	// Only aliases make more of a file of 1 MB. An attribute takes some 1 KB of memory.
	maxAttributes = 1 << 17
	maxTypes      = 20_000
	maxSigns      = 1 << 19 // that may begin a node of YAML: its nodes are larger than its text
)

// yamlReader reads the YAML of one description. It collects errors, and ends when a limit is exceeded.
type yamlReader struct {
	*findings
	isLimited   bool // a limit was exceeded
	isPartial   bool // something could not be read, so that names may be missing
	file        string
	description *Description
	knownKeys   map[reflect.Type][]knownKey
	depth       int
	*readAmounts
}

// readAmounts counts what was read so far of a description and its imports.
type readAmounts struct{ bytes, signs, nodes, types, attributes int }

// readDescription returns the description in the text of a file; its names are not resolved yet. It adds to amounts,
// reports errors, and returns nil if it had to leave something out.
func readDescription(amounts *readAmounts, file string, text []byte, to *findings) *Description {
	d := &Description{File: file, Imports: make(map[string]*objectType), texts: map[string]string{file: string(text)},
		locations: make(map[*expression.Expression]location)}
	r := &yamlReader{findings: to, file: file, description: d, knownKeys: make(map[reflect.Type][]knownKey),
		readAmounts: amounts}
	top, err := r.document(text)
	if err == nil {
		d.Root = new(objectType)
		err = d.Root.read(r, entry{value: top, location: r.locationOf(top, "")})
	}
	if r.report(err) || r.isPartial {
		return nil
	}
	meta := d.Root.Meta
	if meta.ID == "" {
		r.report(r.locationOf(top, "/meta/id").fail("the id of the description is missing"))
		return nil
	}
	d.ID, d.Title, d.Extensions = meta.ID, cmp.Or(meta.Title, meta.ID), meta.Extensions
	return d
}

// document parses the YAML of a description.
func (r *yamlReader) document(text []byte) (*yaml.Node, error) {
	start := location{file: r.file}
	if r.bytes += len(text); r.bytes > maxFile {
		return nil, start.fail("the description has %d bytes with its imports; at most %d are allowed", r.bytes, maxFile)
	}
	for _, sign := range []string{"\n", ",", ":", "[", "{"} {
		r.signs += bytes.Count(text, []byte(sign))
	}
	if r.signs > maxSigns {
		return nil, start.fail("the description has more than %d lines, commas, colons and brackets", maxSigns)
	}
	var doc yaml.Node
	if err := yaml.Unmarshal(text, &doc); err != nil {
		return nil, start.syntax(text, err)
	}
	if len(doc.Content) == 0 {
		return nil, start.fail("the description is empty; it begins with `meta`")
	}
	return doc.Content[0], nil
}

// yamlLine matches the location in errors of the YAML library.
var yamlLine = regexp.MustCompile(`^yaml: (?:line (\d+): )?`)

// syntax returns an error of the YAML with its line. If the library names none, it is the first line after which the
// text up to there has the same error.
func (l location) syntax(text []byte, err error) error {
	message := err.Error()
	found := yamlLine.FindStringSubmatch(message)
	if found != nil {
		l.line, _ = strconv.Atoi(found[1])
		message = strings.TrimPrefix(message, found[0])
	}
	if l.line == 0 {
		lines := bytes.SplitAfter(text, []byte("\n"))
		l.line = 1 + sort.Search(len(lines)-1, func(i int) bool {
			upTo := yaml.Unmarshal(bytes.Join(lines[:i+1], nil), new(yaml.Node))
			return upTo != nil && upTo.Error() == err.Error()
		})
	}
	return l.fail("this is not YAML: %s", message)
}

// entry is a key of a mapping with its value, or an element of a list.
type entry struct {
	key   string
	value *yaml.Node
	location
}

// yamlValue is a value that reads its own representation in YAML.
type yamlValue interface {
	read(r *yamlReader, e entry) error
}

// read reads a value into *to: with the read method of a yamlValue, or by the keys in the tags of a struct.
func (r *yamlReader) read(e entry, to any) (err error) {
	switch to := to.(type) {
	case yamlValue:
		return to.read(r, e)
	case *string:
		*to, err = e.scalar()
	case *bool:
		*to, err = e.boolean()
	case *binary.ByteOrder:
		*to, err = e.order()
	case **expression.Expression:
		*to, err = r.expression(e)
	case *[]string:
		*to, err = readEach(r, e, r.listOrOne, entry.scalar)
	case *[]*expression.Expression:
		*to, err = readEach(r, e, r.list, r.expression)
	default:
		return r.readValue(e, reflect.ValueOf(to).Elem())
	}
	return err
}

func (r *yamlReader) readValue(e entry, to reflect.Value) error {
	switch to.Kind() {
	case reflect.Pointer:
		to.Set(reflect.New(to.Type().Elem()))
		return r.read(e, to.Interface())
	case reflect.Slice:
		list, err := r.list(e)
		if err != nil {
			return err
		}
		return r.readAll(list, to)
	}
	return r.keys(e, to.Addr().Interface())
}

// leaveOut reports the error of a part that is left out, and returns whether reading ends with it.
func (r *yamlReader) leaveOut(err error) bool {
	if !r.isLimited {
		r.report(err)
	}
	r.isPartial = true
	return r.isLimited || r.isFull()
}

// readAll reads the elements of a list or the entries of a mapping into a slice.
func (r *yamlReader) readAll(entries []entry, to reflect.Value) error {
	to.Set(reflect.MakeSlice(to.Type(), len(entries), len(entries)))
	for i, e := range entries {
		if err := r.read(e, to.Index(i).Addr().Interface()); err != nil && r.leaveOut(err) {
			return err
		}
	}
	return nil
}

// keyTag is the tag of a struct field: the key that it is read from, with ",name" for an identifier, and ",mapping" for
// a slice that is read from the entries of a mapping. The field _ has ignored keys.
const keyTag = "key"

// keys reads a mapping into the fields of the struct that `to` points to. Keys that begin with a hyphen belong to other
// programs and are ignored unless a field has them.
func (r *yamlReader) keys(e entry, to any) error {
	fields := reflect.ValueOf(to).Elem()
	entries, err := r.mapping(e)
	if err != nil {
		return err
	}
	known := r.fieldsOf(fields.Type())
	for _, e := range entries {
		i := slices.IndexFunc(known, func(k knownKey) bool { return k.name == e.key })
		switch {
		case i >= 0:
			err = r.readKey(e, known[i], fields)
		case !strings.HasPrefix(e.key, "-"):
			err = e.fail("unknown key; expected: %s", namesOf(known))
		}
		if r.isLimited {
			return err
		}
		r.report(err)
	}
	return nil
}

func (r *yamlReader) readKey(e entry, k knownKey, fields reflect.Value) (err error) {
	if k.field == nil {
		return nil
	}
	field := fields.FieldByIndex(k.field)
	switch k.option {
	case "name":
		*field.Addr().Interface().(*string), err = e.name()
		return err
	case "mapping":
		entries, err := r.mapping(e)
		if err != nil {
			return err
		}
		return r.readAll(entries, field)
	}
	return r.read(e, field.Addr().Interface())
}

type knownKey struct {
	name, option string
	field        []int // nil to ignore its value
}

// fieldsOf returns the keys of a struct and of embedded structs.
func (r *yamlReader) fieldsOf(t reflect.Type) []knownKey {
	if known, ok := r.knownKeys[t]; ok {
		return known
	}
	var known []knownKey
	for _, f := range reflect.VisibleFields(t) {
		names := strings.Split(f.Tag.Get(keyTag), ",")
		switch {
		case f.Name == "_":
			for _, name := range names {
				known = append(known, knownKey{name: name})
			}
		case names[0] != "":
			known = append(known, knownKey{names[0], strings.Join(names[1:], ""), f.Index})
		}
	}
	r.knownKeys[t] = known
	return known
}

func namesOf(known []knownKey) string {
	var names []string
	for _, k := range known {
		names = append(names, k.name)
	}
	return strings.Join(names, ", ")
}

func (r *yamlReader) locationOf(n *yaml.Node, path string) location {
	return location{file: r.file, line: n.Line, column: n.Column, path: path}
}

func (r *yamlReader) mapping(e entry) ([]entry, error) {
	if e.value.Kind != yaml.MappingNode {
		return nil, r.locationOf(e.value, e.path).fail("a mapping is expected, not %s", describeKind(e.value))
	}
	var entries []entry
	visited := make(map[string]bool, len(e.value.Content)/2)
	for i := 0; i+1 < len(e.value.Content); i += 2 {
		key := e.value.Content[i]
		child := entry{key: key.Value, location: r.locationOf(key, e.path+"/"+key.Value)}
		if key.Kind != yaml.ScalarNode {
			return nil, child.fail("a key is expected, not %s", describeKind(key))
		}
		if visited[child.key] {
			return nil, child.fail("duplicate key")
		}
		visited[child.key] = true
		var err error
		if child.value, err = r.resolveAlias(e.value.Content[i+1], child.path); err != nil {
			return nil, err
		}
		entries = append(entries, child)
	}
	return entries, nil
}

// listOrOne returns the elements of a sequence, or another value as the only element.
func (r *yamlReader) listOrOne(e entry) ([]entry, error) {
	if e.value.Kind != yaml.SequenceNode {
		return []entry{e}, nil
	}
	return r.list(e)
}

// list returns the elements of a sequence.
func (r *yamlReader) list(e entry) ([]entry, error) {
	if e.value.Kind != yaml.SequenceNode {
		return nil, e.fail("a list is expected, not %s", describeKind(e.value))
	}
	elements := make([]entry, len(e.value.Content))
	for i, n := range e.value.Content {
		key := strconv.Itoa(i)
		n, err := r.resolveAlias(n, e.path+"/"+key)
		if err != nil {
			return nil, err
		}
		elements[i] = entry{key: key, value: n, location: r.locationOf(n, e.path+"/"+key)}
	}
	return elements, nil
}

// readEach reads the elements that list returns for an entry.
func readEach[T any](r *yamlReader, e entry, list func(entry) ([]entry, error),
	read func(entry) (T, error)) ([]T, error) {
	elements, err := list(e)
	out := make([]T, 0, len(elements))
	for i := 0; i < len(elements) && err == nil; i++ {
		item, failed := read(elements[i])
		if failed == nil {
			out = append(out, item)
		} else if r.leaveOut(failed) {
			err = failed
		}
	}
	return out, err
}

// resolveAlias resolves an alias, and counts the node.
func (r *yamlReader) resolveAlias(n *yaml.Node, path string) (*yaml.Node, error) {
	if r.nodes++; r.nodes > maxNodes {
		r.isLimited = true
		return nil, r.locationOf(n, path).fail("the description has more than %d nodes", maxNodes)
	}
	if n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	return n, nil
}

// describeKind describes the kind of a node.
func describeKind(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "a mapping"
	case yaml.SequenceNode:
		return "a list"
	case yaml.ScalarNode:
		return strconv.Quote(n.Value)
	}
	return "an alias"
}

// scalar returns the text of a value.
func (e entry) scalar() (string, error) {
	if e.value.Kind != yaml.ScalarNode {
		return "", e.fail("a value is expected, not %s", describeKind(e.value))
	}
	return e.value.Value, nil
}

// boolean returns true or false.
func (e entry) boolean() (bool, error) {
	text, err := e.scalar()
	if err == nil && text != "true" && text != "false" {
		err = e.fail("true or false is expected, not %q", text)
	}
	return text == "true", err
}

func (e entry) order() (binary.ByteOrder, error) {
	text, err := e.scalar()
	order := orderOf(text)
	if err == nil && order == nil {
		err = e.fail("le or be is expected, not %q", text)
	}
	return order, err
}

func (e entry) byteValue() (byte, error) {
	text, err := e.scalar()
	if err != nil {
		return 0, err
	}
	n, err := strconv.ParseUint(wholeDigits(text), 0, 8)
	if err != nil {
		return 0, e.fail("a whole number from 0 to 255 is expected, not %q", short(text))
	}
	return byte(n), nil
}

func (r *yamlReader) expression(e entry) (*expression.Expression, error) {
	text, err := e.scalar()
	if err != nil {
		return nil, err
	}
	return r.parse(r.textLocation(e.value, e.path), text)
}

func (r *yamlReader) textLocation(n *yaml.Node, path string) location {
	loc := r.locationOf(n, path)
	switch n.Style {
	case yaml.DoubleQuotedStyle, yaml.SingleQuotedStyle:
		loc.column++
		loc.isExact = true
	case yaml.LiteralStyle, yaml.FoldedStyle:
	default:
		loc.isExact = true
	}
	return loc
}

// parse parses the text of an expression at a location, which it keeps for later errors.
func (r *yamlReader) parse(loc location, text string) (*expression.Expression, error) {
	parsed, err := expression.Parse(text)
	if err != nil {
		offset := 0
		if e, ok := err.(*expression.Error); ok {
			offset = e.Offset
		}
		return nil, loc.failAt(offset, "parsing the expression %q failed: %v", short(text), err)
	}
	r.description.locations[parsed] = loc
	return parsed, nil
}

// expressionLocation returns the location of an expression, or other if it is unknown.
func (d *Description) expressionLocation(e *expression.Expression, other location) location {
	if loc, ok := d.locations[e]; ok {
		return loc
	}
	return other
}

// short cuts a text that is too long for a sentence.
func short(text string) string { return firstCharacters(text, maxShort) }

// maxShort is the maximum number of characters of a text in a message about it.
const maxShort = 60

// firstCharacters returns the first characters of a text.
func firstCharacters(text string, limit int) string {
	for i := range text {
		if limit--; limit < 0 {
			return text[:i] + "..."
		}
	}
	return text
}

// maxName is the maximum length of the name of an attribute, a type or a member of an enumeration: each node that is
// printed has it once more.
const maxName = 255

// identifier matches the names of attributes, types and members of enumerations.
var identifier = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)

func (e entry) name() (string, error) {
	text, err := e.scalar()
	if err != nil {
		return "", err
	}
	return text, e.checkID(text)
}

// checkID returns an error if a name is not an identifier.
func (l location) checkID(name string) error {
	if len(name) > maxName {
		return l.fail("the id %q is longer than %d characters", short(name), maxName)
	}
	if identifier.MatchString(name) {
		return nil
	}
	return l.fail("invalid id: %q, expected: /%s/", short(name), identifier)
}
