package kaitai

import (
	"encoding/binary"
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"assay/formats/kaitai/expression"
)

// attributeType reads the type of an attribute: a name, or a choice of names.
func (r *reader) attributeType(a *Attribute, e entry) error {
	if e.value.Kind == yaml.ScalarNode {
		ref, err := e.reference(e.value.Value)
		a.Type = ref
		return err
	}
	on, err := r.switchOn(e, func(when *expression.Expression, e entry) error {
		text, err := e.scalar()
		if err != nil {
			return err
		}
		ref, err := e.reference(text)
		a.Switch.Cases = append(a.Switch.Cases, Case{On: when, Type: ref})
		return err
	})
	a.Switch.On = on
	return err
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
