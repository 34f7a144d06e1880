package doc

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"assay/model"
	"assay/ui/hex"
	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/tabs"
)

// Follow opens the target of the selected node's link.
func (p *Pane) Follow() {
	s := p.Selection()
	if s.Node == nil || s.Node.Link == nil {
		p.ShowHint("The selected node has no link.")
		return
	}
	p.followLink(s.Document, s.Node.Link)
}

func (p *Pane) followLink(d *model.Document, link *model.Link) {
	if link.File != "" {
		p.followFile(d, link)
		return
	}
	name := link.Key
	if name == "" {
		name = "the link target"
	}
	find := link.Target
	if find == nil {
		find = func() (model.Path, bool) { return findKey(d, link.Key) }
	}
	p.goToFound(find, fmt.Errorf("%s is not in this file", name))
}

// SelectKey selects the node with a key. It notifies the user if there is no such node.
func (p *Pane) SelectKey(key string) {
	d := p.Selection().Document
	if d.FindKey == nil {
		notifyError(p, errors.New(d.Source.Name()+" has no keys"))
		return
	}
	p.goToFound(func() (model.Path, bool) { return d.FindKey(key) },
		errors.New("there is no "+key+" in "+d.Source.Name()))
}

func findKey(d *model.Document, key string) (model.Path, bool) {
	if d.FindKey == nil || key == "" {
		return nil, false
	}
	return d.FindKey(key)
}

// goToFound finds a path in the background and selects it. It reports missing if there is no such path.
func (p *Pane) goToFound(find func() (model.Path, bool), missing error) {
	p.linking.Go(func(context.Context) func() {
		path, ok := find()
		return func() {
			if ok {
				p.Select(path)
			} else {
				notifyError(p, missing)
			}
		}
	})
}

// followFile opens the target file of a link. The target must be in the folder of this file, so that a file cannot open
// arbitrary ones.
func (p *Pane) followFile(d *model.Document, link *model.Link) {
	if d.Source.Path() == "" {
		notifyError(p, fmt.Errorf("cannot open %s: this asset is not a file on disk, so linked files cannot be located", link.File))
		return
	}
	name, folder := filepath.FromSlash(link.File), filepath.Dir(d.Source.Path())
	if !filepath.IsLocal(name) {
		notifyError(p, fmt.Errorf("the link points to %q, outside this file's folder. Open that file manually if you trust it",
			model.OneLine(link.File, 200)))
		return
	}
	path := filepath.Join(folder, name)
	if link.Resolve != nil {
		if found, ok := link.Resolve(folder); ok {
			path = found
		}
	}
	p.Open(path, link.Key)
}

// OpenInside opens the selected asset as a document. An asset that is part of this file but not itself a file is
// selected instead.
func (p *Pane) OpenInside() { p.openInside(p.OpenAsset, false) }

// OpenInsideWith calls open with the content of the selected asset. open must close it.
func (p *Pane) OpenInsideWith(open func(content *model.Source, asset *model.Payload)) {
	p.openInside(open, true)
}

func (p *Pane) openInside(open func(content *model.Source, asset *model.Payload), always bool) {
	s := p.Selection()
	n, d := s.Node, s.Document
	if n == nil || d.Payloads == nil {
		notifyError(p, errors.New("the selected node has no asset to open"))
		return
	}
	p.Busy("Opening asset", -1, p.opening.Stop)
	p.opening.Go(func(ctx context.Context) func() {
		var src *model.Source
		payload, err := payloadOf(ctx, d, n)
		if err == nil && (always || !payload.IsDerived() || payload.Node == nil) {
			src, err = d.Nested(ctx, payload, model.ExpandLimit)
		}
		return func() {
			p.Busy("", 0, nil)
			switch {
			case err != nil:
				notifyError(p, err)
			case src == nil:
				p.Select(payload.Node.Path())
				p.ShowHint(payload.Name + " is part of this file; showing it in the tree.")
			default:
				open(src, payload)
			}
		}
	})
}

// payloadOf returns the only asset at or below a node, or the asset that contains it. Several assets are an error.
func payloadOf(ctx context.Context, d *model.Document, n *model.Node) (*model.Payload, error) {
	index, err := d.AssetIndex(ctx)
	if err != nil {
		return nil, err
	}
	found, _, err := index.AssetsOf(ctx, []*model.Node{n})
	switch {
	case err != nil:
		return nil, err
	case len(found) == 0:
		return nil, fmt.Errorf("%s is not an asset that can be opened", model.OneLine(n.NamePath(), 200))
	case len(found) > 1:
		return nil, fmt.Errorf("%s has %s: select one of them", model.OneLine(n.NamePath(), 200),
			host.Count(len(found), "asset"))
	}
	return d.Payloads.At(found[0]), nil
}

// maxCopied is the maximum number of nodes copied at once.
const maxCopied = 10_000

// copyNodes copies one line for each selected node.
func (p *Pane) copyNodes(line func(n *model.Node) string) {
	var lines []string
	for _, n := range p.Selection().Nodes(maxCopied) {
		lines = append(lines, line(n))
	}
	p.Copy(strings.Join(lines, "\n"))
}

// CopyPath copies the paths of the selected nodes.
func (p *Pane) CopyPath() { p.copyNodes((*model.Node).NamePath) }

// CopyValue copies the values of the selected nodes, or the key or name of a node without a value.
func (p *Pane) CopyValue() {
	p.copyNodes(func(n *model.Node) string {
		switch v := n.Value.(type) {
		case string:
			return v
		case nil:
			if n.Key != "" {
				return n.Key
			}
			return n.Name
		}
		return n.ValueText()
	})
}

// CopyOffset copies the offsets of the selected nodes.
func (p *Pane) CopyOffset() {
	p.copyNodes(func(n *model.Node) string { return fmt.Sprintf("%#x", n.Offset) })
}

// CopyCaret copies the offset of the caret in the hex view.
func (p *Pane) CopyCaret() { p.Copy(fmt.Sprintf("%#x", p.bytes.hex.Caret())) }

// CopyBytes copies the selected bytes, or the bytes of the selected node, in a form.
func (p *Pane) CopyBytes(form hex.Form) {
	s := p.Selection()
	offset, length := p.bytes.hex.Range()
	if length == 0 && s.Node != nil {
		offset, length = s.Node.Offset, s.Node.Size
	}
	if length == 0 {
		notifyError(p, errors.New("select bytes or a node first"))
		return
	}
	p.group.Go(func(context.Context) func() {
		text, err := hex.Format(s.Document.Source, offset, length, form)
		return func() {
			if err != nil {
				notifyError(p, err)
				return
			}
			p.Copy(text)
			p.ShowHint(fmt.Sprintf("Copied %s as %s.", host.Count(length, "byte"), strings.ToLower(form.String())))
		}
	})
}

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
	coverage := tabs.Segment{Text: d.CoverageText(r), Tone: paint.Dim,
		Hint: "Every byte is decoded."}
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
	facts = append(facts, coverage)
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
