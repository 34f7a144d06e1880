package export

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"assay/model"
)

// draft is an item without a path in the folder yet.
type draft struct {
	Item
	pick    int    // the number of its pick
	target  string // the path that the template makes
	safe    string // made safe for every file system
	shared  string // identity of the file, if other assets may need it as well
	ownPath string // the path of the item's own file, if another asset has the shared one
	ext     string // the extension of the form, with its dot
}

const (
	// draftsPerTask is the number of assets that a task describes; several run at once, on all processors.
	draftsPerTask = 1024
	// minBulkAssets is the minimum number of successive assets for a description in bulk.
	minBulkAssets = 64
)

var draftPool = sync.Pool{New: func() any { return new([]draft) }}

// eachBatch describes all picked assets, and calls place with the drafts in batches, in order. Successive assets of one
// file are described in bulk, without media types, if the file supports it.
func (p *Plan) eachBatch(ctx context.Context, place func(drafts []draft)) error {
	parts := func(yield func(model.Task[[]draft]) bool) {
		for c := (cursor{}); c.pick < len(p.picks); c = c.next(p.picks, draftsPerTask) {
			part := func(ctx context.Context, emit func([]draft) error) error {
				drafts, err := p.describe(ctx, c)
				if err != nil {
					return err
				}
				return emit(drafts)
			}
			if !yield(part) {
				return
			}
		}
	}
	return model.RunOrdered(ctx, parts, func(drafts []draft) error {
		place(drafts)
		draftPool.Put(&drafts)
		return nil
	})
}

// cursor is a position in a list of picks.
type cursor struct {
	pick   int // the number of the pick
	inPick int // its assets before the cursor
	number int // all assets before it
}

// next returns the cursor n assets later, or at the end.
func (c cursor) next(picks []Pick, n int) cursor {
	for c.pick < len(picks) && n > 0 {
		step := min(n, picks[c.pick].Len()-c.inPick)
		c.inPick, c.number, n = c.inPick+step, c.number+step, n-step
		if c.inPick == picks[c.pick].Len() {
			c.pick, c.inPick = c.pick+1, 0
		}
	}
	return c
}

func (p *Plan) describe(ctx context.Context, c cursor) (drafts []draft, err error) {
	drafts = (*draftPool.Get().(*[]draft))[:0]
	for remaining := draftsPerTask; remaining > 0 && c.pick < len(p.picks) && err == nil; {
		pick := &p.picks[c.pick]
		from, n := pick.Index+c.inPick, min(remaining, pick.Len()-c.inPick)
		bulk, ok := pick.From.(model.Describer)
		k := c.number
		add := func(i int, a *model.Payload) bool {
			k++
			drafts = p.appendDrafts(ctx, drafts, c.pick, i, a, k)
			return ctx.Err() == nil
		}
		if ok && n >= minBulkAssets {
			err = bulk.DescribeEach(ctx, from, from+n, add)
		}
		for err == nil && k < c.number+n && ctx.Err() == nil {
			i := from + k - c.number
			add(i, pick.From.At(i))
		}
		if err == nil {
			err = ctx.Err()
		}
		c, remaining = c.next(p.picks, n), remaining-n
	}
	return drafts, err
}

// appendDrafts adds the drafts of the i-th asset of its file to a list: one, or one for each file of its form.
func (p *Plan) appendDrafts(ctx context.Context, appendDrafts []draft, pickIndex, i int, a *model.Payload, number int,
) []draft {
	pick := &p.picks[pickIndex]
	d := draft{pick: pickIndex, Item: Item{From: pick.From, Index: i, File: pick.File, Key: a.Key, Name: a.Name,
		Size: a.Size}}
	kind := Kind{MediaType: a.MediaType, Recorded: a.Recorded, Forms: FormNames(a)}
	form, ok := formOf(a, p.form(pick, a))
	if !ok {
		kind.Problem = fmt.Sprintf("it cannot be exported as %s; available: %s", pick.Form, strings.Join(kind.Forms, ", "))
	} else if !p.unopened {
		var err error
		if form, err = p.openForm(ctx, pick, a, form); err != nil {
			kind.Problem = err.Error()
		}
	}
	if kind.Problem != "" {
		kind.Form, d.Size = pick.Form, 0
		d.Kind = p.kinds.intern(kind)
		return append(appendDrafts, d)
	}
	kind.Form = form.Name
	switch {
	case !form.IsRaw():
		kind.MediaType, d.Size = form.MediaType, -1
	case a.Problem != "":
		kind.MediaType, d.Size = "", a.Stored.Size
	}
	add := func() {
		d.Kind = p.kinds.intern(kind)
		d.ext = form.Extension
		d.target = p.opts.Names.Name(a, form, number, pick.File)
		d.target = strings.TrimLeft(strings.ReplaceAll(d.target, "//", "/"), "/") // a field may be empty
		if pick.Folder != "" && p.opts.Names.HasFolders() {
			d.target = pick.Folder + "/" + d.target
		}
		if d.shared != "" {
			d.ownPath = SafePath(d.target)
			d.target = path.Join(path.Dir(d.target), strings.TrimPrefix(form.Extension, "."))
		}
		d.safe = SafePath(d.target)
		appendDrafts = append(appendDrafts, d)
	}
	if len(form.Extensions) == 0 {
		add()
		return appendDrafts
	}
	d.isOneOfSeveral = true
	for i, ext := range form.Extensions {
		form.Extension, d.file = ext, uint16(i)
		if d.shared = ""; i < len(form.Shared) {
			d.shared = form.Shared[i]
		}
		add()
		kind.MediaType = "" // the first file's
	}
	return appendDrafts
}

// openForm returns a form after opening the asset, if that is needed to know its files, or whether it has the form. The
// form of a preset is a guess for assets that are files: those without it are written as they are.
func (p *Plan) openForm(ctx context.Context, pick *Pick, a *model.Payload, form model.Form) (model.Form, error) {
	guess := pick.Form == "" && form.Name == p.opts.Prefer && a.Open != nil
	var err error
	switch {
	case form.Files != nil:
		form, err = form.Files(ctx)
	case guess && form.Has != nil:
		err = form.Has(ctx)
	}
	switch {
	case !guess || err == nil:
		return form, err
	case errors.Is(err, model.ErrNoForm):
		return model.Form{Name: rawForm}, nil
	case form.Has != nil:
		return form, nil // the report has the error
	}
	return form, err
}

// form returns the form that an asset is to have; empty is its first.
func (p *Plan) form(pick *Pick, a *model.Payload) string {
	if pick.Form != "" {
		return pick.Form
	}
	if form := p.opts.Forms[a.Type]; form != "" {
		if _, ok := formOf(a, form); ok {
			return form
		}
	}
	switch prefer := p.opts.Prefer; {
	case prefer != "" && slices.Contains(FormNames(a), prefer):
		return prefer
	case p.opts.Usual:
		return usualForm(a)
	}
	return ""
}

// Overlay finds, for files that are loaded in order, which of them provides each asset. The order of the files may be
// changed without reading them again.
type Overlay struct {
	layers    []*model.Document
	order     []int // layers as they are loaded: the last wins
	positions []int // of each layer: its index in order
	keys      []OverlayKey
}

// OverlayKey is one key and the assets that have it.
type OverlayKey struct {
	Key string
	In  []Provider // in the order of the given layers
}

// Provider is an asset of a layer.
type Provider struct{ Layer, Index int }

// NewOverlay looks up the keys of all assets of documents, which are loaded in this order.
func NewOverlay(ctx context.Context, layers []*model.Document) (*Overlay, error) {
	o := &Overlay{layers: layers}
	indexes := make(map[string]int)
	for l, d := range layers {
		o.order, o.positions = append(o.order, l), append(o.positions, l)
		if d.Payloads == nil {
			continue
		}
		err := keysOf(ctx, d, func(i int, key string) {
			k, ok := indexes[key]
			if !ok {
				k = len(o.keys)
				indexes[key] = k
				o.keys = append(o.keys, OverlayKey{Key: key})
			}
			o.keys[k].In = append(o.keys[k].In, Provider{l, i})
		})
		if err != nil {
			return nil, err
		}
	}
	slices.SortStableFunc(o.keys, func(a, b OverlayKey) int { return strings.Compare(a.Key, b.Key) })
	return o, nil
}

// keysOf returns the key of each asset. If the nodes of the assets have their keys, it reads only the nodes.
func keysOf(ctx context.Context, d *model.Document, each func(i int, key string)) error {
	index, err := d.AssetIndex(ctx)
	if err != nil {
		return err
	}
	n := d.Payloads.Len()
	keyCount := 0
	err = index.Each(ctx, func(i int, node *model.Node) bool {
		if i != keyCount {
			return false
		}
		if i == 0 && d.Payloads.At(0).Key != node.Key {
			return false // they have other keys than their nodes
		}
		each(i, node.Key)
		keyCount++
		return true
	})
	if err != nil {
		return err
	}
	for i := keyCount; i < n; i++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		each(i, d.Payloads.At(i).Key)
	}
	return nil
}

// Len returns the number of keys.
func (o *Overlay) Len() int { return len(o.keys) }

// At returns the i-th key, in their order.
func (o *Overlay) At(i int) OverlayKey { return o.keys[i] }

// Layers returns the documents in load order.
func (o *Overlay) Layers() []*model.Document {
	var documents []*model.Document
	for _, l := range o.order {
		documents = append(documents, o.layers[l])
	}
	return documents
}

// Layer returns the document that a provider is in.
func (o *Overlay) Layer(p Provider) *model.Document { return o.layers[p.Layer] }

// Move moves a layer from one index of the order to another.
func (o *Overlay) Move(from, to int) {
	if from < 0 || from >= len(o.order) || to < 0 || to >= len(o.order) {
		return
	}
	l := o.order[from]
	o.order = slices.Insert(slices.Delete(o.order, from, from+1), to, l)
	for i, l := range o.order {
		o.positions[l] = i
	}
}

// Providers lists the assets with the i-th key in load order, and returns how many of them win: one, at the end of the
// list, unless the last file has several of that key.
func (o *Overlay) Providers(i int) (providers []Provider, win int) {
	providers = slices.Clone(o.keys[i].In)
	slices.SortStableFunc(providers, func(a, b Provider) int { return o.positions[a.Layer] - o.positions[b.Layer] })
	for k := len(providers) - 1; k >= 0 && providers[k].Layer == providers[len(providers)-1].Layer; k-- {
		win++
	}
	return providers, win
}

// Overridden reports whether some asset with the i-th key loses.
func (o *Overlay) Overridden(i int) bool {
	providers := o.keys[i].In
	return providers[0].Layer != providers[len(providers)-1].Layer
}

// Effective returns, for each layer in load order, the indexes of the assets that win and the number of losing assets.
func (o *Overlay) Effective() (win [][]int, lose []int) {
	win, lose = make([][]int, len(o.order)), make([]int, len(o.order))
	for i := range o.keys {
		last := 0
		for _, p := range o.keys[i].In {
			last = max(last, o.positions[p.Layer])
		}
		for _, p := range o.keys[i].In {
			if position := o.positions[p.Layer]; position == last {
				win[position] = append(win[position], p.Index)
			} else {
				lose[position]++
			}
		}
	}
	for _, w := range win {
		slices.Sort(w)
	}
	return win, lose
}

// numberMark is the number that numbered adds to a name.
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
func (r *run) twin(item *Item, target string, size int64, sum []byte, before []writtenFile) string {
	if !item.mayRepeat() {
		return ""
	}
	for _, w := range before {
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
