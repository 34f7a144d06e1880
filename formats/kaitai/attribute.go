package kaitai

import (
	"fmt"
	"slices"
)

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
		err = r.repeat(a, e)
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
	case a.Repeat == Times && a.RepeatBy == nil:
		return a.where.fail("repeat: expr needs repeat-expr")
	case a.Repeat == Until && a.RepeatBy == nil:
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
