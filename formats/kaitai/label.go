package kaitai

import (
	"context"
	"fmt"
	"strings"

	"assay/formats/decode"
	"assay/formats/kaitai/expression"
)

// label is what a person calls an object: `to-string`, or `-webide-representation` of the language's editor.
type label []labelPart

// labelPart is a text, or an expression whose value stands in its place in a form.
type labelPart struct {
	text  string
	value *expression.Expression
	form  string // dec, hex, str, uuid or flags; "" for that of the editor
}

// read reads `{name}: {size:dec} bytes`. A name that makes no expression stays as it is.
func (l *label) read(_ *reader, e entry) error {
	text, _ := e.scalar() // what is no text is another program's
	for text != "" {
		before, rest, _ := strings.Cut(text, "{")
		if before != "" {
			*l = append(*l, labelPart{text: before})
		}
		name, after, closed := strings.Cut(rest, "}")
		if !closed {
			break
		}
		path, form, _ := strings.Cut(name, ":")
		if e, err := expression.Parse(path); err == nil {
			*l = append(*l, labelPart{value: e, form: form})
		} else {
			*l = append(*l, labelPart{text: "{" + name + "}"})
		}
		text = after
	}
	return nil
}

// maxParts is how many parts a label may have, with those of the objects and the elements in it.
const maxParts = 64

// label returns what a person calls the object; "" if nothing does, or what it needs cannot be read.
func (o *object) label() string {
	w := labelWriter{r: newReading(context.Background(), o.stream, nil), left: maxParts}
	if err := w.object(o); err != nil {
		return ""
	}
	return strings.TrimSpace(w.text.String())
}

// labelWriter writes a label with as many parts as are left.
type labelWriter struct {
	r    *reading
	text strings.Builder
	left int
}

func (w *labelWriter) object(o *object) error {
	for _, part := range o.typ.plan.label {
		if w.left--; w.left < 0 {
			break
		}
		if part.value == nil {
			w.text.WriteString(part.text)
			continue
		}
		v, err := part.value.Eval(w.r.scope(o.field(nil)))
		if err == nil {
			err = w.value(v, part.form)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// value writes a value in a form.
func (w *labelWriter) value(v expression.Value, form string) error {
	switch v.Kind {
	case expression.None:
	case expression.Object:
		if form == "flags" {
			w.flags(v.Of().(*object))
			return nil
		}
		return w.object(v.Of().(*object))
	case expression.List:
		return w.list(v.Elements(), form)
	case expression.Int:
		w.text.WriteString(wholeLabel(v, form))
	case expression.Bytes:
		w.text.WriteString(bytesLabel(v.Bytes(), form))
	default:
		w.text.WriteString(v.String())
	}
	return nil
}

// list writes the elements of a list with commas between them.
func (w *labelWriter) list(l expression.Elements, form string) error {
	for i := 0; i < l.Len() && w.left > 0; i++ {
		if w.left--; i > 0 {
			w.text.WriteString(", ")
		}
		v, err := l.At(i)
		if err == nil {
			err = w.value(v, form)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// flags writes the names of the attributes of an object that are true.
func (w *labelWriter) flags(o *object) {
	sign := ""
	for _, a := range o.typ.Seq {
		if !a.isFlag() || o.isUnread(a) {
			continue
		}
		if is, _ := o.values[a.plan.kept].Truth(); is {
			w.text.WriteString(sign + a.ID)
			sign = "|"
		}
	}
}

// wholeLabel writes a whole number: the name that an enumeration gives it, else in hexadecimal unless the form is dec.
func wholeLabel(v expression.Value, form string) string {
	if v.Enum != nil {
		if symbol, ok := v.Enum.Symbol(v); ok {
			return symbol
		}
	}
	switch n, large := v.Whole(); {
	case form == "dec":
		return v.String()
	case large:
		return fmt.Sprintf("%#x", uint64(n))
	default:
		return fmt.Sprintf("%#x", n)
	}
}

// bytesLabel writes bytes: as a text, as a UUID, or in hexadecimal.
func bytesLabel(b []byte, form string) string {
	switch {
	case form == "str":
		return decode.ValidUTF8(string(b))
	case form == "uuid" && len(b) == 16:
		return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
	}
	return short(fmt.Sprintf("% x", b[:min(len(b), maxParts)]))
}
