package changes

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/dustin/go-humanize/english"

	"assay/model"
	"assay/model/compare"
	"assay/model/compare/contents"
)

// Overview has the changes of a comparison as users see them: first items, then values outside of items.
type Overview struct {
	Counts   []ItemCount
	Items    []ItemChange // the first ones
	Unlisted int64        // changed items after those
	// Values are the changes outside of items: fields of a header, the version of the format.
	Values contents.Changes
	// Others is the number of changed values that Values leaves out.
	Others  int64
	grouped compare.Counts // elements of lists for which Values has one change, except for the first of each list
	times   int64          // number of times in Values
	version bool           // the first of Values is the change of the format version
	// Whole means that Values describe the files as a whole: two pictures, sounds or texts.
	Whole      bool
	nestedText string // of an asset that is a file: all of this in a sentence
}

// ItemCount has the numbers of changed items of one kind.
type ItemCount struct {
	Kind, Group string
	Counts      compare.Counts // Same is not counted
	Renamed     int64          // moved items with only another name
	Shifted     int64          // moved items at the same position, at another offset in the file
	MovedToo    int64          // changed items that also moved
	TimesOnly   int64          // changed items in which only times changed
	Unvisited   int64          // changed items that were not visited: they may only have moved
	// Motion is the common motion of all moved items, or nil.
	Motion            *contents.Motion
	BytesIn, BytesOut int64 // of the added and of the removed items
	Partial           bool  // not all of them were measured
	Fields            []FieldCount
}

// FieldCount is the number of items with a change in a field.
type FieldCount struct {
	Name  string
	Count int64
}

// ItemChange is the change of one item.
type ItemChange struct {
	Status     compare.Status
	Kind       string
	Name       string
	OldName    string  // if it was called something else
	Similarity float64 // share of the content that a renamed item kept; 0 if all
	Changes    contents.Changes
	Path       model.Path // among the pairs
	// Nested has the changes in an asset that is a file itself, as if the two versions were compared as files; else
	// nil.
	Nested *Overview
}

func (c ItemChange) name() string {
	if strings.HasPrefix(c.Name, c.Kind+" ") {
		return c.Name
	}
	return c.Kind + " " + c.Name
}

// Line returns the change in one line, without its sign.
func (c ItemChange) Line() string {
	s := c.name()
	if c.OldName != "" {
		s += ", was " + c.OldName + similarityText(c.Similarity)
	}
	if len(c.Changes) > 0 {
		s += ": " + strings.Join(c.Changes.Texts(), "; ")
	}
	return s
}

// verbs are the changes that a headline counts, in its order.
var verbs = []struct {
	name  string
	count func(c *ItemCount) int64
}{
	{"changed", func(c *ItemCount) int64 { return c.Counts.Changed - c.MovedToo - c.TimesOnly - c.Unvisited }},
	{"moved and changed", func(c *ItemCount) int64 { return c.MovedToo }},
	{"renamed", func(c *ItemCount) int64 { return c.Renamed }},
	{"moved", func(c *ItemCount) int64 { return c.Counts.Moved - c.Renamed - c.Shifted }},
	{"at another offset", func(c *ItemCount) int64 { return c.Shifted }},
	{"changed or moved", func(c *ItemCount) int64 { return c.Unvisited }},
	{"added", func(c *ItemCount) int64 { return c.Counts.Added }},
	{"removed", func(c *ItemCount) int64 { return c.Counts.Removed }},
	{"changed (timestamps only)", func(c *ItemCount) int64 { return c.TimesOnly }},
}

// Headline returns the numbers of changed items by kind, then the other changes, as one sentence; "" if no items
// changed. For files that are compared as a whole, it returns the changes of their contents.
func (o *Overview) Headline() string {
	if o.Whole {
		return strings.Join(o.Values.Texts(), ", ")
	}
	if len(o.Counts) == 0 {
		return ""
	}
	var s []string
	for _, verb := range verbs {
		if kinds := o.kinds(verb.count); len(kinds) > 0 {
			text := english.OxfordWordSeries(kinds, "and") + " " + verb.name
			if verb.name == "moved" {
				text += o.motionText()
			}
			s = append(s, text)
		}
	}
	if o.version {
		s = append(s, o.Values[0].String())
	}
	if n := int64(len(o.otherChanges())) + o.grouped.Differences() + o.Others - o.times; n > 0 {
		other := func(p contents.PartChange) bool { return statusOfPart(p) != compare.Changed }
		if slices.ContainsFunc(o.otherChanges(), other) {
			s = append(s, model.Count(n, "other change"))
		} else {
			s = append(s, model.Count(n, "other value")+" changed")
		}
	}
	if o.times > 0 {
		s = append(s, model.Count(o.times, "file timestamp")+" changed")
	}
	if text := o.bytesText(); text != "" {
		s = append(s, text)
	}
	return strings.Join(s, "; ")
}

// motionText returns the common motion of all moved items. It returns "" if it differs or is unknown, if the items are
// of several kinds, or if some were renamed.
func (o *Overview) motionText() string {
	var only *ItemCount
	for i := range o.Counts {
		if c := &o.Counts[i]; c.Counts.Moved > c.Renamed+c.Shifted {
			if only != nil {
				return ""
			}
			only = c
		}
	}
	if only == nil || only.Motion == nil || only.Renamed > 0 {
		return ""
	}
	return strings.TrimPrefix(only.Motion.String(), "moved")
}

// Total returns the number of changed items of all kinds and of changed values outside of items. For files without
// items it returns the numbers of rows, except rows that only contain others. Same always counts rows, as unchanged
// items are not counted.
func (o *Overview) Total(rows compare.Counts) compare.Counts {
	if len(o.Counts) == 0 {
		rows.Changed, rows.Parents = rows.OwnRows(compare.Changed), 0
		return rows
	}
	n := compare.Counts{Same: rows.Same, Changed: o.Others}
	for _, v := range o.Values {
		n.Count(statusOfPart(v))
	}
	n.Add(o.grouped)
	for _, c := range o.Counts {
		n.Add(c.Counts)
	}
	return n
}

// At returns the change of the item at a path, or nil, and the numbers of changed items below it. They are unknown, and
// zero, if not all items are listed.
func (o *Overview) At(path model.Path) (item *ItemChange, below compare.Counts) {
	if o.Unlisted > 0 {
		return nil, below
	}
	for i := range o.Items {
		t := &o.Items[i]
		switch n := len(path); {
		case len(t.Path) < n || !t.Path[:n].Equal(path):
		case len(t.Path) == n:
			item = t
		default:
			below.Count(t.Status)
		}
	}
	return item, below
}

// statusOfPart returns the status of a value outside of items.
func statusOfPart(v contents.PartChange) compare.Status {
	for v.Inside != nil && v.How == contents.ValueChanged && len(v.Inside) == 1 { // it has the name of a key
		v = v.Inside[0]
	}
	for status, kind := range changeKinds {
		if v.How == kind {
			return status
		}
	}
	return compare.Changed
}

// otherChanges returns the values other than the version of the format.
func (o *Overview) otherChanges() contents.Changes {
	if o.version {
		return o.Values[1:]
	}
	return o.Values
}

// OverviewLine is a line of an overview: the change of an item, or a sentence about all items.
type OverviewLine struct {
	Sign  string      // of an item
	Text  string      // without the sign
	Path  model.Path  // of an item, among the pairs; inside an asset, the path of the asset
	Item  *ItemChange // nil for an item inside another, and for a sentence
	Depth int         // number of items that contain it
}

// maxNestedLines is the number of items listed for an asset that is a file.
const maxNestedLines = 20

// Lines returns the lines after the headline: one for each of the first items, then sentences.
func (o *Overview) Lines(limit int) []OverviewLine {
	var out []OverviewLine
	for i := range o.Items[:min(limit, len(o.Items))] {
		t := &o.Items[i]
		out = append(out, OverviewLine{Sign: t.Status.Sign(), Text: t.Line(), Path: t.Path, Item: t})
		if t.Nested == nil {
			continue
		}
		for _, l := range t.Nested.Lines(maxNestedLines) {
			out = append(out, OverviewLine{Sign: l.Sign, Text: l.Text, Path: t.Path, Depth: l.Depth + 1})
		}
	}
	addText := func(s string) { out = append(out, OverviewLine{Text: s}) }
	if n := o.Unlisted + int64(max(0, len(o.Items)-limit)); n > 0 {
		addText("and " + model.FormatCount(n) + " more")
	}
	for _, s := range o.fieldLines() {
		addText(s)
	}
	if !o.Whole {
		values := o.Values
		if len(o.Counts) > 0 { // then the headline has the version
			values = o.otherChanges()
		}
		for _, v := range values {
			out = append(out, OverviewLine{Sign: statusOfPart(v).Sign(), Text: v.String()})
		}
	}
	if o.Others > 0 && len(o.Values) > 0 {
		addText("and " + model.Count(o.Others, "more value"))
	}
	return out
}

// Sentence returns the headline; if only one item changed, its change; if only values changed, those. It returns "" if
// there are no values either.
func (o *Overview) Sentence() string {
	if len(o.Items) == 1 && o.Unlisted == 0 && len(o.Values) == 0 && !o.Whole {
		t := o.Items[0]
		if t.Status == compare.Changed {
			if o.Counts[0].TimesOnly > 0 {
				return t.name() + ": only timestamps changed: " + strings.Join(t.Changes.Texts(), "; ")
			}
			return t.Line()
		}
	}
	if h := o.Headline(); h != "" || len(o.Values) == 0 {
		return h
	}
	s := contents.List(o.Values.Texts(), 3)
	if o.times > 0 && o.times == int64(len(o.Values))+o.Others {
		s = "only timestamps changed: " + s
	}
	if o.Others > 0 {
		s += " and " + model.Count(o.Others, "more value")
	}
	return s
}

// Summary returns the number of rows with each status as text, or the reason why there are none.
func Summary(c *compare.Comparison) string {
	if c.Identical {
		return "the bytes of both files are identical"
	}
	n := c.Counts()
	if n.Differences() == 0 {
		if c.Ignored > 0 {
			return fmt.Sprintf("no differences (%s ignored by the rules)", model.FormatCount(c.Ignored))
		}
		return "no differences"
	}
	if c.Ignored > 0 {
		return fmt.Sprintf("%s, %s ignored", n, model.FormatCount(c.Ignored))
	}
	return n.String()
}

// Brief returns one sentence with the changes of o, preceded by the first damage of the files. For files that were
// compared byte by byte it returns the reason.
func Brief(c *compare.Comparison, o *Overview) string {
	if c.BytesOnly && !o.Whole {
		return cmp.Or(c.Note, Summary(c))
	}
	s := cmp.Or(o.Sentence(), Summary(c))
	if len(c.Damage) > 0 {
		s = c.Damage[0] + ": " + s
	}
	return s
}

// kinds returns the number of items of each kind in a status, with their groups in brackets.
func (o *Overview) kinds(count func(c *ItemCount) int64) []string {
	var names []string
	totals := make(map[string]int64)
	groups := make(map[string][]string)
	for i := range o.Counts {
		c := &o.Counts[i]
		n := count(c)
		if n == 0 {
			continue
		}
		if totals[c.Kind] == 0 {
			names = append(names, c.Kind)
		}
		totals[c.Kind] += n
		if c.Group != "" {
			groups[c.Kind] = append(groups[c.Kind], model.FormatCount(n)+" × "+c.Group)
		}
	}
	for i, kind := range names {
		names[i] = model.Count(totals[kind], kind)
		if g := groups[kind]; len(g) == 1 {
			if _, only, _ := strings.Cut(g[0], " × "); only != model.UnknownType {
				names[i] += " (" + only + ")"
			}
		} else if len(g) > 1 {
			names[i] += " (" + contents.List(g, maxGroups) + ")"
		}
	}
	return names
}

const maxGroups = 8

// bytesText returns the sizes of the added and the removed items as text; "" if they have none.
func (o *Overview) bytesText() string {
	var in, out int64
	partial := false
	for _, c := range o.Counts {
		in, out, partial = in+c.BytesIn, out+c.BytesOut, partial || c.Partial
	}
	var s []string
	if in > 0 {
		s = append(s, model.FormatCount(in)+" bytes added")
	}
	if out > 0 {
		s = append(s, model.FormatCount(out)+" bytes removed")
	}
	if len(s) > 0 && partial {
		s[0] = "at least " + s[0]
	}
	return strings.Join(s, ", ")
}

// fieldLines returns sentences about the changed fields of the items of a kind, if three or more changed.
func (o *Overview) fieldLines() []string {
	var out []string
	for _, c := range o.Counts {
		if c.Counts.Changed < 3 || len(c.Fields) == 0 {
			continue
		}
		var s []string
		for _, f := range c.Fields {
			s = append(s, f.Name+" in "+model.FormatCount(f.Count))
		}
		name := english.PluralWord(int(c.Counts.Changed), c.Kind, "")
		if c.Group != "" && c.Group != model.UnknownType {
			name += " (" + c.Group + ")"
		}
		text := name + ": " + contents.List(s, maxGroups)
		if c.Partial {
			text += " (of the assets compared so far)"
		}
		out = append(out, text)
	}
	return out
}

// Collect returns the changes of a comparison, item by item. It reads changed meshes, pictures and animations, and
// compares assets that are files. It returns the error of ctx.
func Collect(ctx context.Context, c *compare.Comparison) (*Overview, error) {
	if o, ok := c.Memo.Load(overviewMemo{}); ok {
		return o.(*Overview), nil
	}
	remaining := maxComparedFiles
	o, err := overviewOf(ctx, c, nestedFiles{remaining: &remaining})
	if err == nil {
		c.Memo.Store(overviewMemo{}, o)
	}
	return o, err
}
