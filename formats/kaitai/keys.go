package kaitai

import (
	"strconv"

	"go.yaml.in/yaml/v3"

	"assay/formats/kaitai/expression"
)

// ways are the values of repeat.
var ways = map[string]Repeat{"eos": ToTheEnd, "expr": Times, "until": Until}

// repeat reads how often an attribute is read: `repeat: expr`, or `repeat: {expr: count}` with the expression in it.
func (r *reader) repeat(a *Attribute, e entry) error {
	var known []key
	if e.value.Kind == yaml.MappingNode {
		for _, way := range []string{"expr", "until"} {
			known = append(known, key{way, func(e entry) (err error) {
				a.Repeat = ways[way]
				a.RepeatBy, err = e.expression()
				return err
			}})
		}
		return r.keys(e, known...)
	}
	text, err := e.scalar()
	if err != nil {
		return err
	}
	if a.Repeat = ways[text]; a.Repeat == Once {
		return e.where.fail("unknown repeat: %q, expected: eos, expr, until", short(text))
	}
	return nil
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
			b, err := item.oneByte()
			if err != nil {
				return nil, err
			}
			contents = append(contents, b...)
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
	var terminator []byte
	for _, item := range list {
		b, err := item.oneByte()
		if err != nil {
			return nil, err
		}
		terminator = append(terminator, b...)
	}
	return terminator, nil
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
	return v, r.keys(e,
		key{"eq", into(&v.Eq, entry.expression)},
		key{"min", into(&v.Min, entry.expression)},
		key{"max", into(&v.Max, entry.expression)},
		key{"any-of", into(&v.AnyOf, r.expressions)},
		key{"expr", into(&v.Expr, entry.expression)},
		key{"in-enum", into(&v.InEnum, entry.boolean)})
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
	return export, r.keys(e,
		key{"name", into(&export.Name, entry.scalar)},
		key{"media-type", into(&export.MediaType, entry.scalar)})
}
