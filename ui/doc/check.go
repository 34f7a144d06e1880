package doc

import (
	"context"
	"strings"

	"assay/model"
)

// check looks at the whole file in the background, then shows its gaps and its problems.
func (p *Pane) check() {
	d := p.doc
	progress := p.group.Progress(p.group.Context(), func(done, total int64) {
		if d == p.doc && total > 0 {
			p.Busy("Checking", float64(done)/float64(total), nil)
		}
	})
	p.group.Go(func(ctx context.Context) func() {
		r, err := d.Check(ctx, progress)
		if err != nil {
			return nil
		}
		trouble := troubleOf(r.Problems)
		d.ShowGaps(r)
		return func() {
			if d == p.doc {
				p.checked(r, trouble)
			}
		}
	})
}

func (p *Pane) checked(r *model.Report, trouble map[string]model.Severity) {
	p.Busy("", 0, nil)
	p.showReport(r)
	p.structure.checked(p.doc.Root(), trouble)
	if p.grouping == 0 && p.filter.empty() && p.node != nil && p.node.Parent == nil {
		p.node = p.doc.Root()
		p.details.Forget()
		p.readDetails()
	}
	p.tints.forget()
	p.bytes.hex.Refresh()
	p.tellPanels()
}

// troubleOf returns the worst problem below every node that has one below it.
func troubleOf(problems []model.Problem) map[string]model.Severity {
	worst := make(map[string]model.Severity)
	for _, problem := range problems {
		for path := problem.Path; path != ""; path = path[:max(1, strings.LastIndexByte(path, '/'))] {
			if s, ok := worst[path]; ok && s >= problem.Severity { // and so has what is above it
				break
			}
			worst[path] = problem.Severity
		}
	}
	return worst
}

// Report is what the look at the whole file found; nil while it goes on.
func (p *Pane) Report() *model.Report { return p.problems.report }

// ShowProblem goes to where a problem is.
func (p *Pane) ShowProblem(problem model.Problem) {
	d := p.doc
	p.going.Go(func(context.Context) func() {
		n, err := d.Find(problem.Path)
		return func() {
			if err == nil {
				p.choose(n, fromElsewhere)
			}
			if problem.Span.Within(d.Source.Size()) && problem.Span.Offset < d.Source.Size() {
				p.Centre.Show(p.bytes)
				p.bytes.show(problem.Span)
				p.offset = problem.Span.Offset
				p.readDetails()
				p.Changed()
			}
		}
	})
}

// ToggleProblems opens or closes the list of problems.
func (p *Pane) ToggleProblems() { p.drawer.toggle(&p.problems.list) }
