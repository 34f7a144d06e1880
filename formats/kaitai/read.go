package kaitai

import (
	"encoding/binary"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"assay/formats/kaitai/expression"
)

// Bounds on a description, so that one made to do harm is refused early.
const (
	maxFile    = 16 << 20 // bytes
	maxNesting = 100      // types within types
	maxNodes   = 2 << 20  // of YAML, with aliases followed
	maxTypes   = 20_000
)

// reader reads the YAML of one description. The first error ends it.
type reader struct {
	file        string
	description *Description
	nodes       int
	count       int // of types
	depth       int
}

// read returns the description in the text of a file; its types and enumerations are not resolved yet.
func read(file string, text []byte) (*Description, []imported, error) {
	r := &reader{file: file, description: &Description{File: file, Imports: make(map[string]*Type),
		texts: map[string]string{file: string(text)}}}
	if len(text) > maxFile {
		return nil, nil, (place{file: file}).fail("the description has %d bytes; %d are allowed", len(text), maxFile)
	}
	var doc yaml.Node
	if err := yaml.Unmarshal(text, &doc); err != nil {
		return nil, nil, r.syntax(err)
	}
	if len(doc.Content) == 0 {
		return nil, nil, (place{file: file}).fail("the description is empty; it begins with `meta`")
	}
	root, imports, err := r.top(doc.Content[0])
	if err != nil {
		return nil, nil, err
	}
	r.description.Root = root
	return r.description, imports, nil
}

// imported is an entry of meta/imports.
type imported struct {
	path  string
	where place
}

var (
	topKeys  = []string{"meta", "doc", "doc-ref", "to-string", "params", "seq", "types", "instances", "enums", "-webide-representation"}
	metaKeys = []string{"id", "title", "application", "file-extension", "xref", "license", "ks-version", "ks-debug",
		"ks-opaque-types", "ks-zero-copy-substream", "imports", "encoding", "endian", "bit-endian", "tags"}
)

// top reads the whole document.
func (r *reader) top(n *yaml.Node) (*Type, []imported, error) {
	entries, err := r.mapping(n, "", topKeys)
	if err != nil {
		return nil, nil, err
	}
	var imports []imported
	root := &Type{description: r.description, where: r.at(n, "")}
	for _, e := range entries {
		if e.key != "meta" {
			continue
		}
		if imports, err = r.meta(root, e); err != nil {
			return nil, nil, err
		}
	}
	if root.Name == "" {
		return nil, nil, r.at(n, "/meta/id").fail("the id of the description is missing")
	}
	r.description.ID = root.Name
	return root, imports, r.body(root, entries)
}

// meta reads the head of a type; only that of the top has an id, imports and what tells of files.
func (r *reader) meta(t *Type, meta entry) ([]imported, error) {
	entries, err := r.mapping(meta.value, meta.where.path, metaKeys)
	if err != nil {
		return nil, err
	}
	var imports []imported
	for _, e := range entries {
		switch e.key {
		case "id":
			if t.Name == "" {
				t.Name, err = e.name()
			}
		case "title":
			if t.Outer == nil {
				r.description.Title, err = e.scalar()
			}
		case "file-extension":
			r.description.Extensions, err = r.texts(e)
		case "encoding":
			t.Encoding, err = e.scalar()
		case "endian":
			t.Endian, err = r.endian(e)
		case "bit-endian":
			var order binary.ByteOrder
			if order, err = e.order(); err == nil {
				le := order == binary.ByteOrder(binary.LittleEndian)
				t.BitsLE = &le
			}
		case "imports":
			var list []entry
			list, err = r.list(e)
			for _, i := range list {
				var path string
				if path, err = i.scalar(); err != nil {
					break
				}
				imports = append(imports, imported{path: path, where: i.where})
			}
		}
		if err != nil {
			return nil, err
		}
	}
	return imports, nil
}

// order returns le or be.
func (e entry) order() (binary.ByteOrder, error) {
	text, err := e.scalar()
	switch {
	case err != nil:
		return nil, err
	case text == "le":
		return binary.LittleEndian, nil
	case text == "be":
		return binary.BigEndian, nil
	}
	return nil, e.where.fail("le or be is expected, not %q", text)
}

// endian returns a byte order or the choice of one.
func (r *reader) endian(e entry) (*Endian, error) {
	if e.value.Kind == yaml.ScalarNode {
		order, err := e.order()
		return &Endian{Order: order}, err
	}
	chosen := &Endian{}
	on, cases, err := r.switchOn(e)
	if err != nil {
		return nil, err
	}
	chosen.On = on
	for _, c := range cases {
		order, err := c.order()
		if err != nil {
			return nil, err
		}
		when, err := c.when()
		if err != nil {
			return nil, err
		}
		chosen.Cases = append(chosen.Cases, EndianCase{On: when, Order: order})
	}
	return chosen, nil
}

// switchOn reads switch-on and cases, which stand together.
func (r *reader) switchOn(e entry) (*expression.Expression, []entry, error) {
	entries, err := r.mapping(e.value, e.where.path, []string{"switch-on", "cases"})
	if err != nil {
		return nil, nil, err
	}
	var on *expression.Expression
	var cases []entry
	for _, e := range entries {
		if e.key == "switch-on" {
			on, err = e.expression()
		} else {
			cases, err = r.mapping(e.value, e.where.path, nil)
		}
		if err != nil {
			return nil, nil, err
		}
	}
	if on == nil {
		return nil, nil, e.where.fail("switch-on is missing")
	}
	return on, cases, nil
}

// when returns the expression of a case; nil for the last resort.
func (e entry) when() (*expression.Expression, error) {
	if e.key == "_" {
		return nil, nil
	}
	return e.where.parse(e.key)
}

var typeKeys = []string{"meta", "doc", "doc-ref", "to-string", "params", "seq", "types", "instances", "enums", "-webide-representation"}

// body reads what a type consists of.
func (r *reader) body(t *Type, entries []entry) error {
	t.slots = make(map[string]*Attribute)
	for _, e := range entries {
		var err error
		switch e.key {
		case "doc", "doc-ref":
			err = r.doc(&t.Doc, e)
		case "to-string":
			t.Text, err = e.expression()
		case "params":
			t.Params, err = r.attributes(t, e, paramKeys)
		case "seq":
			t.Seq, err = r.attributes(t, e, seqKeys)
		case "instances":
			t.Instances, err = r.instances(t, e)
		case "types":
			err = r.types(t, e)
		case "enums":
			err = r.enums(t, e)
		}
		if err != nil {
			return err
		}
	}
	for _, list := range [][]*Attribute{t.Params, t.Seq, t.Instances} {
		for _, a := range list {
			if other := t.slots[a.ID]; other != nil {
				return a.where.fail("the id %q stands in %s too", a.ID, other.where.path)
			}
			a.slot = len(t.slots)
			t.slots[a.ID] = a
		}
	}
	return nil
}

// doc reads doc or doc-ref.
func (r *reader) doc(d *Doc, e entry) (err error) {
	if e.key == "doc" {
		d.Text, err = e.scalar()
		d.Text = strings.TrimSpace(d.Text)
		return err
	}
	d.Refs, err = r.texts(e)
	return err
}

// types reads the types nested in t.
func (r *reader) types(t *Type, e entry) error {
	if r.depth++; r.depth > maxNesting {
		return e.where.fail("types nest deeper than %d", maxNesting)
	}
	defer func() { r.depth-- }()
	entries, err := r.mapping(e.value, e.where.path, nil)
	if err != nil {
		return err
	}
	t.Types = make(map[string]*Type, len(entries))
	for _, e := range entries {
		if r.count++; r.count > maxTypes {
			return e.where.fail("the description has more than %d types", maxTypes)
		}
		inner := &Type{Name: e.key, Outer: t, description: r.description, where: e.where}
		if !identifier.MatchString(e.key) {
			return e.where.fail("invalid id: %q, expected: /%s/", short(e.key), identifier)
		}
		body, err := r.mapping(e.value, e.where.path, typeKeys)
		if err != nil {
			return err
		}
		for _, b := range body {
			if b.key == "meta" {
				if _, err := r.meta(inner, b); err != nil {
					return err
				}
			}
		}
		if err := r.body(inner, body); err != nil {
			return err
		}
		t.Types[e.key] = inner
	}
	return nil
}

// enums reads the enumerations of t.
func (r *reader) enums(t *Type, e entry) error {
	entries, err := r.mapping(e.value, e.where.path, nil)
	if err != nil {
		return err
	}
	t.Enums = make(map[string]*Enum, len(entries))
	for _, e := range entries {
		if t.Enums[e.key], err = r.enum(e); err != nil {
			return err
		}
	}
	return nil
}

// enum reads one enumeration.
func (r *reader) enum(e entry) (*Enum, error) {
	entries, err := r.mapping(e.value, e.where.path, nil)
	if err != nil {
		return nil, err
	}
	enum := &Enum{Name: e.key, byValue: make(map[int64]int, len(entries)), byName: make(map[string]int, len(entries))}
	enum.symbols = symbolOf(enum)
	for _, e := range entries {
		m := Member{}
		if m.Value, err = memberValue(e); err != nil {
			return nil, err
		}
		if m.Name, err = r.member(e, &m.Doc); err != nil {
			return nil, err
		}
		if _, is := enum.byName[m.Name]; is {
			return nil, e.where.fail("the name %q stands here a second time", m.Name)
		}
		if _, is := enum.byValue[m.Value]; is {
			return nil, e.where.fail("the value %d stands here a second time", m.Value)
		}
		enum.byName[m.Name], enum.byValue[m.Value] = len(enum.Members), len(enum.Members)
		enum.Members = append(enum.Members, m)
	}
	return enum, nil
}

// memberValue returns the number of a member: of 64 bits, with a sign or without.
func memberValue(e entry) (int64, error) {
	digits := strings.ReplaceAll(e.key, "_", "")
	if n, err := strconv.ParseInt(digits, 0, 64); err == nil {
		return n, nil
	}
	n, err := strconv.ParseUint(digits, 0, 64)
	if err != nil {
		return 0, e.where.fail("a whole number is expected, not %q", short(e.key))
	}
	return int64(n), nil
}

// member returns the name of a member, which may be a mapping with an id.
func (r *reader) member(e entry, doc *Doc) (string, error) {
	if e.value.Kind == yaml.ScalarNode {
		return e.name()
	}
	entries, err := r.mapping(e.value, e.where.path, []string{"id", "doc", "doc-ref"})
	if err != nil {
		return "", err
	}
	name := ""
	for _, e := range entries {
		if e.key == "id" {
			name, err = e.name()
		} else {
			err = r.doc(doc, e)
		}
		if err != nil {
			return "", err
		}
	}
	if name == "" {
		return "", e.where.fail("the id is missing")
	}
	return name, nil
}

// The keys of an attribute, by where it stands.
var (
	paramKeys = []string{"id", "type", "doc", "doc-ref", "enum"}
	seqKeys   = []string{"id", "type", "doc", "doc-ref", "contents", "repeat", "repeat-expr", "repeat-until", "if", "size", "size-eos",
		"process", "enum", "encoding", "terminator", "consume", "include", "eos-error", "pad-right", "parent", "valid", "-assay-export"}
	instanceKeys = append([]string{"pos", "io", "value"}, seqKeys...)
)

// attributes reads the entries of seq or params. Those without an id are numbered, as the language does.
func (r *reader) attributes(t *Type, e entry, keys []string) ([]*Attribute, error) {
	list, err := r.list(e)
	if err != nil {
		return nil, err
	}
	attributes := make([]*Attribute, len(list))
	for i, e := range list {
		if attributes[i], err = r.attribute(t, e, keys); err != nil {
			return nil, err
		}
		if attributes[i].ID == "" {
			attributes[i].ID = fmt.Sprintf("_unnamed%d", i)
		}
	}
	return attributes, nil
}

// instances reads the instances of t in the description's order.
func (r *reader) instances(t *Type, e entry) ([]*Attribute, error) {
	entries, err := r.mapping(e.value, e.where.path, nil)
	if err != nil {
		return nil, err
	}
	instances := make([]*Attribute, len(entries))
	for i, e := range entries {
		if !identifier.MatchString(e.key) {
			return nil, e.where.fail("invalid id: %q, expected: /%s/", short(e.key), identifier)
		}
		if instances[i], err = r.attribute(t, e, instanceKeys); err != nil {
			return nil, err
		}
		instances[i].ID = e.key
	}
	return instances, nil
}

// attribute reads one attribute.
func (r *reader) attribute(t *Type, e entry, keys []string) (*Attribute, error) {
	a := &Attribute{owner: t, where: e.where, Consume: true, EOSError: true}
	entries, err := r.mapping(e.value, e.where.path, keys)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if err := r.attributeKey(a, e); err != nil {
			return nil, err
		}
	}
	return a, a.complete(entries)
}

// attributeKey reads one key of an attribute.
func (r *reader) attributeKey(a *Attribute, e entry) (err error) {
	switch e.key {
	case "id":
		a.ID, err = e.name()
	case "doc", "doc-ref":
		err = r.doc(&a.Doc, e)
	case "type":
		err = r.attributeType(a, e)
	case "contents":
		a.Contents, err = r.contents(e)
	case "repeat":
		a.Repeat, err = e.repeat()
	case "repeat-expr", "repeat-until":
		a.RepeatBy, err = e.expression()
	case "if":
		a.If, err = e.expression()
	case "size":
		a.Size, err = e.expression()
	case "size-eos":
		a.SizeEOS, err = e.boolean()
	case "pos":
		a.Pos, err = e.expression()
	case "io":
		a.IO, err = e.expression()
	case "value":
		a.Value, err = e.expression()
	case "process":
		a.Process, err = e.process()
	case "enum":
		a.enum, err = e.scalar()
	case "encoding":
		a.Encoding, err = e.scalar()
	case "terminator":
		a.Terminator, err = r.terminator(e)
	case "consume":
		a.Consume, err = e.boolean()
	case "include":
		a.Include, err = e.boolean()
	case "eos-error":
		a.EOSError, err = e.boolean()
	case "pad-right":
		var n int64
		n, err = e.number(0, 255)
		a.PadRight = []byte{byte(n)}
	case "parent":
		if text, _ := e.scalar(); text == "false" {
			a.NoParent = true
			return nil
		}
		a.Parent, err = e.expression()
	case "valid":
		a.Valid, err = r.valid(e)
	case "-assay-export":
		a.Export, err = r.export(e)
	}
	return err
}

// complete checks what the keys of an attribute say together.
func (a *Attribute) complete(entries []entry) error {
	has := func(key string) bool { return slices.ContainsFunc(entries, func(e entry) bool { return e.key == key }) }
	switch {
	case a.Repeat == Times && !has("repeat-expr"):
		return a.where.fail("repeat: expr needs repeat-expr")
	case a.Repeat == Until && !has("repeat-until"):
		return a.where.fail("repeat: until needs repeat-until")
	case a.Repeat != Times && has("repeat-expr"):
		return a.where.fail("repeat-expr needs repeat: expr")
	case a.Repeat != Until && has("repeat-until"):
		return a.where.fail("repeat-until needs repeat: until")
	case a.Size != nil && a.SizeEOS:
		return a.where.fail("only one of size and size-eos can be used")
	case a.Value != nil && (has("pos") || has("size") || has("repeat") || has("contents") || has("io") || has("process")):
		return a.where.fail("a value instance cannot have pos, io, size, repeat, contents or process")
	}
	return nil
}

// repeat returns a way to repeat.
func (e entry) repeat() (Repeat, error) {
	text, err := e.scalar()
	if err != nil {
		return Once, err
	}
	way, ok := map[string]Repeat{"eos": ToTheEnd, "expr": Times, "until": Until}[text]
	if !ok {
		return Once, e.where.fail("unknown repeat: %q, expected: eos, expr, until", short(text))
	}
	return way, nil
}

// contents returns the bytes that must be there: a text, or a list of texts and bytes.
func (r *reader) contents(e entry) ([]byte, error) {
	list, err := r.oneOrList(e)
	if err != nil {
		return nil, err
	}
	contents := []byte{}
	for _, item := range list {
		text, err := item.scalar()
		if err != nil {
			return nil, err
		}
		_, err = strconv.ParseInt(text, 0, 64)
		if item.value.Tag == "!!int" || err == nil && e.value.Kind == yaml.SequenceNode { // "0x41" in a list is a byte, too
			n, err := item.number(0, 255)
			if err != nil {
				return nil, err
			}
			contents = append(contents, byte(n))
			continue
		}
		contents = append(contents, text...)
	}
	return contents, nil
}

// terminator returns a byte, or a list of bytes.
func (r *reader) terminator(e entry) ([]byte, error) {
	list, err := r.oneOrList(e)
	if err != nil {
		return nil, err
	}
	if len(list) == 0 || len(list) > 4 {
		return nil, e.where.fail("a terminator has one to four bytes, not %d", len(list))
	}
	terminator := make([]byte, len(list))
	for i, item := range list {
		n, err := item.number(0, 255)
		if err != nil {
			return nil, err
		}
		terminator[i] = byte(n)
	}
	return terminator, nil
}

// call is a name with arguments in parentheses: a type with parameters, or a process.
var call = regexp.MustCompile(`(?s)^\s*([a-zA-Z0-9_.:]+)\s*(?:\((.*)\))?\s*(\[\])?\s*$`)

// called splits a name from its arguments.
func (p place) called(text string) (name string, args []*expression.Expression, list bool, err error) {
	found := call.FindStringSubmatch(text)
	if found == nil {
		return "", nil, false, p.fail("a name is expected, with arguments in parentheses where it takes them, not %q", short(text))
	}
	if strings.TrimSpace(found[2]) != "" {
		if args, err = expression.ParseList(found[2]); err != nil {
			return "", nil, false, p.fail("parsing the arguments %q failed: %v", short(found[2]), err)
		}
	}
	return found[1], args, found[3] != "", nil
}

// process returns what is done to bytes.
func (e entry) process() (*Process, error) {
	text, err := e.scalar()
	if err != nil {
		return nil, err
	}
	name, args, _, err := e.where.called(text)
	if err != nil {
		return nil, err
	}
	want, known := map[string]int{"zlib": 0, "xor": 1, "rol": 1, "ror": 1}[name]
	if known && len(args) != want {
		return nil, e.where.fail("%s takes %d arguments, not %d", name, want, len(args))
	}
	return &Process{Name: name, Args: args}, nil
}

// valid returns what a value must be.
func (r *reader) valid(e entry) (*Valid, error) {
	v := &Valid{}
	var err error
	if e.value.Kind == yaml.ScalarNode {
		v.Eq, err = e.expression()
		return v, err
	}
	if e.value.Kind == yaml.SequenceNode {
		v.AnyOf, err = r.expressions(e)
		return v, err
	}
	entries, err := r.mapping(e.value, e.where.path, []string{"eq", "min", "max", "any-of", "expr", "in-enum"})
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		switch e.key {
		case "eq":
			v.Eq, err = e.expression()
		case "min":
			v.Min, err = e.expression()
		case "max":
			v.Max, err = e.expression()
		case "expr":
			v.Expr, err = e.expression()
		case "any-of":
			v.AnyOf, err = r.expressions(e)
		case "in-enum":
			v.InEnum, err = e.boolean()
		}
		if err != nil {
			return nil, err
		}
	}
	return v, nil
}

// expressions returns a list of expressions.
func (r *reader) expressions(e entry) ([]*expression.Expression, error) {
	list, err := r.list(e)
	if err != nil {
		return nil, err
	}
	all := make([]*expression.Expression, len(list))
	for i, e := range list {
		if all[i], err = e.expression(); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// export returns the name and the media type of an asset.
func (r *reader) export(e entry) (*Export, error) {
	export := &Export{}
	if e.value.Kind == yaml.ScalarNode {
		return export, nil
	}
	entries, err := r.mapping(e.value, e.where.path, []string{"name", "media-type"})
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if e.key == "name" {
			export.Name, err = e.scalar()
		} else {
			export.MediaType, err = e.scalar()
		}
		if err != nil {
			return nil, err
		}
	}
	return export, nil
}

// attributeType reads the type of an attribute: a name, or a choice of names.
func (r *reader) attributeType(a *Attribute, e entry) error {
	if e.value.Kind == yaml.ScalarNode {
		ref, err := e.reference(e.value.Value)
		a.Type = ref
		return err
	}
	on, cases, err := r.switchOn(e)
	if err != nil {
		return err
	}
	a.Switch.On = on
	for _, c := range cases {
		text, err := c.scalar()
		if err != nil {
			return err
		}
		ref, err := c.reference(text)
		if err != nil {
			return err
		}
		when, err := c.when()
		if err != nil {
			return err
		}
		a.Switch.Cases = append(a.Switch.Cases, Case{On: when, Type: ref})
	}
	return nil
}

var (
	numberType = regexp.MustCompile(`^([usf])([1248])(le|be)?$`)
	bitsType   = regexp.MustCompile(`^b([1-9][0-9]?)(le|be)?$`)
)

// namedKinds are the types that have one name.
var namedKinds = map[string]Kind{"bytes": Bytes, "str": Str, "strz": Strz, "bool": Boolean, "struct": Struct, "io": Stream, "any": Any}

// reference returns what a name of a type means; types of the description are resolved later.
func (e entry) reference(text string) (Reference, error) {
	name, args, list, err := e.where.called(text)
	if err != nil {
		return Reference{}, err
	}
	ref := Reference{Name: name, Args: args, List: list, where: e.where}
	if kind, ok := namedKinds[name]; ok {
		ref.Kind = kind
		return ref, nil
	}
	if m := numberType.FindStringSubmatch(name); m != nil && !(m[1] == "f" && m[2] < "4") && !(m[2] == "1" && m[3] != "") {
		ref.Kind = map[string]Kind{"u": Unsigned, "s": Signed, "f": Float}[m[1]]
		ref.Width, ref.Order = int(m[2][0]-'0'), orderOf(m[3])
		ref.form = forms[ref.Kind][ref.Width]
		return ref, nil
	}
	if m := bitsType.FindStringSubmatch(name); m != nil {
		ref.Kind, ref.Order = Bits, orderOf(m[2])
		if ref.Width, _ = strconv.Atoi(m[1]); ref.Width > 64 {
			return ref, e.where.fail("a bit field has at most 64 bits, not %d", ref.Width)
		}
		return ref, nil
	}
	ref.Kind = User
	return ref, nil
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
