package model

import (
	"context"
	"fmt"
	"slices"
)

// Limits of the problems in a Report, and of the bytes of their paths: a hostile file can have one in every one of a
// million records, or on each of 50,000 levels, with paths of half a megabyte.
const (
	maxProblems  = 10_000
	maxPathBytes = 4 << 20
)

// Report is the result of checking a whole document: the coverage of its bytes, and the problems.
type Report struct {
	Accounted int64          // bytes that leaves own
	Gaps      []Span         // bytes that no leaf owns, in order
	Overlaps  []Span         // bytes that two leaves own
	Problems  []Problem      // the first ones of the tree, in its order, then of the coverage
	Worst     Severity       // of all problems, listed or not; Note without problems
	Count     [Error + 1]int // problems of each severity, listed or not
	Omitted   int            // number of further problems

	pathBytes int       // bytes of the paths of Problems
	stopped   *Problem  // why reading stopped, also in Problems; nil if it did not
	coverage  []Problem // problems that are on no node
}

// Add lists a problem.
func (r *Report) Add(p Problem) {
	r.add(p, func() string { return p.Path })
}

func (r *Report) add(p Problem, path func() string) {
	r.Worst = max(r.Worst, p.Severity)
	r.Count[p.Severity]++
	if len(r.Problems) >= maxProblems || r.pathBytes >= maxPathBytes {
		r.Omitted++
		return
	}
	p.Path = path()
	r.pathBytes += len(p.Path)
	r.Problems = append(r.Problems, p)
}

// Bad reports whether there are errors or warnings.
func (r *Report) Bad() bool { return r.Worst > Note }

// Progress reports progress: done of total, in bytes or another unit. It must be quick.
type Progress func(done, total int64)

// Check checks the whole structure of d: coverage, and the problems of all nodes. It reads only the contents that a
// format reads with a node; Payload.Verify reads the others. progress may be nil. It ends early with the context's
// error.
func (d *Document) Check(ctx context.Context, progress Progress) (*Report, error) {
	defer d.ReadUntil(ctx)()
	r := new(Report)
	var owned, elsewhere spanSet
	spans, depth := &owned, 0 // depth of nodes that were read from elsewhere
	count := 0
	size := d.Source.Size()
	reportProgress := func(at int64) error {
		if count++; count%4096 != 0 {
			return nil
		}
		if progress != nil {
			progress(min(at, size), size)
		}
		return ctx.Err()
	}
	err := Scan(d.root, func(n *Node) (bool, error) {
		for _, p := range n.Problems() {
			r.add(p, n.PathText)
		}
		if n.Role == RoleElsewhere {
			spans = &elsewhere
			depth++
		}
		if e, ok := n.children.(*Elements); ok && e.Solid {
			spans.add(n.Span)
			return false, nil
		}
		// A root without children explains nothing.
		if n.Leaf() && n.Type != Gap && n.Parent != nil {
			spans.add(n.ownedSpan())
		}
		return !n.Leaf(), reportProgress(n.Offset)
	}, func(n *Node) error {
		if n.Role == RoleElsewhere {
			if depth--; depth == 0 {
				spans = &owned
			}
		}
		return nil
	}, func(s Span) error {
		spans.add(s)
		return reportProgress(s.Offset)
	})
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return nil, err
	}
	if p := d.Stopped(); p != nil {
		r.addStopped(p)
	}
	owned.fill(&elsewhere, size)
	r.Accounted, r.Gaps, r.Overlaps = owned.coverage(size)
	d.explainCoverage(r)
	return r, nil
}

// addStopped adds the problem why reading stopped, instead of the last one if the report is full.
func (r *Report) addStopped(p *Problem) {
	if n := len(r.Problems); r.Omitted > 0 && n > 0 {
		r.pathBytes -= len(r.Problems[n-1].Path) + len(p.Path)
		r.Problems = r.Problems[:n-1]
		r.Omitted++
	}
	r.Add(*p)
	r.stopped = p
}

// explainCoverage adds a problem for bytes that no field owns or that two own. If the report already has an error or a
// warning, it is only a note: the bytes are the consequence.
func (d *Document) explainCoverage(r *Report) {
	severity := Warning
	if r.Bad() {
		severity = Note
	}
	gapSeverity, verb := severity, "decoded"
	if d.Description != nil { // descriptions do not cover all of a file
		gapSeverity, verb = Note, "described"
	}
	if len(r.Gaps) > 0 && (d.Description != nil || r.Gaps[0].Size < d.Source.Size()) {
		var n int64
		for _, g := range r.Gaps {
			n += g.Size
		}
		r.coverage = append(r.coverage, Problem{Severity: gapSeverity, Span: r.Gaps[0], Path: "/" + gapList,
			Message: fmt.Sprintf("%s in %s not %s, the first at %#x", PlainCount(n, "byte"),
				PlainCount(len(r.Gaps), "gap"), verb, r.Gaps[0].Offset)})
	}
	if len(r.Overlaps) > 0 {
		o := r.Overlaps[0]
		r.coverage = append(r.coverage, Problem{Severity: severity, Span: o, Path: "/", Message: fmt.Sprintf(
			"overlapping structures in %s, the first at %#x (%s)",
			PlainCount(len(r.Overlaps), "place"), o.Offset, PlainCount(o.Size, "byte"))})
	}
	for _, p := range r.coverage {
		r.Add(p)
	}
}

// Strict raises the notes about gaps and overlaps to warnings.
func (r *Report) Strict() {
	for i := range r.Problems {
		p := &r.Problems[i]
		if p.Severity == Note && slices.Contains(r.coverage, *p) {
			r.Count[Note]--
			p.Severity = Warning
			r.Count[Warning]++
			r.Worst = max(r.Worst, Warning)
		}
	}
}

// CoverageText returns the share of the document's bytes that leaves own: "87.2% decoded" or, for a description, which
// need not cover a file, "87% described".
func (d *Document) CoverageText(r *Report) string {
	size := d.Source.Size()
	switch {
	case d.Content:
		return "structure not decoded"
	case d.Description == nil:
		return r.Percent(size) + " decoded"
	case r.Accounted == size:
		return "100% described"
	}
	return fmt.Sprintf("%d%% described", min(99, 100*r.Accounted/size))
}

// Severity ranks a Problem.
type Severity uint8

// The severities, from a note, which need not be a fault, to unreadable content.
const (
	Note Severity = iota
	Warning
	Error
)

// String returns the severity's name in reports: note, warning, error.
func (s Severity) String() string {
	switch s {
	case Note:
		return "note"
	case Warning:
		return "warning"
	}
	return "error"
}

// Problem is something wrong with a file.
type Problem struct {
	Severity Severity
	Span     Span   // the bytes it is about; Size may be 0
	Path     string // of the node it was found on; filled in by a Report
	Message  string // one plain sentence, without the position
	Absent   bool   // another file was not found, which may be in another folder
}

// Percent returns the share of size bytes that leaves own, such as "99.9%". Only a fully decoded file is "100%".
func (r *Report) Percent(size int64) string {
	if r.Accounted == size {
		return "100%"
	}
	return fmt.Sprintf("%.1f%%", min(99.9, 100*float64(r.Accounted)/float64(size)))
}
