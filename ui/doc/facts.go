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

// Breadcrumbs returns the path to the selected node for the status line. A click on a step selects its node.
func (p *Pane) Breadcrumbs() []tabs.Segment {
	var crumbs []tabs.Segment
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
		crumbs = append(crumbs, s)
		if len(crumbs) > 40 {
			break
		}
	}
	slices.Reverse(crumbs)
	var outer []tabs.Segment
	for _, name := range p.doc.Source.Containers() {
		outer = append(outer, tabs.Segment{Text: model.OneLine(name, 60), Tone: paint.Dim})
	}
	return append(outer, crumbs...)
}

// Facts returns the facts about the file and the selection for the status line.
func (p *Pane) Facts() []tabs.Segment {
	d := p.doc
	offset := fmt.Sprintf("%#x", p.offset)
	hint := "Cursor offset. Click to go to another offset."
	switch {
	case p.length > 0:
		offset += " +" + host.Number(p.length)
		hint = "Offset and length of the selected bytes. Click to go to another offset."
	case p.node != nil && p.node.Offset == p.offset && p.node.Size > 0:
		offset += " +" + host.Number(p.node.Size)
		hint = "Offset and length of the selected node. Click to go to another offset."
	}
	facts := []tabs.Segment{
		{Text: offset, Mono: true, Hint: hint, On: p.GoToOffset},
		p.formatSegment(),
		{Text: host.Count(d.Source.Size(), "byte"), Tone: paint.Dim, Hint: "Size of the file"},
	}
	if n := len(p.notes.placed.All()); n > 0 {
		s := tabs.Segment{Text: host.Count(int64(n), "note"), Hint: "Click to list them.", On: p.ToggleNotes}
		if earlier := len(p.notes.placed.Earlier()); earlier > 0 {
			s.Hint = "Notes on an earlier version of the file: " + host.Number(earlier) + ". Click to list all notes."
			s.Tone = paint.Warning
		}
		facts = append(facts, s)
	}
	r := p.problems.report
	if r == nil {
		return facts
	}
	problems := p.problemSegment(r)
	facts = append(facts, p.coverageSegment(r))
	if p.ViewRemarks != nil {
		if list := p.ViewRemarks(); len(list) > 0 {
			inView, isProblem := p.remarkSegment(list)
			if facts = append(facts, inView); isProblem && problems.Tone == paint.Success {
				return facts
			}
		}
	}
	return append(facts, problems)
}

// coverageSegment returns the segment with the share of the file that is decoded. A click selects the gaps.
func (p *Pane) coverageSegment(r *model.Report) tabs.Segment {
	d := p.doc
	coverage := tabs.Segment{Text: d.CoverageText(r), Tone: paint.Dim, Hint: "Every byte is decoded."}
	if d.Content {
		coverage.Hint = "The content is displayed; its fields are not listed."
	}
	if gaps := len(r.Gaps); gaps > 0 {
		coverage.Hint = host.Number(d.Source.Size()-r.Accounted) + " bytes in " + host.Count(gaps, "gap") +
			" are not decoded. Click to go to the first one."
		if d.Description == nil {
			coverage.Tone = paint.Warning
		}
		coverage.On = p.showGaps
	}
	return coverage
}

// problemSegment returns the segment with the number of problems. A click lists them.
func (p *Pane) problemSegment(r *model.Report) tabs.Segment {
	problems := tabs.Segment{Text: "No problems", Tone: paint.Success,
		Hint: "The structure of this file is valid.", On: p.ToggleProblems}
	if n := r.Count[model.Error] + r.Count[model.Warning]; n > 0 {
		problems.Text, problems.Tone = host.Count(n, "problem"), paint.Warning
		if r.Worst == model.Error {
			problems.Tone = paint.Error
		}
		if minor := r.Count[model.Note]; minor > 0 {
			problems.Text += ", " + host.Number(minor) + " minor"
		}
		problems.Hint = "Click to list them."
	} else if n := r.Count[model.Note]; n > 0 {
		problems.Text, problems.Tone, problems.Hint = host.Count(n, "minor problem"), paint.Dim, "Click to list them."
	}
	return problems
}

// remarkSegment returns the number of problems and of guesses in the preview, and whether there is a problem.
func (p *Pane) remarkSegment(list []string) (s tabs.Segment, isProblem bool) {
	guesses, sentences := 0, make([]string, len(list))
	for i, remark := range list {
		if sentences[i] = host.SentenceOf(remark); strings.HasPrefix(remark, model.Guessed) {
			guesses++
		}
	}
	var counts []string
	if n := len(list) - guesses; n > 0 {
		counts = append(counts, host.Count(n, "problem"))
	}
	if guesses > 0 {
		counts = append(counts, host.Count(guesses, "guess"))
	}
	s = tabs.Segment{Text: strings.Join(counts, ", ") + " in preview", Hint: sentences[0], Tone: paint.Dim}
	if isProblem = guesses < len(list); isProblem {
		s.Tone = paint.Warning
	}
	s.On = func() { p.Explain(s.Text, strings.Join(sentences, "\n\n")) }
	return s, isProblem
}

// formatSegment returns the segment with the format. A click displays how the format was recognized, if that is known.
func (p *Pane) formatSegment() tabs.Segment {
	s := tabs.Segment{Text: p.doc.Kind(), Hint: p.doc.Why}
	if p.doc.Why != "" {
		s.On = p.explainFormat
	}
	return s
}

// explainFormat displays how the format of the file was recognized.
func (p *Pane) explainFormat() {
	text := "Format: " + p.doc.Kind() + ". " + host.SentenceOf(p.doc.Why)
	p.Notify(host.Notice{ID: "why", Text: text})
}

// showGaps selects the last child of the root: the bytes that were not decoded.
func (p *Pane) showGaps() {
	root := p.doc.Root()
	if k := root.Len(); k > 0 {
		p.SetGrouping(0)
		p.choose(root.Child(k-1), fromElsewhere)
	}
}
