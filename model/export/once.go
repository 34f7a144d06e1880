package export

import (
	"bytes"
	"context"
	"crypto/sha256"
	"io"
	"regexp"
)

// numberMark is the number that numbered adds to a name.
var numberMark = regexp.MustCompile(` \((\d+)\)(\.[^./]*)?$`)

// unnumbered is the path that numbered made another of.
func unnumbered(p string) string { return numberMark.ReplaceAllString(p, "$2") }

// queues are the items in the order in which each worker writes them. With Options.Once, those that got a number follow
// the one whose name they have, so that they can be compared with it.
func (p *Plan) queues() (first []int, after map[int][]int) {
	first = make([]int, 0, p.Len())
	after = map[int][]int{}
	leaders := map[string]int{} // of the names that got numbers
	for i := range p.Len() {
		if item := p.Item(i); p.opts.Once && item.follows() {
			leaders[unnumbered(item.Target)] = -1
		}
	}
	for i := range p.Len() {
		if len(leaders) == 0 {
			first = append(first, i)
			continue
		}
		item := p.Item(i)
		if _, ok := leaders[item.Target]; ok {
			leaders[item.Target] = i
		}
		base := unnumbered(item.Target)
		if at, ok := leaders[base]; ok && item.follows() {
			if at >= 0 {
				after[at] = append(after[at], i)
				continue
			}
			leaders[base] = i // the name itself is taken in the folder
			after[i] = nil
		}
		first = append(first, i)
	}
	return first, after
}

// follows reports whether the item got a number because its name was taken.
func (it *Item) follows() bool {
	return it.Renamed && it.files == 0 && unnumbered(it.Target) != it.Target
}

// The most that is read to foresee what an export skips: assets, and bytes of them.
const (
	foreseenMost  = 50_000    // as many as the panel plans while the user chooses
	foreseenBytes = 512 << 20 // some seconds of reading, in the background
)

// Foresee finds which files an export with Options.Once is going to skip, as the same content is there: it reads the
// assets that got a number because their names are taken, and those whose names they have. Where
// those are more than the limits, all is false: some of the numbered items may be skipped as well.
func (p *Plan) Foresee(ctx context.Context) (all bool, err error) {
	first, after := p.queues()
	if len(after) == 0 {
		return true, nil
	}
	r := &run{Plan: p, ctx: ctx, report: newReport(p)}
	same := make(map[int]string)
	left, bytes := foreseenMost, int64(foreseenBytes)
	for _, i := range first {
		queue := append([]int{i}, after[i]...)
		if _, has := after[i]; !has {
			continue
		}
		var before []written
		for _, k := range queue {
			item := p.Item(k)
			if item.Target == "" {
				continue
			}
			if left, bytes = left-1, bytes-max(item.Size, 0); left < 0 || bytes < 0 {
				p.same = same
				return false, nil
			}
			row := Row{Item: item}
			sum, err := r.copy(p.payload(k), k, io.Discard, &row, true)
			if err := ctx.Err(); err != nil {
				return false, err
			}
			if err != nil {
				continue // the report says why
			}
			if twin := r.twin(&item, item.Target, row.Bytes, sum, before); twin != "" {
				same[k] = twin
				continue
			}
			before = append(before, written{item.Target, row.Bytes, sum})
		}
	}
	p.same = same
	return true, nil
}

// written is a file that was written.
type written struct {
	path string
	size int64
	sum  []byte
}

// twin is the path of a file with the same content among those that were written in one queue, or that have the item's
// name without a number in the folder; empty if there is none.
func (r *run) twin(item *Item, target string, size int64, sum []byte, before []written) string {
	if !item.follows() {
		return ""
	}
	for _, w := range before {
		if w.size == size && bytes.Equal(w.sum, sum) {
			return w.path
		}
	}
	base := unnumbered(target)
	for n, name := 1, base; n <= twinsMax && name != target; n++ {
		if r.holds(name, size, sum) {
			return name
		}
		name = numbered(base, n+1)
	}
	return ""
}

// twinsMax is how many files of a name are compared.
const twinsMax = 16

// holds reports whether a file of the folder has a content.
func (r *run) holds(name string, size int64, sum []byte) bool {
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
