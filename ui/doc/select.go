package doc

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"assay/model"
	"assay/model/archive"
	"assay/ui/details"
	"assay/ui/host"
	"assay/ui/noted"
)

// origin is the part of the pane that made a selection, which is not updated.
type origin uint8

const (
	fromElsewhere origin = iota
	fromTree
	fromHex
	fromHistory
)

// activate follows the link of a node. It returns false if the node has no link.
func (p *Pane) activate(n *model.Node) bool {
	if n.Link == nil || p.resolve(n) != n { // a leaf of a group links to its own node
		return false
	}
	p.followLink(p.doc, n.Link)
	return true
}

// choose selects a node and updates all other parts of the pane than from.
func (p *Pane) choose(n *model.Node, from origin) {
	if n == nil {
		return
	}
	path := n.Path()
	p.node, p.structure.inPanel = n, nil
	if from != fromHistory {
		p.History.Visit(path, model.Path.Equal)
	}
	if p.structure.selectedPath = path; from != fromTree {
		p.structure.reveal()
	}
	p.bytes.highlight(n, from)
	if from != fromHex {
		p.offset, p.length = n.Offset, 0
		p.bytes.hex.SetCaret(n.Offset)
		p.bytes.hex.ScrollToSpan(n.Offset, n.Size)
	}
	p.selectionChanged()
}

// selectionChanged updates the details and the panels.
func (p *Pane) selectionChanged() {
	p.readDetails()
	p.updatePanels()
}

// updatePanels passes the selection to the panels and the window.
func (p *Pane) updatePanels() {
	s := p.Selection()
	p.Center.setSelection(s)
	p.Side.setSelection(s)
	p.Large.setSelection(s)
	p.Changed()
}

// chooseByte selects the leaf that contains a byte.
func (p *Pane) chooseByte(offset int64) { p.chooseBytes(offset, 0) }

// chooseBytes selects the leaf that contains the first byte of a range that the user selected.
func (p *Pane) chooseBytes(offset, length int64) {
	p.offset, p.length = offset, length
	if p.node != nil && p.node.Leaf() && p.node.Type != model.Gap && p.node.Contains(offset) {
		p.selectionChanged()
		return
	}
	d := p.doc
	p.findingOwner.Go(func(context.Context) func() {
		n := d.Owner(offset)
		return func() {
			if n != nil {
				p.choose(n, fromHex)
				return
			}
			p.readDetails()
			p.Changed()
		}
	})
}

// hover displays the field of the byte under the pointer as a hint.
func (p *Pane) hover(offset int64) {
	if offset < 0 {
		p.hovering.Stop()
		if p.showsHoverHint {
			p.showsHoverHint = false
			p.ShowHint("")
		}
		return
	}
	d, note := p.doc, noted.ByteTip(p.notes.placed, offset)
	p.hovering.Go(func(ctx context.Context) func() {
		if !p.group.Pause(ctx, hoverDelay) {
			return nil
		}
		n := d.Owner(offset)
		if n == nil {
			return nil
		}
		text := fmt.Sprintf("%#x   %s   %s", offset, n.TitlePath(), n.Type)
		if v := n.ValueText(); v != "" {
			text += " = " + v
		}
		if note != "" {
			text = note + "   " + text
		}
		text = model.OneLine(text, 300)
		p.group.Do(ctx, func() {
			p.showsHoverHint = true
			p.ShowHint(text)
		})
		tip := note
		if meaning := meaningOf(d, n).TextWithSource(); meaning != "" {
			tip = strings.TrimPrefix(note+"\n"+n.Title()+": "+meaning, "\n")
		}
		if tip == "" || !p.group.Pause(ctx, tipDelay) {
			return nil
		}
		return func() { p.bytes.hex.SetTip(offset, tip) }
	})
}

// hoverDelay is the time that the pointer rests on a byte before the hint about its field; the tooltip with the meaning
// follows tipDelay later.
const (
	hoverDelay = 60 * time.Millisecond
	tipDelay   = 640 * time.Millisecond
)

// selectRange updates the pane for the range that the user selected in the hex view.
func (p *Pane) selectRange(offset, length int64) {
	p.length = length
	if length > 0 {
		p.offset = offset
	}
	p.selectionChanged()
}

// readDetails reads the data for the details and the inspector in the background, and displays it.
func (p *Pane) readDetails() {
	n, d, offset := p.node, p.doc, p.offset
	p.readingDetails.Go(func(ctx context.Context) func() {
		var raw []byte
		asset := assetFacts(ctx, d, n)
		if n != nil {
			span := details.RawSpan(n, d.Source.Size())
			raw, _ = d.Source.Bytes(span)
		}
		inspected := model.Span{Offset: offset, Size: min(details.MaxInspected, d.Source.Size()-offset)}
		var b []byte
		if inspected.Size > 0 {
			var err error
			if b, err = d.Source.Bytes(inspected); errors.Is(err, model.ErrChanged) {
				return func() {
					p.details.SetNode(d, n, raw)
					p.inspector.Show(b)
					p.Stale()
				}
			}
		}
		return func() {
			if n != p.details.Node() {
				p.details.SetAsset(asset)
				p.details.SetNode(d, n, raw)
			}
			p.inspector.Show(b)
		}
	})
}

// assetFacts describes the only asset of a node in a package: its type, its size, and how it is stored.
func assetFacts(ctx context.Context, d *model.Document, n *model.Node) string {
	if n == nil || n.Parent == nil || !d.IsPackage || d.Payloads == nil {
		return ""
	}
	i, err := d.OnlyAsset(ctx, n)
	if err != nil || i < 0 {
		return ""
	}
	a := archive.AssetOf(d.Payloads.At(i))
	facts := []string{model.OneLine(a.Type, 60)}
	if size, ok := a.Cell(archive.Size).(int64); ok {
		facts = append(facts, host.Count(size, "byte"))
	}
	if a.Size >= 0 && a.Stored >= 0 && a.Stored != a.Size {
		facts = append(facts, fmt.Sprintf("%s stored, %s", host.Number(a.Stored), model.OneLine(a.Compression, 60)))
	}
	if when, ok := a.Cell(archive.Modified).(string); ok {
		facts = append(facts, when)
	}
	return strings.Join(facts, " · ")
}

// Selection returns the current selection.
func (p *Pane) Selection() Selection {
	return Selection{Document: p.doc, Node: p.node, Offset: p.offset, Length: p.length, Report: p.Report(),
		Nodes: func(limit int) []*model.Node {
			nodes := p.structure.selected(limit)
			if len(nodes) == 0 && p.node != nil {
				nodes = append(nodes, p.node)
			}
			return nodes
		}}
}

// Back selects the node that was visited before the selected one.
func (p *Pane) Back() { p.revisit(-1) }

// Forward selects the node that was visited after the selected one.
func (p *Pane) Forward() { p.revisit(1) }

func (p *Pane) revisit(step int) {
	if path, ok := p.History.Step(step); ok {
		p.choose(p.doc.At(path), fromHistory)
	}
}

// Select selects the node at a path.
func (p *Pane) Select(path model.Path) { p.choose(p.doc.At(path), fromElsewhere) }

// SelectAll selects the node at a path for a panel with a multiple selection. all returns all selected nodes.
func (p *Pane) SelectAll(path model.Path, all Nodes) {
	p.Select(path)
	p.structure.inPanel = all
}

// ShowFacts displays the common facts of a group of assets as the details, until another node is selected.
func (p *Pane) ShowFacts(name string, f archive.Facts) {
	p.readingDetails.Stop()
	p.details.SetFacts(name, f)
}

// Up selects the parent.
func (p *Pane) Up() {
	if p.node != nil && p.node.Parent != nil {
		p.Select(p.node.Parent.Path())
	}
}

// GoTo displays the byte at an offset and selects the leaf that contains it.
func (p *Pane) GoTo(offset int64) {
	p.Center.Show(p.bytes)
	p.SelectByte(offset)
}

// SelectByte selects the leaf that contains the byte at an offset, without changing the visible panel.
func (p *Pane) SelectByte(offset int64) {
	p.bytes.hex.SetCaret(offset)
	p.bytes.hex.ScrollTo(offset)
	p.chooseByte(offset)
}

// ShowHit selects a match.
func (p *Pane) ShowHit(hit model.Span) {
	p.hits.current = hit
	p.bytes.show(hit)
	if p.Center.Panel() == Panel(p.text) { // the text stays visible, with the match selected
		p.chooseBytes(hit.Offset, hit.Size)
	} else {
		p.Center.Show(p.bytes)
		p.chooseByte(hit.Offset)
	}
	p.bytes.hex.Refresh()
}

// meaningOf returns the description of a node of a document, if there is one.
func meaningOf(d *model.Document, n *model.Node) model.Meaning {
	if d.Meaning == nil || n == nil {
		return model.Meaning{}
	}
	return d.Meaning(n)
}

// Meaning returns the description of the selected node.
func (p *Pane) Meaning() model.Meaning { return meaningOf(p.doc, p.node) }

// explainNode calls show with the description of the node under the pointer.
func (p *Pane) explainNode(n *model.Node, show func(text string)) {
	d, resolve := p.doc, p.resolver(n)
	p.hovering.Go(func(context.Context) func() {
		text := meaningOf(d, resolve()).TextWithSource()
		return func() { show(text) }
	})
}

// check checks the whole file in the background, then displays its gaps and problems.
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
		severities := worstSeverities(r.Problems)
		d.ShowGaps(r)
		return func() {
			if d == p.doc {
				p.checked(r, severities)
			}
		}
	})
}

func (p *Pane) checked(r *model.Report, severities map[string]model.Severity) {
	p.Busy("", 0, nil)
	p.showReport(r)
	p.structure.checked(p.doc.Root(), severities)
	if p.grouping == 0 && p.filter.isEmpty() && p.node != nil && p.node.Parent == nil {
		p.node = p.doc.Root()
		p.details.Forget()
		p.readDetails()
	}
	p.tints.forget()
	p.bytes.hex.Refresh()
	p.updatePanels()
}

// worstSeverities returns the worst severity at or below each node, by path, for nodes with problems there.
func worstSeverities(problems []model.Problem) map[string]model.Severity {
	worst := make(map[string]model.Severity)
	for _, problem := range problems {
		for path := problem.Path; path != ""; path = path[:max(1, strings.LastIndexByte(path, '/'))] {
			if s, ok := worst[path]; ok && s >= problem.Severity { // its ancestors have that severity too
				break
			}
			worst[path] = problem.Severity
		}
	}
	return worst
}

// Report returns the report on the whole file, or nil while the check runs.
func (p *Pane) Report() *model.Report { return p.problems.report }

// ShowProblem selects the node and the bytes of a problem.
func (p *Pane) ShowProblem(problem model.Problem) {
	d := p.doc
	p.findingProblem.Go(func(context.Context) func() {
		n, err := d.Find(problem.Path)
		return func() {
			if err == nil {
				p.choose(n, fromElsewhere)
			}
			if problem.Span.Within(d.Source.Size()) && problem.Span.Offset < d.Source.Size() {
				p.Center.Show(p.bytes)
				p.bytes.show(problem.Span)
				p.offset = problem.Span.Offset
				p.readDetails()
				p.Changed()
			}
		}
	})
}

// ToggleProblems opens or closes the list of problems.
func (p *Pane) ToggleProblems() { p.bottom.toggle(&p.problems.list) }
