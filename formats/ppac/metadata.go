package ppac

import (
	"cmp"
	"encoding/binary"
	"slices"
	"strings"
	"sync"

	"assay/formats/decode"
	"assay/model"
)

// metadata is what is known of the metadata section: key/value pairs in the published revision, blocks of them by TPU
// in the later one.
type metadata struct {
	part
	claimed  int64 // what the count says
	elements chain
	complete bool
	guarded  bool
	sizes    []int64 // what the size field may say: each reading of the document

	once  sync.Once
	byTPU []blockAt
}

// blockAt is where the metadata of an asset are.
type blockAt struct {
	tpu uint64
	at  int64
}

// metadataHead is the size of the fields before the entries.
func (l Layout) metadataHead() int64 {
	if l.Later {
		return 8
	}
	return l.SizeWidth + 4
}

// walker reads bytes on and on without a thought for nodes.
type walker struct {
	src     *model.Source
	at, end int64
	buf     []byte // bytes from at on
	room    []byte
}

func (f *file) walk(from, to int64, buffer int) *walker {
	return &walker{src: f.src, at: from, end: to, room: make([]byte, buffer)}
}

// take gives the next n bytes, at most 16; nil if there are not as many.
func (w *walker) take(n int64) []byte {
	if int64(len(w.buf)) < n {
		if n > w.end-w.at {
			return nil
		}
		got, _ := w.src.ReadAt(w.room[:min(int64(len(w.room)), w.end-w.at)], w.at)
		if w.buf = w.room[:got]; int64(got) < n {
			return nil
		}
	}
	b := w.buf[:n]
	w.buf = w.buf[n:]
	w.at += n
	return b
}

func (w *walker) skip(n int64) bool {
	if n > w.end-w.at {
		return false
	}
	w.buf = w.buf[min(n, int64(len(w.buf))):]
	w.at += n
	return true
}

// pair goes over a metadata entry and gives the lengths of its texts together.
func (w *walker) pair() (n int64, ok bool) {
	b := w.take(2)
	if b == nil {
		return 0, false
	}
	n = int64(b[0]) + int64(b[1])
	return n, w.skip(n)
}

// block goes over a metadata block.
func (w *walker) block() (tpu uint64, pairs, texts int64, ok bool) {
	b := w.take(12)
	if b == nil {
		return 0, 0, 0, false
	}
	tpu, pairs = binary.BigEndian.Uint64(b), int64(binary.BigEndian.Uint16(b[8:]))
	for range pairs {
		n, ok := w.pair()
		if !ok {
			return tpu, pairs, texts, false
		}
		texts += n
	}
	return tpu, pairs, texts, true
}

// planMetadata walks the metadata as far as limit.
func (f *file) planMetadata(limit int64) {
	m, l := &f.metadata, f.layout
	if !m.shown {
		return
	}
	w := f.walk(m.at, limit, int(min(256<<10, max(limit-m.at, 16))))
	head := w.take(l.metadataHead())
	if head == nil {
		m.drop("has no room before the next part of the file")
		return
	}
	size := int64(min(number(head, l.SizeWidth), 1<<62))
	m.claimed = int64(number(head[len(head)-4:], 4))
	m.elements = chain{end: w.at, walk: f.walkMetadata}
	m.complete = true
	var texts, pairs int64 // of all entries
	for i := range m.claimed {
		if i&0xFFFF == 0xFFFF && f.ctx.Err() != nil {
			return
		}
		from, ok := w.at, false
		n, k := int64(0), int64(1)
		if l.Later {
			_, k, n, ok = w.block()
		} else {
			n, ok = w.pair()
		}
		if !ok {
			m.complete = false
			break
		}
		texts, pairs = texts+n, pairs+k
		m.elements.add(from, w.at)
	}
	m.span = model.Span{Offset: m.at, Size: m.elements.end - m.at}
	if l.Later {
		blocks := 12 * int64(m.elements.count)
		m.sizes = nil
		for _, body := range []int64{blocks + texts, blocks + texts + 2*pairs} {
			m.sizes = append(m.sizes, body+8, body, body+4, body+12)
		}
		guard := w.take(4)
		m.guarded = m.complete && guard != nil && (string(guard) == string(metadataGuard) || string(guard) == string(oldMetadataGuard))
		if m.strong = m.guarded; m.guarded {
			m.span.Size += 4
		}
		return
	}
	body := texts + 2*pairs
	m.sizes = []int64{l.SizeWidth + 4 + body, l.SizeWidth + body, 4 + body, body}
	m.strong = m.complete && size > 0 && slices.Contains(m.sizes, size)
}

// walkMetadata calls visit with the metadata entries or blocks from the one at from on.
func (f *file) walkMetadata(from int64, visit func(from, to int64) bool) {
	for w := f.walk(from, f.metadata.elements.end, 2<<10); ; {
		from := w.at
		var ok bool
		if f.layout.Later {
			_, _, _, ok = w.block()
		} else {
			_, ok = w.pair()
		}
		if !ok || !visit(from, w.at) {
			return
		}
	}
}

// showMetadata records METADATA.
func (f *file) showMetadata() {
	c, m := f.c, &f.metadata
	if !m.shown {
		return
	}
	c.Try(func() {
		c.GoTo(m.at)
		c.Struct("metadata", "Metadata", func() {
			size := c.Number("size", f.layout.size())
			c.Role(model.RoleSize)
			sizeLeaf := c.Last()
			c.U32("count")
			c.Role(model.RoleCount)
			if !m.complete {
				c.Wrong("%d elements do not fit before the next part of the file, %d are read", m.claimed, m.elements.count)
			} else if !slices.ContainsFunc(m.sizes, func(n int64) bool { return uint64(n) == size }) {
				sizeLeaf.Warn(model.Warning, sizeLeaf.Span, "the section has %d bytes, its size says %d", m.span.Size, size)
			}
			if m.elements.count > 0 {
				c.Add(f.metadataList())
			}
			if f.layout.Later && m.complete {
				readGuard(c, metadataGuard, oldMetadataGuard)
			}
		})
	})
}

func (f *file) metadataList() *model.Node {
	m := &f.metadata
	name, elem := "entries", "MetadataEntry"
	if f.layout.Later {
		name, elem = "blocks", "MetadataBlock"
	}
	first := m.elements.marks[0]
	list := &model.Node{Name: name, Type: elem + "[]", Span: model.Span{Offset: first, Size: m.elements.end - first}, Solid: !f.layout.Later}
	var sums *model.Summaries
	if f.layout.Later {
		sums = f.blockSummaries()
	}
	list.SetChildren(&model.Elements{Count: m.elements.count, Lookup: m.elements.lookup, Sums: sums,
		Make: func(i int) *model.Node {
			e := f.c.Element(elem, m.elements.at(i))
			if f.layout.Later {
				f.readBlock(e)
			} else {
				readMetadataEntry(e)
			}
			n := e.Close()
			n.Parent = list
			return n
		}})
	return list
}

// readBlock reads the metadata of one asset in the later revision.
func (f *file) readBlock(e *decode.Cursor) (tpu TPU, entries []MetadataEntry) {
	t, _ := e.Enum("type", "integer", model.U16, typeNames)
	tpu = TPU{uint16(t), e.U16("purpose"), e.U32("unique")}
	count := int64(e.U16("count"))
	e.Role(model.RoleCount)
	size := int64(e.U16("size"))
	e.Role(model.RoleSize)
	sizeLeaf := e.Last()
	e.Key(tpu.String())
	from := e.Pos()
	if count > 0 {
		e.Struct("entries", "MetadataEntry[]", func() {
			e.Repeat("MetadataEntry", count, func(int) {
				if m := readMetadataEntry(e); e.Err() == nil {
					entries = append(entries, m)
				}
			})
		})
	}
	if e.Err() != nil {
		return tpu, entries
	}
	// The library counts the 12 bytes before the entries and forgets two an entry; the field may wrap.
	body := e.Pos() - from
	same := func(n int64) bool { return size == n&0xFFFF }
	if !same(12+body-2*count) && !same(12+body) && !same(body) && !same(body-2*count) {
		e.RemarkOn(sizeLeaf, model.Warning, "the block has %d bytes, its size says %d", 12+body, size)
	}
	key := tpu.String()
	if !e.Recording() {
		return tpu, entries
	}
	e.Node().Link = &model.Link{Key: key, Target: func() (model.Path, bool) { return f.findKey(key) }}
	return tpu, entries
}

// metadataOf gives the metadata that the later revision has for an asset; of several blocks the last, as in the
// library's map.
func (f *file) metadataOf(tpu TPU) []MetadataEntry {
	m := &f.metadata
	if !m.shown || !f.layout.Later || m.elements.count == 0 {
		return nil
	}
	m.once.Do(func() {
		m.byTPU = make([]blockAt, 0, m.elements.count)
		w := f.walk(m.elements.marks[0], m.elements.end, int(min(256<<10, m.elements.end-m.at)))
		for range m.elements.count {
			at := w.at
			tpu, _, _, ok := w.block()
			if !ok {
				break
			}
			m.byTPU = append(m.byTPU, blockAt{tpu, at})
		}
		slices.SortFunc(m.byTPU, func(a, b blockAt) int { return cmp.Or(cmp.Compare(a.tpu, b.tpu), -cmp.Compare(a.at, b.at)) })
	})
	k, ok := slices.BinarySearchFunc(m.byTPU, tpu.bits(), func(b blockAt, tpu uint64) int { return cmp.Compare(b.tpu, tpu) })
	if !ok {
		return nil
	}
	at := m.byTPU[k].at
	_, entries := f.readBlock(f.c.Element("MetadataBlock", model.Span{Offset: at, Size: m.elements.end - at}))
	return entries
}

// filename gives the name that metadata have for an asset, with forward slashes: the library on Windows wrote the others.
func filename(entries []MetadataEntry) string {
	name := ""
	for _, m := range entries {
		if m.Key == "filename" {
			name = m.Value
		}
	}
	return strings.ReplaceAll(strings.ToValidUTF8(name, "\uFFFD"), `\`, "/")
}
