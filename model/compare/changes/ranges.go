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

const maxRangeBytes = 16 // bytes of a range that are displayed for each side

// Ranges returns the byte ranges that differ.
func Ranges(c *compare.Comparison) iter.Seq[align.Edit] {
	if c.Ranges == nil {
		return func(func(align.Edit) bool) {}
	}
	return slices.Values(c.Ranges.Edits)
}

// OmittedRanges returns a sentence with the number of ranges that a report omits, or "".
func OmittedRanges(c *compare.Comparison) string {
	if c.Ranges == nil || c.Ranges.Omitted == 0 {
		return ""
	}
	return fmt.Sprintf("%d more ranges are not listed", c.Ranges.Omitted)
}

// StatusOfRange returns the status of a range: changed, added or removed.
func StatusOfRange(e align.Edit) compare.Status {
	switch {
	case e.Old.Size == 0:
		return compare.Added
	case e.New.Size == 0:
		return compare.Removed
	}
	return compare.Changed
}

// Block is the bytes that contain ranges: a file, or a block of bytes in one.
type Block struct {
	source *model.Source
	span   model.Span
}

// BlockOf returns a whole document as a block.
func BlockOf(d *model.Document) Block { return Block{d.Source, model.Span{Size: d.Source.Size()}} }

// FirstBytes reads the first bytes of a range.
func (b Block) FirstBytes(s model.Span) ([]byte, error) {
	return b.source.Bytes(model.Span{Offset: b.span.Offset + s.Offset, Size: min(s.Size, maxRangeBytes)})
}

// text returns the first bytes of a range in hex.
func (b Block) text(s model.Span) string {
	data, err := b.FirstBytes(s)
	if err != nil {
		return "cannot be read"
	}
	if s.Size > maxRangeBytes {
		return fmt.Sprintf("% x …", data)
	}
	return fmt.Sprintf("% x", data)
}

// RangeLine describes a range in one line: its offset, its size, and its first bytes.
func RangeLine(e align.Edit, from, to Block) Line {
	st := StatusOfRange(e)
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
		l.Path, l.What = old+" → "+new, "changed:"
		if old == new {
			l.Path = old
		}
		l.Change = from.text(e.Old) + " → " + to.text(e.New)
	}
	return l
}

func spanText(s model.Span) string { return fmt.Sprintf("%#x+%d", s.Offset, s.Size) }

const (
	maxBlockRanges = 16      // ranges that are listed of a block of bytes inside of a file
	MaxBlockBytes  = 1 << 30 // bytes of blocks that are aligned for a report
)

// Blocks aligns changed blocks of bytes, for the rows of one report.
type Blocks struct {
	MaxBytes   int64 // bytes that are aligned
	AlignFiles bool  // files that are compared as bytes are aligned, too
	bytes      int64 // that were aligned
	ranges     int   // that were listed
	last       aligned
}

func (b *Blocks) aligns() bool { return b != nil && b.AlignFiles }

// spend counts the bytes of a pair, and reports whether its values may still be read.
func (b *Blocks) spend(p *compare.Pair) bool {
	if b == nil {
		return false
	}
	b.bytes += p.Old.Size + p.New.Size
	return b.bytes <= b.MaxBytes
}

// aligned is a block of bytes that was aligned.
type aligned struct {
	new      *model.Node
	edits    []align.Edit
	from, to Block
}

// RangesOf returns the first ranges that differ inside a block of bytes, with offsets in the block, and the number of
// the rest. It returns no ranges if the pair is not a block of bytes, or if the block differs as a whole.
func (b *Blocks) RangesOf(p *compare.Pair) (edits []align.Edit, omitted int, from, to Block) {
	a := b.align(p)
	if b == nil || b.ranges >= compare.MaxRanges {
		return nil, 0, a.from, a.to
	}
	n := min(len(a.edits), maxBlockRanges)
	b.ranges += n
	return a.edits[:n], len(a.edits) - n, a.from, a.to
}

// align aligns a block of bytes, and keeps the result until the next one is aligned.
func (b *Blocks) align(p *compare.Pair) (a aligned) {
	if p.Status != compare.Changed || !p.Leaf() || p.Comparison().BytesOnly && !b.aligns() {
		return a
	}
	old, okOld := p.Old.Value.(model.Blob)
	new, okNew := p.New.Value.(model.Blob)
	switch {
	case !okOld || !okNew || b == nil:
		return a
	case b.last.new == p.New:
		return b.last
	case !b.spend(p):
		return a
	}
	a = aligned{p.New, nil, Block{old.Source, old.Span}, Block{new.Source, new.Span}}
	edits, err := align.Bytes(context.Background(), a.from.reader(), old.Span.Size, a.to.reader(), new.Span.Size, nil)
	if err == nil && (len(edits) != 1 || edits[0].Old.Size != old.Span.Size || edits[0].New.Size != new.Span.Size) {
		a.edits = edits
	}
	b.last = a
	return a
}

// changes returns the changes inside a block of bytes; nil for other pairs, and for blocks of different sizes that are
// not aligned or differ as a whole.
func (b *Blocks) changes(p *compare.Pair) []contents.PartChange {
	old, okOld := p.Old.Value.(model.Blob)
	new, okNew := p.New.Value.(model.Blob)
	if !okOld || !okNew {
		return nil
	}
	a := b.align(p)
	if len(a.edits) == 0 {
		if old.Span.Size != new.Span.Size {
			return nil
		}
		return []contents.PartChange{b.firstByte(old, new)}
	}
	e := a.edits[0]
	describe := func(n int64, unit, how string, offset int64) (out []contents.PartChange) {
		if by := Difference(old, new); by != "" {
			out = append(out, contents.PartChange{How: contents.Counted, Field: "byte", N: new.Span.Size, All: old.Span.Size})
		}
		return append(out, stated(fmt.Sprintf("%s %s %#x", model.Count(n, unit), how, offset))...)
	}
	if n := len(a.edits); n > 1 {
		return describe(int64(n), "range", "of bytes differ; the first is at", e.New.Offset)
	}
	switch StatusOfRange(e) {
	case compare.Added:
		return describe(e.New.Size, "byte", "inserted at", e.New.Offset)
	case compare.Removed:
		return describe(e.Old.Size, "byte", "removed at", e.Old.Offset)
	}
	part := contents.PartChange{How: contents.Changed, Field: "byte", N: e.Old.Size, All: a.from.span.Size,
		Note: fmt.Sprintf("at %#x", e.Old.Offset)}
	if e.Old.Size != e.New.Size {
		part.Note += ", now " + model.Count(e.New.Size, "byte")
	}
	return []contents.PartChange{part}
}

// firstByte returns the change of two blocks of one size that are not aligned. It reads nothing if b is nil.
func (b *Blocks) firstByte(old, new model.Blob) contents.PartChange {
	part := contents.PartChange{How: contents.Changed, Field: "byte", All: new.Span.Size}
	if b == nil {
		return part
	}
	offset, err := align.FirstDifference(context.Background(), old.Source, old.Span.Offset, new.Source, new.Span.Offset,
		new.Span.Size, nil)
	if err != nil {
		return stated("cannot be read: " + model.OneLine(err.Error(), 200))[0]
	}
	part.Note = fmt.Sprintf("first at %#x", offset)
	return part
}

func (b Block) reader() io.ReaderAt { return io.NewSectionReader(b.source, b.span.Offset, b.span.Size) }

// Lines calls do for each of the ranges that differ inside of a block of bytes, in words.
func (b *Blocks) Lines(p *compare.Pair, do func(st compare.Status, l Line)) {
	edits, omitted, from, to := b.RangesOf(p)
	for _, e := range edits {
		l := RangeLine(e, from, to)
		l.Sign = blockIndent + l.Sign
		do(StatusOfRange(e), l)
	}
	if omitted > 0 {
		do(compare.Changed, Line{Sign: blockIndent + compare.Changed.Sign(), Path: "…",
			What: fmt.Sprintf("%d more ranges", omitted)})
	}
}

const blockIndent = "    "
