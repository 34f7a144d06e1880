package kaitai

import (
	"fmt"
	"strings"

	"assay/formats/decode"
	"assay/formats/kaitai/expression"
)

// labelTemplate is the parts of which the display name (`to-string`, or `-webide-representation` of the language's
// editor) or the key of an object is made.
type labelTemplate []labelPart

// labelPart is a text, or an expression that is replaced by its value in a form.
type labelPart struct {
	text  string
	value *expression.Expression
	form  string // dec, hex, str, uuid or flags; "" as in the editor
}

// read reads `{name}: {size:dec} bytes`. A name that is not an expression stays as text.
func (l *labelTemplate) read(_ *yamlReader, e entry) error {
	text, _ := e.scalar() // keys of other programs may have any value
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

// maxParts is the maximum number of parts of a label, including parts of the objects and elements in it.
const maxParts = 64

// maxLabelBytes is the maximum number of bytes that a label displays in hexadecimal.
const maxLabelBytes = 64

// maxLabel is the approximate maximum length of a label in characters. A label is computed for each line that displays
// it.
const maxLabel = 1 << 8

// label returns the display name of the object, or "" if it has none or its values cannot be read.
func (o *object) label() string { return o.text(o.typ.plan.label) }

// text returns a text about the object, or "" if its values cannot be read.
func (o *object) text(l labelTemplate) string {
	w := labelWriter{r: newDecoder(o.stream, nil), remaining: maxParts}
	if err := w.object(o, l); err != nil {
		return ""
	}
	return strings.TrimSpace(firstCharacters(w.text.String(), maxLabel))
}

// labelWriter writes a label of limited length.
type labelWriter struct {
	r         *decoder
	text      strings.Builder
	remaining int
}

// write adds s, cut to maxLabel.
func (w *labelWriter) write(s string) { w.text.WriteString(firstCharacters(s, maxLabel)) }

func (w *labelWriter) object(o *object, l labelTemplate) error {
	for _, part := range l {
		if w.remaining--; w.remaining < 0 || w.text.Len() > maxLabel {
			break
		}
		if part.value == nil {
			w.write(part.text)
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

func (w *labelWriter) value(v expression.Value, form string) error {
	switch v.Kind {
	case expression.None:
	case expression.Object:
		if form == "flags" {
			return w.flags(v.Pointer().(*object))
		}
		o := v.Pointer().(*object)
		return w.object(o, o.typ.plan.label)
	case expression.List:
		return w.list(v.Elements(), form)
	case expression.Int:
		w.write(wholeLabel(v, form))
	case expression.Bytes:
		w.write(bytesLabel(v.Bytes(), form))
	default:
		w.write(v.String())
	}
	return nil
}

// list writes the elements of a list with commas between them.
func (w *labelWriter) list(l expression.Elements, form string) error {
	for i := 0; i < l.Len() && w.remaining > 0; i++ {
		if w.remaining--; i > 0 {
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
func (w *labelWriter) flags(o *object) error {
	if err := w.r.trySpend(o.field(nil), int64(len(o.typ.Seq))); err != nil {
		return err
	}
	sign := ""
	for _, a := range o.typ.Seq {
		if !a.isFlag() || o.isUnread(a) {
			continue
		}
		if isSet, _ := o.values[a.plan.valueIndex].Truth(); isSet {
			w.write(sign + a.ID)
			sign = "|"
		}
	}
	return nil
}

// wholeLabel returns a whole number as text: the name that an enumeration gives it, else in hexadecimal unless the form
// is dec.
func wholeLabel(v expression.Value, form string) string {
	if v.Enum != nil {
		if symbol, ok := v.Enum.Symbol(v); ok {
			return symbol
		}
	}
	switch n, large := v.IntBits(); {
	case form == "dec":
		return v.String()
	case large:
		return fmt.Sprintf("%#x", uint64(n))
	default:
		return fmt.Sprintf("%#x", n)
	}
}

// bytesLabel returns bytes as text: decoded, as a UUID, or in hexadecimal.
func bytesLabel(b []byte, form string) string {
	switch {
	case form == "str":
		return decode.ValidUTF8(string(b[:min(len(b), 4*maxLabel)]))
	case form == "uuid" && len(b) == 16:
		return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
	}
	return short(fmt.Sprintf("% x", b[:min(len(b), maxLabelBytes)]))
}
