package export

import (
	"bytes"
	"context"
	"crypto/sha256"
	"io"
	"regexp"
)

// numberMark is the number that numberedPath adds to a name.
var numberMark = regexp.MustCompile(` \((\d+)\)(\.[^./]*)?$`)

// withoutNumber removes the number that numberedPath added to a path.
func withoutNumber(p string) string { return numberMark.ReplaceAllString(p, "$2") }

// writeQueues returns the items in the order in which each worker writes them. With Options.Once, numbered files follow
// the file with their name, so that they can be compared with it.
func (p *Plan) writeQueues() (first []int, after map[int][]int) {
	first = make([]int, 0, p.Len())
	after = map[int][]int{}
	firstOfName := map[string]int{} // of the names that got numbers
	for i := range p.Len() {
		if item := p.Item(i); p.opts.Once && item.mayRepeat() {
			firstOfName[withoutNumber(item.Target)] = -1
		}
	}
	for i := range p.Len() {
		if len(firstOfName) == 0 {
			first = append(first, i)
			continue
		}
		item := p.Item(i)
		if _, ok := firstOfName[item.Target]; ok {
			firstOfName[item.Target] = i
		}
		unnumbered := withoutNumber(item.Target)
		if index, ok := firstOfName[unnumbered]; ok && item.mayRepeat() {
			if index >= 0 {
				after[index] = append(after[index], i)
				continue
			}
			firstOfName[unnumbered] = i // the name itself is taken in the folder
			after[i] = nil
		}
		first = append(first, i)
	}
	return first, after
}

// mayRepeat reports whether the item got a number and may have the content of the file without the number.
func (item *Item) mayRepeat() bool { return !item.isOneOfSeveral && item.IsNumbered() }

// IsNumbered reports whether the item got a number because its name was taken.
func (item *Item) IsNumbered() bool { return item.Renamed && withoutNumber(item.Target) != item.Target }

// Limits of reading to predict the files that an export skips: assets, and bytes of them.
const (
	maxForecastItems = 50_000    // as many as the panel plans while the user chooses
	maxForecastBytes = 512 << 20 // some seconds of reading, in the background
)

// Foresee finds which files an export with Options.Once is going to skip because a file with the same content exists:
// it reads the assets that are numbered, skipped or asked about, and the existing files with their names. If those
// exceed the limits, complete is false: more of these items may be skipped.
func (p *Plan) Foresee(ctx context.Context) (complete bool, err error) {
	skips := p.opts.Once && (p.opts.Conflict == Skip || p.opts.Conflict == Ask)
	first, after := p.writeQueues()
	if len(after) == 0 && !skips {
		return true, nil
	}
	r := &run{Plan: p, ctx: ctx, report: newReport(p)}
	p.same = make(map[int]string)
	left, bytes := maxForecastItems, int64(maxForecastBytes)
	for _, i := range first {
		_, hasFollowers := after[i]
		if item := p.Item(i); !hasFollowers && !(skips && item.Exists) {
			continue
		}
		var before []writtenFile
		for _, k := range append([]int{i}, after[i]...) {
			item := p.Item(k)
			if item.Target == "" {
				continue
			}
			if left, bytes = left-1, bytes-max(item.Size, 0); left < 0 || bytes < 0 {
				return false, nil
			}
			row := Row{Item: item}
			if skips && item.Exists {
				if r.existsSame(k) {
					p.same[k] = item.Target
				}
				continue
			}
			sum, err := r.copyContent(p.payload(k), k, io.Discard, &row, true)
			if err := ctx.Err(); err != nil {
				return false, err
			}
			if err != nil {
				continue // the report has the error
			}
			if twin := r.twin(&item, item.Target, row.Bytes, sum, before); twin != "" {
				p.same[k] = twin
				continue
			}
			before = append(before, writtenFile{item.Target, row.Bytes, sum})
		}
	}
	return true, ctx.Err()
}

type writtenFile struct {
	path string
	size int64
	sum  []byte
}

// twin returns the path of a file with the same content among the written files of the queue, or the files in the
// folder with the item's name without a number, or "".
func (r *run) twin(item *Item, target string, size int64, sum []byte, earlier []writtenFile) string {
	if !item.mayRepeat() {
		return ""
	}
	for _, w := range earlier {
		if w.size == size && bytes.Equal(w.sum, sum) {
			return w.path
		}
	}
	unnumbered := withoutNumber(target)
	for n, name := 1, unnumbered; n <= maxTwins && name != target; n++ {
		if r.hasContent(name, size, sum) {
			return name
		}
		name = numberedPath(unnumbered, n+1)
	}
	return ""
}

// maxTwins is the maximum number of files of a name that are compared.
const maxTwins = 16

func (r *run) hasContent(name string, size int64, sum []byte) bool {
	info, err := r.folder.Stat(name)
	if err != nil || !info.Mode().IsRegular() || info.Size() != size {
		return false
	}
	f, err := r.folder.Open(name)
	if err != nil {
		return false
	}
	defer f.Close()
	h := sha256.New()
	n, err := io.Copy(h, io.LimitReader(f, size+1))
	return err == nil && n == size && bytes.Equal(h.Sum(nil), sum) && r.ctx.Err() == nil
}

// List calls visit with the items of the plan that NewPlan makes, and keeps no items: an item is good until visit
// returns.
func List(ctx context.Context, folder Folder, picks []Pick, opts Options, visit func(*Item)) error {
	p := newPlan(folder, picks, opts)
	return p.eachBatch(ctx, func(drafts []draft) {
		for i := range drafts {
			visit(p.assignPath(&drafts[i]))
		}
	})
}

// WriteListing writes the rows that a run into a DiscardFolder has as WriteJSON does, with the media types and forms of
// the assets: everything is read and checked, nothing is written or kept. It returns the number of files, and reports
// whether anything went wrong with them.
func WriteListing(ctx context.Context, out io.Writer, picks []Pick, opts Options) (files int, bad bool, err error) {
	p := newPlan(DiscardFolder{}, picks, opts)
	several := severalFiles(picks)
	position := cursor{}
	count := itemsPerText
	if opts.Once { // each file is compared with all others of its name
		count = CountPicks(picks)
	}
	err = writeRows(out, func(yield func(jsonRow) bool) {
		for position.pick < len(picks) && ctx.Err() == nil {
			position = p.loadNext(ctx, position, count)
			n, _ := p.Counts()
			report := p.Run(ctx)
			files, bad = files+n, bad || report.Bad()
			for r := range report.Rows() {
				row := r.toJSON(several)
				row.MediaType, row.Recorded, row.Forms = &r.MediaType, r.Recorded, r.Forms
				if !yield(row) {
					return
				}
			}
		}
	})
	if err == nil {
		err = ctx.Err()
	}
	return files, bad, err
}

// loadNext plans the next n assets, replacing the previous ones, and keeps them in memory.
func (p *Plan) loadNext(ctx context.Context, cur cursor, n int) cursor {
	p.items.clear()
	p.payloads = p.payloads[:0]
	for ; n > 0 && cur.pick < len(p.picks); n, cur = n-1, cur.next(p.picks, 1) {
		pick := &p.picks[cur.pick]
		i := pick.Index + cur.inPick
		a := pick.From.At(i)
		for _, d := range p.appendDrafts(ctx, nil, cur.pick, i, a, cur.number+1) {
			p.items.add(p.assignPath(&d), d.pick)
			p.payloads = append(p.payloads, a)
		}
	}
	p.items.seal()
	return cur
}
