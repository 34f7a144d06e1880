package changes

import (
	"context"
	"fmt"
	"io"
	"iter"
	"slices"

	"assay/model"
	"assay/model/compare"
	"assay/model/compare/align"
	"assay/model/compare/contents"
)

const rangesBytes = 16 // bytes of a range that are shown on each side

// Ranges goes through the ranges that differ.
func Ranges(c *compare.Comparison) iter.Seq[align.Edit] {
	if c.Ranges == nil {
		return func(func(align.Edit) bool) {}
	}
	return slices.Values(c.Ranges.Edits)
}

// OmittedRanges says how many ranges a report does not list; empty if it lists all.
func OmittedRanges(c *compare.Comparison) string {
	if c.Ranges == nil || c.Ranges.Omitted == 0 {
		return ""
	}
	return fmt.Sprintf("%d more ranges are not listed", c.Ranges.Omitted)
}

// StatusOf returns what happened to a range: it was changed, added or removed.
func StatusOf(e align.Edit) compare.Status {
	switch {
	case e.Old.Size == 0:
		return compare.Added
	case e.New.Size == 0:
		return compare.Removed
	}
	return compare.Changed
}

// Block is the bytes that ranges are in: a file, or a block of bytes in one.
type Block struct {
	source *model.Source
	span   model.Span
}

// BlockOf returns a whole document as a block.
func BlockOf(d *model.Document) Block { return Block{d.Source, model.Span{Size: d.Source.Size()}} }

// First reads the first bytes of a range.
func (b Block) First(s model.Span) ([]byte, error) {
	return b.source.Bytes(model.Span{Offset: b.span.Offset + s.Offset, Size: min(s.Size, rangesBytes)})
}

// text is the first bytes of a range in hex.
func (b Block) text(s model.Span) string {
	data, err := b.First(s)
	if err != nil {
		return "cannot be read"
	}
	if s.Size > rangesBytes {
		return fmt.Sprintf("% x …", data)
	}
	return fmt.Sprintf("% x", data)
}

// RangeLine describes a range for people, in one line: where it is, how long it is, and its first bytes.
func RangeLine(e align.Edit, from, to Block) Line {
	st := StatusOf(e)
	l := Line{Sign: st.Sign()}
	old, new := spanText(e.Old), spanText(e.New)
	switch st {
	case compare.Added:
		l.Path, l.What = new, "inserted at "+fmt.Sprintf("%#x", e.Old.Offset)+":"
		l.Change = to.text(e.New)
	case compare.Removed:
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
	BlocksRead  = 1 << 30 // bytes of blocks that are aligned for a report
)

// Blocks aligns the blocks of bytes that changed, for the rows of one report.
type Blocks struct {
	Most   int64 // bytes that are aligned
	bytes  int64 // that were aligned
	ranges int   // that were listed
}

// Of returns the first ranges that differ inside of a block of bytes, with offsets in the block, and how many more
// there are. There are none of what is no block, and of one that differs as a whole.
func (b *Blocks) Of(p *compare.Pair) (edits []align.Edit, more int, from, to Block) {
	if p.Status != compare.Changed || !p.Leaf() || p.Comparison().BytesOnly || b.ranges >= compare.RangesMost {
		return nil, 0, from, to
	}
	old, okOld := p.Old.Value.(model.Blob)
	new, okNew := p.New.Value.(model.Blob)
	if b.bytes += old.Span.Size + new.Span.Size; !okOld || !okNew || b.bytes > b.Most {
		return nil, 0, from, to
	}
	from, to = Block{old.Source, old.Span}, Block{new.Source, new.Span}
	edits, err := align.Bytes(context.Background(), from.reader(), from.span.Size, to.reader(), to.span.Size, nil)
	if err != nil || len(edits) == 1 && edits[0].Old.Size == from.span.Size && edits[0].New.Size == to.span.Size {
		return nil, 0, from, to
	}
	n := min(len(edits), blockRanges)
	b.ranges += n
	return edits[:n], len(edits) - n, from, to
}

// changes returns what differs inside of a block of bytes; nil where that is no more than that it does.
func (b *Blocks) changes(p *compare.Pair) []contents.Part {
	edits, more, from, _ := b.Of(p)
	if len(edits) == 0 {
		return nil
	}
	e := edits[0]
	stated := func(n int64, what, how string, at int64) []contents.Part {
		return []contents.Part{{How: contents.Stated, Field: fmt.Sprintf("%s %s %#x", model.Count(n, what), how, at)}}
	}
	if n := len(edits) + more; n > 1 {
		return stated(int64(n), "range", "of bytes differ; the first is at", e.New.Offset)
	}
	switch StatusOf(e) {
	case compare.Added:
		return stated(e.New.Size, "byte", "inserted at", e.New.Offset)
	case compare.Removed:
		return stated(e.Old.Size, "byte", "removed at", e.Old.Offset)
	}
	return []contents.Part{{How: contents.Changed, Field: "byte", N: e.Old.Size, All: from.span.Size,
		Note: fmt.Sprintf("at %#x", e.Old.Offset)}}
}

func (b Block) reader() io.ReaderAt { return io.NewSectionReader(b.source, b.span.Offset, b.span.Size) }

// Lines calls do for each of the ranges that differ inside of a block of bytes, in words.
func (b *Blocks) Lines(p *compare.Pair, do func(st compare.Status, l Line)) {
	edits, more, from, to := b.Of(p)
	for _, e := range edits {
		l := RangeLine(e, from, to)
		l.Sign = blockIndent + l.Sign
		do(StatusOf(e), l)
	}
	if more > 0 {
		do(compare.Changed, Line{Sign: blockIndent + compare.Changed.Sign(), Path: "…",
			What: fmt.Sprintf("%d more ranges", more)})
	}
}

const blockIndent = "    "
