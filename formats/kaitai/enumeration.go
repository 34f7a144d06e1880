package kaitai

import (
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"assay/formats/kaitai/expression"
)

// enums reads the enumerations of t.
func (r *reader) enums(t *Type, e entry) error {
	entries, err := r.mapping(e)
	t.Enums = make(map[string]*Enum, len(entries))
	for _, e := range entries {
		if t.Enums[e.key], err = r.enum(e); err != nil {
			return err
		}
	}
	return err
}

// enum reads one enumeration.
func (r *reader) enum(e entry) (*Enum, error) {
	entries, err := r.mapping(e)
	if err != nil {
		return nil, err
	}
	enum := &Enum{Name: e.key, byValue: make(map[whole]int, len(entries)), byName: make(map[string]int, len(entries))}
	enum.symbols = symbolOf(enum)
	for _, e := range entries {
		m, err := r.member(e)
		if err != nil {
			return nil, err
		}
		if _, is := enum.byName[m.Name]; is {
			return nil, e.where.fail("the name %q stands here a second time", m.Name)
		}
		if enum.member(m.Value) != nil {
			return nil, e.where.fail("the value %v stands here a second time", m.Value)
		}
		enum.byName[m.Name], enum.byValue[wholeOf(m.Value)] = len(enum.Members), len(enum.Members)
		enum.Members = append(enum.Members, m)
	}
	return enum, nil
}

// member reads a member, whose name may stand in a mapping with an id.
func (r *reader) member(e entry) (m Member, err error) {
	if m.Value, err = e.memberValue(); err != nil {
		return m, err
	}
	if e.value.Kind == yaml.ScalarNode {
		m.Name, err = e.name()
		return m, err
	}
	err = r.keys(e, append(r.docKeys(&m.Doc), key{"id", into(&m.Name, entry.name)})...)
	if err == nil && m.Name == "" {
		err = e.where.fail("the id is missing")
	}
	return m, err
}

// memberValue returns the number that is the key of a member: of 64 bits, with a sign or without.
func (e entry) memberValue() (expression.Value, error) {
	digits := strings.ReplaceAll(e.key, "_", "")
	if n, err := strconv.ParseInt(digits, 0, 64); err == nil {
		return expression.IntValue(n), nil
	}
	n, err := strconv.ParseUint(digits, 0, 64)
	if err != nil {
		return expression.Value{}, e.where.fail("a whole number is expected, not %q", short(e.key))
	}
	return expression.UintValue(n), nil
}
