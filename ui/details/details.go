// Package details contains panels: Details describes one node (its location, value, fields and bytes), Inspector
// interprets bytes, and Manual displays the pages of the formats, which explain the fields. Panel is the list of lines
// that they share.
package details

import (
	"cmp"
	"slices"
	"strconv"

	"fyne.io/fyne/v2"

	"assay/model"
	"assay/model/archive"
	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/rows"
)

const (
	maxFields      = 2000  // maximum number of listed children
	maxFieldsFirst = 24    // maximum number of children listed before the meaning of the node
	maxProblems    = 5     // maximum number of problems of the file at the top
	maxRawBytes    = 256   // maximum number of raw bytes displayed
	maxText        = 32768 // maximum length of a text, in bytes
	valuesPerRead  = 256   // number of scalars of an array read at once
)

// Events are the callbacks of the panel. Any may be nil.
type Events struct {
	OnField   func(n *model.Node)   // the user chose a field
	OnFollow  func(n *model.Node)   // the user chose the node's link
	OnOffset  func(offset int64)    // the user chose an offset
	OnPage    func()                // the user opened the page of the format about the node
	OnURL     func(address string)  // the user chose a document on the web
	OnProblem func(p model.Problem) // the user chose a problem of the file
	// Report returns the result of the verification of the whole file. It may return nil.
	Report func() *model.Report
	// Noted returns the notes on a node, as lines.
	Noted func(n *model.Node) []Line
}

// Details is the panel that describes one node.
type Details struct {
	*Panel
	Events
	style      *paint.Style
	node       *model.Node
	assetFacts string  // facts of the asset that contains the node
	nameWidth  float32 // width of the names, in device-independent pixels
}

// New returns an empty panel.
func New(h host.Host, style *paint.Style) *Details {
	d := &Details{style: style}
	options := rows.Options{MinSize: fyne.NewSize(140, 80), ColumnWidths: d.columnWidths}
	d.Panel = NewPanel(h, style, options, rows.Column{}, rows.Column{})
	return d
}

// minNameWidth is the minimum width of the names.
const minNameWidth = 84

// columnWidths divides the width between names and values.
func (d *Details) columnWidths(width float32) []float32 {
	name := min(max(minNameWidth, d.nameWidth), width*0.42)
	return []float32{name, width - name}
}

func (d *Details) measureNames(lines []Line) {
	c := d.style.NewCanvas(nil, 1, paint.Colors{})
	d.nameWidth = 0
	for _, l := range lines {
		if len(l.Cells) > 1 {
			d.nameWidth = max(d.nameWidth, rows.WidthOf(c, l.Cells[0]))
		}
	}
}

// Node returns the displayed node. It may be nil.
func (d *Details) Node() *model.Node { return d.node }

// Forget makes Node return nil, so that the owner describes the same node again after its notes or problems changed.
func (d *Details) Forget() { d.node = nil }

// SetAsset sets the facts of the asset that the next node belongs to; "" means that it belongs to none.
func (d *Details) SetAsset(facts string) { d.assetFacts = facts }

// SetNode describes a node of a document, or nothing if n is nil. raw are the first readable bytes of the node.
func (d *Details) SetNode(doc *model.Document, n *model.Node, raw []byte) {
	d.node = n
	if n == nil {
		d.Set(nil, nil)
		return
	}
	b := &descriptionBuilder{details: d}
	var m model.Meaning
	if doc.Meaning != nil {
		m = doc.Meaning(n)
	}
	b.describe(doc.Source, n, m)
	var listed []model.Problem
	if d.Report != nil && n.Parent == nil {
		var lines []Line
		lines, listed = b.fileProblemLines(d.Report())
		b.lines = slices.Insert(b.lines, 1, lines...)
	}
	if d.assetFacts != "" {
		b.lines = slices.Insert(b.lines, 1, Fact("Asset", rows.Cell{Text: d.assetFacts}))
	}
	if d.Noted != nil {
		b.lines = slices.Insert(b.lines, 1, d.Noted(n)...) // below the title
	}
	b.addProblems(n, listed)
	b.addLongText(n)
	b.addMatrix(n)
	if n.Len() > maxFieldsFirst { // many fields push the meaning out of view
		b.addMeaning(n, m)
		b.addFields(n)
	} else {
		b.addFields(n)
		b.addMeaning(n, m)
	}
	b.addBytes(n, raw)
	d.measureNames(b.lines)
	if a, ok := n.Value.(model.Array); ok && a.Len() > 0 {
		b.addTitle("Values")
		d.Set(b.lines, &values{array: a})
		return
	}
	d.Set(b.lines, nil)
}

// SetFacts displays the common facts of several assets. name may be empty.
func (d *Details) SetFacts(name string, f archive.Facts) {
	d.node = nil
	count := host.Count(f.Count, "asset")
	lines := []Line{Title(cmp.Or(model.OneLine(name, 300), count)), Fact("Assets", rows.Cell{Text: host.Number(f.Count)})}
	if f.Folder != "" {
		lines = append(lines, Fact("Folder", rows.Cell{Text: model.OneLine(f.Folder, 300)}))
	}
	size := host.Size(f.Size)
	if f.Unsized {
		size = "at least " + size
	}
	if f.Size > 0 {
		lines = append(lines, Fact("Size", rows.Cell{Text: size}))
	}
	if stored := host.Size(f.Stored); stored != size {
		lines = append(lines, Fact("Stored", rows.Cell{Text: stored}))
	}
	for _, fact := range f.Same {
		lines = append(lines, Fact(fact.Column, rows.Cell{Text: model.OneLine(fact.Value, 300)}))
	}
	d.measureNames(lines)
	d.Set(lines, nil)
}

// RawSpan returns the part of a node that SetNode needs as raw bytes.
func RawSpan(n *model.Node, size int64) model.Span {
	s := model.Span{Offset: min(max(n.Offset, 0), size), Size: min(max(n.Size, 0), maxRawBytes)}
	s.Size = min(s.Size, size-s.Offset)
	return s
}

// values are the scalars of an array, read when they are in view.
type values struct {
	array model.Array
	run   []any // scalars from index first
	first int64
}

func (v *values) Len() int64 { return v.array.Len() }

func (v *values) Line(i int64) Line {
	if i < v.first || i >= v.first+int64(len(v.run)) {
		v.first = max(0, i-valuesPerRead/4)
		v.run, _ = v.array.Slice(v.first, valuesPerRead)
	}
	value := "unreadable"
	if i < v.first+int64(len(v.run)) {
		value = host.FormatValue(v.run[i-v.first])
	}
	return Fact(strconv.FormatInt(i, 10), rows.Cell{Text: value, Mono: true})
}

// maxSummaryLines is the maximum number of lines of the first sentence about a node, so that its value stays in view.
const maxSummaryLines = 3
