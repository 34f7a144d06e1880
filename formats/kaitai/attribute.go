package kaitai

import (
	"fmt"
	"slices"
	"strings"

	"assay/formats/decode"
	"assay/formats/kaitai/expression"
	"assay/model"
)

// Queries about an attribute.

// isParam reports whether the attribute is a parameter of its type, which has no bytes in a file.
func (a *Attribute) isParam() bool { return a.plan.slot < len(a.plan.owner.Params) }

// isInstance reports whether the attribute is an instance of its type, with a value outside the sequence.
func (a *Attribute) isInstance() bool {
	return a.plan.slot >= len(a.plan.owner.Params)+len(a.plan.owner.Seq)
}

// isBits reports whether the attribute is a bit field or a list of bit fields.
func (a *Attribute) isBits() bool { return a.Type.On == nil && a.Type.Value.Kind == Bits }

// beginsWithBits reports whether the attribute begins at any bit of a byte.
func (a *Attribute) beginsWithBits() bool {
	return a.isBits() || a.isNested() && a.Type.Value.User.beginsWithBits()
}

// beginsWithBits reports whether objects of the type begin at any bit of a byte.
func (t *Type) beginsWithBits() bool { return len(t.Seq) > 0 && !t.plan.isAligned }

// isFlag reports whether the attribute is a single bit without an enumeration, as used in labels with names of flags.
func (a *Attribute) isFlag() bool { return a.isBits() && a.Type.Value.Width == 1 && a.plan.enum == nil }

// isNested reports whether the attribute is an object, or a list of objects, without a stream of its own. Such an
// object may begin within a byte.
func (a *Attribute) isNested() bool {
	return a.Type.On == nil && a.Type.Value.Kind == User && !a.hasEnd()
}

// isSingle reports whether the attribute is one value that is always present and unconstrained, so that an object can
// read it without further checks. The plan stores the result.
func (a *Attribute) isSingle() bool {
	return a.If == nil && a.Repeat.Kind == Once && a.Type.On == nil && a.Valid == nil && a.Type.Value.Kind != User
}

// isRow reports whether a list of numbers or bit fields is one leaf, because its elements need no nodes of their own.
func (a *Attribute) isRow() bool {
	return a.Repeat.Kind != Until && a.Type.On == nil && a.plan.enum == nil && a.plan.link == nil && a.Valid == nil &&
		(a.Type.Value.Kind == Number || a.Type.Value.Kind == Bits)
}

// isIdle reports whether the attribute always takes the same number of bytes and its value is unused, so that a quiet
// reading can skip it.
func (a *Attribute) isIdle() bool {
	if !a.plan.isSingle || a.plan.used || a.plan.bits == dynamicSize || a.plan.bits%8 != 0 {
		return false
	}
	switch ref := &a.Type.Value; ref.Kind {
	case Bytes:
		return a.Contents == nil && a.Process == nil && a.Terminator == nil && a.PadRight == nil
	case Number:
		return ref.Order != nil || ref.Width == 1
	}
	return false
}

// attributeOf returns the attribute that reads a node. It is nil for the file as a whole, for a part of an attribute,
// such as the padding of its size, and for gaps. The node of an object stores its type, and the node of a list its
// attribute; other nodes in an object have the names of their attributes.
func attributeOf(n *model.Node) *Attribute {
	if n.Parent == nil || isGaps(n) {
		return nil
	}
	switch in := n.Parent.ReadAs().(type) {
	case *Attribute:
		return in
	case *Type:
		return in.names.attributes[n.Name]
	}
	return nil
}

// isGaps reports whether a node is the list of the bytes that the description does not cover. It is the only node with
// children that no rule reads.
func isGaps(n *model.Node) bool { return n.ReadAs() == nil && !n.Leaf() }

// ruleOf returns the attribute that reads a node, or the nearest enclosing one. It is nil for the file as a whole, and
// false for bytes that the description does not cover.
func ruleOf(n *model.Node) (*Attribute, bool) {
	for ; n.Parent != nil; n = n.Parent {
		if a := attributeOf(n); a != nil || isGaps(n) {
			return a, a != nil
		}
	}
	return nil, true
}

// rule returns the location of the rule in the description that reads a node.
func (d *Description) rule(n *model.Node) (file string, line int, ok bool) {
	place := d.Root.location
	a, ok := ruleOf(n)
	switch {
	case !ok:
		return "", 0, false
	case a != nil:
		place = a.location
	}
	return place.file, place.line, true
}

// doc returns the documentation of a node in the description, and the documents that it names: of the attribute, its
// type, and its value.
func doc(n *model.Node) (text string, references []model.Reference) {
	var names []string
	add := func(doc Doc) {
		if text := joinLines(doc.Text); text != "" && !slices.Contains(names, text) {
			names = append(names, text)
		}
		for _, r := range doc.references() {
			if !slices.Contains(references, r) {
				references = append(references, r)
			}
		}
	}
	if a := attributeOf(n); a != nil {
		add(a.Doc)
		if m := a.plan.enum.member(scalarValue(n.Value, nil)); m != nil && m.Doc.Text != "" {
			add(Doc{Text: m.Name + ": " + m.Doc.Text, Refs: m.Doc.Refs})
		}
	}
	if t, ok := n.ReadAs().(*Type); ok {
		add(t.Doc)
	}
	return strings.Join(names, "\n"), references
}

// references returns the documents of the references.
func (d Doc) references() (all []model.Reference) {
	for _, ref := range d.Refs {
		if strings.TrimSpace(ref) != "" {
			all = append(all, model.ParseReference(ref))
		}
	}
	return all
}

// joinLines returns a text without line ends inside paragraphs; those before list items stay.
func joinLines(text string) string {
	var b strings.Builder
	for line := range strings.SplitSeq(strings.TrimSpace(text), "\n") {
		bare := strings.TrimSpace(line)
		switch {
		case b.Len() == 0:
		case bare == "" || strings.HasPrefix(bare, "* ") || strings.HasPrefix(bare, "- ") || line != strings.TrimLeft(line, " \t"):
			b.WriteByte('\n')
		case !strings.HasSuffix(b.String(), "\n"):
			b.WriteByte(' ')
		}
		b.WriteString(strings.TrimRight(line, " \t"))
	}
	return b.String()
}

// label is the display name of an object: `to-string`, or `-webide-representation` of the language's editor.
type label []labelPart

// labelPart is a text, or an expression that is replaced by its value in a form.
type labelPart struct {
	text  string
	value *expression.Expression
	form  string // dec, hex, str, uuid or flags; "" as in the editor
}

// read reads `{name}: {size:dec} bytes`. A name that is not an expression stays as text.
func (l *label) read(_ *yamlReader, e entry) error {
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

// maxLabel is the approximate maximum length of a label in characters. A label is computed for each line that displays
// it.
const maxLabel = 1 << 8

// label returns the display name of the object, or "" if it has none or its values cannot be read.
func (o *object) label() string { return o.text(o.typ.plan.label) }

// text returns a text about the object, or "" if its values cannot be read.
func (o *object) text(l label) string {
	w := labelWriter{r: newDecoder(o.stream, nil), remaining: maxParts}
	if err := w.object(o, l); err != nil {
		return ""
	}
	return strings.TrimSpace(start(w.text.String(), maxLabel))
}

// labelWriter writes a label of limited length.
type labelWriter struct {
	r         *decoder
	text      strings.Builder
	remaining int
}

// write adds s, cut to maxLabel.
func (w *labelWriter) write(s string) { w.text.WriteString(start(s, maxLabel)) }

func (w *labelWriter) object(o *object, l label) error {
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
	if err := w.r.spendOn(o.field(nil), int64(len(o.typ.Seq))); err != nil {
		return err
	}
	sign := ""
	for _, a := range o.typ.Seq {
		if !a.isFlag() || o.isUnread(a) {
			continue
		}
		if present, _ := o.values[a.plan.stored].Truth(); present {
			w.write(sign + a.ID)
			sign = "|"
		}
	}
	return nil
}

// wholeLabel writes a whole number: the name that an enumeration gives it, else in hexadecimal unless the form is dec.
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

// bytesLabel writes bytes: as a text, as a UUID, or in hexadecimal.
func bytesLabel(b []byte, form string) string {
	switch {
	case form == "str":
		return decode.ValidUTF8(string(b[:min(len(b), 4*maxLabel)]))
	case form == "uuid" && len(b) == 16:
		return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
	}
	return short(fmt.Sprintf("% x", b[:min(len(b), maxParts)]))
}
