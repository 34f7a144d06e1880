package compare

import (
	"iter"
	"strings"

	"github.com/dustin/go-humanize"
)

// Status is how a node changed.
type Status uint8

// The states of a pair of nodes. Moved: the same content in another place or under another key.
const (
	Same Status = iota
	Changed
	Moved
	Added
	Removed
)

var statusNames = [...]string{"same", "changed", "moved", "added", "removed"}

// String is the state in a word, as in reports.
func (s Status) String() string { return statusNames[s] }

// Sign is the state as the one character that begins a line of the text report.
func (s Status) Sign() string { return string("=~>+-"[s]) }

// Counts are numbers of rows of a report. A subtree that is the same, added or removed is one row.
type Counts struct {
	Same, Changed, Moved, Added, Removed int64
	// Parents is how many of the changed rows are only what other rows are in.
	Parents int64
}

// Differences is the number of rows that are not the same.
func (c Counts) Differences() int64 { return c.Changed + c.Moved + c.Added + c.Removed }

// Of is the number of rows in that state.
func (c Counts) Of(s Status) int64 { return *c.At(s) }

// Own is the number of rows in that state without those that are only parents of others.
func (c Counts) Own(s Status) int64 {
	if s == Changed {
		return c.Changed - c.Parents
	}
	return c.Of(s)
}

// Count adds one in a state.
func (c *Counts) Count(s Status) { *c.At(s)++ }

// String is the numbers of what differs: "2 changed, 1 added".
func (c Counts) String() string {
	var s []string
	for st, n := range c.Each() {
		s = append(s, humanize.Comma(n)+" "+st.String())
	}
	return strings.Join(s, ", ")
}

// Each goes through the states of which there are rows that differ, and their numbers. Parents of changed values are
// not changes of their own.
func (c Counts) Each() iter.Seq2[Status, int64] {
	return func(yield func(s Status, n int64) bool) {
		for s := Changed; s <= Removed; s++ {
			if n := c.Own(s); n > 0 && !yield(s, n) {
				return
			}
		}
	}
}

// At returns the number of a state, to be changed.
func (c *Counts) At(s Status) *int64 {
	return [...]*int64{&c.Same, &c.Changed, &c.Moved, &c.Added, &c.Removed}[s]
}

// Add adds the numbers of others.
func (c *Counts) Add(o Counts) {
	c.Same += o.Same
	c.Changed += o.Changed
	c.Moved += o.Moved
	c.Added += o.Added
	c.Removed += o.Removed
	c.Parents += o.Parents
}
