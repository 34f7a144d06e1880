package kaitai

import (
	"fmt"
	"slices"
)

// paramKeys are the keys of parameters.
func (r *reader) paramKeys(a *Attribute) []key {
	return append(r.docKeys(&a.Doc),
		key{"id", into(&a.ID, entry.name)},
		key{"type", func(e entry) error { return r.attributeType(a, e) }},
		key{"enum", into(&a.enum, entry.scalar)})
}

// seqKeys are the keys of attributes in seq.
func (r *reader) seqKeys(a *Attribute) []key {
	return append(r.paramKeys(a),
		key{"contents", into(&a.Contents, r.contents)},
		key{"repeat", func(e entry) error { return r.repeat(a, e) }},
		key{"repeat-expr", into(&a.RepeatBy, entry.expression)},
		key{"repeat-until", into(&a.RepeatBy, entry.expression)},
		key{"if", into(&a.If, entry.expression)},
		key{"size", into(&a.Size, entry.expression)},
		key{"size-eos", into(&a.SizeEOS, entry.boolean)},
		key{"process", into(&a.Process, entry.process)},
		key{"encoding", into(&a.Encoding, entry.scalar)},
		key{"terminator", into(&a.Terminator, r.terminator)},
		key{"consume", into(&a.Consume, entry.boolean)},
		key{"include", into(&a.Include, entry.boolean)},
		key{"eos-error", into(&a.EOSError, entry.boolean)},
		key{"pad-right", into(&a.PadRight, entry.oneByte)},
		key{"parent", func(e entry) (err error) {
			if text, _ := e.scalar(); text == "false" {
				a.NoParent = true
				return nil
			}
			a.Parent, err = e.expression()
			return err
		}},
		key{"valid", into(&a.Valid, r.valid)},
		key{"-assay-export", into(&a.Export, r.export)})
}

// instanceKeys are the keys of instances.
func (r *reader) instanceKeys(a *Attribute) []key {
	return append(r.seqKeys(a),
		key{"pos", into(&a.Pos, entry.expression)},
		key{"io", into(&a.IO, entry.expression)},
		key{"value", into(&a.Value, entry.expression)})
}

// attributes reads the entries of seq or params. Those without an id are numbered, as the language does.
func (r *reader) attributes(t *Type, to *[]*Attribute, e entry, keys []key) error {
	list, err := r.list(e)
	for i, e := range list {
		a, err := r.attribute(t, e, keys)
		if err != nil {
			return err
		}
		if a.ID == "" {
			a.ID = fmt.Sprintf("_unnamed%d", i)
		}
		*to = append(*to, a)
	}
	return err
}

// instances reads the instances of t in the description's order.
func (r *reader) instances(t *Type, e entry) error {
	entries, err := r.mapping(e)
	for _, e := range entries {
		if err := e.checkID(e.key); err != nil {
			return err
		}
		a, err := r.attribute(t, e, r.known.instance)
		if err != nil {
			return err
		}
		a.ID = e.key
		t.Instances = append(t.Instances, a)
	}
	return err
}

// known are the keys of attributes by where they stand. A description can have many attributes: the keys are made once,
// and read them one after the other into the same place.
type known struct {
	attribute            Attribute
	param, seq, instance []key
}

func (r *reader) knowAttributes() {
	a := &r.known.attribute
	r.known.param, r.known.seq, r.known.instance = r.paramKeys(a), r.seqKeys(a), r.instanceKeys(a)
}

// attribute reads one attribute.
func (r *reader) attribute(t *Type, e entry, keys []key) (*Attribute, error) {
	r.known.attribute = Attribute{owner: t, where: e.where, Consume: true, EOSError: true}
	if err := r.keys(e, keys...); err != nil {
		return nil, err
	}
	a := r.known.attribute
	return &a, a.complete(e)
}

// complete checks what the keys of an attribute say together.
func (a *Attribute) complete(e entry) error {
	has := func(keys ...string) bool {
		for i := 0; i < len(e.value.Content); i += 2 {
			if slices.Contains(keys, e.value.Content[i].Value) {
				return true
			}
		}
		return false
	}
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
	case a.Value != nil && has("pos", "size", "repeat", "contents", "io", "process"):
		return a.where.fail("a value instance cannot have pos, io, size, repeat, contents or process")
	}
	return nil
}
