package details

import (
	"cmp"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"assay/model"
	"assay/model/compare/changes"
	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/rows"
)

// descriptionBuilder builds the lines that describe a node.
type descriptionBuilder struct {
	details *Details
	lines   []Line
}

// maxWholeValue is the maximum length of a field's value that is wrapped instead of cut, in bytes: enough for a date, a
// UUID, a number.
const maxWholeValue = 64

func (b *descriptionBuilder) add(name string, value rows.Cell) *Line {
	b.lines = append(b.lines, Fact(name, value))
	return &b.lines[len(b.lines)-1]
}

func (b *descriptionBuilder) addTitle(title string) { b.lines = append(b.lines, Title(title)) }

func (b *descriptionBuilder) describe(src *model.Source, n *model.Node, m model.Meaning) {
	name := n.Title()
	if n.Parent == nil {
		name = src.Name()
	}
	b.addTitle(model.OneLine(name, 200))
	b.addSummary(m)
	addText := func(name, value string, mono bool) {
		if value != "" {
			b.add(name, rows.Cell{Text: value, Mono: mono})
		}
	}
	addText("Type", n.Type, false)
	addText("Key", n.Key, false)
	addText("Value", host.Value(n), isNumber(n.Value))
	if col, ok := n.Color(); ok {
		code := fmt.Sprintf("#%02x%02x%02x%02x", col.R, col.G, col.B, col.A)
		b.add("Color", rows.Cell{Text: strings.TrimSuffix(code, "ff"), Mono: true,
			Mark: rows.Mark{Paint: paint.Swatch(col)}})
	}
	if isLongText(n) { // addLongText adds the full text below
		b.lines[len(b.lines)-1].MaxRows = 1
	}
	switch {
	case m.Written != "":
		addText("Formatted", m.Written, true)
	case n.Symbol() == "":
		addText("", hexValue(n.Value), true)
	}
	if n.Raw() != nil {
		addText("Raw bytes (not UTF-8)", hex.EncodeToString(n.Raw()), true)
	}
	if n.Link != nil {
		b.add("Links to", rows.Cell{Text: cmp.Or(n.Link.Title(), "another offset in this file"),
			Tone: paint.Primary}).On = func() {
			if b.details.OnFollow != nil {
				b.details.OnFollow(n)
			}
		}
	}
	offset := rows.Cell{Text: fmt.Sprintf("%#x  (%s)", n.Offset, host.Number(n.Offset))}
	b.add("Offset", offset).On = func() { b.goToOffset(n.Offset) }
	addText("Size", fmt.Sprintf("%#x  (%s)", n.Size, host.Count(n.Size, "byte")), false)
	if n.Size > 0 {
		addText("End", fmt.Sprintf("%#x", n.End()), false)
	}
	if bits := n.BitText(); bits != "" {
		origin := "most"
		if n.Bits.FromLow {
			origin = "least"
		}
		addText("Bits", fmt.Sprintf("%s, from the %s significant bit of the byte at the offset", bits, origin), false)
	}
	if k := n.Len(); k > 0 {
		addText("Children", host.Number(int64(k)), false)
	}
	if n.Role.IsLayout() {
		b.add("", rows.Cell{Text: "Part of the file layout (depends on where data is stored)", Tone: paint.Dim})
	}
}

func (b *descriptionBuilder) goToOffset(off int64) {
	if b.details.OnOffset != nil {
		b.details.OnOffset(off)
	}
}

func isNumber(v any) bool {
	switch v.(type) {
	case int64, uint64, float32, float64, bool:
		return true
	}
	return false
}

func hexValue(v any) string {
	switch v := v.(type) {
	case uint64:
		if v > 9 {
			return fmt.Sprintf("%#x", v)
		}
	case int64:
		if v > 9 {
			return fmt.Sprintf("%#x", v)
		}
	}
	return ""
}

// addProblems lists the problems of a node, without those that are listed as problems of the file.
func (b *descriptionBuilder) addProblems(n *model.Node, listed []model.Problem) {
	others := slices.DeleteFunc(slices.Clone(n.Problems()), func(p model.Problem) bool {
		return slices.ContainsFunc(listed, func(l model.Problem) bool {
			return l.Span == p.Span && l.Message == p.Message
		})
	})
	if len(others) == 0 {
		return
	}
	b.addTitle("Problems")
	for _, p := range others {
		b.lines = append(b.lines, Text(rows.Cell{Text: p.Message, Tone: paint.SeverityTone(p.Severity)}))
	}
}

// fileProblemLines returns lines with the first problems of a file, the worst severity first, and the number of the
// others. listed are the first ones. The last line is the title of the facts of the file, which follow.
func (b *descriptionBuilder) fileProblemLines(r *model.Report) (lines []Line, listed []model.Problem) {
	if r == nil || len(r.Problems) == 0 {
		return nil, nil
	}
	sorted := slices.Clone(r.Problems)
	slices.SortStableFunc(sorted, func(a, b model.Problem) int { return cmp.Compare(b.Severity, a.Severity) })
	lines = append(lines, Title("Problems in This File"))
	listed = sorted[:min(len(sorted), maxProblems)]
	for _, p := range listed {
		l := Text(rows.Cell{Text: fmt.Sprintf("%#x  %s", p.Span.Offset, p.Message), Tone: paint.SeverityTone(p.Severity)})
		l.Link, l.On = true, func() {
			if b.details.OnProblem != nil {
				b.details.OnProblem(p)
			}
		}
		lines = append(lines, l)
	}
	if omitted := len(sorted) + r.Omitted - maxProblems; omitted > 0 {
		lines = append(lines, Text(rows.Cell{Text: "… " + host.Count(omitted, "more problem"), Tone: paint.Dim}))
	}
	return append(lines, Title("File")), listed
}

// isLongText reports whether a node's value is a text of more than a few words.
func isLongText(n *model.Node) bool {
	v, ok := n.Value.(string)
	return ok && n.Raw() == nil && (len(v) > 40 || strings.ContainsAny(v, "\n\r"))
}

// addLongText adds a long text in full.
func (b *descriptionBuilder) addLongText(n *model.Node) {
	if !isLongText(n) {
		return
	}
	v := n.Value.(string)
	b.addTitle("Text")
	b.lines = append(b.lines, Text(rows.Cell{Text: v[:min(len(v), maxText)], Mono: strings.Contains(v, "\n")}))
	if rest := len(v) - maxText; rest > 0 {
		b.add("", rows.Cell{Text: fmt.Sprintf("… %s more", host.Count(int64(rest), "byte")), Tone: paint.Dim})
	}
}

// addMatrix adds a 4x4 matrix in rows, and as a transform if it is one. Its numbers are in column order.
func (b *descriptionBuilder) addMatrix(n *model.Node) {
	const side = 4
	a, ok := n.Value.(model.Array)
	if !ok || a.Len() != side*side {
		return
	}
	v, err := a.Slice(0, a.Len())
	if err != nil || len(v) != side*side {
		return
	}
	if _, ok := v[0].(float32); !ok {
		return
	}
	b.addTitle("Matrix")
	for row := range side {
		var line strings.Builder
		for column := range side {
			fmt.Fprintf(&line, "%10.5g", v[column*side+row])
		}
		b.lines = append(b.lines, Text(rows.Cell{Text: line.String(), Mono: true}))
	}
	for _, p := range changes.TransformOf(n) {
		b.add(p.Field, rows.Cell{Text: p.New})
	}
}

func (b *descriptionBuilder) addFields(n *model.Node) {
	k := n.Len()
	if k == 0 {
		return
	}
	b.addTitle("Fields")
	for i := range min(k, maxFields) {
		c := n.Child(i)
		value := rows.Cell{Text: host.Value(c), Mono: isNumber(c.Value) && c.Symbol() == ""}
		switch {
		case value.Text != "":
		case c.Link != nil && c.Link.Title() != "":
			value = rows.Cell{Text: c.Link.Title(), CutMiddle: true, Tone: paint.Primary}
		case c.DisplayName() != "":
			value = rows.Cell{Text: c.DisplayName(), CutMiddle: true}
		default:
			value = rows.Cell{Text: c.Type, Tone: paint.Dim}
		}
		if col, ok := c.Color(); ok {
			value.Mark.Paint = paint.Swatch(col)
		}
		l := b.add(c.Name, value)
		if len(value.Text) > maxWholeValue {
			l.MaxRows = 1
		}
		l.On = func() {
			if b.details.OnField != nil {
				b.details.OnField(c)
			}
		}
	}
	if k > maxFields {
		b.add("…", rows.Cell{Text: host.Count(int64(k-maxFields), "more field"), Tone: paint.Dim})
	}
}

func (b *descriptionBuilder) addBytes(n *model.Node, raw []byte) {
	if len(raw) == 0 {
		return
	}
	b.addTitle("Bytes")
	b.lines = append(b.lines, Line{Fill: func(width int) []Line {
		return b.rawLines(n.Offset, raw, width)
	}})
	if rest := n.Size - int64(len(raw)); rest > 0 {
		b.lines = append(b.lines, Text(rows.Cell{Text: "… " + host.Count(rest, "more byte"), Tone: paint.Dim}))
	}
}

// rawLines returns bytes as lines of at most width characters.
func (b *descriptionBuilder) rawLines(offset int64, raw []byte, width int) []Line {
	perLine := 4
	for perLine < 16 && 2*perLine*4 <= width {
		perLine *= 2
	}
	var lines []Line
	for i := 0; i < len(raw); i += perLine {
		part := raw[i:min(len(raw), i+perLine)]
		digits := strings.TrimSpace(fmt.Sprintf("% x", part))
		l := Text(rows.Cell{Text: fmt.Sprintf("%-*s %s", perLine*3-1, digits, host.ASCII(part)), Mono: true})
		l.On = func() { b.goToOffset(offset + int64(i)) }
		lines = append(lines, l)
	}
	return lines
}

// addSummary adds the first sentence of the meaning of the node.
func (b *descriptionBuilder) addSummary(m model.Meaning) {
	first, _ := m.FirstSentence()
	if first == "" {
		return
	}
	line := Text(rows.Cell{Text: model.OneLine(first, maxText)})
	line.MaxRows = maxSummaryLines
	b.lines = append(b.lines, line)
}

// addMeaning adds all possible values of the field, the current one highlighted, and the rest of the node's meaning.
func (b *descriptionBuilder) addMeaning(n *model.Node, m model.Meaning) {
	all, isCurrent := m.Choices(n)
	if len(all) > 0 {
		b.addTitle("All values")
	}
	form := numberFormat(all)
	for _, c := range all {
		name := rows.Cell{Text: c.Name, Tone: paint.Dim}
		if isCurrent(c) {
			name.Tone, name.Bold = paint.Primary, true
		}
		b.add(fmt.Sprintf(form, c.Number), name)
	}
	_, details := m.FirstSentence()
	if details == "" && m.Source == "" && len(m.References) == 0 && m.Page == nil {
		return
	}
	b.addTitle("Meaning")
	if details != "" {
		b.lines = append(b.lines, Text(rows.Cell{Text: details[:min(len(details), maxText)]}))
	}
	if m.Source != "" {
		b.lines = append(b.lines, Text(rows.Cell{Text: m.Source, Tone: paint.Dim}))
	}
	for i, r := range m.References {
		name := ""
		if i == 0 {
			name = "Source"
		}
		line := b.add(name, rows.Cell{Text: model.OneLine(r.Title, maxText), Tip: r.URL})
		if r.URL != "" && b.details.OnURL != nil {
			line.Cells[1].Tone, line.Link, line.Copy = paint.Link, true, r.URL
			line.On = func() { b.details.OnURL(r.URL) }
		}
	}
	if m.Page != nil && b.details.OnPage != nil {
		b.lines = append(b.lines, Line{Cells: []rows.Cell{{Text: "Open format reference", Tone: paint.Primary,
			Span: allColumns}}, Link: true, On: b.details.OnPage})
	}
}

// numberFormat returns the format of the numbers of an enumeration: hexadecimal if any exceeds 0xff.
func numberFormat(all []model.NamedNumber) string {
	if len(all) > 0 && all[len(all)-1].Number > 0xff {
		return "%#x"
	}
	return "%d"
}
