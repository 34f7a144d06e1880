package table

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"path"
	"strconv"
	"strings"

	"github.com/dustin/go-humanize"

	"assay/model"
)

// Test is how a cell is compared.
type Test uint8

// The tests. Contains looks at the cell as text, without regard to case; the others compare numbers where the cell
// is one, and text otherwise.
const (
	Contains Test = iota
	Equal
	Unequal
	Less
	LessOrEqual
	Greater
	GreaterOrEqual
)

// AnyColumn is the Column of a condition that any cell of the row may meet.
const AnyColumn = -1

// Condition is what a row must meet to be shown.
type Condition struct {
	Column int
	Test   Test
	Text   string // what the cell is compared with, as typed
}

// tests in the order in which they are looked for: the longer first.
var tests = []struct {
	sign string
	test Test
}{{"<=", LessOrEqual}, {">=", GreaterOrEqual}, {"!=", Unequal}, {"==", Equal}, {"<", Less}, {">", Greater},
	{"=", Equal}, {"~", Contains}}

// ParseConditions reads what a person types into a filter: plain words that a row must contain, with * and ? for what
// is not known ("icon *.png"), and conditions where a column is named: "x >= 5 and bat < 10", "label ~ leg",
// "size > 1.5 MB". Conditions are joined by " and "; a text in quotes is one word. Words are looked for in any column
// but measures.
func ParseConditions(t *model.Table, text string) ([]Condition, error) {
	var out []Condition
	for _, part := range strings.Split(text, " and ") {
		part = strings.TrimSpace(part)
		if part == "" {
			continue
		}
		all, err := parsePart(t, part)
		if err != nil {
			return nil, err
		}
		out = append(out, all...)
	}
	return out, nil
}

func parsePart(t *model.Table, part string) ([]Condition, error) {
	at := strings.IndexAny(part, "<>=!~")
	if at < 0 || part[0] == '"' {
		return words(part), nil
	}
	for _, k := range tests {
		if !strings.HasPrefix(part[at:], k.sign) {
			continue
		}
		c := Condition{Test: k.test, Text: strings.Trim(strings.TrimSpace(part[at+len(k.sign):]), `"`)}
		name := strings.TrimSpace(part[:at])
		var ok bool
		if c.Column, ok = column(t, name); !ok {
			return nil, fmt.Errorf("there is no column %q; there are %s", name, titles(t))
		}
		if t.Columns[c.Column].Numeric && k.test != Contains && newMatch(k.test, c.Text).number == nil {
			return nil, fmt.Errorf("%s is a number: compare it with one, as in %s %s 100", t.Title(c.Column),
				t.Title(c.Column), k.sign)
		}
		return []Condition{c}, nil
	}
	return words(part), nil
}

// words are conditions that any cell may meet.
func words(part string) []Condition {
	var out []Condition
	for part = strings.TrimSpace(part); part != ""; part = strings.TrimSpace(part) {
		word, end := "", " "
		if part[0] == '"' {
			part, end = part[1:], `"`
		}
		if word, part, _ = strings.Cut(part, end); word != "" {
			out = append(out, Condition{AnyColumn, Contains, word})
		}
	}
	return out
}

// titlesMost is the number of columns that are named where another one was asked for.
const titlesMost = 12

func titles(t *model.Table) string {
	var all []string
	for i := range t.Columns {
		if i == titlesMost {
			return strings.Join(all, ", ") + " and others"
		}
		all = append(all, t.Title(i))
	}
	return strings.Join(all, ", ")
}

// column finds a column by its title, its name or its group and name; case counts only if it must.
func column(t *model.Table, name string) (int, bool) {
	same := []func(a, b string) bool{func(a, b string) bool { return a == b }, strings.EqualFold}
	for _, equal := range same {
		for i, c := range t.Columns {
			if equal(t.Title(i), name) || equal(c.Name, name) || equal(c.Group+"."+c.Name, name) {
				return i, true
			}
		}
	}
	return 0, false
}

// Filter returns the rows of order that meet all conditions. Without conditions it returns order itself.
func Filter(ctx context.Context, t *model.Table, order Order, conditions []Condition) (Order, error) {
	if len(conditions) == 0 {
		return order, nil
	}
	var columns []int
	var met []func(cells []any) bool
	for _, c := range conditions {
		m := newMatch(c.Test, c.Text)
		from := len(columns)
		if c.Column == AnyColumn {
			for i := range t.Columns {
				if !t.Columns[i].Measure {
					columns = append(columns, i)
				}
			}
		} else {
			columns = append(columns, c.Column)
		}
		to := len(columns)
		met = append(met, func(cells []any) bool {
			for _, v := range cells[from:to] {
				if v != nil && m.cell(v) {
					return true
				}
			}
			return false
		})
	}
	if err := check(t, columns); err != nil {
		return nil, err
	}
	meets := newBits(t.Rows)
	shown := 0
	err := scan(ctx, t, columns, func(row int64, cells []any) error {
		for _, m := range met {
			if !m(cells) {
				return nil
			}
		}
		meets.set(row)
		shown++
		return nil
	})
	if err != nil {
		return nil, err
	}
	out := make(Order, 0, min(int64(shown), order.Len(t)))
	for i := range order.Len(t) {
		if row := order.Row(i); meets.has(row) {
			out = append(out, uint32(row))
		}
	}
	return out, nil
}

// match is a condition ready for a million cells.
type match struct {
	test    Test
	text    string   // for Contains in lower case
	glob    string   // instead of the text, if it has ?
	pieces  []string // instead of the text, if it has *: what stands between them
	number  any      // the text as int64, uint64 or float64; nil if it is not a number
	scratch []byte
}

func newMatch(test Test, text string) *match {
	m := &match{test: test, text: text}
	if test == Contains {
		m.text = strings.ToLower(text)
		switch {
		case strings.Contains(text, "?"):
			m.glob = strings.NewReplacer("[", `\[`, "]", `\]`, `\`, `\\`).Replace(m.text)
		case strings.Contains(text, "*"):
			m.pieces = strings.Split(m.text, "*")
		}
		return m
	}
	if n, err := strconv.ParseInt(text, 0, 64); err == nil {
		m.number = n
	} else if n, err := strconv.ParseUint(text, 0, 64); err == nil {
		m.number = n
	} else if f, err := strconv.ParseFloat(text, 64); err == nil {
		m.number = f
	} else if n, err := humanize.ParseBytes(text); err == nil {
		m.number = n
	}
	return m
}

func (m *match) cell(v any) bool {
	if m.test == Contains {
		return m.contains(v)
	}
	var c int
	if s, ok := v.(string); ok {
		c = strings.Compare(s, m.text)
	} else {
		if m.number == nil {
			return m.test == Unequal
		}
		var ordered bool
		if c, ordered = compareNumbers(v, m.number); !ordered {
			return m.test == Unequal
		}
	}
	switch m.test {
	case Equal:
		return c == 0
	case Unequal:
		return c != 0
	case Less:
		return c < 0
	case LessOrEqual:
		return c <= 0
	case Greater:
		return c > 0
	}
	return c >= 0
}

func (m *match) contains(v any) bool {
	switch v := v.(type) {
	case string:
		if m.glob != "" || m.pieces != nil {
			v = strings.ToLower(v)
			return m.like(v[strings.LastIndexByte(v, '/')+1:]) || m.like(v)
		}
		return strings.Contains(strings.ToLower(v), m.text)
	case uint64:
		m.scratch = strconv.AppendUint(m.scratch[:0], v, 10)
	case int64:
		m.scratch = strconv.AppendInt(m.scratch[:0], v, 10)
	case float32:
		m.scratch = strconv.AppendFloat(m.scratch[:0], float64(v), 'g', -1, 32)
	case float64:
		m.scratch = strconv.AppendFloat(m.scratch[:0], v, 'g', -1, 64)
	default:
		return false
	}
	return strings.Contains(string(m.scratch), m.text)
}

// like reports whether a whole text is as the one with * and ? says.
func (m *match) like(text string) bool {
	if m.glob != "" {
		ok, _ := path.Match(m.glob, text)
		return ok
	}
	first, last := m.pieces[0], m.pieces[len(m.pieces)-1]
	if len(text) < len(first)+len(last) || !strings.HasPrefix(text, first) || !strings.HasSuffix(text, last) {
		return false
	}
	text = text[len(first) : len(text)-len(last)]
	for _, piece := range m.pieces[1 : len(m.pieces)-1] {
		i := strings.Index(text, piece)
		if i < 0 {
			return false
		}
		text = text[i+len(piece):]
	}
	return true
}

// compareNumbers compares a cell with a number exactly, whatever their kinds; false if one is NaN. A float32 is
// compared with the nearest float32, because people type 0.2 and mean it.
func compareNumbers(cell, want any) (int, bool) {
	if f, ok := cell.(float32); ok {
		if w, ok := want.(float64); ok {
			cell, want = float64(f), float64(float32(w))
		} else {
			cell = float64(f)
		}
	}
	a, aFloat := cell.(float64)
	b, bFloat := want.(float64)
	switch {
	case aFloat && bFloat:
		if math.IsNaN(a) || math.IsNaN(b) {
			return 0, false
		}
		return cmp.Compare(a, b), true
	case aFloat:
		return compareFloat(a, want)
	case bFloat:
		c, ok := compareFloat(b, cell)
		return -c, ok
	}
	return compareIntegers(cell, want), true
}

// compareFloat compares a float with an integer: by their whole parts first, because a float64 does not hold every
// 64-bit integer.
func compareFloat(f float64, integer any) (int, bool) {
	whole := math.Floor(f)
	switch {
	case math.IsNaN(f):
		return 0, false
	case whole >= 1<<64:
		return 1, true
	case whole < -(1 << 63):
		return -1, true
	}
	var c int
	if whole >= 1<<63 {
		c = compareIntegers(uint64(whole), integer)
	} else {
		c = compareIntegers(int64(whole), integer)
	}
	if c == 0 && f > whole {
		return 1, true
	}
	return c, true
}

func compareIntegers(a, b any) int {
	an, au := split(a)
	bn, bu := split(b)
	if an != bn {
		if an {
			return -1
		}
		return 1
	}
	return cmp.Compare(au, bu) // of two negative numbers in two's complement the higher bits are the higher number
}

// split returns whether an integer is negative, and its bits.
func split(v any) (bool, uint64) {
	switch v := v.(type) {
	case int64:
		return v < 0, uint64(v)
	case uint64:
		return false, v
	case bool:
		if v {
			return false, 1
		}
	}
	return false, 0
}
