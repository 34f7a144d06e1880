package contents

import (
	"strings"

	"assay/model"
)

// ChangeKind is the kind of change of a part.
type ChangeKind uint8

// The kinds of change of a part. Became: it has another value. Counted: their number changed. Rounded: they differ as
// after writing and reading a float. Follows: it changed as the positions do. Kept: it is on both sides, at any index.
// Broken: it became NaN or infinite. Mended: it was so. Rejoined: the corners changed. Unknown: they were not compared.
// Stated: Field is a whole sentence.
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

// PartChange is one change of an item as data: the field, the kind of change, the old and new value, and the number.
type PartChange struct {
	How      ChangeKind
	Field    string  // the name of the field, or the counted noun: in the singular, or a plural that ends with s
	Of       string  // the owner of the field: "weights of"
	Old, New string  // values of Became, Added or Removed
	Note     string  // how much that is: "+3", "largest by 0.5"
	N, All   int64   // N of All changed; for Counted, the new and the old number
	Motion   *Motion // common to all of them, or nil
	Names    []string
	Inside   []PartChange // changes in the field
}

// Differs reports whether the values of the part differ, as far as people see it.
func (p PartChange) Differs() bool { return p.Old != p.New }

// Changes are the changes of an item, in the order of their sentences.
type Changes []PartChange

func (c *Changes) add(p ...PartChange) { *c = append(*c, p...) }

// count adds a part if there are any of them.
func (c *Changes) count(how ChangeKind, field string, n int) {
	if n > 0 {
		c.add(PartChange{How: how, Field: field, N: int64(n)})
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
		inside := strings.Join(Changes(p.Inside).Texts(), ", ")
		return strings.TrimPrefix(s+": "+inside, ": ")
	case p.How == Stated:
		return s
	case p.How == ValueChanged:
		s = strings.TrimSpace(s + " " + p.Old + " → " + p.New)
		if p.Note != "" {
			s += " (" + p.Note + ")"
		}
		return s
	case p.How == Counted:
		return comma(p.All) + " → " + comma(p.N) + " " + plural(p.Field, 2)
	}
	switch {
	case p.Motion != nil:
		s += " " + p.Motion.String()
	case p.How == Reordered && p.N > 0:
		s += " at another index"
	default:
		s += verbs[p.How]
	}
	if v := p.Old + p.New; v != "" {
		s += ": " + v
	}
	if p.Note != "" {
		s += ", " + p.Note
	}
	if len(p.Names) > 0 {
		s += " (" + model.OneLine(List(p.Names, namesListed), 600) + ")"
	}
	return strings.TrimSpace(s)
}

const namesListed = 6

// subject returns the changed field, with its number.
func (p PartChange) subject() string {
	switch {
	case p.Of != "":
		return p.Of + " " + PartChange{Field: p.Field, N: p.N, All: p.All}.subject()
	case p.How == Counted || p.N == 0:
		return p.Field
	case p.How == Kept:
		return comma(p.N) + " of the " + plural(p.Field, 2) + " are"
	case p.All > 0:
		return comma(p.N) + " of " + comma(p.All) + " " + plural(p.Field, p.All)
	}
	return comma(p.N) + " " + plural(p.Field, p.N)
}
