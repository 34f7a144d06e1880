package finding

import (
	"encoding/json"
	"fmt"
	"image"
	"path"
	"slices"
	"sort"
	"strings"
	"time"
	"unicode/utf8"

	"assay/model"
	"assay/model/search"
	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/rows"
)

// results are the matches by file: a row for each file, followed by one for each match.
type results struct {
	kind     search.Kind
	words    []string // words to highlight
	groups   []*group
	starts   []int64 // the row of each group
	rows     int64
	hits     int
	files    int // number of files with matches
	problems int
}

// group is the matches in one file.
type group struct {
	name, path string
	hits       []search.Hit
	problems   []string
	truncated  bool
	folded     bool
}

var (
	_ rows.Cells  = (*results)(nil)
	_ rows.Leader = (*results)(nil)
)

// clear removes all results, for another search.
func (r *results) clear(q *search.Query) { *r = results{kind: q.Kind, words: q.Highlights()} }

// add appends results.
func (r *results) add(found []search.FileResults) {
	for _, f := range found {
		n := len(r.groups)
		if n == 0 || r.groups[n-1].path != f.Path {
			r.groups = append(r.groups, &group{name: f.Name, path: f.Path})
			r.starts = append(r.starts, r.rows)
			r.rows++
			n++
		}
		g := r.groups[n-1]
		if len(g.hits) == 0 && len(f.Hits) > 0 {
			r.files++
		}
		g.hits = append(g.hits, f.Hits...)
		g.truncated = g.truncated || f.Truncated
		r.hits += len(f.Hits)
		if f.Problem != "" {
			g.problems = append(g.problems, f.Problem)
			r.problems++
		}
		r.rows = r.starts[n-1] + g.rows()
	}
}

// rows returns the number of rows of a group: the file, its problems, and its matches.
func (g *group) rows() int64 {
	if g.folded {
		return 1
	}
	return int64(1 + len(g.problems) + len(g.hits))
}

// snapshot returns the groups as they are now, for another goroutine.
func (r *results) snapshot() []group {
	var all []group
	for _, g := range r.groups {
		all = append(all, group{name: g.name, hits: slices.Clip(g.hits)})
	}
	return all
}

func (r *results) Len() int64 { return r.rows }

// hitAt returns the group of a row and the index of its match, or -1 for the row of a file or a problem. g is nil if
// there is no such row.
func (r *results) hitAt(row int64) (g *group, index int) {
	i := r.groupAt(row)
	if i < 0 {
		return nil, -1
	}
	g = r.groups[i]
	return g, max(-1, int(row-r.starts[i])-1-len(g.problems))
}

func (r *results) groupAt(row int64) int {
	if row < 0 || row >= r.rows {
		return -1
	}
	return sort.Search(len(r.starts), func(i int) bool { return r.starts[i] > row }) - 1
}

// isFolded reports whether the matches of a file are hidden.
func (r *results) isFolded(row int64) bool {
	g, _ := r.hitAt(row)
	return g != nil && g.folded
}

// setFolded collapses or expands the file of a row, and returns the row of the file.
func (r *results) setFolded(row int64, folded bool) int64 {
	i := r.groupAt(row)
	if i < 0 {
		return -1
	}
	r.groups[i].folded = folded
	for k := i; k < len(r.groups); k++ {
		r.rows = r.starts[k] + r.groups[k].rows()
		if k+1 < len(r.groups) {
			r.starts[k+1] = r.rows
		}
	}
	return r.starts[i]
}

// indent is the indent of a match, in device-independent pixels.
const indent = 20

func (r *results) Cell(row int64, column int) rows.Cell {
	i := r.groupAt(row)
	if i < 0 {
		return rows.Cell{}
	}
	g := r.groups[i]
	offset := int(row - r.starts[i]) // 0: the file; then its problems, then its matches
	switch {
	case offset == 0:
		return rows.Cell{Text: model.OneLine(g.name, 1000), Hint: g.countText(), IsTitle: true, Span: 2, Lead: indent,
			CutMiddle: true}
	case offset <= len(g.problems):
		return rows.Cell{Text: host.SentenceOf(model.OneLine(g.problems[offset-1], 1000)), Tone: paint.Warning,
			Span: 2, Indent: indent}
	}
	return r.hitCell(&g.hits[offset-1-len(g.problems)], column)
}

// countText returns the number of matches in a file.
func (g *group) countText() string {
	switch n := len(g.hits); {
	case n == 0:
		return ""
	case g.truncated:
		return "first " + host.Count(n, "match")
	default:
		return host.Count(n, "match")
	}
}

// hitCell returns a cell of a match.
func (r *results) hitCell(h *search.Hit, column int) rows.Cell {
	switch column {
	case 0:
		c := rows.Cell{Text: h.Text, Indent: indent}
		if r.kind == search.Names || r.kind == search.Values {
			c.Text, c.Hint = model.OneLine(h.Name, 300), h.Text
			if h.Span.Size < 0 { // the file itself: its full name is in the row above
				c.Text = path.Base(c.Text)
			}
			if c.Hint == "" {
				c.Hint = h.Type
			}
		}
		c.Mono = r.kind == search.Bytes
		c.Highlight(r.words...)
		return c
	case 1:
		return rows.Cell{Text: r.locationOf(h), Tone: paint.Dim, CutMiddle: true}
	}
	if h.Span.Size < 0 {
		return rows.Cell{}
	}
	c := rows.Cell{Text: fmt.Sprintf("%#x", h.Span.Offset), Mono: true}
	if h.Expanded > 0 {
		c.Tone = paint.Dim
	}
	return c
}

// locationOf returns the location of a match: the names of the assets, without an asset that is the match itself, and
// the node.
func (r *results) locationOf(h *search.Hit) string {
	var parts []string
	assets := h.Assets
	if n := len(assets) - 1; n >= h.Expanded && (r.kind == search.Names || r.kind == search.Values) {
		assets = assets[:n]
	}
	for _, a := range assets {
		parts = append(parts, model.OneLine(a.Name, 300))
	}
	if h.Path != "" && len(h.Assets) == h.Expanded {
		parts = append(parts, model.OneLine(h.Path, 300))
	}
	return strings.Join(parts, " / ")
}

// lineText returns the text of a row in one line.
func (r *results) lineText(row int64) string {
	g, hit := r.hitAt(row)
	if g == nil {
		return ""
	}
	if hit < 0 {
		return model.OneLine(strings.Join(append([]string{g.path}, g.problems...), ": "), 1000)
	}
	h := &g.hits[hit]
	text := g.path
	if w := r.locationOf(h); w != "" {
		text += ": " + w
	}
	if h.Span.Size >= 0 {
		text += fmt.Sprintf(" at %#x", h.Span.Offset)
		if h.Expanded > 0 {
			text += ", expanded"
		}
	}
	return model.OneLine(text, 1000)
}

// PaintLead paints the triangle that opens or closes the matches of a file.
func (r *results) PaintLead(c *paint.Canvas, row int64, _ int, lead image.Rectangle) {
	direction := paint.PointDown
	if r.isFolded(row) {
		direction = paint.PointRight
	}
	lead.Max.X = lead.Min.X + c.Px(10)
	c.Triangle(lead, direction, c.Colors.Dim)
}

// saved is the stored state of the tab: the search and, if there are few results, all of them.
type saved struct {
	search.Terms
	Found []search.FileResults `json:"found,omitempty"`
	Ended time.Time            `json:"ended,omitzero"` // end of the search; zero: Restore searches again
}

// maxSavedHits is the maximum number of matches that are stored with a tab; a search with more is repeated.
const maxSavedHits = 500

// saveSearch stores a completed search.
func (f *Finder) saveSearch() {
	f.lastSaved = saved{Terms: f.form.terms(), Ended: time.Now()}
	if f.results.hits > maxSavedHits {
		f.lastSaved = saved{}
		return
	}
	for _, g := range f.results.groups {
		file := search.FileResults{Name: g.name, Path: g.path, Hits: g.hits, Truncated: g.truncated}
		for _, problem := range g.problems {
			f.lastSaved.Found = append(f.lastSaved.Found,
				search.FileResults{Name: g.name, Path: g.path, Problem: problem})
		}
		f.lastSaved.Found = append(f.lastSaved.Found, file)
	}
	isInvalid := func(file search.FileResults) bool { return !utf8.ValidString(file.Path) }
	if slices.ContainsFunc(f.lastSaved.Found, isInvalid) {
		f.lastSaved = saved{} // JSON would name another file
	}
}

// Saved returns the state of the tab to store.
func (f *Finder) Saved() json.RawMessage {
	s := saved{Terms: f.form.terms()}
	if !f.running && s.Terms == f.lastSaved.Terms {
		s = f.lastSaved
	}
	b, _ := json.Marshal(s) // texts and numbers can always be encoded
	return b
}

// Restore restores the state of a tab from an earlier session, or searches again if it has no results.
func (f *Finder) Restore(view json.RawMessage) {
	var s saved
	if json.Unmarshal(view, &s) != nil || s.Text == "" {
		return
	}
	f.form.set(s.Terms)
	q, err := s.Terms.Parse()
	if s.Ended.IsZero() || err != nil {
		f.Search()
		return
	}
	f.lastSaved = s
	f.results.clear(q)
	f.results.add(s.Found)
	f.list.SetSource(f.results)
	f.setMessage(f.countText() + " on " + s.Ended.Local().Format("2 January 15:04") + ". Press Find to search again.")
}

// Title returns the title of a tab that searches below a folder, from the state that Saved returned.
func Title(root string, view json.RawMessage) string {
	var s saved
	_ = json.Unmarshal(view, &s) // an invalid state is empty
	return title(root, s.Terms)
}

func title(root string, terms search.Terms) string {
	if terms.Text != "" {
		return "Find: " + model.OneLine(terms.Text, 30)
	}
	return "Find in " + model.FileName(root)
}
