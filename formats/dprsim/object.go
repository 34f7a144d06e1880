package dprsim

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"assay/formats/decode"
	"assay/model"
)

// commonArguments are those that every object has after its type.
var commonArguments = strings.Fields("x y z yaw pitch roll r g b alpha mass")

// ownArguments are those that a type of object has after the common ones.
var ownArguments = map[string][]string{
	"SPHERE": {"radius"},
	"CYL":    {"radius", "length"},
	"CCYL":   {"radius", "length"},
	"BOX":    {"length", "width", "depth"},
	"PLANE":  {"a", "b", "c", "d"},
}

// argumentsShown is how many arguments of one object are taken apart; no type has more than 15.
const argumentsShown = 64

// Object is the value of an OBJECT line.
type Object struct {
	Type      string
	Arguments []Argument
}

// Argument is one of the values after an object's type: a number, or the text that is none.
type Argument struct {
	Name  string
	Value any // float64 or string
}

// object: the type, then its arguments, with commas between them.
func (x *experiment) object(c *decode.Cursor, p part) (o Object) {
	text := x.text[p.from:p.to]
	if n := c.Node(); n != nil { // the value is the text, too
		if n.Value = strings.ToValidUTF8(text, "\uFFFD"); n.Value != text {
			n.SetRaw([]byte(text))
		}
	}
	if text == "" {
		x.warn(c, p, "there is no object type")
		return o
	}
	var names []string
	typ := p
	for i, from := -1, p.from; from <= p.to; i++ {
		if i == argumentsShown {
			x.between(c, "separator", from)
			c.Text("surplus", int64(p.to-from))
			c.As("surplus")
			break
		}
		to := p.to
		if n := strings.IndexByte(x.text[from:p.to], ','); n >= 0 {
			to = from + n
		}
		a := x.trim(part{from, to})
		x.between(c, "separator", a.from)
		switch {
		case i >= 0:
			o.Arguments = x.argument(c, o.Arguments, argumentName(names, i), a)
		case a.from < a.to:
			o.Type = c.Text("type", int64(a.to-a.from))
		}
		if i < 0 {
			typ = a
			names = append(append(names, commonArguments...), ownArguments[o.Type]...)
		}
		from = to + 1
	}
	x.between(c, "separator", p.to)
	if _, known := ownArguments[o.Type]; !known {
		x.warn(c, typ, "%q is not an object type that the document names: SPHERE, CYL, CCYL, BOX, PLANE",
			model.OneLine(strings.ToValidUTF8(o.Type, "\uFFFD"), 60))
	} else if n := strings.Count(text, ","); n != len(names) {
		x.warn(c, p, "%s has %d arguments, not %d", o.Type, n, len(names))
	}
	return o
}

func (x *experiment) warn(c *decode.Cursor, p part, format string, args ...any) {
	c.Remark(model.Warning, x.span(p), "OBJECT: "+format, args...)
}

func argumentName(names []string, i int) string {
	if i < len(names) {
		return names[i]
	}
	return fmt.Sprintf("argument_%d", i)
}

// argument: one number.
func (x *experiment) argument(c *decode.Cursor, all []Argument, name string, p part) []Argument {
	if p.from == p.to {
		x.warn(c, p, "argument %s is empty", name)
		return all
	}
	text := c.Text(name, int64(p.to-p.from))
	c.As("number")
	f, err := strconv.ParseFloat(text, 64)
	switch {
	case err != nil && !math.IsInf(f, 0):
		c.Warn("OBJECT: argument %s is not a number", name)
		return append(all, Argument{name, strings.ToValidUTF8(text, "\uFFFD")})
	case math.IsInf(f, 0) || math.IsNaN(f):
		c.Warn("OBJECT: argument %s is not finite", name)
	}
	if n := c.Last(); n != nil {
		n.Value = f
	}
	return append(all, Argument{name, f})
}
