package compare

import (
	"context"
	"fmt"
	"io"

	"assay/model"
)

const (
	rangesMost  = 10_000 // ranges of a report
	rangesBytes = 16     // bytes of a range that are shown on each side
)

// ranges are the parts of two files that differ, for files that are compared as bytes only.
type ranges struct {
	edits   []Edit // the first of them
	omitted int    // how many more there are
}

// FindRanges aligns the bytes of files that were compared as bytes only, so that reports list what was changed,
// inserted and removed. It does nothing for other comparisons. progress may be nil.
func (c *Comparison) FindRanges(ctx context.Context, progress model.Progress) error {
	if !c.BytesOnly || c.ranges != nil {
		return nil
	}
	edits, err := Bytes(ctx, c.Old.Source, c.Old.Source.Size(), c.New.Source, c.New.Source.Size(), progress)
	if err != nil {
		return err
	}
	n := min(len(edits), rangesMost)
	c.ranges = &ranges{edits: append([]Edit(nil), edits[:n]...), omitted: len(edits) - n}
	return nil
}

// eachRange calls do for each range that differs.
func (c *Comparison) eachRange(do func(e Edit) error) error {
	if c.ranges == nil {
		return nil
	}
	for _, e := range c.ranges.edits {
		if err := do(e); err != nil {
			return err
		}
	}
	return nil
}

// omittedRanges says how many ranges a report does not list; empty if it lists all.
func (c *Comparison) omittedRanges() string {
	if c.ranges == nil || c.ranges.omitted == 0 {
		return ""
	}
	return fmt.Sprintf("%d more ranges are not listed", c.ranges.omitted)
}

// status is what happened to a range: it was changed, added or removed.
func (e Edit) status() Status {
	switch {
	case e.Old.Size == 0:
		return Added
	case e.New.Size == 0:
		return Removed
	}
	return Changed
}

// rangeLine describes a range for people, in one line: where it is, how long it is, and its first bytes.
func (c *Comparison) rangeLine(e Edit) Line {
	st := e.status()
	l := Line{Sign: st.Sign()}
	old, new := spanText(e.Old), spanText(e.New)
	switch st {
	case Added:
		l.Path, l.What = new, "inserted at "+fmt.Sprintf("%#x", e.Old.Offset)+":"
		l.Change = firstBytes(c.New.Source, e.New)
	case Removed:
		l.Path, l.What = old, "removed at "+fmt.Sprintf("%#x", e.New.Offset)+":"
		l.Change = firstBytes(c.Old.Source, e.Old)
	default:
		l.Path, l.What = change(old, new), "changed:"
		if old == new {
			l.Path = old
		}
		l.Change = change(firstBytes(c.Old.Source, e.Old), firstBytes(c.New.Source, e.New))
	}
	return l
}

func spanText(s model.Span) string { return fmt.Sprintf("%#x+%d", s.Offset, s.Size) }

// firstBytes is the first bytes of a span in hex.
func firstBytes(src *model.Source, s model.Span) string {
	b, err := src.Bytes(model.Span{Offset: s.Offset, Size: min(s.Size, rangesBytes)})
	if err != nil {
		return "cannot be read"
	}
	if s.Size > rangesBytes {
		return fmt.Sprintf("% x …", b)
	}
	return fmt.Sprintf("% x", b)
}

// jsonRange is a range of diff --json; bytes are the first 16 in hex.
type jsonRange struct {
	Status   string   `json:"status"`
	Old      jsonSpan `json:"old"`
	New      jsonSpan `json:"new"`
	OldBytes string   `json:"old_bytes,omitempty"`
	NewBytes string   `json:"new_bytes,omitempty"`
}

// writeJSONRanges writes the member "ranges", if the files were compared as bytes only.
func (c *Comparison) writeJSONRanges(w io.Writer) error {
	if c.ranges == nil {
		return nil
	}
	if _, err := fmt.Fprintf(w, ",\n\"more_ranges\":%d,\n\"ranges\":[", c.ranges.omitted); err != nil {
		return err
	}
	comma := ""
	err := c.eachRange(func(e Edit) error {
		b, err := plainJSON(jsonRange{e.status().String(), jsonSpan{e.Old.Offset, e.Old.Size},
			jsonSpan{e.New.Offset, e.New.Size},
			hexBytes(c.Old.Source, e.Old), hexBytes(c.New.Source, e.New)})
		if err == nil {
			_, err = fmt.Fprintf(w, "%s\n%s", comma, b)
			comma = ","
		}
		return err
	})
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, "]")
	return err
}

func hexBytes(src *model.Source, s model.Span) string {
	b, err := src.Bytes(model.Span{Offset: s.Offset, Size: min(s.Size, rangesBytes)})
	if err != nil {
		return ""
	}
	return fmt.Sprintf("%x", b)
}
