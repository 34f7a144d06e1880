package merge

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/aymanbagabas/go-udiff/lcs"

	"assay/model"
	"assay/model/compare"
	"assay/model/compare/changes"
)

// hunk is lines that either of two versions of a text changed.
type hunk struct {
	lines [3]span // of the base, mine and theirs
	state State
}

// span is the lines from one to before another.
type span struct{ from, to int }

func (s span) len() int { return s.to - s.from }

// textMerge is a base text and two versions of it.
type textMerge struct {
	lines [3][]string // with their ends
	added bool        // there was no base
	hunks []hunk
	gaps  map[int]string // the user's text for the lines before a hunk, or after the last one
}

// mergeTexts finds the changes of two versions of a text. Adjacent changes are one hunk. If the base is empty, because
// both texts were added, their common lines serve as the base, and every hunk is a conflict.
func mergeTexts(base, mine, theirs []byte) *textMerge {
	t := &textMerge{}
	for v, text := range [][]byte{base, mine, theirs} {
		for line := range bytes.Lines(text) {
			t.lines[v] = append(t.lines[v], string(line))
		}
	}
	if t.added = len(base) == 0; t.added {
		t.lines[0] = commonLines(t.lines[1], t.lines[2])
	}
	edits := [2][]lcs.Diff{lcs.DiffLines(t.lines[0], t.lines[1]), lcs.DiffLines(t.lines[0], t.lines[2])}
	var ahead [2]int // number of lines that each version has more than the base before the current line
	for len(edits[0])+len(edits[1]) > 0 {
		h, changed := hunk{lines: [3]span{{-1, -1}}}, [2]bool{}
		was := ahead
		for grown := true; grown; {
			grown = false
			for side := range edits {
				for len(edits[side]) > 0 && h.touches(edits[side][0], edits[1-side]) {
					e := edits[side][0]
					if edits[side] = edits[side][1:]; h.lines[0].from < 0 {
						h.lines[0].from = e.Start
					}
					h.lines[0].to = max(h.lines[0].to, e.End)
					ahead[side] += (e.ReplEnd - e.ReplStart) - (e.End - e.Start)
					changed[side], grown = true, true
				}
			}
		}
		for side := range edits {
			h.lines[side+1] = span{h.lines[0].from + was[side], h.lines[0].to + ahead[side]}
		}
		h.state = t.stateOf(&h, changed)
		t.hunks = append(t.hunks, h)
	}
	return t
}

// commonLines returns the common lines of two texts, in order.
func commonLines(mine, theirs []string) (common []string) {
	index := 0
	for _, d := range lcs.DiffLines(mine, theirs) {
		common = append(common, mine[index:d.Start]...)
		index = d.End
	}
	return append(common, mine[index:]...)
}

// touches reports whether an edit belongs to a hunk, or begins one before all that are left on the other side.
func (h *hunk) touches(e lcs.Diff, others []lcs.Diff) bool {
	if h.lines[0].from < 0 {
		return len(others) == 0 || e.Start <= others[0].Start
	}
	return e.Start <= h.lines[0].to
}

// stateOf returns who changed a hunk.
func (t *textMerge) stateOf(h *hunk, changed [2]bool) State {
	switch {
	case t.added:
		return Conflict
	case !changed[1]:
		return OnlyMine
	case !changed[0]:
		return OnlyTheirs
	case t.text(1, h.lines[1]) == t.text(2, h.lines[2]):
		return BothSame
	}
	return Conflict
}

func (t *textMerge) text(version int, s span) string {
	return strings.Join(t.lines[version][s.from:s.to], "")
}

// choice is the resolution of a hunk: a version, or the user's text.
type choice struct {
	resolution Resolution
	edited     string
}

// mergedText returns the text with the resolution of each hunk.
func (t *textMerge) mergedText(choices []choice) []byte {
	var out bytes.Buffer
	for i := range t.hunks {
		out.WriteString(t.gap(i))
		out.WriteString(t.chosenLines(&t.hunks[i], choices[i]))
	}
	out.WriteString(t.gap(len(t.hunks)))
	return out.Bytes()
}

// gap returns the text before a hunk, or after the last one.
func (t *textMerge) gap(i int) string {
	if text, ok := t.gaps[i]; ok {
		return text
	}
	from, to := 0, len(t.lines[0])
	if i > 0 {
		from = t.hunks[i-1].lines[0].to
	}
	if i < len(t.hunks) {
		to = t.hunks[i].lines[0].from
	}
	return t.text(0, span{from, to})
}

// chosenLines returns the lines that a resolution selects.
func (t *textMerge) chosenLines(h *hunk, c choice) string {
	mine, theirs := t.text(1, h.lines[1]), t.text(2, h.lines[2])
	switch c.resolution {
	case TakeMine:
		return mine
	case TakeTheirs:
		return theirs
	case TakeEdited:
		return c.edited
	case TakeBoth:
		if mine != "" && theirs != "" && !strings.HasSuffix(mine, "\n") {
			mine += "\n"
		}
		return mine + theirs
	}
	return ""
}

// endsInCRLF reports whether the lines of mine end so.
func (t *textMerge) endsInCRLF() bool {
	return len(t.lines[1]) > 0 && strings.HasSuffix(t.lines[1][0], "\r\n")
}

// maxContext is the number of lines that are displayed before and after a hunk.
const maxContext = 3

// contextLines returns lines of a version with their numbers, and their neighbors, which have no sign.
func (t *textMerge) contextLines(version int, s span) string {
	var b strings.Builder
	lines := t.lines[version]
	if version == 0 && t.added {
		lines = nil // it only has lines of both others
	}
	for i := max(0, s.from-maxContext); i < min(len(lines), s.to+maxContext); i++ {
		sign := ' '
		if i >= s.from && i < s.to {
			sign = '>'
		}
		fmt.Fprintf(&b, "%4d %c %s\n", i+1, sign, strings.TrimRight(lines[i], "\r\n"))
	}
	return b.String()
}

// baselessMerge lists the nodes of two versions of a file without a base.
type baselessMerge struct {
	ctx         context.Context
	c           *compare.Comparison // of mine with theirs
	changes     map[string]string
	keys        map[string]bool // of items
	itemChanges []Change
	unowned     []Change // outside of items
	complete    bool
}

// mergeWithoutBase lists the nodes of both versions: the same in both, in one of them, or in conflict.
func mergeWithoutBase(ctx context.Context, mine, theirs *model.Document) (all []Change, complete bool, err error) {
	c, err := compare.Documents(ctx, mine, theirs, compare.Options{}, nil)
	if err != nil {
		return nil, false, err
	}
	o, err := changes.Collect(ctx, c)
	if err != nil {
		return nil, false, err
	}
	m := &baselessMerge{ctx: ctx, c: c, changes: make(map[string]string), keys: make(map[string]bool), complete: true}
	for _, t := range o.Items {
		m.changes[c.At(t.Path).Node().PathText()] = strings.Join(t.Changes.Texts(), "; ")
	}
	if c.BytesOnly || c.Root().Leaf() {
		m.add(c.Root(), "file")
	} else {
		m.addBelow(c.Root())
	}
	for _, r := range m.unowned {
		if r.Key == "" || !m.keys[r.Key] { // a node with the key of an item only refers to it
			m.itemChanges = append(m.itemChanges, r)
		}
	}
	return m.itemChanges, m.complete, ctx.Err()
}

// openPair is a pair with children to list; item means that it belongs to an item.
type openPair struct {
	p    *compare.Pair
	item bool
}

func (m *baselessMerge) addBelow(root *compare.Pair) {
	todo := []openPair{{p: root}}
	for len(todo) > 0 && m.complete && m.ctx.Err() == nil {
		current := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		var next []openPair
		current.p.Runs(func(r compare.Run) bool {
			for i := range r.N {
				if pair, below := m.addPair(current.p.Child(r.First+i), current.item); below {
					next = append(next, pair)
				}
			}
			return m.complete && m.ctx.Err() == nil
		})
		slices.Reverse(next)
		todo = append(todo, next...)
	}
}

// addPair adds the changes of a pair, in an item or outside.
func (m *baselessMerge) addPair(p *compare.Pair, inItem bool) (pair openPair, below bool) {
	t, ok := m.c.ItemOf(p)
	listsAll := m.c.New.Item == nil // without items: elements and values are listed
	isSingle := p.Leaf() || p.Old == nil || p.New == nil
	switch {
	case ok:
		m.keys[p.Node().Key] = true
		if _, own := m.changes[p.Node().PathText()]; own || p.Status != compare.Changed {
			m.add(p, t.Kind)
		}
		return openPair{p, true}, p.Status == compare.Changed && !isSingle
	case inItem:
	case isSingle && (listsAll || p.Status != compare.Same),
		listsAll && p.Node().IsElement() && p.Status != compare.Changed:
		m.add(p, "")
		return pair, false
	}
	return openPair{p, inItem}, !isSingle
}

// add lists a pair; kind is the kind of its item, or "".
func (m *baselessMerge) add(p *compare.Pair, kind string) {
	if len(m.itemChanges)+len(m.unowned) == MaxChanges {
		m.complete = false
		return
	}
	n := p.Node()
	r := Change{Path: n.PathText(), Type: n.Type, Key: n.Key, Nodes: [3]*model.Node{nil, p.Old, p.New}}
	to := &m.unowned
	if kind != "" {
		r.Type, r.Key, to = kind, changes.NameOf(n), &m.itemChanges
	}
	for v, n := range r.Nodes {
		if n != nil {
			r.Lines[v] = &changes.Line{Sign: compare.Added.Sign(), Change: addedText(n)}
		}
	}
	switch {
	case p.New == nil:
		r.State = OnlyMine
	case p.Old == nil:
		r.State = OnlyTheirs
	case p.Status == compare.Changed:
		r.State = Conflict
		if s := m.changes[n.PathText()]; s != "" {
			r.Lines[model.Theirs].Change += ", of mine: " + s
		}
	default:
		r.State = BothSame
	}
	*to = append(*to, r)
}

// addedText returns the value of an added node, or its size.
func addedText(n *model.Node) string {
	if v := n.ValueText(); n.Leaf() && v != "" {
		return model.OneLine(v, 200)
	}
	return model.Count(n.Size, "byte")
}
