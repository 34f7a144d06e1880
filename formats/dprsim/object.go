package dprsim

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"assay/formats/decode"
	"assay/model"
)

// commonArguments are the arguments of every object after its type.
var commonArguments = strings.Fields("x y z yaw pitch roll r g b alpha mass")

// ownArguments are the arguments of a type of object after the common ones.
var ownArguments = map[string][]string{
	"SPHERE": {"radius"},
	"CYL":    {"radius", "length"},
	"CCYL":   {"radius", "length"},
	"BOX":    {"length", "width", "depth"},
	"PLANE":  {"a", "b", "c", "d"},
}

// maxArguments is the maximum number of decoded arguments of an object; no type has more than 15.
const maxArguments = 64

// object is the value of an OBJECT line. The arguments are a list because a PLANE has two that are called b.
type object struct {
	Type      string     `json:"type"`
	Arguments []argument `json:"arguments"`
}

// argument is one of the values after an object's type: a finite number, or the text that is not one.
type argument struct {
	Name  string `json:"name"`
	Value any    `json:"value"` // float64 or string
}

// numbers returns the documented arguments of the object's type. It returns false if the type is unknown, or if an
// argument is missing or not a finite number.
func (o *object) numbers() ([]float64, bool) {
	arguments, known := ownArguments[o.Type]
	names := slices.Concat(commonArguments, arguments)
	if !known || len(o.Arguments) < len(names) {
		return nil, false
	}
	numbers := make([]float64, len(names))
	for i, name := range names {
		f, ok := o.Arguments[i].Value.(float64)
		if !ok || o.Arguments[i].Name != name {
			return nil, false
		}
		numbers[i] = f
	}
	return numbers, true
}

// objectAt returns the object of the i-th entry.
func (x *experiment) objectAt(i int) *object {
	value := x.lineAt(entryLine, i).value
	return x.object(x.c.Quiet(x.span(value)), value)
}

// object reads the type, then its arguments, with commas between them.
func (x *experiment) object(c *decode.Cursor, p part) *object {
	o := &object{Arguments: []argument{}}
	text := x.text[p.from:p.to]
	if n := c.Node(); n != nil { // the value is the text, too
		if n.Value = decode.ValidUTF8(text); n.Value != text {
			n.SetRaw([]byte(text))
		}
	}
	if text == "" {
		x.warn(c, p, "the object type is missing")
		return o
	}
	typ, from := x.next(p, p.from)
	x.textBefore(c, "separator", typ.from)
	if typ.from < typ.to {
		o.Type = decode.ValidUTF8(c.Text("type", int64(typ.to-typ.from)))
	}
	names := slices.Concat(commonArguments, ownArguments[o.Type])
	o.Arguments = x.arguments(c, names, part{from, p.to})
	x.textBefore(c, "separator", p.to)
	if _, known := ownArguments[o.Type]; !known {
		x.warn(c, typ, "unknown object type %q; expected SPHERE, CYL, CCYL, BOX or PLANE",
			model.OneLine(o.Type, 60))
	} else if n := strings.Count(text, ","); n != len(names) {
		x.warn(c, p, "%s has %d arguments, not %d", o.Type, n, len(names))
	}
	return o
}

// arguments reads a list of arguments. Those without a name are numbered.
func (x *experiment) arguments(c *decode.Cursor, names []string, list part) []argument {
	arguments := make([]argument, 0, len(names))
	for i, from := 0, list.from; from <= list.to; i++ {
		if i == maxArguments {
			x.textBefore(c, "separator", from)
			c.Text("surplus", int64(list.to-from))
			c.As("surplus")
			break
		}
		var value part
		value, from = x.next(list, from)
		x.textBefore(c, "separator", value.from)
		name := ""
		if i < len(names) {
			name = names[i]
		} else {
			name = fmt.Sprintf("argument_%d", i)
		}
		if a, ok := x.argument(c, name, value); ok {
			arguments = append(arguments, a)
		}
	}
	return arguments
}

// next returns the value that begins at a position of a list with commas, without blanks, and where the next one
// begins.
func (x *experiment) next(list part, from int) (value part, next int) {
	to := list.to
	if n := strings.IndexByte(x.text[from:list.to], ','); n >= 0 {
		to = from + n
	}
	return x.trim(part{from, to}), to + 1
}

func (x *experiment) warn(c *decode.Cursor, p part, format string, args ...any) {
	c.Remark(model.Warning, x.span(p), "OBJECT: "+format, args...)
}

// argument reads one number; false if there is no text for it.
func (x *experiment) argument(c *decode.Cursor, name string, p part) (argument, bool) {
	if p.from == p.to {
		x.warn(c, p, "argument %s is empty", name)
		return argument{}, false
	}
	text := c.Text(name, int64(p.to-p.from))
	c.As("number")
	f, err := strconv.ParseFloat(text, 64)
	finite := !math.IsInf(f, 0) && !math.IsNaN(f)
	switch {
	case err != nil && finite:
		c.Warnf("OBJECT: argument %s is not a number", name)
		return argument{name, decode.ValidUTF8(text)}, true
	case !finite:
		c.Warnf("OBJECT: argument %s is not finite", name)
	}
	if n := c.Last(); n != nil {
		n.Value = f
	}
	if !finite {
		return argument{name, model.FormatValue(f)}, true
	}
	return argument{name, f}, true
}
