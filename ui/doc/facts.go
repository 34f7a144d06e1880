package doc

import (
	"fmt"
	"slices"
	"strings"

	"assay/model"
	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/tabs"
)

// Way is the way to the selected node, for the status line: every step leads there.
func (p *Pane) Way() []tabs.Segment {
	var way []tabs.Segment
	if p.node == nil {
		return nil
	}
	for n := p.node; n != nil; n = n.Parent {
		s := tabs.Segment{Text: model.OneLine(p.doc.Title(n), 60), Tone: paint.Dim}
		if n == p.node {
			s.Tone = paint.Normal
		}
		path := n.Path()
		s.On = func() { p.Select(path) }
		way = append(way, s)
		if len(way) > 40 {
			break
		}
	}
	slices.Reverse(way)
	var outer []tabs.Segment
	for _, name := range p.doc.Source.Inside() {
		outer = append(outer, tabs.Segment{Text: model.OneLine(name, 60), Tone: paint.Dim})
	}
	return append(outer, way...)
}

// Facts are what the status line says of the file and the selection.
func (p *Pane) Facts() []tabs.Segment {
	d := p.doc
	at := fmt.Sprintf("%#x", p.offset)
	hint := "Cursor offset. Click to go to another offset."
	switch {
	case p.length > 0:
		at += " +" + host.Number(p.length)
		hint = "Offset and length of the selected bytes. Click to go to another offset."
	case p.node != nil && p.node.Offset == p.offset && p.node.Size > 0:
		at += " +" + host.Number(p.node.Size)
		hint = "Offset and length of the selected node. Click to go to another offset."
	}
	facts := []tabs.Segment{
		{Text: at, Mono: true, Hint: hint, On: p.GoToOffset},
		{Text: d.Kind(), Hint: d.Why, On: p.explain},
		{Text: host.Count(d.Source.Size(), "byte"), Tone: paint.Dim, Hint: "Size of the file"},
	}
	if n := len(p.notes.placed.All()); n > 0 {
		s := tabs.Segment{Text: host.Count(int64(n), "note"), Hint: "Click to list them.", On: p.ToggleNotes}
		if earlier := len(p.notes.placed.Earlier()); earlier > 0 {
			s.Hint = host.Number(earlier) + " were made on an earlier version of the file. Click to list them."
			s.Tone = paint.Warning
		}
		facts = append(facts, s)
	}
	r := p.problems.report
	if r == nil {
		return facts
	}
	coverage := tabs.Segment{Text: r.Percent(d.Source.Size()) + " decoded", Tone: paint.Dim,
		Hint: "Every byte belongs to a known field."}
	if gaps := len(r.Gaps); gaps > 0 {
		coverage.Hint = host.Number(d.Source.Size()-r.Accounted) + " bytes in " + host.Count(gaps, "gap") +
			" are not decoded. Click to go to the first one."
		coverage.Tone = paint.Warning
		coverage.On = p.showGaps
	}
	problems := tabs.Segment{Text: "No problems", Tone: paint.Success,
		Hint: "The structure of this file is valid.", On: p.ToggleProblems}
	if n := len(r.Problems) + r.Omitted; n > 0 {
		problems.Text = host.Count(n, "problem")
		problems.Hint = "Click for the list."
		problems.Tone = paint.Dim
		switch r.Worst {
		case model.Error:
			problems.Tone = paint.Error
		case model.Warning:
			problems.Tone = paint.Warning
		default:
			problems.Text = host.Count(n, "minor problem")
		}
	}
	facts = append(facts, coverage)
	if p.InView != nil {
		if list := p.InView(); len(list) > 0 {
			all := strings.Join(list, " · ")
			facts = append(facts, tabs.Segment{Text: host.Count(int64(len(list)), "problem") + " in preview",
				Hint: all, Tone: paint.Warning, On: func() { p.Notify(host.Notice{ID: "in view", Text: all}) }})
			if problems.Tone == paint.Success {
				return facts
			}
		}
	}
	return append(facts, problems)
}

// explain says how the file's format was decided.
func (p *Pane) explain() {
	text := "Format: " + p.doc.Kind() + "."
	if p.doc.Why != "" {
		text += " " + strings.ToUpper(p.doc.Why[:1]) + p.doc.Why[1:]
		if !strings.HasSuffix(text, ".") {
			text += "."
		}
	}
	p.Notify(host.Notice{ID: "why", Text: text})
}

// showGaps goes to the bytes that nothing explains.
func (p *Pane) showGaps() {
	root := p.doc.Root()
	if k := root.Len(); k > 0 {
		p.SetGrouping(0)
		p.choose(root.Child(k-1), fromElsewhere)
	}
}
