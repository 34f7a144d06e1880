// Package details shows everything about one node: what it is, where it stands, its value in full, its fields, its
// bytes.
//
// It also shows the pages of the formats, which say what each field means.
package details

import (
	"slices"
	"strconv"

	"fyne.io/fyne/v2"

	"assay/model"
	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/rows"
)

const (
	fieldsMax = 2000  // children that are listed
	fieldsFew = 24    // children that stand before what the node means
	wrongFew  = 5     // problems of the file that stand at the top
	rawMax    = 256   // bytes that are shown raw
	textMax   = 32768 // bytes of a text that are shown in full
	valuesRun = 256   // scalars of an array that are read at once
)

// Events are what the owner of the panel is told. Any of them may be nil.
type Events struct {
	OnGo      func(n *model.Node)   // the user chose a field
	OnFollow  func(n *model.Node)   // the user chose the node's link
	OnOffset  func(off int64)       // the user chose an offset
	OnPage    func()                // the user asked for the page of the format about the node
	OnProblem func(p model.Problem) // the user chose a problem of the file
	// Report returns what the check of the whole file found; nil while there is none.
	Report func() *model.Report
	// Noted returns the notes on a node, as lines.
	Noted func(n *model.Node) []Line
}

// Details is the panel.
type Details struct {
	*Panel
	Events
	style *paint.Style
	node  *model.Node
	names float32 // the width that the names want, in device-independent pixels
}

// New makes an empty panel.
func New(h host.Host, style *paint.Style) *Details {
	d := &Details{style: style}
	options := rows.Options{MinSize: fyne.NewSize(140, 80), Share: d.share}
	d.Panel = NewPanel(h, style, options, rows.Column{}, rows.Column{})
	return d
}

// namesLeast is the width of the names, unless longer ones are there.
const namesLeast = 84

// share divides the width between names and values.
func (d *Details) share(width float32) []float32 {
	name := min(max(namesLeast, d.names), width*0.42)
	return []float32{name, width - name}
}

// measure finds out how much room the names want.
func (d *Details) measure(lines []Line) {
	c := d.style.NewCanvas(nil, 1, paint.Colors{})
	d.names = 0
	for _, l := range lines {
		if len(l.Cells) > 1 {
			d.names = max(d.names, rows.Wanted(c, l.Cells[0]))
		}
	}
}

// Node is what is shown.
func (d *Details) Node() *model.Node { return d.node }

// Forget has the node described again with the next SetNode, as its notes changed.
func (d *Details) Forget() { d.node = nil }

// SetNode describes a node of a document; nil shows nothing. raw are the node's first bytes, as far as they could be
// read.
func (d *Details) SetNode(of *model.Document, n *model.Node, raw []byte) {
	d.node = n
	if n == nil {
		d.Set(nil, nil)
		return
	}
	t := &text{of: d}
	var m model.Meaning
	if of.Meaning != nil {
		m = of.Meaning(n)
	}
	t.describe(of.Source, n, m)
	if d.Report != nil && n.Parent == nil {
		t.lines = slices.Insert(t.lines, 1, t.fileProblems(d.Report())...)
	}
	if d.Noted != nil {
		t.lines = slices.Insert(t.lines, 1, d.Noted(n)...) // below the name
	}
	t.problems(n)
	t.value(n)
	t.matrix(n)
	if n.Len() > fieldsFew { // they begin in view, or are far too many to be in view
		t.meaning(n, m)
		t.fields(n)
	} else {
		t.fields(n)
		t.meaning(n, m)
	}
	t.bytes(n, raw)
	d.measure(t.lines)
	if a, ok := n.Value.(model.Array); ok && a.Len() > 0 {
		t.head("Values")
		d.Set(t.lines, &values{array: a})
		return
	}
	d.Set(t.lines, nil)
}

// RawSpan is the part of a node that SetNode wants the bytes of.
func RawSpan(n *model.Node, size int64) model.Span {
	s := model.Span{Offset: min(max(n.Offset, 0), size), Size: min(max(n.Size, 0), rawMax)}
	s.Size = min(s.Size, size-s.Offset)
	return s
}

// values are the scalars of an array, read where they are in view.
type values struct {
	array model.Array
	run   []any // from at on
	at    int64
}

// Len is the number of scalars.
func (v *values) Len() int64 { return v.array.Len() }

// Line is one of them.
func (v *values) Line(i int64) Line {
	if i < v.at || i >= v.at+int64(len(v.run)) {
		v.at = max(0, i-valuesRun/4)
		v.run, _ = v.array.Slice(v.at, valuesRun)
	}
	value := "unreadable"
	if i < v.at+int64(len(v.run)) {
		value = model.FormatValue(v.run[i-v.at])
	}
	return Fact(strconv.FormatInt(i, 10), rows.Cell{Text: value, Mono: true})
}
