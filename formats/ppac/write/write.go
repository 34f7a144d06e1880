package write

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"hash/adler32"
	"io"

	"assay/model"
)

// bufferSize is how many bytes are copied at a time.
const bufferSize = 256 << 10

// To writes an archive: header, assets, index, metadata, trash index. An asset that turns out to have another size than
// it said gives an error that wraps model.ErrChanged.
func To(ctx context.Context, w io.Writer, a Archive) error {
	extentOf := a.measure
	if a.Layout.PositionWidth == 0 {
		extentOf = a.choose
	}
	room, err := extentOf()
	if err == nil {
		err = a.holds(room)
	}
	if err != nil {
		return err
	}
	out := &writer{ctx: ctx, a: &a, w: w, buf: make([]byte, bufferSize), room: room}
	out.header()
	if err = out.assets(); err == nil {
		err = out.sections()
	}
	return errors.Join(err, out.err)
}

// writer writes an archive. After its first error it does nothing.
type writer struct {
	ctx   context.Context
	a     *Archive
	w     io.Writer
	err   error
	buf   []byte
	room  extent
	sums  []byte // of each asset the sum that it does not bring; nil: all bring theirs
	trash []byte // TRASH ENTRY of each region
}

// write writes bytes as they are.
func (w *writer) write(b []byte) {
	if w.err == nil && len(b) > 0 {
		_, w.err = w.w.Write(b)
	}
}

// metadataHead is the number of bytes of METADATA before its elements.
func (l Layout) metadataHead() int64 { return l.SizeWidth + 4 }

// hasMetadata reports whether there is a metadata section.
func (a *Archive) hasMetadata(room extent) bool {
	return room.blocks > 0 || len(a.Metadata) > 0 || a.EmptySections
}

// header writes HEADER. Where each section will begin follows from the sizes of the assets.
func (w *writer) header() {
	a, l := w.a, w.a.Layout
	guard := int64(0)
	if l.Later {
		guard = 4
	}
	index := l.HeaderSize() + w.room.body
	next := index + 4 + int64(w.room.entries)*l.entrySize() + guard
	var metadata, trash int64
	if a.hasMetadata(w.room) {
		metadata = next
		next += l.metadataHead() + w.room.metadata + int64(len(w.room.file)) + guard
	}
	if w.room.regions > 0 || a.EmptySections {
		trash = next
	}
	o := &Output{Layout: l}
	o.WriteString("PPAC")
	o.U16(4)
	o.U16(0)
	if l.Later {
		o.Write(make([]byte, 16))
	} else {
		o.U64(uint64(a.Created))
		o.U64(uint64(a.Modified))
	}
	o.U32(a.Flags)
	for _, at := range []int64{index, metadata, trash} {
		o.Position(uint64(at))
	}
	w.write(o.Bytes())
}

// assets writes the assets, and notes the sums that they do not bring, and what the trash index says about them.
func (w *writer) assets() error {
	a, n := w.a, w.a.Layout.sumSize()
	o := &Output{Layout: a.Layout}
	var sum []byte
	return w.eachAsset(func(i int, s *Asset, at, size int64) (err error) {
		if !s.Shared {
			if sum, err = w.asset(s); err != nil {
				return err
			}
		}
		if sum != nil {
			if w.sums == nil {
				w.sums = make([]byte, a.Len*n)
			}
			copy(w.sums[i*n:], sum)
		}
		if s.Deleted {
			o.Reset()
			o.Position(uint64(at))
			o.Size(uint64(size))
			w.trash = append(w.trash, o.Bytes()...)
		}
		return nil
	})
}

// eachAsset calls do with each asset, where it is in the file and how many bytes it has there, until there is an error.
func (w *writer) eachAsset(do func(i int, s *Asset, at, size int64) error) error {
	at, size := w.a.Layout.HeaderSize(), int64(0)
	for i := range w.a.Len {
		if w.err != nil {
			return nil
		}
		s, err := w.a.Asset(i)
		if err == nil && !s.Shared {
			at += size
			size, err = w.a.stored(&s)
		}
		if err == nil {
			err = do(i, &s, at, size)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// index writes INDEX. Entries are kept only if they have another order than the file.
func (w *writer) index() error {
	a, n := w.a, w.a.Layout.sumSize()
	o := &Output{Layout: a.Layout}
	o.U32(uint32(w.room.entries))
	var ordered []byte
	if a.Index != nil {
		w.write(o.Bytes())
		ordered = make([]byte, int64(w.room.entries)*a.Layout.entrySize())
	}
	err := w.eachAsset(func(i int, s *Asset, at, size int64) error {
		if s.Deleted {
			return nil
		}
		var sum []byte
		if w.sums != nil {
			sum = w.sums[i*n : (i+1)*n]
		}
		if ordered != nil {
			o.Reset()
			o.Entry(s, at, size, sum)
			copy(ordered[int64(a.Index[i])*a.Layout.entrySize():], o.Bytes())
		} else if o.Entry(s, at, size, sum); o.Len() > bufferSize {
			w.write(o.Bytes())
			o.Reset()
		}
		return nil
	})
	if ordered != nil {
		w.write(ordered)
		o.Reset()
	}
	o.Guard("INDX")
	w.write(o.Bytes())
	return err
}

// Entry appends INDEX ENTRY. sum is the one over the stored bytes, for an asset that brings none.
func (o *Output) Entry(s *Asset, at, size int64, sum []byte) {
	o.TPU(s.TPU)
	if !o.Layout.Later {
		o.Size(uint64(size))
		o.Position(uint64(at))
		o.U32(s.Compression)
		if o.Layout.MemorySize {
			o.Size(uint64(s.Expanded))
		}
		if s.Adler32 != nil {
			sum = binary.BigEndian.AppendUint32(nil, *s.Adler32)
		}
		o.Write(sum)
		return
	}
	o.Position(uint64(at))
	o.U32(uint32(size))
	o.U32(uint32(s.Expanded))
	o.Write([]byte{byte(s.Compression), 0, 0, 0})
	if s.SHA256 != nil {
		sum = s.SHA256[:]
	}
	o.Write(sum)
}

// asset writes an asset, and returns the sum of its stored bytes if it brings none.
func (w *writer) asset(s *Asset) (sum []byte, err error) {
	var h hash.Hash
	switch {
	case s.Deleted:
		return nil, w.content(s, nil)
	case w.a.Layout.Later:
		if s.SHA256 == nil {
			h = sha256.New()
		}
		err = w.content(s, h)
	default:
		if s.Adler32 == nil {
			h = adler32.New()
		}
		err = w.dataEntry(s, h)
	}
	if err != nil || h == nil {
		return nil, err
	}
	return h.Sum(nil), nil
}

// dataEntry writes DATA ENTRY.
func (w *writer) dataEntry(s *Asset, h hash.Hash) error {
	tail, err := s.Tail()
	if err != nil {
		return err
	}
	o := &Output{Layout: w.a.Layout}
	o.DataHead(s.Created, s.Modified, s.Size)
	w.write(o.Bytes())
	if err := w.content(s, h); err != nil {
		return err
	}
	w.write(tail)
	return nil
}

// content copies the stored bytes of an asset, to h too if that is not nil.
func (w *writer) content(s *Asset, h hash.Hash) error {
	if w.err != nil {
		return nil
	}
	r, err := s.Open(w.ctx)
	if err != nil {
		return err
	}
	defer r.Close()
	left := s.Size
	for w.err == nil {
		if err := w.ctx.Err(); err != nil {
			return err
		}
		n, err := r.Read(w.buf)
		if int64(n) > left {
			return changed(s)
		}
		if left -= int64(n); h != nil {
			h.Write(w.buf[:n])
		}
		w.write(w.buf[:n])
		switch {
		case err == io.EOF && left > 0:
			return changed(s)
		case err == io.EOF:
			return nil
		case err != nil:
			return fmt.Errorf("ppac: %v: %w", s.TPU, err)
		}
	}
	return nil
}

func changed(s *Asset) error {
	return fmt.Errorf("ppac: %v no longer has %d bytes: %w", s.TPU, s.Size, model.ErrChanged)
}

// sections writes index, metadata and trash index.
func (w *writer) sections() error {
	a := w.a
	if err := w.index(); err != nil {
		return err
	}
	if a.hasMetadata(w.room) {
		if err := w.metadata(); err != nil {
			return err
		}
	}
	if w.room.regions > 0 || a.EmptySections {
		o := &Output{Layout: a.Layout}
		o.U32(uint32(w.room.regions))
		o.Write(w.trash)
		o.Guard("TRSH")
		w.write(o.Bytes())
	}
	return nil
}

// fileMetadata returns the metadata of the file, which are a block under the TPU 0 in the later revision.
func (a *Archive) fileMetadata() ([]byte, error) {
	if a.Layout.Later {
		return block(&Asset{Metadata: a.Metadata})
	}
	var o Output
	err := o.Pairs(a.Metadata)
	return o.Bytes(), err
}

// metadata writes METADATA: pairs, or in the later revision blocks, the file's last.
func (w *writer) metadata() error {
	l, file := w.a.Layout, w.room.file
	o := &Output{Layout: l}
	if !l.Later {
		o.Size(uint64(l.metadataHead() + int64(len(file))))
		o.U32(uint32(len(w.a.Metadata)))
		o.Write(file)
		w.write(o.Bytes())
		return nil
	}
	blocks, size := w.room.blocks, 8+w.room.metadata-2*w.room.pairs
	if len(file) > 0 {
		blocks++
		size += int64(len(file)) - 2*int64(len(w.a.Metadata))
	}
	o.U32(uint32(size))
	o.U32(uint32(blocks))
	if err := w.blocks(o); err != nil {
		return err
	}
	o.Write(file)
	if w.a.OldGuard {
		o.WriteString("\xFF\xEE\xDD\xCC")
	} else {
		o.Guard("META")
	}
	w.write(o.Bytes())
	return nil
}

// blocks writes the metadata blocks of the assets, of which o has the last.
func (w *writer) blocks(o *Output) error {
	for i := range w.a.Len {
		s, err := w.a.Asset(i)
		if err != nil {
			return err
		}
		if s.Deleted {
			continue
		}
		b, err := block(&s)
		if err != nil {
			return err
		}
		if o.Write(b); o.Len() > bufferSize {
			w.write(o.Bytes())
			o.Reset()
		}
	}
	return nil
}
