package kaitai

import (
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

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
