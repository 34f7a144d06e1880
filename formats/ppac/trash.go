package ppac

import (
	"bytes"
	"math"

	"assay/formats/decode"
	"assay/model"
)

// trashIndex is what is known of the trash index.
type trashIndex struct {
	part
	claimed int64
	n       int
	guarded bool
	bad     bool // some regions are not shown as they are listed
	list    *model.Node
}

// planTrash tells how many entries the trash index has before limit.
func (f *file) planTrash(limit int64) {
	x, stride := &f.trashIndex, f.layout.trashStride()
	if !x.shown {
		return
	}
	b, err := f.src.Bytes(model.Span{Offset: x.at, Size: 4})
	if err != nil || limit-x.at < 4 {
		x.drop("has no room before the next part of the file")
		return
	}
	x.claimed = int64(number(b, 4))
	fits := (limit - x.at - 4) / stride
	x.n = int(min(x.claimed, fits))
	x.span = model.Span{Offset: x.at, Size: 4 + int64(x.n)*stride}
	if f.layout.Later {
		b, err := f.src.Bytes(model.Span{Offset: x.span.End(), Size: 4})
		x.guarded = err == nil && bytes.Equal(b, trashGuard) && x.claimed <= fits
		if x.strong = x.guarded; x.guarded {
			x.span.Size += 4
		}
		return
	}
	x.strong = x.n > 0 && x.claimed <= fits
	for k := range min(x.n, sampleMax) {
		start, length := f.trashAt(k * x.n / min(x.n, sampleMax))
		size := uint64(f.src.Size())
		x.strong = x.strong && start >= uint64(f.layout.headerSize()) && start <= size && length <= size-start
	}
}

func (f *file) trashRecord(i int) model.Span {
	stride := f.layout.trashStride()
	return model.Span{Offset: f.trashIndex.at + 4 + int64(i)*stride, Size: stride}
}

func (f *file) trashAt(i int) (start, length uint64) {
	b, err := f.src.Bytes(f.trashRecord(i))
	if err != nil {
		return math.MaxUint64, 0
	}
	return number(b, f.layout.PositionWidth), number(b[f.layout.PositionWidth:], f.layout.SizeWidth)
}

// region gives the bytes of a listed region that can be trash, and what is wrong with it.
func (f *file) region(start, length uint64) (s model.Span, wrong string) {
	size := uint64(f.src.Size())
	if start > size {
		return s, "is not in the file"
	}
	if length > size-start {
		length, wrong = size-start, "reaches beyond the end of the file"
	}
	s = model.Span{Offset: int64(start), Size: int64(length)}
	if o, ok := f.live.over(s); ok {
		return model.Span{}, "reaches into the " + o.name
	}
	if _, ok := f.assets.over(s); ok {
		return model.Span{}, "reaches into an asset"
	}
	return s, wrong
}

// planRegions finds the trash.
func (f *file) planRegions() error {
	x := &f.trashIndex
	at := func(i int) model.Span {
		s, _ := f.region(f.trashAt(i))
		return s
	}
	if !x.shown || x.n == 0 {
		return nil
	}
	if f.index.empty {
		f.assets.skipEmpty()
	}
	regular, end := true, int64(0)
	for i := range x.n {
		if i&0xFFFF == 0xFFFF && f.ctx.Err() != nil {
			return f.ctx.Err()
		}
		s, wrong := f.region(f.trashAt(i))
		x.bad = x.bad || wrong != ""
		regular = regular && s.Size > 0 && s.Offset >= end
		end = max(end, s.End())
	}
	f.trash = places{count: x.n, record: at}
	if regular {
		return nil
	}
	g, ok := newGather(x.n, f.src.Size())
	if !ok {
		f.trash = places{}
		x.bad = true
		return nil
	}
	for i := range x.n {
		if s := at(i); s.Size > 0 {
			g.add(i, s)
		}
	}
	f.trash, _ = g.places(at)
	return nil
}

// showTrashIndex records TRASH INDEX.
func (f *file) showTrashIndex() {
	c, x := f.c, &f.trashIndex
	if !x.shown {
		return
	}
	c.Try(func() {
		c.GoTo(x.at)
		c.Struct("trash_index", "TrashIndex", func() {
			c.U32("count")
			c.Role(model.RoleCount)
			if x.claimed > int64(x.n) {
				c.Wrong("%d entries of %d bytes do not fit before the next part of the file, %d are read", x.claimed, f.layout.trashStride(), x.n)
			}
			if x.n > 0 {
				x.list = c.Struct("entries", "TrashEntry[]", func() {
					c.Records("TrashEntry", int64(x.n), f.layout.trashStride(), f.trashEntry)
				})
			}
			if f.layout.Later {
				readGuard(c, trashGuard)
			}
		})
	})
}

// trashEntry records TRASH ENTRY.
func (f *file) trashEntry(e *decode.Cursor, i int) {
	start := e.Number("start", f.layout.position())
	e.Role(model.RoleOffset)
	leaf := e.Last()
	length := e.Number("length", f.layout.size())
	e.Role(model.RoleSize)
	if e.Err() != nil {
		return
	}
	s, wrong := f.region(start, length)
	if wrong != "" {
		e.RemarkOn(leaf, model.Error, "the trash of %d bytes at %#x %s", length, start, wrong)
	}
	if s.Size > 0 && leaf != nil {
		leaf.Link = &model.Link{Target: func() (model.Path, bool) {
			k, ok := f.trash.position(i, s)
			if !ok {
				return nil, false
			}
			return append(f.trashList.Path(), k), true
		}}
	}
}

// showTrash records the regions that the trash index lists.
func (f *file) showTrash() {
	if f.trash.count == 0 || f.c.Err() != nil {
		return
	}
	list := &model.Node{Name: "trash", Type: "bytes[]", Span: f.trash.bounds()}
	list.SetChildren(&model.Elements{Count: f.trash.count, Lookup: f.trash.lookup,
		Make: func(k int) *model.Node {
			s := f.trash.span(k)
			if f.trash.ends != nil && k > 0 { // what an earlier region has is its own
				start := min(max(s.Offset, f.trash.ends[k-1]), s.End())
				s = model.Span{Offset: start, Size: s.End() - start}
			}
			return &model.Node{Type: "bytes", Span: s, Value: model.Blob{Source: f.src, Span: s}, Parent: list}
		}})
	f.trashList = list
	f.c.Add(list)
}
