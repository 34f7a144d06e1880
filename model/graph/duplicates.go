package graph

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"io"
	"iter"
	"slices"
	"sync"

	"assay/model"
)

// digest is the first half of the SHA-256 of a content.
type digest [sha256.Size / 2]byte

// fileDigests are the digests of some items of a file.
type fileDigests struct {
	items   []int32
	digests []digest
	file    int32 // the item number of the file
	readErr error // the first read of the file that failed
}

// findDuplicates finds the items with identical content: it reads the contents of items with equal sizes.
func (b *Builder) findDuplicates(ctx context.Context, g *Graph) ([]Duplicates, error) {
	var all fileDigests
	err := model.RunOrdered(ctx, b.readTasks(g, itemsOfEqualSize(g)), func(d fileDigests) error {
		all.items = append(all.items, d.items...)
		all.digests = append(all.digests, d.digests...)
		if d.readErr != nil {
			g.addProblem(d.file, d.readErr.Error())
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	order := make([]int32, len(all.items))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortStableFunc(order, func(a, b int32) int { return bytes.Compare(all.digests[a][:], all.digests[b][:]) })
	var duplicates []Duplicates
	for from := 0; from < len(order); {
		to := from + 1
		for to < len(order) && all.digests[order[to]] == all.digests[order[from]] {
			to++
		}
		if to-from > 1 {
			same := make([]int32, 0, to-from)
			for _, i := range order[from:to] {
				same = append(same, all.items[i])
			}
			duplicates = append(duplicates, g.duplicatesOf(same))
		}
		from = to
	}
	slices.SortStableFunc(duplicates, func(a, b Duplicates) int {
		return cmp.Or(cmp.Compare(b.Saved, a.Saved), cmp.Compare(a.Items[0], b.Items[0]))
	})
	return duplicates, nil
}

// duplicatesOf returns the entry for items with identical content.
func (g *Graph) duplicatesOf(items []int32) Duplicates {
	slices.Sort(items)
	t := Duplicates{Items: items, Size: g.entries[items[0]].size}
	var last entry
	for i, e := range g.storage(items) {
		if i > 0 && (e.fileIndex != last.fileIndex || e.stored.Offset != last.stored.Offset) {
			t.Saved += e.stored.Size
		}
		last = e
	}
	return t
}

// storage returns the spans of items, sorted by offset: items with the same bytes are neighbors, and a file is before
// its assets.
func (g *Graph) storage(items []int32) []entry {
	entries := make([]entry, len(items))
	for i, item := range items {
		e := g.entries[item]
		if g.IsFile(item) {
			e.stored = model.Span{Offset: -1, Size: e.size}
		}
		entries[i] = e
	}
	slices.SortFunc(entries, func(a, b entry) int {
		return cmp.Or(cmp.Compare(a.fileIndex, b.fileIndex), cmp.Compare(a.stored.Offset, b.stored.Offset))
	})
	return entries
}

// itemsOfEqualSize returns the items with the size of another item, in order.
func itemsOfEqualSize(g *Graph) []int32 {
	items := make([]int32, 0, g.Len())
	for i := range g.entries {
		if g.entries[i].size > 0 {
			items = append(items, int32(i))
		}
	}
	size := func(i int32) int64 { return g.entries[i].size }
	slices.SortStableFunc(items, func(a, b int32) int { return cmp.Compare(size(a), size(b)) })
	n := 0
	for i := range items {
		if i > 0 && size(items[i-1]) == size(items[i]) || i+1 < len(items) && size(items[i+1]) == size(items[i]) {
			items[n] = items[i]
			n++
		}
	}
	items = items[:n]
	slices.Sort(items)
	return items
}

// readTasks returns tasks that read the contents of items, one for each file.
func (b *Builder) readTasks(g *Graph, items []int32) iter.Seq[model.Task[fileDigests]] {
	return func(yield func(model.Task[fileDigests]) bool) {
		for len(items) > 0 {
			n := 1
			for n < len(items) && g.entries[items[n]].fileIndex == g.entries[items[0]].fileIndex {
				n++
			}
			batch := items[:n]
			if items = items[n:]; !yield(func(ctx context.Context, emit func(fileDigests) error) error {
				return b.readItems(ctx, g, batch, emit)
			}) {
				return
			}
		}
	}
}

// maxEmitted is the number of digests that are emitted at a time.
const maxEmitted = 1024

// readItems reads items of a file. Unreadable ones are left out, and readErr is the first error of the file.
func (b *Builder) readItems(ctx context.Context, g *Graph, items []int32, emit func(fileDigests) error) error {
	path := g.Paths[g.entries[items[0]].fileIndex]
	result := fileDigests{file: g.FileOf(items[0])}
	var d *model.Document
	for _, i := range items {
		var sum digest
		var err error
		if t := g.Item(i); t.IsFile() {
			sum, err = digestOfFile(ctx, path, t.Size)
		} else {
			if d == nil {
				if d, err = b.OpenFile(ctx, path); err != nil {
					result.readErr = cmp.Or(result.readErr, err)
					break
				}
				defer d.Source.Close()
			}
			sum, err = digestOfAsset(ctx, d, &t)
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if failed := (*model.ReadError)(nil); errors.As(err, &failed) {
			result.readErr = cmp.Or(result.readErr, err)
		}
		if err != nil {
			continue
		}
		result.items, result.digests = append(result.items, i), append(result.digests, sum)
		if len(result.items) == maxEmitted {
			if err := emit(result); err != nil {
				return err
			}
			result = fileDigests{file: result.file}
		}
	}
	if d != nil && result.readErr == nil {
		result.readErr = d.Source.Err()
	}
	if len(result.items) == 0 && result.readErr == nil {
		return nil
	}
	return emit(result)
}

var buffers = sync.Pool{New: func() any { return new([256 << 10]byte) }}

func digestOfFile(ctx context.Context, path string, size int64) (digest, error) {
	src, err := model.OpenFile(path)
	if err != nil {
		return digest{}, err
	}
	defer src.Close()
	sum, err := readDigest(ctx, io.NewSectionReader(src, 0, src.Size()), size)
	return sum, cmp.Or(src.Err(), err)
}

func digestOfAsset(ctx context.Context, d *model.Document, t *Item) (digest, error) {
	p := d.Payloads.At(int(t.Asset))
	if p == nil || p.Open == nil {
		return digest{}, io.ErrUnexpectedEOF
	}
	r, err := p.Open(ctx)
	if err != nil {
		return digest{}, err
	}
	defer r.Close()
	return readDigest(ctx, r, t.Size)
}

// readDigest reads a content, which must have the expected size.
func readDigest(ctx context.Context, r io.Reader, size int64) (sum digest, err error) {
	buffer := buffers.Get().(*[256 << 10]byte)
	defer buffers.Put(buffer)
	hash := sha256.New()
	var n int64
	for n <= size && ctx.Err() == nil {
		k, err := r.Read(buffer[:min(int64(len(buffer)), size+1-n)])
		hash.Write(buffer[:k])
		n += int64(k)
		if err == io.EOF {
			break
		}
		if err != nil {
			return sum, err
		}
	}
	if n != size {
		return sum, io.ErrUnexpectedEOF
	}
	copy(sum[:], hash.Sum(nil))
	return sum, ctx.Err()
}
