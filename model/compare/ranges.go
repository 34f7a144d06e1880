package compare

import (
	"context"
	"fmt"
	"io"

	"github.com/dustin/go-humanize"

	"assay/model"
)

const (
	rangesBytes = 16 // bytes of a range that are shown on each side
)

// eachRange calls do for each range that differs.
func (c *Comparison) eachRange(do func(e Edit) error) error {
	if c.Ranges == nil {
		return nil
	}
	for _, e := range c.Ranges.Edits {
		if err := do(e); err != nil {
			return err
		}
	}
	return nil
}

// omittedRanges says how many ranges a report does not list; empty if it lists all.
func (c *Comparison) omittedRanges() string {
	if c.Ranges == nil || c.Ranges.Omitted == 0 {
		return ""
	}
	return fmt.Sprintf("%d more ranges are not listed", c.Ranges.Omitted)
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

// block is bytes that ranges are of: a file, or a block of bytes in it.
type block struct {
	source *model.Source
	span   model.Span
}

func blockOf(d *model.Document) block { return block{d.Source, model.Span{Size: d.Source.Size()}} }

// first reads the first bytes of a range.
func (b block) first(s model.Span) ([]byte, error) {
	return b.source.Bytes(model.Span{Offset: b.span.Offset + s.Offset, Size: min(s.Size, rangesBytes)})
}

// text is the first bytes of a range in hex.
func (b block) text(s model.Span) string {
	data, err := b.first(s)
	if err != nil {
		return "cannot be read"
	}
	if s.Size > rangesBytes {
		return fmt.Sprintf("% x …", data)
	}
	return fmt.Sprintf("% x", data)
}

// rangeLine describes a range for people, in one line: where it is, how long it is, and its first bytes.
func rangeLine(e Edit, from, to block) Line {
	st := e.status()
	l := Line{Sign: st.Sign()}
	old, new := spanText(e.Old), spanText(e.New)
	switch st {
	case Added:
		l.Path, l.What = new, "inserted at "+fmt.Sprintf("%#x", e.Old.Offset)+":"
		l.Change = to.text(e.New)
	case Removed:
		l.Path, l.What = old, "removed at "+fmt.Sprintf("%#x", e.New.Offset)+":"
		l.Change = from.text(e.Old)
	default:
		l.Path, l.What = change(old, new), "changed:"
		if old == new {
			l.Path = old
		}
		l.Change = change(from.text(e.Old), to.text(e.New))
	}
	return l
}

func spanText(s model.Span) string { return fmt.Sprintf("%#x+%d", s.Offset, s.Size) }

const (
	blockRanges = 16      // ranges that are listed of a block of bytes inside of a file
	blocksRead  = 1 << 30 // bytes of blocks that are aligned for a report
)

// blocks aligns the blocks of bytes that changed, for the rows of one report.
type blocks struct {
	most   int64 // bytes that are aligned
	bytes  int64 // that were aligned
	ranges int   // that were listed
}

// of returns the first ranges that differ inside of a block of bytes, with offsets in the block, and how many more
// there are. There are none of what is no block, and of one that differs as a whole.
func (b *blocks) of(p *Pair) (edits []Edit, more int, from, to block) {
	if p.Status != Changed || !p.Leaf() || p.Comparison().BytesOnly || b.ranges >= RangesMost {
		return nil, 0, from, to
	}
	old, okOld := p.Old.Value.(model.Blob)
	new, okNew := p.New.Value.(model.Blob)
	if b.bytes += old.Span.Size + new.Span.Size; !okOld || !okNew || b.bytes > b.most {
		return nil, 0, from, to
	}
	from, to = block{old.Source, old.Span}, block{new.Source, new.Span}
	edits, err := Bytes(context.Background(), from.reader(), from.span.Size, to.reader(), to.span.Size, nil)
	if err != nil || len(edits) == 1 && edits[0].Old.Size == from.span.Size && edits[0].New.Size == to.span.Size {
		return nil, 0, from, to
	}
	n := min(len(edits), blockRanges)
	b.ranges += n
	return edits[:n], len(edits) - n, from, to
}

// clause says what differs inside of a block of bytes; empty where that is no more than that it does.
func (b *blocks) clause(p *Pair) string {
	edits, more, from, _ := b.of(p)
	if len(edits) == 0 {
		return ""
	}
	e := edits[0]
	if n := len(edits) + more; n > 1 {
		return fmt.Sprintf("%s of bytes differ, the first at %#x", count(int64(n), "range"), e.New.Offset)
	}
	switch e.status() {
	case Added:
		return fmt.Sprintf("%s inserted at %#x", count(e.New.Size, "byte"), e.New.Offset)
	case Removed:
		return fmt.Sprintf("%s removed at %#x", count(e.Old.Size, "byte"), e.Old.Offset)
	}
	return fmt.Sprintf("%s of %s changed, at %#x", humanize.Comma(e.Old.Size), count(from.span.Size, "byte"),
		e.Old.Offset)
}

func (b block) reader() io.ReaderAt { return io.NewSectionReader(b.source, b.span.Offset, b.span.Size) }

// lines calls do for each of the ranges that differ inside of a block of bytes, in words.
func (b *blocks) lines(p *Pair, do func(st Status, l Line) error) error {
	edits, more, from, to := b.of(p)
	for _, e := range edits {
		l := rangeLine(e, from, to)
		l.Sign = blockIndent + l.Sign
		if err := do(e.status(), l); err != nil {
			return err
		}
	}
	if more > 0 {
		return do(Changed, Line{Sign: blockIndent + Changed.Sign(), Path: "…",
			What: fmt.Sprintf("%d more ranges", more)})
	}
	return nil
}

const blockIndent = "    "
