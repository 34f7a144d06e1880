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
	signs := 0
	for _, c := range text {
		if c == '\n' || c == ',' || c == ':' || c == '[' || c == '{' {
			signs++
		}
	}
	if signs > maxSigns {
		return nil, nil, (place{file: file}).fail("the description has more than %d lines, commas, colons and brackets", maxSigns)
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
			t.label = make(label, 1)
			t.label[0].value, err = e.expression()
		case "-webide-representation":
			if text, err := e.scalar(); err == nil && t.label == nil {
				t.label = representation(text)
			}
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
