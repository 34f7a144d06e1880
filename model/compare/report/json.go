package report

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"

	"assay/model"
	"assay/model/compare"
	"assay/model/compare/align"
	"assay/model/compare/changes"
)

// jsonRow is a row of diff --json.
type jsonRow struct {
	Status   string    `json:"status"`
	Path     string    `json:"path"`
	OldPath  string    `json:"old_path,omitempty"`
	Type     string    `json:"type"`
	OldType  string    `json:"old_type,omitempty"`
	Key      string    `json:"key"`
	OldKey   string    `json:"old_key,omitempty"`
	Alike    float64   `json:"alike,omitempty"`
	Old      *jsonSpan `json:"old,omitempty"`
	New      *jsonSpan `json:"new,omitempty"`
	OldValue any       `json:"old_value,omitempty"`
	NewValue any       `json:"new_value,omitempty"`

	Ranges []jsonRange `json:"ranges,omitempty"` // of a block of bytes, with offsets in it
	More   int         `json:"more_ranges,omitempty"`
}

// jsonHead has the members before the rows.
type jsonHead struct {
	Version int   `json:"version"`
	Same    int64 `json:"same"`
	jsonCounts
	Parents    int64         `json:"parents,omitempty"`
	Items      jsonCounts    `json:"things"`
	Ignored    int64         `json:"ignored,omitempty"`
	Identical  bool          `json:"identical"`
	ByChecksum bool          `json:"by_checksum,omitempty"`
	Note       string        `json:"note,omitempty"`
	Damage     []string      `json:"damage,omitempty"`
	OneVersion []jsonField   `json:"one_version,omitempty"`
	Summary    *jsonOverview `json:"summary,omitempty"`
}

type jsonSpan struct {
	Offset int64 `json:"offset"`
	Size   int64 `json:"size"`
}

type jsonField struct {
	Type  string `json:"type"`
	Name  string `json:"name"`
	In    string `json:"in"`
	Count int64  `json:"count"`
}

// Version is the version of the schema of JSON. New members do not change it; it increases if a member is removed or
// changes its meaning.
const Version = 1

// JSON writes the comparison as diff --json does. Rows are streamed. "?" marks members that may be missing.
//
//	{
//	  version:  1
//	  same, changed, moved, added, removed: numbers of rows; all but same are changes
//	  parents?: number of changed rows that only contain other rows; text and reports do not count them
//	  things {changed, moved, added, removed}: the numbers in text, reports and the window: an item counts once for
//	    all its rows, and so does a value outside of items; for files without items, the numbers of rows
//	  ignored?: number of differences that the options ignore
//	  identical: the files are equal byte for byte
//	  by_checksum?: some contents count as the same by their recorded checksum
//	  note?, damage? [text]: how the files were compared, and which parts could not be
//	  one_version? [{type, name, in: old|new, count}]: fields that only one of two versions of the format has
//	  summary: the changes by item {
//	    headline: a sentence; without changed items, the first values, or the numbers of rows
//	    things? [{status, kind, name, old_name?, what? [text],
//	      alike?: share of its content that a renamed one kept,
//	      inside?: the same as summary, of an asset that is a file itself: a scene in a package}]: the first ones
//	    unlisted?: number of items after those
//	    values? [text], others?: changes outside of items, and the number of changes after those
//	  }
//	  changes [{
//	    status: changed|moved|added|removed
//	    path, type, key: of the node in the new file, else in the old one
//	    old_path?, old_type?, old_key?: if they differ; alike?: of a node with another key
//	    old?, new? {offset, size}: where the node is
//	    old_value?, new_value?: of leaves, as dump writes them; a long array as {count, from, values}
//	    ranges?, more_ranges?: as below, of a block of bytes, with offsets in it
//	  }]
//	  ranges? [{status, old {offset, size}, new {offset, size}, old_bytes?, new_bytes?: the first ones, in hex}]:
//	    of files that were compared as bytes only, after a call of FindRanges
//	  more_ranges?: number of ranges that are not listed
//	}
//
// An added or removed subtree is one row, its top node; in a list of keyed items that only one file has, each item is a
// row. A changed leaf is a row, and so is every keyed ancestor of it. Moved is the same content under another parent or
// at another index; a node that only shifted because another one grew is no row. A node with another key than before is
// removed, and added with its old_key, followed by the changes in it.
func JSON(ctx context.Context, c *compare.Comparison, out io.Writer) error {
	w := bufio.NewWriterSize(out, 64<<10)
	n := c.Counts().ByKey()
	o, err := changes.Collect(ctx, c)
	if err != nil {
		return err
	}
	head := jsonHead{Version: Version, Same: n.Same, jsonCounts: toJSONCounts(n), Parents: n.Parents,
		Items:   toJSONCounts(o.Total(n)),
		Ignored: c.Ignored, Identical: c.Identical, ByChecksum: c.ByChecksum, Note: c.Note, Damage: c.Damage,
		Summary: toJSONOverview(o)}
	if head.Summary == nil { // no items changed
		head.Summary = &jsonOverview{Headline: cmp.Or(o.Sentence(), changes.Summary(c)), Values: o.Values.Texts(),
			Others: o.Others}
	}
	for _, f := range c.OneVersion {
		head.OneVersion = append(head.OneVersion, jsonField{f.Type, f.Name, sideName(f.Status), f.Count})
	}
	b, err := plainJSON(head)
	if err != nil {
		return err
	}
	w.Write(b[:len(b)-1])
	w.WriteString(",\n\"changes\":[")
	var paths compare.RowPaths
	blocks := changes.Blocks{MaxBytes: changes.MaxBlockBytes}
	comma := ""
	put := func(row jsonRow) error {
		b, err := plainJSON(row)
		fmt.Fprintf(w, "%s\n%s", comma, b)
		comma = ","
		return cmp.Or(err, ctx.Err())
	}
	err = c.Changes(func(p *compare.Pair) error {
		if p.HasOtherKey() {
			removed, added := rowsByKey(p, &paths)
			return cmp.Or(put(removed), put(added))
		}
		row := rowOf(p, paths.PathOf(p))
		edits, omitted, from, to := blocks.RangesOf(p)
		for _, e := range edits {
			row.Ranges = append(row.Ranges, jsonRangeOf(e, from, to))
		}
		row.More = omitted
		return put(row)
	})
	if err != nil {
		return err
	}
	w.WriteString("]")
	writeRanges(c, w)
	w.WriteString("}\n")
	return w.Flush()
}

// plainJSON is v without escapes for HTML.
func plainJSON(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

func sideName(s compare.Status) string {
	if s == compare.Removed {
		return "old"
	}
	return "new"
}

// rowsByKey returns the rows of an item with another key than before.
func rowsByKey(p *compare.Pair, paths *compare.RowPaths) (removed, added jsonRow) {
	removed = rowOf(&compare.Pair{Old: p.Old, Status: compare.Removed}, paths.PathOf(&compare.Pair{Old: p.Old}))
	added = rowOf(&compare.Pair{New: p.New, Status: compare.Added}, paths.PathOf(p))
	added.OldKey, added.Alike = p.Old.Key, p.Similarity()
	return removed, added
}

func rowOf(p *compare.Pair, path string) jsonRow {
	n := p.Node()
	r := jsonRow{Status: p.Status.String(), Path: path, Type: n.Type, Key: n.Key, Old: spanOf(p.Old),
		New: spanOf(p.New)}
	if p.Old != nil && p.New != nil {
		if p.Status == compare.Moved || p.Relocated {
			if old := p.Old.PathText(); old != n.PathText() {
				r.OldPath = old
			}
		}
		if p.Old.Key != n.Key {
			r.OldKey = p.Old.Key
		}
		if p.Old.Type != n.Type {
			r.OldType = p.Old.Type
		}
	}
	switch c := p.Comparison(); {
	case c != nil && p.Parent() == nil && c.VariantChanged():
		r.OldValue, r.NewValue = c.Old.Format+" "+c.Old.Variant, c.New.Format+" "+c.New.Variant
	case p.Status == compare.Changed && p.Leaf():
		index := p.FirstDifferentNumber()
		r.OldValue, r.NewValue = jsonValue(p.Old, index), jsonValue(p.New, index)
	case p.Status == compare.Added && p.New.Leaf():
		r.NewValue = jsonValue(p.New, 0)
	case p.Status == compare.Removed && p.Old.Leaf():
		r.OldValue = jsonValue(p.Old, 0)
	}
	return r
}

func spanOf(n *model.Node) *jsonSpan {
	if n == nil {
		return nil
	}
	return &jsonSpan{n.Offset, n.Size}
}

const (
	maxWholeArray = 64       // numbers of an array that are written in full
	maxArrayPart  = 16       // numbers that are written of a longer one, from the first that differs on
	maxDigest     = 64 << 20 // bytes of a block that has a digest
)

// jsonValue returns a node's value as dump writes it; of long arrays only the numbers from index on.
func jsonValue(n *model.Node, index int64) any {
	switch v := n.Value.(type) {
	case nil:
		if !n.Leaf() {
			return nil
		}
		return map[string]any{"bytes": n.Size}
	case model.None:
		return "none"
	case model.Blob:
		m := map[string]any{"bytes": v.Span.Size}
		if v.Span.Size <= maxDigest {
			if sum, err := v.SHA256(); err == nil {
				m["sha256"] = sum
			}
		}
		return m
	case model.Array:
		if v.Len() <= maxWholeArray {
			return jsonArray(v, 0, maxWholeArray)
		}
		return map[string]any{"count": v.Len(), "from": index, "values": jsonArray(v, index, maxArrayPart)}
	}
	return jsonScalar(n.Value)
}

func jsonArray(a model.Array, index, n int64) []any {
	part, err := a.Slice(index, n)
	if err != nil {
		return nil
	}
	out := make([]any, len(part))
	for i, v := range part {
		out[i] = jsonScalar(v)
	}
	return out
}

// jsonScalar returns a value, which may be a vector. Floats that are not finite become strings.
func jsonScalar(v any) any {
	if vector, ok := v.(model.Array); ok {
		return jsonArray(vector, 0, maxWholeArray)
	}
	if f, _ := model.Float(v); compare.IsFloat(v) && (math.IsNaN(f) || math.IsInf(f, 0)) {
		return model.FormatValue(v)
	}
	return v
}

// jsonRange is a range of diff --json; bytes are the first 16 in hex.
type jsonRange struct {
	Status   string   `json:"status"`
	Old      jsonSpan `json:"old"`
	New      jsonSpan `json:"new"`
	OldBytes string   `json:"old_bytes,omitempty"`
	NewBytes string   `json:"new_bytes,omitempty"`
}

// writeRanges writes the member "ranges", if the files were compared as bytes only.
func writeRanges(c *compare.Comparison, w io.Writer) {
	if c.Ranges == nil {
		return
	}
	fmt.Fprintf(w, ",\n\"more_ranges\":%d,\n\"ranges\":[", c.Ranges.Omitted)
	comma := ""
	for e := range changes.Ranges(c) {
		b, _ := json.Marshal(jsonRangeOf(e, changes.BlockOf(c.Old), changes.BlockOf(c.New)))
		fmt.Fprintf(w, "%s\n%s", comma, b)
		comma = ","
	}
	io.WriteString(w, "]")
}

func jsonRangeOf(e align.Edit, from, to changes.Block) jsonRange {
	hex := func(b changes.Block, s model.Span) string {
		data, err := b.FirstBytes(s)
		if err != nil {
			return ""
		}
		return fmt.Sprintf("%x", data)
	}
	return jsonRange{changes.StatusOfRange(e).String(), jsonSpan(e.Old), jsonSpan(e.New), hex(from, e.Old),
		hex(to, e.New)}
}

// jsonCounts are the numbers of changed items, in diff --json.
type jsonCounts struct {
	Changed int64 `json:"changed"`
	Moved   int64 `json:"moved"`
	Added   int64 `json:"added"`
	Removed int64 `json:"removed"`
}

func toJSONCounts(n compare.Counts) jsonCounts {
	return jsonCounts{n.Changed, n.Moved, n.Added, n.Removed}
}

// jsonItem is a changed item, in diff --json.
type jsonItem struct {
	Status  string   `json:"status"`
	Kind    string   `json:"kind"`
	Name    string   `json:"name"`
	OldName string   `json:"old_name,omitempty"`
	Alike   float64  `json:"alike,omitempty"`
	What    []string `json:"what,omitempty"`

	Inside *jsonOverview `json:"inside,omitempty"`
}

// jsonOverview is the overview of changes, in diff --json.
type jsonOverview struct {
	Headline string     `json:"headline,omitempty"`
	Items    []jsonItem `json:"things,omitempty"`
	Unlisted int64      `json:"unlisted,omitempty"`
	Values   []string   `json:"values,omitempty"`
	Others   int64      `json:"others,omitempty"`
}

// maxJSONItems is the number of items that JSON describes.
const maxJSONItems = 200

func toJSONOverview(o *changes.Overview) *jsonOverview {
	if o == nil {
		return nil
	}
	out := &jsonOverview{Headline: o.Headline(), Unlisted: o.Unlisted, Values: o.Values.Texts(), Others: o.Others}
	out.Unlisted += int64(max(0, len(o.Items)-maxJSONItems))
	if out.Headline == "" {
		return nil
	}
	for _, t := range o.Items[:min(len(o.Items), maxJSONItems)] {
		out.Items = append(out.Items, jsonItem{t.Status.String(), t.Kind, t.Name, t.OldName, t.Similarity,
			t.Changes.Texts(), toJSONOverview(t.Nested)})
	}
	return out
}
