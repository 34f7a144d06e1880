package dprsim

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"assay/model"
)

// commonArguments are those that every object has behind its type.
var commonArguments = strings.Fields("x y z yaw pitch roll r g b alpha mass")

// ownArguments are those that a type of object has behind the common ones.
var ownArguments = map[string][]string{
	"SPHERE": {"radius"},
	"CYL":    {"radius", "length"},
	"CCYL":   {"radius", "length"},
	"BOX":    {"length", "width", "depth"},
	"PLANE":  {"a", "b", "c", "d"},
}

// argumentsShown is how many arguments of one object are taken apart; no type has more than 15.
const argumentsShown = 64

// object takes the value of an OBJECT line apart: its arguments and the commas between them become children.
func (x *experiment) object(n *model.Node, p part) {
	n.Type = "Object"
	warn := func(span model.Span, format string, args ...any) {
		n.Warn(model.Warning, span, "OBJECT: %s", fmt.Sprintf(format, args...))
	}
	if p.from == p.to {
		warn(n.Span, "there is no object type")
		return
	}
	var kids model.List
	var typ string
	var names []string
	arguments := strings.Count(x.text[p.from:p.to], ",")
	at := p.from // behind what has a node
	for i, from := -1, p.from; from <= p.to; i++ {
		to := p.to
		if n := strings.IndexByte(x.text[from:p.to], ','); n >= 0 {
			to = from + n
		}
		if i == argumentsShown {
			kids = x.between(kids, "separator", at, from)
			kids = x.between(kids, "surplus", from, p.to)
			at = p.to
			break
		}
		a := x.trim(part{from, to})
		kids = x.between(kids, "separator", at, a.from)
		at = a.to
		switch name := ""; {
		case i < 0:
			typ = x.text[a.from:a.to]
			names = append(append(names, commonArguments...), ownArguments[typ]...)
			if a.from < a.to {
				kids = append(kids, x.string("type", "string", a))
			}
		default:
			name = fmt.Sprintf("argument_%d", i)
			if i < len(names) {
				name = names[i]
			}
			if a.from == a.to {
				warn(model.Span{Offset: x.base + int64(a.from)}, "argument %s is empty", name)
			} else {
				kids = append(kids, x.argument(name, a))
			}
		}
		from = to + 1
	}
	n.SetChildren(x.between(kids, "separator", at, p.to))
	if _, known := ownArguments[typ]; !known {
		warn(n.Child(0).Span, "%q is no object type that the document names: SPHERE, CYL, CCYL, BOX, PLANE", model.OneLine(strings.ToValidUTF8(typ, "\uFFFD"), 60))
	} else if arguments != len(names) {
		warn(n.Span, "%s has %d arguments, not %d", typ, arguments, len(names))
	}
}

// argument makes the node of one number.
func (x *experiment) argument(name string, p part) *model.Node {
	n := x.string(name, "number", p)
	f, err := strconv.ParseFloat(x.text[p.from:p.to], 64)
	switch {
	case err != nil && !math.IsInf(f, 0):
		n.Warn(model.Warning, n.Span, "OBJECT: argument %s is no number", name)
		return n
	case math.IsInf(f, 0) || math.IsNaN(f):
		n.Warn(model.Warning, n.Span, "OBJECT: argument %s is not finite", name)
	}
	n.Value, n.Raw = f, nil
	return n
}
