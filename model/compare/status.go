package compare

import (
	"image/color"
	"iter"
	"strings"

	"assay/model"
)

// Status is how a node changed.
type Status uint8

// The statuses of a pair of nodes. Moved: the same content at another position or under another key.
const (
	Same Status = iota
	Changed
	Moved
	Added
	Removed
)

var statusNames = [...]string{"same", "changed", "moved", "added", "removed"}

// String returns the status as one word, as in reports.
func (s Status) String() string { return statusNames[s] }

// Sign returns the character for the status that begins a line of the text report.
func (s Status) Sign() string { return string("=~>+-"[s]) }

// Counts are numbers of rows of a report. A subtree that is the same, added or removed is one row; but in a list of
// keyed items that only one file has, each item is one.
type Counts struct {
	Same, Changed, Moved, Added, Removed int64
	// Parents is the number of changed rows that only contain other rows.
	Parents int64
	// OtherKey is the number of changed and of moved rows of items with another key than before.
	OtherKey struct{ Changed, Moved int64 }
}

// ByKey returns the counts if each item with a new key counts as one removed and one added item.
func (c Counts) ByKey() Counts {
	c.Changed -= c.OtherKey.Changed
	c.Moved -= c.OtherKey.Moved
	c.Removed += c.OtherKey.Changed + c.OtherKey.Moved
	c.Added += c.OtherKey.Changed + c.OtherKey.Moved
	return c
}

// Differences returns the number of rows that are not the same.
func (c Counts) Differences() int64 { return c.Changed + c.Moved + c.Added + c.Removed }

// Rows returns the number of rows with status s.
func (c Counts) Rows(s Status) int64 { return *c.At(s) }

// OwnRows returns the number of rows with status s, except parents of other rows.
func (c Counts) OwnRows(s Status) int64 {
	if s == Changed {
		return c.Changed - c.Parents
	}
	return c.Rows(s)
}

// Count adds one to the number of rows with a status.
func (c *Counts) Count(s Status) { *c.At(s)++ }

// String returns the numbers of rows that differ: "2 changed, 1 added".
func (c Counts) String() string {
	var s []string
	for st, n := range c.Each() {
		s = append(s, model.FormatCount(n)+" "+st.String())
	}
	return strings.Join(s, ", ")
}

// Each returns the statuses other than Same that rows have, with their numbers. Parents of changed values are not
// counted.
func (c Counts) Each() iter.Seq2[Status, int64] {
	return func(yield func(s Status, n int64) bool) {
		for s := Changed; s <= Removed; s++ {
			if n := c.OwnRows(s); n > 0 && !yield(s, n) {
				return
			}
		}
	}
}

// At returns a pointer to the number of rows with a status.
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
	c.OtherKey.Changed += o.OtherKey.Changed
	c.OtherKey.Moved += o.OtherKey.Moved
}

// Ground is the background of the color of a status.
type Ground uint8

// The grounds: drawn scenes, and the dark and the light ground of the window.
const (
	OnScene Ground = iota
	OnDark
	OnLight
)

// statusColors are the colors of statuses by background. They are based on the palette of Okabe and Ito, which
// color-blind people can distinguish.
var statusColors = [...][Removed + 1]color.NRGBA{
	OnScene: {Same: {0x9a, 0x9f, 0xa8, 0xff}, Changed: {0xe3, 0xa0, 0x1e, 0xff}, Moved: {0x3d, 0x94, 0xd6, 0xff},
		Added: {0x1f, 0xb5, 0x88, 0xff}, Removed: {0xd9, 0x6a, 0x9e, 0xff}},
	OnDark: {Same: {0x9a, 0x9f, 0xa8, 0xff}, Changed: {0xf0, 0xb4, 0x29, 0xff}, Moved: {0x6f, 0xbc, 0xf0, 0xff},
		Added: {0x2f, 0xc7, 0x9a, 0xff}, Removed: {0xe5, 0x8a, 0xb5, 0xff}},
	OnLight: {Same: {0x9a, 0x9f, 0xa8, 0xff}, Changed: {0xa8, 0x64, 0x00, 0xff}, Moved: {0x00, 0x67, 0xa8, 0xff},
		Added: {0x00, 0x7a, 0x59, 0xff}, Removed: {0xb0, 0x38, 0x7a, 0xff}},
}

// Color returns the color of a status on a background.
func (s Status) Color(on Ground) color.NRGBA { return statusColors[on][s] }
