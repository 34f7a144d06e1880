package expression

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// method is an attribute or a method of a kind of value, after a point.
type method struct {
	arguments, optional int
	call                func(v Value, args []Value) (Value, error)
}

// methods are the methods of the language, by the kind of the value before the point.
var methods = map[Kind]map[string]method{
	Int: {
		"to_s": {call: func(v Value, _ []Value) (Value, error) { return TextValue(v.String()), nil }},
		"to_i": {call: func(v Value, _ []Value) (Value, error) { v.Enum = nil; return v, nil }},
	},
	Bool: {
		"to_i": {call: func(v Value, _ []Value) (Value, error) { return IntValue(v.n), nil }},
	},
	Float: {
		"to_i": {call: func(v Value, _ []Value) (Value, error) { return truncate(v.Float()) }},
	},
	Text: {
		"length":    {call: length},
		"reverse":   {call: reverse},
		"substring": {arguments: 2, call: substring},
		"to_i":      {optional: 1, call: parseInt},
		"to_b":      {arguments: 1, call: encode},
	},
	Bytes: {
		"to_s":   {arguments: 1, call: decode},
		"length": listMethods["length"], "size": listMethods["size"],
		"first": listMethods["first"], "last": listMethods["last"], "min": listMethods["min"], "max": listMethods["max"],
	},
	List: listMethods,
}

// listMethods are the methods of lists and of bytes.
var listMethods = map[string]method{
	"size":   {call: length},
	"length": {call: length},
	"first":  {call: func(v Value, _ []Value) (Value, error) { return existingElement(v, 0) }},
	"last":   {call: last},
	"min":    {call: func(v Value, _ []Value) (Value, error) { return extreme(v, -1) }},
	"max":    {call: func(v Value, _ []Value) (Value, error) { return extreme(v, 1) }},
}

func call(v Value, id string, args []Value) (Value, error) {
	m, ok := methods[v.Kind][id]
	switch {
	case !ok && v.Kind == None:
		return Value{}, fmt.Errorf("%s of an absent attribute", id)
	case !ok:
		return Value{}, fmt.Errorf("%v has no %q", v.Kind, id)
	case len(args) >= m.arguments && len(args) <= m.arguments+m.optional:
		return m.call(v, args)
	case m.optional > 0:
		return Value{}, fmt.Errorf("%s takes %d to %d arguments, not %d", id, m.arguments, m.arguments+m.optional, len(args))
	}
	return Value{}, fmt.Errorf("%s takes %d arguments, not %d", id, m.arguments, len(args))
}

func length(v Value, _ []Value) (Value, error) {
	n, _ := lengthOf(v)
	return IntValue(n), nil
}

func truncate(f float64) (Value, error) {
	if f = math.Trunc(f); !(f >= math.MinInt64 && f < math.MaxInt64) {
		return Value{}, fmt.Errorf("%v is not a whole number of 64 bits", f)
	}
	return IntValue(int64(f)), nil
}

func reverse(v Value, _ []Value) (Value, error) {
	runes := []rune(v.s)
	slices.Reverse(runes)
	return TextValue(string(runes)), nil
}

// substring returns the characters from one position up to another, both counted from 0.
func substring(v Value, args []Value) (Value, error) {
	from, err := args[0].Int()
	if err != nil {
		return Value{}, err
	}
	to, err := args[1].Int()
	if err != nil {
		return Value{}, err
	}
	runes := []rune(v.s)
	if from < 0 || to < from || to > int64(len(runes)) {
		return Value{}, fmt.Errorf("%d to %d is not within %d characters", from, to, len(runes))
	}
	return TextValue(string(runes[from:to])), nil
}

// maxStated is the maximum number of bytes of a text in an error.
const maxStated = 80

// parseInt parses a text as a whole number, in base 10 or the given base.
func parseInt(v Value, args []Value) (Value, error) {
	base := int64(10)
	if len(args) == 1 {
		var err error
		if base, err = args[0].Int(); err != nil {
			return Value{}, err
		}
	}
	if base < 2 || base > 36 {
		return Value{}, fmt.Errorf("a base must be from 2 to 36, not %d", base)
	}
	if n, err := strconv.ParseInt(v.s, int(base), 64); err == nil {
		return IntValue(n), nil
	}
	n, err := strconv.ParseUint(strings.TrimPrefix(v.s, "+"), int(base), 64)
	if err != nil {
		return Value{}, fmt.Errorf("%q is not a whole number in base %d", v.s[:min(len(v.s), maxStated)], base)
	}
	return UintValue(n), nil
}

// encode returns the bytes of a text in an encoding.
func encode(v Value, args []Value) (Value, error) {
	e, err := EncodingOf(args[0].s)
	if err != nil {
		return Value{}, err
	}
	b, err := e.coding.NewEncoder().Bytes([]byte(v.s))
	return BytesValue(b), err
}

// decode returns the text that bytes are in an encoding.
func decode(v Value, args []Value) (Value, error) {
	e, err := EncodingOf(args[0].s)
	if err != nil {
		return Value{}, err
	}
	s, err := e.Decode(v.Bytes())
	return TextValue(s), err
}

func last(v Value, _ []Value) (Value, error) {
	n, _ := lengthOf(v)
	return existingElement(v, n-1)
}

// existingElement returns element i of bytes or of a list, or an error if there are none. Else the element must exist.
func existingElement(v Value, i int64) (Value, error) {
	if n, _ := lengthOf(v); n == 0 {
		return Value{}, errors.New("the list is empty")
	}
	return elementOf(v, i)
}

// extreme returns the smallest (-1) or largest (1) element of a list, or the first one if elements have no order.
func extreme(v Value, side int) (Value, error) {
	best, err := existingElement(v, 0)
	n, _ := lengthOf(v)
	for i := int64(1); i < n && err == nil; i++ {
		var e Value
		if e, err = elementOf(v, i); err != nil {
			break
		}
		var order int
		var ordered bool
		if order, ordered, err = compare(e, best); ordered && order == side || !ordered && isNaN(best) && !isNaN(e) {
			best = e
		}
	}
	return best, err
}

func isNaN(v Value) bool { return v.Kind == Float && math.IsNaN(v.Float()) }
