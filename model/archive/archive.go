// Package archive lists the assets of a document as a file manager does: files with their sizes, in folders that their
// names make, or in groups of the same type.
package archive

import (
	"bytes"
	"cmp"
	"context"
	"path"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"assay/model"
	"assay/model/query"
)

// Archive is the assets of a document, or the first of them while they are being read. It may be used by several
// goroutines at once.
type Archive struct {
	Document *model.Document
	Total    int // assets that there are; Len of them are read

	entries     []entry
	folded      []byte   // their names in lower case, each with a line end; nil until all are read
	starts      []uint32 // where they begin
	pictures    []int    // the first assets that are pictures
	texts       []string // types and compressions, by the numbers that entries have
	verdicts    []atomic.Uint32
	fields      *model.Table // the further columns of the format; may be nil
	columns     []model.Column
	visible     []int // the visible columns of fields
	informative [ownColumns]bool
}

type entry struct {
	name                          string // with forward slashes
	size, stored                  int64
	modified                      int64 // Unix seconds; 0 if not recorded
	typeNumber, compressionNumber uint16
	class                         Class
	hasChecksum, hasProblem       bool
}

// Read describes the assets of a document. grown is called from time to time with the assets read so far.
func Read(ctx context.Context, d *model.Document, grown func(a *Archive)) (*Archive, error) {
	a := &Archive{Document: d}
	if d.Payloads == nil {
		return a, nil
	}
	a.Total = d.Payloads.Len()
	if err := a.openFields(ctx); err != nil {
		return nil, err
	}
	r := &archiveReader{a: a, numbers: make(map[string]uint16), classes: make(map[typeKey]Class), next: firstBatch}
	a.entries = make([]entry, 0, a.Total)
	a.verdicts = make([]atomic.Uint32, a.Total)
	err := model.DescribeEach(ctx, d.Payloads, 0, a.Total, func(i int, p *model.Payload) bool {
		r.add(p)
		if len(a.entries) == r.next && len(a.entries) < a.Total {
			r.next *= 16
			copied := *a
			grown(&copied)
		}
		return ctx.Err() == nil
	})
	if err == nil {
		err = ctx.Err()
	}
	if err == nil {
		a.foldNames()
		a.columns = slices.Clone(a.columns) // other goroutines have the previous columns
		a.columns[Type].Values = r.usedTexts(&r.kinds)
		a.columns[Compression].Values = append(r.usedTexts(&r.compressions), uncompressed)
	}
	return a, err
}

// usedTexts returns the texts that entries have, in alphabetical order.
func (r *archiveReader) usedTexts(numbers *[1 << 16]bool) []string {
	var texts []string
	for n, text := range r.a.texts {
		if numbers[n] && text != "" {
			texts = append(texts, text)
		}
	}
	slices.Sort(texts)
	return texts
}

// maxFolded bounds the names that are kept a second time, in lower case.
const maxFolded = 1 << 30

// foldNames keeps the names so that all of them are searched at once.
func (a *Archive) foldNames() {
	size := 0
	for i := range a.entries {
		size += len(a.entries[i].name) + 1
	}
	if size > maxFolded {
		return
	}
	a.folded, a.starts = make([]byte, 0, size), make([]uint32, 0, len(a.entries))
	for i := range a.entries {
		a.starts = append(a.starts, uint32(len(a.folded)))
		a.folded = append(append(a.folded, strings.ToLower(a.entries[i].name)...), '\n')
	}
}

// EachNamed calls each with the assets that have all words, in lower case, in their names, until it returns false. All
// of the archive must have been read.
func (a *Archive) EachNamed(ctx context.Context, words []string, each func(i int) bool) error {
	if len(words) == 0 {
		return nil
	}
	longest := []byte(slices.MaxFunc(words, func(x, y string) int { return cmp.Compare(len(x), len(y)) }))
	i := 0 // hits come in order
	for start, hits := 0, 0; start < len(a.folded); hits++ {
		if hits%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		hit := bytes.Index(a.folded[start:], longest)
		if hit < 0 {
			break
		}
		offset := uint32(start + hit)
		for i+1 < len(a.starts) && a.starts[i+1] <= offset {
			i++
		}
		name := a.lowerName(i)
		missing := func(w string) bool { return !bytes.Contains(name, []byte(w)) }
		if !slices.ContainsFunc(words, missing) && !each(i) {
			break
		}
		start = int(a.starts[i]) + len(name)
	}
	return ctx.Err()
}

// lowerName returns the name of the i-th asset in lower case, with its line end.
func (a *Archive) lowerName(i int) []byte {
	if i+1 < len(a.starts) {
		return a.folded[a.starts[i]:a.starts[i+1]]
	}
	return a.folded[a.starts[i]:]
}

// firstBatch is the number of assets that are read before the first of them are displayed.
const firstBatch = 1024

// openFields finds a table of the document whose rows are the assets.
func (a *Archive) openFields(ctx context.Context) error {
	a.columns = OwnColumns()
	for _, s := range a.Document.Tables {
		if !s.Assets {
			continue
		}
		t, err := s.Open(ctx)
		if err != nil {
			return err
		}
		if t.Rows != int64(a.Total) {
			return nil
		}
		a.fields, a.columns = t, OwnColumns()
		for i, c := range t.Columns {
			named := func(o model.Column) bool { return strings.EqualFold(o.Name, c.Name) }
			if !slices.ContainsFunc(a.columns[:ownColumns], named) {
				a.visible = append(a.visible, i)
				c.OnlyByName = c.Numeric
				a.columns = append(a.columns, c)
			}
		}
		return nil
	}
	return nil
}

type archiveReader struct {
	a            *Archive
	numbers      map[string]uint16
	kinds        [1 << 16]bool // the numbers of types
	compressions [1 << 16]bool // and of compressions
	classes      map[typeKey]Class
	next         int // number of assets at which the next ones are published
}

func (r *archiveReader) add(p *model.Payload) {
	s := AssetOf(p)
	e := entry{name: s.Name, size: s.Size, stored: s.Stored, modified: s.Modified, typeNumber: r.number(s.Type),
		compressionNumber: r.number(p.Codec), hasChecksum: p.Verify != nil, hasProblem: p.Problem != ""}
	r.kinds[e.typeNumber], r.compressions[e.compressionNumber] = true, true
	e.class = r.classOf(p)
	if len(r.a.pictures) < maxPictures && e.class == Image {
		r.a.pictures = append(r.a.pictures, len(r.a.entries))
	}
	for i := range ownColumnInfo {
		r.a.informative[i] = r.a.informative[i] || ownColumnInfo[i].informs != nil && ownColumnInfo[i].informs(&e, p)
	}
	r.a.entries = append(r.a.entries, e)
}

// number returns the number of a text; there are few distinct ones.
func (r *archiveReader) number(text string) uint16 {
	if n, ok := r.numbers[text]; ok {
		return n
	}
	if len(r.a.texts) == 1<<16-1 { // the last one replaces all that do not fit
		return uint16(len(r.a.texts) - 1)
	}
	r.a.texts = append(r.a.texts, text)
	n := uint16(len(r.a.texts) - 1)
	r.numbers[text] = n
	return n
}

// FindPrefix returns the first asset in [from, to) whose name, with its folders or without, begins with a text in lower
// case, or -1. All assets must have been read.
func (a *Archive) FindPrefix(ctx context.Context, prefix string, from, to int) (int, error) {
	for i := from; i < min(to, len(a.starts)); i++ {
		if i%8192 == 0 && ctx.Err() != nil {
			return -1, ctx.Err()
		}
		name := a.lowerName(i)
		base := name[bytes.LastIndexByte(name, '/')+1:]
		if bytes.HasPrefix(name, []byte(prefix)) || bytes.HasPrefix(base, []byte(prefix)) {
			return i, nil
		}
	}
	return -1, ctx.Err()
}

// Len returns the number of assets that are read.
func (a *Archive) Len() int { return len(a.entries) }

// Path returns the name of the i-th asset with its folders.
func (a *Archive) Path(i int) string { return a.entries[i].name }

// Base returns the name of the i-th asset without its folders.
func (a *Archive) Base(i int) string {
	name := strings.TrimRight(a.entries[i].name, "/")
	return name[strings.LastIndexByte(name, '/')+1:]
}

// HasProblem reports whether the i-th asset cannot leave the file as it should.
func (a *Archive) HasProblem(i int) bool {
	return a.entries[i].hasProblem || model.Verdict(a.verdicts[i].Load()) == model.Invalid
}

// SetVerdict records the result of checking the i-th asset.
func (a *Archive) SetVerdict(i int, v model.Verdict) { a.verdicts[i].Store(uint32(v)) }

// Columns returns the columns of the assets.
func (a *Archive) Columns() []model.Column { return a.columns }

// IsInformative reports whether a column adds information to the others, for the assets that have been read.
func (a *Archive) IsInformative(column int) bool {
	return column >= ownColumns || ownColumnInfo[column].informs == nil || a.informative[column]
}

// Table returns the assets as rows.
func (a *Archive) Table() *model.Table {
	t := &model.Table{Columns: a.columns, Rows: int64(len(a.entries))}
	t.Cell = func(row int64, column int) any {
		if column >= ownColumns {
			return a.fields.Cell(row, a.visible[column-ownColumns])
		}
		return a.cell(int(row), column)
	}
	t.Scan = a.scan
	return t
}

// scan reads the cells of some columns. Those of the format's columns are read by its own Scan.
func (a *Archive) scan(ctx context.Context, columns []int, each func(row int64, cells []any) error) error {
	cells := make([]any, len(columns))
	var further, positions []int
	for k, c := range columns {
		if c >= ownColumns {
			further, positions = append(further, a.visible[c-ownColumns]), append(positions, k)
		}
	}
	add := func(row int64, values []any) error {
		if row >= int64(len(a.entries)) {
			return nil
		}
		for k, c := range columns {
			if c < ownColumns {
				cells[k] = a.cell(int(row), c)
			}
		}
		for i, v := range values {
			cells[positions[i]] = v
		}
		return each(row, cells)
	}
	if len(further) > 0 && a.fields.Scan != nil {
		return a.fields.Scan(ctx, further, add)
	}
	values := make([]any, len(further))
	for row := range int64(len(a.entries)) {
		if row%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		for i, c := range further {
			values[i] = a.fields.Cell(row, c)
		}
		if err := add(row, values); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// cell returns the cell of the i-th asset in one of its own columns.
func (a *Archive) cell(i, column int) any {
	if column == Checksum {
		return a.checksum(i)
	}
	e := &a.entries[i]
	compression := cmp.Or(a.texts[e.compressionNumber], uncompressed)
	return ownColumnInfo[column].cell(Asset{e.name, a.texts[e.typeNumber], compression, e.size, e.stored, e.modified})
}

func (a *Archive) checksum(i int) any {
	switch v := model.Verdict(a.verdicts[i].Load()); {
	case v != model.Unrecorded:
		return v.String()
	case a.entries[i].hasChecksum:
		return "not checked"
	}
	return nil
}

// Shared is the assets of a document, read once for all callers. It is safe for concurrent use.
type Shared struct {
	document *model.Document
	run      func(job func(ctx context.Context))

	mu      sync.Mutex
	started bool
	read    *Archive // so far; nil until the first assets are read
	err     error
	done    bool
	grown   chan struct{} // closed when more is read
}

// NewShared returns the assets of a document, which are read by a job of run at the first call of Read. run may be
// called on any goroutine; the job ends with the context that run gives it.
func NewShared(d *model.Document, run func(job func(ctx context.Context))) *Shared {
	return &Shared{document: d, run: run, grown: make(chan struct{})}
}

// Read waits until all assets are read, and returns them. grown is called from time to time with the assets read so
// far. The job continues when ctx ends.
func (s *Shared) Read(ctx context.Context, grown func(a *Archive)) (*Archive, error) {
	s.mu.Lock()
	starts := !s.started
	s.started = true
	s.mu.Unlock()
	if starts {
		s.run(func(ctx context.Context) {
			a, err := Read(ctx, s.document, func(a *Archive) { s.publish(a, nil, false) })
			s.publish(a, err, true)
		})
	}
	for {
		s.mu.Lock()
		a, err, ended, more := s.read, s.err, s.done, s.grown
		s.mu.Unlock()
		if ended {
			return a, err
		}
		if a != nil {
			grown(a)
		}
		select {
		case <-more:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// publish stores the assets read so far and wakes the goroutines that wait in Read.
func (s *Shared) publish(a *Archive, err error, ended bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.read, s.err, s.done = a, err, ended
	close(s.grown)
	s.grown = make(chan struct{})
}

// maxSortedNaturally is the maximum number of assets in a list that Sort orders naturally. In longer ones, names are
// compared as other cells are.
const maxSortedNaturally = 100_000

// CompareFiles orders file names naturally: by their last parts, which lists display first, then by their folders.
func CompareFiles(a, b string) int {
	return cmp.Or(model.CompareNames(path.Base(a), path.Base(b)), model.CompareNames(a, b))
}

// Sort returns rows in the order of a column. Names are ordered by CompareFiles, unless there are very many.
func (a *Archive) Sort(ctx context.Context, t *model.Table, rows query.Order, column int, descending bool) (query.Order,
	error) {
	if column != Name || rows.Len(t) > maxSortedNaturally {
		return query.Sort(ctx, t, rows, column, descending)
	}
	sorted := make(query.Order, rows.Len(t))
	for i := range sorted {
		sorted[i] = uint32(rows.Row(int64(i)))
	}
	slices.SortStableFunc(sorted, func(i, j uint32) int {
		c := CompareFiles(a.entries[i].name, a.entries[j].name)
		if descending {
			return -c
		}
		return c
	})
	return sorted, ctx.Err()
}
