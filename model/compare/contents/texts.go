package contents

import (
	"cmp"
	"context"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/aymanbagabas/go-udiff/lcs"

	"assay/model/compare"
	"assay/model/compare/align"
	"assay/model/text"
)

// Diff is two texts that were compared line by line.
type Diff struct {
	Counts compare.Counts // of lines
	// OldEnds and NewEnds name the line ends; empty if they are the same or ignored.
	OldEnds, NewEnds string
	old, new         []string
	runs             []run
}

// run is n rows of one state, from the lines old and new on; changed lines are compared one by one.
type run struct {
	row, n   int
	old, new int
	sides    sides
	status   compare.Status
}

// sides is the set of texts with the lines of a run.
type sides uint8

const (
	inOld sides = 1 << iota
	inNew
)

// RowOf returns the row of a line of the old or the new text, counted from 1, or -1 if there is no such line.
func (d *Diff) RowOf(line int, ofNew bool) int {
	side, first := inOld, func(r run) int { return r.old }
	if ofNew {
		side, first = inNew, func(r run) int { return r.new }
	}
	for _, r := range d.runs {
		if index := line - 1 - first(r); r.sides&side != 0 && index >= 0 && index < r.n {
			return r.row + index
		}
	}
	return -1
}

// Row is a line of two texts beside each other.
type Row struct {
	Status           compare.Status
	Old, New         int // line numbers, from 1; 0 if the side has no such line
	OldText, NewText []Piece
}

// CompareTexts compares two texts by rules. Ignored differences are in the result as lines that are the same.
func CompareTexts(ctx context.Context, old, new *text.Text, rules compare.TextRules) *Diff {
	a, b := newRuledText(ctx, old, rules), newRuledText(ctx, new, rules)
	t := &Diff{old: a.lines, new: b.lines}
	if !rules.LineEnds && old.Left+new.Left == 0 && old.Text != "" && new.Text != "" && isEnded(old) != isEnded(new) {
		t.OldEnds, t.NewEnds = allEnds(old), allEnds(new)
	} else if !rules.LineEnds && old.Ends != "" && new.Ends != "" && old.Ends != new.Ends {
		t.OldEnds, t.NewEnds = old.Ends, new.Ends
	}
	atOld, oldKeys := a.countedLines()
	atNew, newKeys := b.countedLines()
	edits := lcs.DiffLines(oldKeys, newKeys)
	if a.owners != nil && b.owners != nil {
		var removed, added []int
		for _, d := range edits {
			removed, added = append(removed, atOld[d.Start:d.End]...), append(added, atNew[d.ReplStart:d.ReplEnd]...)
		}
		ignoreMoved(a, b, removed, added)
	}
	from, to := 0, 0
	for _, d := range edits {
		oldAt, newAt := lineOf(atOld, d.Start, len(a.lines)), lineOf(atNew, d.ReplStart, len(b.lines))
		t.addBoth(a, b, span{from, oldAt}, span{to, newAt}, compare.Same)
		from, to = lineOf(atOld, d.End, len(a.lines)), lineOf(atNew, d.ReplEnd, len(b.lines))
		t.addBoth(a, b, span{oldAt, from}, span{newAt, to}, compare.Changed)
	}
	t.addBoth(a, b, span{from, len(a.lines)}, span{to, len(b.lines)}, compare.Same)
	return t
}

// isEnded reports whether the last line of a text has a line end.
func isEnded(t *text.Text) bool { return strings.HasSuffix(t.Text, "\n") }

// allEnds names the line ends of a text, and whether the last line has one.
func allEnds(t *text.Text) string {
	if t.Ends == "" || isEnded(t) {
		return cmp.Or(t.Ends, "none")
	}
	return t.Ends + " (none after the last line)"
}

// lineOf returns the index of the i-th counted line, or end after the last one. Without indexes all lines count.
func lineOf(indexes []int, i, end int) int {
	switch {
	case indexes == nil:
		return min(i, end)
	case i < len(indexes):
		return indexes[i]
	}
	return end
}

// span is the lines from one to before another.
type span struct{ from, to int }

// addBoth adds lines of both texts: counting lines with a status, in pairs, and ignored lines as the same.
func (d *Diff) addBoth(a, b *ruledText, old, new span, status compare.Status) {
	for old.from < old.to || new.from < new.to {
		ignoredOld, ignoredNew := leading(old, a.isIgnored), leading(new, b.isIgnored)
		d.addBeside(&old, &new, ignoredOld, ignoredNew, compare.Same, compare.Same, compare.Same)
		n, m := leading(old, a.isCounted), leading(new, b.isCounted)
		if n != m && (old.from+n < old.to || new.from+m < new.to) { // more follow after lines that do not count
			n, m = min(n, m), min(n, m)
			if n == 0 {
				n, m = leading(old, a.isCounted), leading(new, b.isCounted)
			}
		}
		d.addBeside(&old, &new, n, m, status, compare.Removed, compare.Added)
	}
}

// leading returns the number of lines at the beginning of a span for which matches returns true.
func leading(s span, matches func(line int) bool) (n int) {
	for s.from+n < s.to && matches(s.from+n) {
		n++
	}
	return n
}

// addBeside consumes lines of two spans: first in pairs, then the remaining ones.
func (d *Diff) addBeside(old, new *span, n, m int, both, removed, added compare.Status) {
	k := min(n, m)
	d.add(old.from, new.from, k, inOld|inNew, both)
	d.add(old.from+k, new.from+k, n-k, inOld, removed)
	d.add(old.from+k, new.from+k, m-k, inNew, added)
	old.from, new.from = old.from+n, new.from+m
}

func (d *Diff) add(old, new, n int, where sides, status compare.Status) {
	if n > 0 {
		d.runs = append(d.runs, run{d.Len(), n, old, new, where, status})
		*d.Counts.At(status) += int64(n)
	}
}

// Len returns the number of rows.
func (d *Diff) Len() int {
	if len(d.runs) == 0 {
		return 0
	}
	last := d.runs[len(d.runs)-1]
	return last.row + last.n
}

// Row returns a row.
func (d *Diff) Row(i int) (r Row) {
	run := d.runs[sort.Search(len(d.runs), func(k int) bool { return d.runs[k].row > i })-1]
	index := i - run.row
	r.Status = run.status
	if run.sides&inOld != 0 {
		r.Old = run.old + index + 1
		r.OldText = []Piece{{Text: d.old[r.Old-1]}}
	}
	if run.sides&inNew != 0 {
		r.New = run.new + index + 1
		r.NewText = []Piece{{Text: d.new[r.New-1]}}
	}
	if run.status == compare.Changed {
		r.OldText, r.NewText = MarkWords(d.old[r.Old-1], d.new[r.New-1])
	}
	return r
}

// Next returns the first row of the next run of rows that differ, after the run that contains row, or -1. Before the
// first row is -1.
func (d *Diff) Next(row int) int {
	startsRun := row < 0
	for _, r := range d.runs {
		switch {
		case r.row+r.n <= row:
		case r.status == compare.Same:
			startsRun = true
		case startsRun:
			return r.row
		}
	}
	return -1
}

// Previous returns the first row of the last run of rows that differ before a row, or -1.
func (d *Diff) Previous(row int) int {
	first, startsRun := -1, true
	for _, r := range d.runs {
		if r.row >= row {
			break
		}
		switch {
		case r.status == compare.Same:
			startsRun = true
		case startsRun && r.row < row:
			first, startsRun = r.row, false
		}
	}
	return first
}

// IsSame reports whether no difference counts.
func (d *Diff) IsSame() bool { return d.Counts.Differences() == 0 && d.OldEnds == d.NewEnds }

// NewLineCount returns the number of lines of the new text.
func (d *Diff) NewLineCount() int { return len(d.new) }

// Hunks calls do for the rows around differences, with context rows before and after. first is true for the first row
// of each hunk.
func (d *Diff) Hunks(context int, do func(r Row, first bool) error) error {
	done := -1 // the rows before it were passed to do, or left out
	for _, run := range d.runs {
		if run.status == compare.Same {
			continue
		}
		from, to := max(done, run.row-context, 0), min(run.row+run.n+context, d.Len())
		for row := from; row < to; row++ {
			if err := do(d.Row(row), row == from && from != done); err != nil {
				return err
			}
		}
		done = to
	}
	return nil
}

// Piece is a part of a text. Highlighted means that it differs from the other side.
type Piece struct {
	Text        string
	Highlighted bool
}

// maxWords is the maximum number of words of a text that is compared word by word. Of a longer one, all between the
// first and the last difference is marked.
const maxWords = 4000

// MarkWords marks the differences between two texts, word by word.
func MarkWords(old, new string) (a, b []Piece) {
	if old == new {
		return []Piece{{Text: old}}, []Piece{{Text: new}}
	}
	x, y := words(old), words(new)
	if max(len(x), len(y)) > maxWords {
		return betweenEnds(x, y)
	}
	if len(x) == len(y) {
		for i := range x {
			a, b = appendPiece(a, x[i], x[i] != y[i]), appendPiece(b, y[i], x[i] != y[i])
		}
		return a, b
	}
	from, to := 0, 0
	put := func(p []Piece, list []string, highlighted bool) []Piece {
		for _, w := range list {
			p = appendPiece(p, w, highlighted)
		}
		return p
	}
	for _, d := range lcs.DiffLines(x, y) {
		a, b = put(a, x[from:d.Start], false), put(b, y[to:d.ReplStart], false)
		a, b = put(a, x[d.Start:d.End], true), put(b, y[d.ReplStart:d.ReplEnd], true)
		from, to = d.End, d.ReplEnd
	}
	return put(a, x[from:], false), put(b, y[to:], false)
}

// words cuts a text into words, numbers and single other characters.
func words(s string) []string {
	var out []string
	from := 0
	for i, r := range s {
		if isWordRune(r) {
			continue
		}
		if i > from {
			out = append(out, s[from:i])
		}
		_, n := utf8.DecodeRuneInString(s[i:])
		from = i + n
		out = append(out, s[i:from])
	}
	if from < len(s) {
		out = append(out, s[from:])
	}
	return out
}

func isWordRune(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' || r == '.' || r == '-' || r == '+'
}

// betweenEnds marks everything between the common words at both ends.
func betweenEnds(x, y []string) (a, b []Piece) {
	from, to := align.CommonEnds(x, y)
	parts := func(w []string) []Piece {
		var p []Piece
		for i, part := range [][]string{w[:from], w[from : len(w)-to], w[len(w)-to:]} {
			if len(part) > 0 {
				p = append(p, Piece{Text: strings.Join(part, ""), Highlighted: i == 1})
			}
		}
		return p
	}
	return parts(x), parts(y)
}

func appendPiece(p []Piece, text string, highlighted bool) []Piece {
	if n := len(p); n > 0 && p[n-1].Highlighted == highlighted {
		p[n-1].Text += text
		return p
	}
	return append(p, Piece{Text: text, Highlighted: highlighted})
}

// DiffOf compares two contents line by line by rules; nil if they are not two texts.
func DiffOf(old, new any, rules compare.TextRules) *Diff {
	if o, n, ok := asBoth[*text.Text](old, new); ok {
		return CompareTexts(context.Background(), o, n, rules)
	}
	return nil
}

func textChanges(ctx context.Context, old, new *text.Text, rules compare.TextRules) (s Changes) {
	if old.Encoding != new.Encoding {
		s.add(PartChange{Old: old.Encoding, New: new.Encoding})
	}
	t := CompareTexts(ctx, old, new, rules)
	if t.OldEnds != "" {
		s.add(PartChange{Field: "line ends", Old: t.OldEnds, New: t.NewEnds})
	}
	return append(s, LineChanges(t)...)
}

// LineChanges returns the number of different lines of two texts.
func LineChanges(t *Diff) (s Changes) {
	if n := t.Counts.Changed; n > 0 {
		s.add(PartChange{How: Changed, Field: "line", N: n, All: int64(t.NewLineCount())})
	}
	s.count(Added, "line", int(t.Counts.Added))
	s.count(Removed, "line", int(t.Counts.Removed))
	return s
}

// LineSummary returns the number of changed lines of two texts as text.
func LineSummary(t *Diff) string {
	return cmp.Or(strings.Join(LineChanges(t).Texts(), ", "), "all lines identical")
}

// ruledText is a text whose lines are compared by rules.
type ruledText struct {
	lines   []string
	keys    []string // the compared text of each line; nil: the lines themselves
	ignored []bool   // lines that do not count; nil: all count
	owners  []string // the namespace of each line of properties; nil unless the order is ignored
}

func newRuledText(ctx context.Context, t *text.Text, rules compare.TextRules) *ruledText {
	v := &ruledText{lines: text.Lines(t.Text)}
	if !rules.Any() {
		return v
	}
	var colored [][]text.Piece
	if rules.Comments {
		colored = text.Colored(ctx, t.Language, t.Text)
	}
	v.keys, v.ignored = make([]string, len(v.lines)), make([]bool, len(v.lines))
	for i, line := range v.lines {
		key := line
		if i < len(colored) {
			if code, has := withoutComments(colored[i]); has {
				key = strings.TrimRight(code, " \t")
				v.ignored[i] = strings.TrimSpace(key) == ""
			}
		}
		if rules.Indentation {
			key = strings.TrimSpace(key)
		}
		v.ignored[i] = v.ignored[i] || rules.BlankLines && strings.TrimSpace(key) == ""
		v.keys[i] = key
	}
	if rules.Order && t.Language == text.Properties {
		v.owners = namespaces(v.keys)
	}
	return v
}

// withoutComments returns a line without its comments, and false if it has no comment.
func withoutComments(pieces []text.Piece) (code string, has bool) {
	var b strings.Builder
	for _, p := range pieces {
		if p.Kind == text.Comment {
			has = true
		} else {
			b.WriteString(p.Text)
		}
	}
	return b.String(), has
}

// namespaces returns, for each line that sets a property, the namespace that it is in with those around it; empty for
// other lines.
func namespaces(lines []string) []string {
	owners := make([]string, len(lines))
	var around []string // the namespaces around the current one
	namespace, head := "", ""
	for i, line := range lines {
		s := strings.TrimSpace(line)
		switch {
		case strings.HasSuffix(s, "{"):
			if before := strings.TrimSpace(strings.TrimSuffix(s, "{")); before != "" {
				head = before
			}
			around = append(around, namespace)
			namespace, head = namespace+"\x00"+head, ""
		case s == "}":
			if n := len(around); n > 0 {
				namespace, around = around[n-1], around[:n-1]
			}
		case strings.Contains(s, "="):
			owners[i] = namespace + "\x00"
		case s != "":
			head = s
		}
	}
	return owners
}

// key returns the compared text of a line.
func (t *ruledText) key(line int) string {
	if t.keys == nil {
		return t.lines[line]
	}
	return t.keys[line]
}

func (t *ruledText) isIgnored(line int) bool { return t.ignored != nil && t.ignored[line] }

func (t *ruledText) isCounted(line int) bool { return !t.isIgnored(line) }

// countedLines returns the indexes of the lines that the rules do not ignore, and their compared texts.
func (t *ruledText) countedLines() (indexes []int, keys []string) {
	if t.ignored == nil {
		return nil, t.lines
	}
	for i := range t.lines {
		if !t.isIgnored(i) {
			indexes, keys = append(indexes, i), append(keys, t.key(i))
		}
	}
	return indexes, keys
}

// ignoreMoved ignores properties that moved within their namespace: equal removed and added lines.
func ignoreMoved(old, new *ruledText, removed, added []int) {
	addedLines := make(map[string][]int)
	for _, i := range added {
		if owner := new.owners[i]; owner != "" {
			k := owner + new.key(i)
			addedLines[k] = append(addedLines[k], i)
		}
	}
	for _, i := range removed {
		k := old.owners[i] + old.key(i)
		if indexes := addedLines[k]; old.owners[i] != "" && len(indexes) > 0 {
			old.ignored[i], new.ignored[indexes[0]] = true, true
			addedLines[k] = indexes[1:]
		}
	}
}
