package ppac

import (
	"bytes"
	"context"

	"assay/model"
)

// section is a part of the file that is neither asset nor trash.
type section struct {
	model.Span
	name string
}

type sections []section

// over returns a section that shares a byte with s.
func (l sections) over(s model.Span) (section, bool) {
	for _, o := range l {
		if o.Overlaps(s) {
			return o, true
		}
	}
	return section{}, false
}

// misplaced is why there can be no asset where an index entry says.
type misplaced struct {
	what   string // "not in the file"
	inSize bool   // the size is to blame
}

var (
	outOfFile = &misplaced{what: "are not in the file"}
	tooSmall  = &misplaced{what: "are fewer than an empty asset has", inSize: true}
)

// locate returns the part of the file that an index entry names, or what is wrong with it.
func (l *Layout) locate(location, size uint64, file int64, live sections) (model.Span, *misplaced) {
	if location > uint64(file) || size > uint64(file)-location {
		return model.Span{}, outOfFile
	}
	s := model.Span{Offset: int64(location), Size: int64(size)}
	if size < l.least() {
		return s, tooSmall
	}
	if o, ok := live.over(s); ok {
		return s, &misplaced{what: "reach into the " + o.name}
	}
	return s, nil
}

// plan finds out what lies where before anything is shown, the surest first: a section that is shown must not take
// bytes that are surely another's.
func (f *file) plan() error {
	f.live = sections{{model.Span{Size: min(f.layout.headerSize(), f.src.Size())}, "header"}}
	f.index.start(f, f.header.Index, 4)
	f.metadata.start(f, f.header.Metadata, f.layout.metadataHead())
	f.trashIndex.start(f, f.header.Trash, 4)
	f.planMetadata(f.src.Size())
	f.planTrash(f.src.Size())
	if err := f.planIndex(); err != nil {
		return err
	}
	f.planWeak(&f.metadata.part, f.planMetadata)
	f.planWeak(&f.trashIndex.part, f.planTrash)
	return f.planRegions()
}

// part is a section that the header names.
type part struct {
	at     int64
	shown  bool
	strong bool   // its bytes alone prove that it is one
	fault  string // why it is not shown
	span   model.Span
	name   string
}

// start takes the offset from the header. least is the fewest bytes the section can have.
func (p *part) start(f *file, at uint64, least int64) {
	switch {
	case at == 0 && p.name != "index":
		return
	case at > uint64(f.src.Size()) || f.src.Size()-int64(at) < least:
		p.fault = "is not in the file"
	case int64(at) < f.layout.headerSize():
		p.fault = "lies in the header"
	default:
		p.at, p.shown = int64(at), true
		p.span = model.Span{Offset: p.at, Size: least}
	}
}

func (p *part) drop(why string) { p.shown, p.strong, p.fault, p.span = false, false, why, model.Span{} }

// planWeak fits a section whose bytes prove little between the assets: they are surer.
func (f *file) planWeak(p *part, again func(limit int64)) {
	if !p.shown || p.strong {
		return
	}
	head := model.Span{Offset: p.at, Size: 1}
	if o, ok := f.live.over(head); ok {
		p.drop("lies in the " + o.name)
		return
	}
	if _, ok := f.assets.over(head); ok {
		p.drop("lies in an asset")
		return
	}
	limit := f.assets.next(p.at, f.src.Size())
	for _, o := range f.live {
		if o.Offset > p.at {
			limit = min(limit, o.Offset)
		}
	}
	for _, o := range []*part{&f.index.part, &f.metadata.part, &f.trashIndex.part} {
		if o.shown && o.at > p.at {
			limit = min(limit, o.at)
		}
	}
	again(limit)
	if p.shown {
		f.live = append(f.live, section{p.span, p.name})
	}
}

// planStrong makes a section that its own bytes prove one that assets must not touch.
func (f *file) planStrong(p *part) {
	if !p.shown || !p.strong {
		return
	}
	if o, ok := f.live.over(p.span); ok {
		p.strong = false // planWeak finds the place that is left, if any
		if o.Contains(p.at) {
			p.drop("lies in the " + o.name)
		}
		return
	}
	f.live = append(f.live, section{p.span, p.name})
}

// planIndex tells how many index entries there are, and where the assets are that they name.
func (f *file) planIndex() error {
	if f.index.shown {
		for _, p := range []*part{&f.metadata.part, &f.trashIndex.part} {
			if p.shown && p.at == f.index.at {
				p.drop("is the index's")
			}
		}
		if err := f.countEntries(); err != nil {
			return err
		}
		f.live = append(f.live, section{f.index.span, "index"})
	}
	f.planStrong(&f.metadata.part)
	f.planStrong(&f.trashIndex.part)
	if !f.index.shown {
		return nil
	}
	if err := f.scan(); err != nil {
		return err
	}
	if !f.index.inside {
		return nil
	}
	if n, ok := f.witnessed(); ok {
		f.cutIndex(n, "an asset begins after %d of them")
		for i := range f.live {
			if f.live[i].name == "index" {
				f.live[i].Span = f.index.span
			}
		}
		return f.scan()
	}
	return nil
}

// countEntries takes the count of the index as far as it can be believed.
func (f *file) countEntries() error {
	x, stride, first := &f.index, f.layout.stride(), f.index.at+4
	c := f.c.Quiet(model.Span{Offset: x.at, Size: 4})
	if x.claimed = int64(c.U32("count")); c.Err() != nil {
		x.drop("cannot be read")
		return nil
	}
	fits := (f.src.Size() - first) / stride
	f.setIndex(min(x.claimed, fits))
	if f.layout.Later {
		if found, err := f.findGuard(first, fits); found || err != nil {
			return err
		}
	}
	if x.claimed > fits {
		f.cutIndex(fits, "there is room for %d of them")
	}
	for _, p := range []*part{&f.metadata.part, &f.trashIndex.part} {
		if p.shown && p.strong && p.at >= first && p.at < x.span.End() {
			f.cutIndex((p.at-first)/stride, "the "+p.name+" begins after %d of them")
		}
	}
	return nil
}

// findGuard looks for the guard after as many entries as the count says, then after each that fits.
func (f *file) findGuard(first, fits int64) (bool, error) {
	x, stride := &f.index, f.layout.stride()
	guard := func(n int64) bool {
		return bytes.Equal(f.bytesAt(model.Span{Offset: first + n*stride, Size: 4}, f.src.Size()), indexGuard)
	}
	if x.claimed <= fits && guard(x.claimed) {
		x.guarded = true
		f.setIndex(x.claimed)
		return true, nil
	}
	c := f.c.Quiet(model.Span{Offset: first, Size: f.src.Size() - first})
	for i := range fits + 1 {
		if i&0xFFFF == 0 && f.ctx.Err() != nil {
			return false, f.ctx.Err()
		}
		if bytes.Equal(c.Peek(4), indexGuard) {
			x.guarded = true
			f.cutIndex(i, "the guard stands after %d of them")
			return true, nil
		}
		c.Bytes("record", "IndexEntry", min(stride, c.Left()))
	}
	return false, nil
}

// bytesAt returns a few bytes before limit; nil if they are not there.
func (f *file) bytesAt(s model.Span, limit int64) []byte {
	if !s.Within(limit) {
		return nil
	}
	b, err := f.src.Bytes(s)
	if err != nil {
		return nil
	}
	return b
}

// setIndex makes n the number of index entries.
func (f *file) setIndex(n int64) {
	f.index.n = int(n)
	f.index.span = model.Span{Offset: f.index.at, Size: 4 + n*f.layout.stride()}
	if f.layout.Later && f.index.guarded {
		f.index.span.Size += 4
	}
}

// cutIndex does not believe the count.
func (f *file) cutIndex(n int64, why string) {
	f.index.countFault = why
	f.setIndex(n)
}

// witnessMax is how many assets inside the index are looked at to tell that its count is wrong.
const witnessMax = 1000

// witnessed looks at the assets that the index names inside of itself. A sound one says that the index ends there.
func (f *file) witnessed() (n int64, ok bool) {
	first, stride := f.index.at+4, f.layout.stride()
	end := f.index.span.End()
	var live sections
	for _, s := range f.live {
		if s.name != "index" {
			live = append(live, s)
		}
	}
	looked := 0
	_ = f.each(f.ctx, 0, f.index.n, func(i int, ent *Entry) bool {
		if first+int64(i+1)*stride > end {
			return false
		}
		s, wrong := f.layout.locate(ent.Location, ent.Size, f.src.Size(), live)
		if wrong != nil || s.Offset < first+int64(i+1)*stride || s.Offset >= end {
			return true
		}
		if looked++; looked > witnessMax {
			return false
		}
		if f.sound(*ent, s) {
			end, ok = s.Offset, true
		}
		return true
	})
	return (end - first) / stride, ok
}

// sound reports whether an index entry's asset is one beyond doubt.
func (f *file) sound(ent Entry, s model.Span) bool {
	if !f.layout.Later {
		_, fit, _ := f.layout.readDataEntry(f.c.Quiet(s))
		return fit >= fitSize
	}
	a := asset{src: f.src, ent: ent, later: true, sized: true, data: s}
	if s.Size > 1<<20 || a.ent.SHA256 == ([32]byte{}) {
		return false
	}
	v, err := a.verifySHA(context.Background(), 16<<20)
	return err == nil && v == model.Valid
}
