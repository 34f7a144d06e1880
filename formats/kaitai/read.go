package kaitai

import (
	"encoding/binary"
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
	maxSigns   = 1 << 19 // that may begin a node of YAML: its nodes are larger than its text
)

// reader reads the YAML of one description. The first error ends it.
type reader struct {
	file        string
	description *Description
	imports     []imported
	known       known
	nodes       int
	count       int // of types
	depth       int
}

// imported is an entry of meta/imports.
type imported struct {
	path  string
	where place
}

// read returns the description in the text of a file; its types and enumerations are not resolved yet.
func read(file string, text []byte) (*Description, []imported, error) {
	r := &reader{file: file, description: &Description{File: file, Imports: make(map[string]*Type),
		texts: map[string]string{file: string(text)}}}
	r.knowAttributes()
	whole := place{file: file}
	if len(text) > maxFile {
		return nil, nil, whole.fail("the description has %d bytes; %d are allowed", len(text), maxFile)
	}
	signs := 0
	for _, c := range text {
		if c == '\n' || c == ',' || c == ':' || c == '[' || c == '{' {
			signs++
		}
	}
	if signs > maxSigns {
		return nil, nil, whole.fail("the description has more than %d lines, commas, colons and brackets", maxSigns)
	}
	var doc yaml.Node
	if err := yaml.Unmarshal(text, &doc); err != nil {
		return nil, nil, r.syntax(err)
	}
	if len(doc.Content) == 0 {
		return nil, nil, whole.fail("the description is empty; it begins with `meta`")
	}
	top := entry{value: doc.Content[0], where: r.at(doc.Content[0], "")}
	root := &Type{description: r.description, where: top.where}
	if err := r.body(root, top); err != nil {
		return nil, nil, err
	}
	if root.Name == "" {
		return nil, nil, r.at(top.value, "/meta/id").fail("the id of the description is missing")
	}
	r.description.ID, r.description.Root = root.Name, root
	return r.description, r.imports, nil
}

// body reads what a type consists of.
func (r *reader) body(t *Type, e entry) error {
	var toString, representation label
	err := r.keys(e, append([]key{
		{"meta", func(e entry) error { return r.meta(t, e) }}},
		append(r.docKeys(&t.Doc),
			key{"to-string", into(&toString, entry.toString)},
			key{"params", func(e entry) error { return r.attributes(t, &t.Params, e, r.known.param) }},
			key{"seq", func(e entry) error { return r.attributes(t, &t.Seq, e, r.known.seq) }},
			key{"types", func(e entry) error { return r.types(t, e) }},
			key{"instances", func(e entry) error { return r.instances(t, e) }},
			key{"enums", func(e entry) error { return r.enums(t, e) }},
			key{"-webide-representation", into(&representation, entry.representation)})...)...)
	if err != nil {
		return err
	}
	if t.label = toString; t.label == nil {
		t.label = representation
	}
	t.slots = make(map[string]*Attribute)
	for _, a := range t.attributes() {
		if other := t.slots[a.ID]; other != nil {
			return a.where.fail("the id %q stands in %s too", a.ID, other.where.path)
		}
		a.slot = len(t.slots)
		t.slots[a.ID] = a
	}
	return nil
}

// docKeys are the keys of what is said to people.
func (r *reader) docKeys(d *Doc) []key {
	return []key{
		{"doc", func(e entry) error {
			text, err := e.scalar()
			d.Text = strings.TrimSpace(text)
			return err
		}},
		{"doc-ref", into(&d.Refs, r.texts)},
	}
}

// meta reads the head of a type; only that of the top has an id, imports and what tells of files.
func (r *reader) meta(t *Type, e entry) error {
	var title string
	var extensions []string
	err := r.keys(e,
		key{"id", func(e entry) (err error) {
			if t.Name == "" {
				t.Name, err = e.name()
			}
			return err
		}},
		key{"title", into(&title, entry.scalar)},
		key{"application", nil},
		key{"file-extension", into(&extensions, r.texts)},
		key{"xref", nil}, key{"license", nil}, key{"ks-version", nil}, key{"ks-debug", nil},
		key{"ks-opaque-types", nil}, key{"ks-zero-copy-substream", nil},
		key{"imports", func(e entry) error { return r.importList(e) }},
		key{"encoding", into(&t.Encoding, entry.scalar)},
		key{"endian", into(&t.Endian, r.endian)},
		key{"bit-endian", func(e entry) error {
			order, err := e.order()
			le := order == binary.ByteOrder(binary.LittleEndian)
			t.BitsLE = &le
			return err
		}},
		key{"tags", nil})
	if t.Outer == nil {
		r.description.Title, r.description.Extensions = title, extensions
	}
	return err
}

// importList reads the descriptions that one imports; those of the top are followed.
func (r *reader) importList(e entry) error {
	list, err := r.list(e)
	for _, i := range list {
		path, err := i.scalar()
		if err != nil {
			return err
		}
		if r.depth == 0 {
			r.imports = append(r.imports, imported{path: path, where: i.where})
		}
	}
	return err
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
	on, err := r.switchOn(e, func(when *expression.Expression, e entry) error {
		order, err := e.order()
		chosen.Cases = append(chosen.Cases, EndianCase{On: when, Order: order})
		return err
	})
	chosen.On = on
	return chosen, err
}

// eachCase is called with the expression of a case, nil for the last resort, and its value.
type eachCase func(when *expression.Expression, e entry) error

// switchOn reads a choice: the expression that chooses, and the cases.
func (r *reader) switchOn(e entry, one eachCase) (on *expression.Expression, err error) {
	err = r.keys(e,
		key{"switch-on", into(&on, entry.expression)},
		key{"cases", func(e entry) error {
			cases, err := r.mapping(e)
			for _, c := range cases {
				var when *expression.Expression
				if c.key != "_" {
					if when, err = c.where.parse(c.key); err != nil {
						return err
					}
				}
				if err := one(when, c); err != nil {
					return err
				}
			}
			return err
		}})
	if err == nil && on == nil {
		err = e.where.fail("switch-on is missing")
	}
	return on, err
}

// types reads the types nested in t.
func (r *reader) types(t *Type, e entry) error {
	if r.depth++; r.depth > maxNesting {
		return e.where.fail("types nest deeper than %d", maxNesting)
	}
	defer func() { r.depth-- }()
	entries, err := r.mapping(e)
	if err != nil {
		return err
	}
	t.Types = make(map[string]*Type, len(entries))
	for _, e := range entries {
		if r.count++; r.count > maxTypes {
			return e.where.fail("the description has more than %d types", maxTypes)
		}
		if err := e.checkID(e.key); err != nil {
			return err
		}
		inner := &Type{Name: e.key, Outer: t, description: r.description, where: e.where}
		if err := r.body(inner, e); err != nil {
			return err
		}
		t.Types[e.key] = inner
		t.nested = append(t.nested, inner)
	}
	return nil
}
