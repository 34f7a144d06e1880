package contents

import (
	"slices"
	"strings"

	"assay/model"
	"assay/model/compare/align"
)

// ChangeKind is the kind of change of a part.
type ChangeKind uint8

// The kinds of change of a part. ValueChanged: it has another value. Counted: their number changed. Rounded: they
// differ as after writing and reading a float. Follows: it turned as the positions did. Kept: it is on both sides, at
// any index. Broken: it became NaN or infinite. Mended: it was NaN or infinite. Rejoined: the corners
// changed. Unknown: they were not compared. Stated: Field is a whole sentence.
const (
	ValueChanged ChangeKind = iota
	Counted
	Changed
	Moved
	Added
	Removed
	Renamed
	Turned
	Rounded
	Reordered
	Follows
	Unchanged
	Kept
	Broken
	Mended
	Rejoined
	Reversed
	Unknown
	Stated
)

var verbs = [...]string{Changed: " changed", Moved: " moved", Added: " added", Removed: " removed", Renamed: " renamed",
	Turned: " rotated or scaled", Rounded: " differ only by rounding", Reordered: " in another order",
	Follows: " follow", Unchanged: " unchanged", Kept: " in both", Broken: " became NaN or infinite",
	Mended: " no longer NaN or infinite", Rejoined: " with other corners", Reversed: " reversed", Unknown: " unknown"}

// PartChange is one change as data: the field, the kind of change, the old and new value, the number of changes among
// all, the amount, and the direction. Its methods are the displayed forms.
type PartChange struct {
	How      ChangeKind
	Field    string  // the name of the field, or the counted noun: in the singular, or a plural that ends with s
	Of       string  // the owner of the field: "weights of"
	Old, New string  // the values; in a list, of the first change
	Quoted   bool    // the values are strings in quotes
	Note     string  // how much that is, or where: "+3", "largest by 0.5", "first at [5]"
	From     string  // where it was before it moved, or ""
	N, All   int64   // N of All changed, 0 for an unknown number; for Counted, the new and the old number
	Motion   *Motion // common to all of them, or nil
	Names    []string
	Inside   []PartChange // changes in the field
}

// Differs reports whether the values of the part differ, as displayed.
func (p PartChange) Differs() bool { return p.Old != p.New }

// Changes are the changes of an item, in the order of their sentences.
type Changes []PartChange

func (c *Changes) add(p ...PartChange) { *c = append(*c, p...) }

// count adds a part if there are any of them.
func (c *Changes) count(kind ChangeKind, field string, n int) {
	if n > 0 {
		c.add(PartChange{How: kind, Field: field, N: int64(n)})
	}
}

// Texts returns the sentences of the changes.
func (c Changes) Texts() []string {
	var out []string
	for _, p := range c {
		out = append(out, p.String())
	}
	return out
}

// String returns the change as a clause.
func (p PartChange) String() string {
	s := p.subject()
	switch {
	case p.Inside != nil:
		return strings.TrimPrefix(s+": "+p.Value(), ": ")
	case p.How == Stated:
		return s
	case p.How == ValueChanged:
		return strings.TrimSpace(s + " " + p.Value())
	case p.How == Counted:
		return model.FormatCount(p.All) + " → " + model.FormatCount(p.N) + " " + plural(p.Field, 2)
	case p.Motion != nil:
		s += " " + p.Motion.String()
	case p.How == Reordered && p.N > 0:
		s += " at another index"
	default:
		s += verbs[p.How]
	}
	if p.From != "" {
		s += ": " + p.From
	}
	if p.Note != "" {
		s += ", " + p.Note
	}
	if v := p.values(); v != "" {
		s += ": " + v
	}
	if len(p.Names) > 0 {
		s += " (" + model.OneLine(List(p.Names, namesListed), 600) + ")"
	}
	return strings.TrimSpace(s)
}

// Value returns the change without the name of the field, as in a row of a report.
func (p PartChange) Value() string {
	s := p.values()
	switch {
	case p.Inside != nil:
		s = strings.Join(Changes(p.Inside).Texts(), ", ")
	case p.How == Stated:
		s = p.Field
	case p.How == ValueChanged && p.Note != "":
		s += " (" + p.Note + ")"
	}
	return joinTexts(s, p.From)
}

// joinTexts joins texts that are not empty with commas.
func joinTexts(s ...string) string {
	return strings.Join(slices.DeleteFunc(s, func(s string) bool { return s == "" }), ", ")
}

// Short returns the amount of the change, without the values: for a narrow column beside them.
func (p PartChange) Short() string {
	var s []string
	for _, inner := range p.Inside {
		switch inner.How {
		case ValueChanged:
			s = append(s, inner.Field)
		case Changed:
			s = append(s, inner.subject())
		default:
			s = append(s, inner.String())
		}
	}
	switch p.How {
	case ValueChanged:
		s = append(s, p.Note)
	case Stated:
		s = append(s, p.Field)
	}
	return joinTexts(append(s, p.From)...)
}

// values returns the old and the new value; if only one of them exists, that.
func (p PartChange) values() string {
	old, new := p.Old, p.New
	if p.Quoted {
		old, new = inline(old, new)
	}
	if old != "" && new != "" {
		return old + " → " + new
	}
	return old + new
}

const (
	textAround   = 24  // characters of a long text that are displayed before and after a difference
	maxTextShown = 400 // characters of a difference
)

// inline returns two texts in quotes with the differences in {-old-} and {+new+}. It shortens long common parts.
func inline(old, new string) (string, string) {
	a, b := []rune(old), []rune(new)
	from, to := align.CommonEnds(a, b)
	if from == 1 && to == 1 || max(len(a), len(b)) <= textAround+2 {
		return model.OneLine(old, maxTextShown), model.OneLine(new, maxTextShown)
	}
	return withContext(a, from, to, "{-", "-}"), withContext(b, from, to, "{+", "+}")
}

func withContext(s []rune, from, to int, opening, closing string) string {
	head, tail := string(s[:from]), string(s[len(s)-to:])
	middle := model.OneLine(string(s[from:len(s)-to]), maxTextShown)
	if from > textAround+1 {
		head = `"…` + string(s[from-textAround:from])
	}
	if to > textAround+1 {
		tail = string(s[len(s)-to:len(s)-to+textAround]) + `…"`
	}
	if middle != "" {
		middle = opening + middle + closing
	}
	return head + middle + tail
}

const namesListed = 6

// subject returns the changed field, with its number.
func (p PartChange) subject() string {
	switch {
	case p.Of != "":
		return p.Of + " " + PartChange{Field: p.Field, N: p.N, All: p.All}.subject()
	case p.N == 0 && p.All > 0:
		return "some of " + model.FormatCount(p.All) + " " + plural(p.Field, p.All)
	case p.How == Counted || p.N == 0:
		return p.Field
	case p.How == Kept:
		return model.FormatCount(p.N) + " of the " + plural(p.Field, 2) + " are"
	case p.All > 0:
		return model.FormatCount(p.N) + " of " + model.FormatCount(p.All) + " " + plural(p.Field, p.All)
	}
	return model.FormatCount(p.N) + " " + plural(p.Field, p.N)
}
