package compare

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"math"

	"assay/model"
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
	Old      *jsonSpan `json:"old,omitempty"`
	New      *jsonSpan `json:"new,omitempty"`
	OldValue any       `json:"old_value,omitempty"`
	NewValue any       `json:"new_value,omitempty"`

	Ranges []jsonRange `json:"ranges,omitempty"` // of a block of bytes, with offsets in it
	More   int         `json:"more_ranges,omitempty"`
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

// WriteJSON writes the comparison as diff --json does: counts of rows {same, changed, moved, added, removed} and
// changes [{status, path, type, key, old {offset, size}?, new {offset, size}?, old_value?, new_value?}]. An added or
// removed subtree is one row, its top node; of a list of things with keys that only one file has, each of these is. A
// changed leaf is a row, and so is every keyed ancestor of it. Moved is the same content under another parent or in
// another place; what is only shifted by growth elsewhere is no row. What has another key than before is removed, and
// added with its old_key; what changed in it follows. Rows are streamed. summary, if things changed, says it in words
// {headline, things [{status, kind, name, old_name?, what?}], unlisted?, values?, others?}. Files that were compared as
// bytes only have ranges [{status, old {offset, size}, new {offset, size}, old_bytes?, new_bytes?}] and more_ranges,
// the number of those that are not listed, after a call of FindRanges. The changed blocks of bytes in other files have
// the same of their own, with offsets in the block.
func (c *Comparison) WriteJSON(out io.Writer) error {
	w := bufio.NewWriterSize(out, 64<<10)
	n, err := c.jsonCounts()
	if err != nil {
		return err
	}
	head := struct {
		Same       int64       `json:"same"`
		Changed    int64       `json:"changed"`
		Moved      int64       `json:"moved"`
		Added      int64       `json:"added"`
		Removed    int64       `json:"removed"`
		Ignored    int64       `json:"ignored,omitempty"`
		Identical  bool        `json:"identical"`
		ByChecksum bool        `json:"by_checksum,omitempty"`
		Note       string      `json:"note,omitempty"`
		Damage     []string    `json:"damage,omitempty"`
		OneVersion []jsonField `json:"one_version,omitempty"`

		Summary *jsonOverview `json:"summary,omitempty"`
	}{n.Same, n.Changed, n.Moved, n.Added, n.Removed, c.Ignored, c.Identical, c.ByChecksum, c.Note, c.Damage, nil, nil}
	o, err := c.Overview(context.Background())
	if err != nil {
		return err
	}
	head.Summary = o.json()
	for _, f := range c.OneVersion {
		head.OneVersion = append(head.OneVersion, jsonField{f.Type, f.Name, sideName(f.In), f.Count})
	}
	b, err := plainJSON(head)
	if err != nil {
		return err
	}
	w.Write(b[:len(b)-1])
	w.WriteString(",\n\"changes\":[")
	first := true
	var paths paths
	inside := blocks{most: blocksRead}
	write := func(row jsonRow) error {
		b, err := plainJSON(row)
		if err != nil {
			return err
		}
		if !first {
			w.WriteByte(',')
		}
		first = false
		w.WriteByte('\n')
		_, err = w.Write(b)
		return err
	}
	err = c.Rows(func(p *Pair) error {
		things := p.things()
		switch {
		case things != nil:
			return things(func(p *Pair) error { return write(rowOf(p, paths.of(p))) })
		case p.otherKey():
			gone := Pair{c: c, parent: p.parent, Old: p.Old, Status: Removed}
			if err := write(rowOf(&gone, paths.old.Text(p.Old))); err != nil {
				return err
			}
			come := Pair{c: c, parent: p.parent, New: p.New, Status: Added}
			row := rowOf(&come, paths.of(p))
			row.OldKey = p.Old.Key
			return write(row)
		}
		row := rowOf(p, paths.of(p))
		edits, more, from, to := inside.of(p)
		for _, e := range edits {
			row.Ranges = append(row.Ranges, jsonRangeOf(e, from, to))
		}
		row.More = more
		return write(row)
	})
	if err != nil {
		return err
	}
	w.WriteString("]")
	if err := c.writeJSONRanges(w); err != nil {
		return err
	}
	w.WriteString("}\n")
	return w.Flush()
}

// jsonCounts are the numbers of the rows that are written.
func (c *Comparison) jsonCounts() (Counts, error) {
	n := c.Counts()
	err := c.Rows(func(p *Pair) error {
		things := p.things()
		switch {
		case things != nil:
			*n.at(p.Status)--
			return things(func(p *Pair) error {
				n.Count(p.Status)
				return nil
			})
		case p.otherKey():
			*n.at(p.Status)--
			n.Count(Removed)
			n.Count(Added)
		}
		return nil
	})
	return n, err
}

// otherKey reports whether the pair is a thing that had another key.
func (p *Pair) otherKey() bool {
	return p.Old != nil && p.New != nil && p.Old.Key != "" && p.New.Key != "" && p.Old.Key != p.New.Key
}

// things returns what calls do with each of the things in a list of some with keys that only one file has; nil if the
// pair is nothing like that.
func (p *Pair) things() func(do func(*Pair) error) error {
	n := p.Node()
	if p.Status != Added && p.Status != Removed || p.Counts.Differences() > 1 || n.Key != "" || !isList(n) {
		return nil // where there is more in it, some of it was elsewhere
	}
	f := familyOf(n, 0)
	if f.count == 0 || n.Child(f.first).Key == "" {
		return nil
	}
	return func(do func(*Pair) error) error {
		for i := range f.count {
			q := &Pair{c: p.c, parent: p, Status: p.Status}
			if p.Status == Added {
				q.New = n.Child(f.first + i)
			} else {
				q.Old = n.Child(f.first + i)
			}
			if err := do(q); err != nil {
				return err
			}
		}
		return nil
	}
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

func sideName(s Status) string {
	if s == Removed {
		return "old"
	}
	return "new"
}

func rowOf(p *Pair, path string) jsonRow {
	n := p.Node()
	r := jsonRow{Status: p.Status.String(), Path: path, Type: n.Type, Key: n.Key, Old: spanOf(p.Old),
		New: spanOf(p.New)}
	if p.Old != nil && p.New != nil {
		if p.Status == Moved || p.Relocated {
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
	switch {
	case p.parent == nil && p.c.rootRow && !p.c.BytesOnly && p.c.Old.Variant != p.c.New.Variant:
		r.OldValue, r.NewValue = p.c.Old.Format+" "+p.c.Old.Variant, p.c.New.Format+" "+p.c.New.Variant
	case p.Status == Changed && p.Leaf():
		at := firstOf(p)
		r.OldValue, r.NewValue = jsonValue(p.Old, at), jsonValue(p.New, at)
	case p.Status == Added && p.New.Leaf():
		r.NewValue = jsonValue(p.New, 0)
	case p.Status == Removed && p.Old.Leaf():
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

// firstOf is the index of the first number that differs, for arrays.
func firstOf(p *Pair) int64 {
	l, ok := p.Old.Value.(model.Array)
	if !ok {
		return 0
	}
	r, ok := p.New.Value.(model.Array)
	if !ok {
		return 0
	}
	at, err := p.c.firstInArrays(l, r)
	if err != nil || at < 0 {
		return max(0, min(l.Len(), r.Len())-1)
	}
	return at
}

func (c *Comparison) firstInArrays(l, r model.Array) (int64, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.engine.arraysDiffer(l, r)
}

const (
	arrayWhole = 64       // numbers of an array that are written in full
	arrayNear  = 16       // numbers that are written of a longer one, from the first that differs on
	digestMax  = 64 << 20 // bytes of a block whose digest is written
)

// jsonValue is a node's value as dump writes it; of long arrays only the numbers from the index at on.
func jsonValue(n *model.Node, at int64) any {
	switch v := n.Value.(type) {
	case nil:
		if !n.Leaf() {
			return nil
		}
		return map[string]any{"bytes": n.Size}
	case model.None:
		return "none"
	case float32:
		return jsonFloat(v)
	case float64:
		return jsonFloat(v)
	case model.Blob:
		m := map[string]any{"bytes": v.Span.Size}
		if v.Span.Size <= digestMax {
			if sum, err := v.SHA256(); err == nil {
				m["sha256"] = sum
			}
		}
		return m
	case model.Array:
		if v.Len() <= arrayWhole {
			return jsonArray(v, 0, arrayWhole)
		}
		return map[string]any{"count": v.Len(), "from": at, "values": jsonArray(v, at, arrayNear)}
	}
	return n.Value
}

func jsonArray(a model.Array, at, n int64) []any {
	part, err := a.Slice(at, n)
	if err != nil {
		return nil
	}
	out := make([]any, len(part))
	for i, v := range part {
		switch v := v.(type) {
		case float32:
			out[i] = jsonFloat(v)
		case float64:
			out[i] = jsonFloat(v)
		default:
			out[i] = v
		}
	}
	return out
}

func jsonFloat[F float32 | float64](f F) any {
	if math.IsNaN(float64(f)) || math.IsInf(float64(f), 0) {
		return model.FormatValue(any(f))
	}
	return f
}
