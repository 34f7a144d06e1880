// Package export writes assets of files: a Plan lists the output files, its Run writes them, and the Report has the
// result for each asset.
//
// No name refers to a file outside the target folder, regardless of the names of assets and of links in the folder. A
// file appears under its final name only when it is complete; before that it has no name or, if a system does not
// support that, is called .assay-*.part, the only trace that a killed program leaves. The next write into the folder
// removes that. A failure of one asset is a problem of that asset: the rest is exported.
//
// It also writes packages, of the files in a folder and of the copies in an ArchivePlan, and reads each back before it
// gets its name.
package export

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/dustin/go-humanize"

	"assay/model"
)

// Rule is the policy for an output file that already exists.
type Rule uint8

// The rules. Ask leaves it to Options.Ask.
const (
	Number Rule = iota
	Skip
	Overwrite
	Ask
)

var ruleNames = []string{"number", "skip", "overwrite", "ask"}

// String returns the rule's name.
func (r Rule) String() string { return ruleNames[r] }

// ParseRule returns the rule with that name.
func ParseRule(name string) (Rule, error) {
	for i, n := range ruleNames {
		if n == name {
			return Rule(i), nil
		}
	}
	return 0, fmt.Errorf("unknown conflict rule %q; choose one of %s", name,
		strings.Join(ruleNames, ", "))
}

// Answer is the user's decision about an existing file: a rule for this one, or for all that follow.
type Answer struct {
	Rule Rule
	All  bool
}

// Options are the options of an export.
type Options struct {
	Names    Template // the zero Template is Keep
	Conflict Rule
	// Ask answers for one item when Conflict is Ask; calls do not overlap. Nil means Skip. Answering Ask means Skip.
	Ask func(ctx context.Context, item Item) Answer
	// Limit is the maximum number of bytes that a compressed asset may expand to. 0 means its declared size or, without
	// one, model.ExpandLimit.
	Limit int64
	// Excess decides whether an export continues when it becomes an Excess while it runs. Nil ends it: the remaining
	// assets fail.
	Excess func(ctx context.Context, x Excess) bool
	// Usual gives assets without a form the first one that is a picture or a scene, if there is one, not their first.
	Usual bool
	// Forms has the form for each type of asset, if a pick has no form and the asset has this one.
	Forms map[string]string
	// Prefer is the form of each asset that has it; the others have their default form. It may be empty.
	Prefer string
	Once   bool // do not write a numbered file that is identical to the file without the number
	// Own has the files of an earlier export, by path. They are replaced unless they were changed.
	Own map[string]Stamp
	// Inputs are the paths of the files that are read: none of them is overwritten.
	Inputs   []string
	Workers  int  // number of assets at a time; 0 means one for each processor
	Sums     bool // compute the SHA-256 of every file
	NoSync   bool // do not wait until the disk has everything
	Progress func(Progress)
}

// Unchanged reports whether all assets are exported unconverted.
func (o *Options) Unchanged() bool { return o.Prefer == rawForm && len(o.Forms) == 0 }

// Pick is an asset that is to leave its file, or several that follow each other there.
type Pick struct {
	From  model.Payloads
	Index int
	Count int    // number of assets from Index on; 0 means one
	Form  string // empty: as in Options, or the first form
	File  string // name of the file that it comes from
	// Folder is the folder of that file below a listed folder, with forward slashes; empty if no folder was listed.
	Folder string
}

// Len returns the number of assets.
func (p *Pick) Len() int { return max(1, p.Count) }

// AddPick adds a pick to a list, joined with the last one if its assets follow directly.
func AddPick(picks []Pick, p Pick) []Pick {
	if n := len(picks); n > 0 {
		last := &picks[n-1]
		if p.Index == last.Index+last.Len() && p.Form == last.Form && p.File == last.File &&
			identity(p.From) == identity(last.From) {
			last.Count = last.Len() + p.Len()
			return picks
		}
	}
	return append(picks, p)
}

// identity returns a value that is the same for the same assets, and can be compared.
func identity(from model.Payloads) any {
	switch list, isList := from.(model.PayloadList); {
	case isList && len(list) > 0:
		return &list[0]
	case !reflect.TypeOf(from).Comparable():
		return new(byte) // no other is the same
	}
	return from
}

// CountPicks returns the number of assets of a list of picks.
func CountPicks(picks []Pick) int {
	n := 0
	for i := range picks {
		n += picks[i].Len()
	}
	return n
}

// Plan is the list of files that an export is going to write.
type Plan struct {
	items    items
	picks    []Pick
	folder   Folder
	opts     Options
	paths    *pathSet
	payloads []*model.Payload           // of the items, if known
	names    map[string]map[string]bool // of folders that were read: the names in them, folded
	kinds    kinds
	guard    guard
	same     map[int]string // Item.Same, of the items that have one
	shared   map[sharedFile]string

	unopened  bool  // no asset is opened for the files that its form needs
	unwritten *Plan // of the assets that are not written, as they are listed
}

// sharedFile is a file that several assets of a document need, in a folder.
type sharedFile struct {
	from           any    // the identity of the assets
	folder, shared string // shared is its entry of Form.Shared
}

// NewPlan gives every asset its name in the folder. It writes nothing. The picks become the plan's.
func NewPlan(ctx context.Context, folder Folder, picks []Pick, opts Options) (*Plan, error) {
	p := newPlan(folder, picks, opts)
	p.items.reserve(CountPicks(picks))
	m := meter{report: opts.Progress, now: Progress{Planning: true, Items: CountPicks(picks)}}
	err := p.eachBatch(ctx, func(drafts []draft) {
		for i := range drafts {
			p.items.add(p.assignPath(&drafts[i]), drafts[i].pick)
			if drafts[i].file == 0 {
				m.finishItem()
			}
		}
	})
	if err != nil {
		return nil, err
	}
	p.items.seal()
	return p, nil
}

// newPlan makes a plan without items.
func newPlan(folder Folder, picks []Pick, opts Options) *Plan {
	if opts.Names.text == "" {
		opts.Names, _ = ParseTemplate(Keep)
	}
	return &Plan{picks: picks, folder: folder, opts: opts, paths: newPathSet(CountPicks(picks))}
}

// PlanOne plans one asset of a list by itself: the name that it gets if no other has it. The asset is not opened.
func PlanOne(pick Pick, number int, opts Options) Item {
	p := newPlan(DiscardFolder{}, []Pick{pick}, opts)
	p.unopened = true
	return *p.assignPath(&p.appendDrafts(context.Background(), nil, 0, pick.Index, pick.From.At(pick.Index), number)[0])
}

// Len returns the number of items, which are in the order of the picks.
func (p *Plan) Len() int { return p.items.len() }

// Item returns the i-th item.
func (p *Plan) Item(i int) Item {
	item := p.items.itemAt(i, p.picks)
	if item.Same = p.same[i]; item.isRepeat {
		item.Same = item.Target
	}
	return item
}

// assignPath sets the path of a draft and returns its item. The path is free in the plan and, with the rule Number, in
// the folder, or has the unchanged file of an earlier export; or it is that of a shared file, which another item
// writes.
func (p *Plan) assignPath(d *draft) *Item {
	if d.Problem != "" {
		return &d.Item
	}
	if d.shared != "" {
		file := sharedFile{identity(d.From), path.Dir(d.safe), d.shared}
		if shared, ok := p.shared[file]; ok {
			d.Target, d.isRepeat = shared, true
			return &d.Item
		}
		defer func() {
			if p.shared == nil {
				p.shared = make(map[sharedFile]string)
			}
			p.shared[file] = d.Target
		}()
	}
	target, free := p.paths.try(d.safe)
	if !free {
		target = p.paths.reserve(distinctPath(d))
	}
	exists := p.exists(target)
	if exists && p.opts.Conflict == Number {
		for wanted := target; exists && !p.isUnchangedOwn(target); exists = p.exists(target) {
			target = p.paths.reserve(wanted)
		}
	}
	d.Exists, d.isOwnFile = exists, exists && p.isUnchangedOwn(target)
	d.Target, d.Wanted, d.Renamed = target, d.templatePath, target != d.templatePath
	return &d.Item
}

// listedName returns the name of an asset that is not written, in its first form, for a list of all assets. It must be
// called in the order of the assets.
func (p *Plan) listedName(item *Item) string {
	if p.unwritten == nil {
		p.unwritten = newPlan(DiscardFolder{}, nil, Options{Names: p.opts.Names})
		p.unwritten.unopened = true
	}
	u := p.unwritten
	u.picks = []Pick{{From: item.From, File: item.File}}
	d := u.appendDrafts(context.Background(), nil, 0, item.Index, item.From.At(item.Index), item.Index+1)[0]
	return cmp.Or(u.assignPath(&d).Target, item.Name)
}

// distinctPath returns a name for an item whose name is taken: a file converted from a file keeps its extension
// (demo.scene.glb beside demo.glb), one made of an object gets its path in the file (meshes-boy.glb). Files that are
// written as they are get numbers.
func distinctPath(d *draft) string {
	switch {
	case d.Form == rawForm:
		return d.safe
	case d.shared != "":
		return d.ownPath
	}
	a := d.From.At(d.Index)
	form, _ := formOf(a, d.Form)
	if form.IsRaw() {
		return d.safe
	}
	dir, _ := path.Split(d.safe)
	switch {
	case form.FromContent:
		return dir + SafeName(path.Base(SafePath(a.Name))+d.ext)
	case a.Node != nil && a.Node.Parent != nil:
		nodePath := a.Node.NamePath()
		if strings.Contains(nodePath, "~") { // ambiguous names, or names with a slash, do not help
			nodePath = a.Node.PathText()
		}
		return dir + SafeName(strings.ReplaceAll(strings.Trim(nodePath, "/"), "/", "-")+d.ext)
	}
	return d.safe
}

// exists checks the folder itself. If that fails, the error is left to the writing.
func (p *Plan) exists(name string) bool {
	if p.isAbsent(name) {
		return false
	}
	_, err := p.folder.Stat(name)
	return err == nil
}

// Stamp identifies the state of a written file.
type Stamp struct {
	size     int64
	modified time.Time
}

func stampOf(info fs.FileInfo) Stamp { return Stamp{info.Size(), info.ModTime()} }

// isUnchangedOwn reports whether an earlier export wrote a file that has not been changed.
func (p *Plan) isUnchangedOwn(name string) bool {
	stamp, ok := p.opts.Own[name]
	if !ok {
		return false
	}
	info, err := p.folder.Stat(name)
	return err == nil && info.Mode().IsRegular() && stampOf(info) == stamp
}

// namer is a Folder that lists the names in one of its folders.
type namer interface {
	Names(folder string) ([]string, error)
}

// isAbsent reports whether no file of a folder has that name, in any case. It reads the names of a folder once.
func (p *Plan) isAbsent(name string) bool {
	f, ok := p.folder.(namer)
	if !ok {
		return false
	}
	dir := path.Dir(name)
	names, known := p.names[dir]
	if !known {
		all, err := f.Names(dir)
		if err == nil || errors.Is(err, fs.ErrNotExist) {
			names = make(map[string]bool, len(all))
			for _, n := range all {
				names[model.FoldName(n)] = true
			}
		}
		if p.names == nil {
			p.names = make(map[string]map[string]bool)
		}
		p.names[dir] = names
	}
	return names != nil && (len(names) == 0 || !names[model.FoldName(path.Base(name))])
}

// nextFree returns the next free number of a name, in the plan and in the folder.
func (p *Plan) nextFree(name string) string {
	for {
		if q := p.paths.reserve(name); !p.exists(q) {
			return q
		}
	}
}

// Counts returns the number of the files that the plan writes, and the sum of their recorded sizes.
func (p *Plan) Counts() (files int, bytes int64) {
	for i := range p.Len() {
		k := &p.items.items[i]
		skipped := p.same[i] != "" || k.flags&flagRepeat != 0 ||
			k.flags&(flagExists|flagOwnFile) == flagExists && p.opts.Conflict == Skip
		if k.flags&flagHasTarget != 0 && !skipped {
			files++
			bytes += max(k.size, 0)
		}
	}
	return files, bytes
}

func withoutPath(err error) string {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err.Error()
	}
	return err.Error()
}

// Excess is the size of an export that is out of all proportion to its stored bytes: assets that share their stored
// bytes with many others, or that expand without an end.
type Excess struct {
	Assets int
	Bytes  int64 // that they take as files, or that were written when it was noticed
	Stored int64 // that they take in the files that they come from
}

// Error returns the message for the user.
func (e Excess) Error() string {
	return fmt.Sprintf("exporting %s would write at least %s, %s times the %s stored. The assets share "+
		"stored bytes or are a decompression bomb", model.Count(e.Assets, "asset"), humanize.Bytes(uint64(e.Bytes)),
		model.FormatCount(e.Bytes/max(1, e.Stored)), humanize.Bytes(uint64(e.Stored)))
}

// FindExcess reports whether the assets of picks, which take a number of bytes as files, are an Excess.
func FindExcess(ctx context.Context, picks []Pick, bytes int64) (Excess, bool, error) {
	if bytes <= model.MinExcess {
		return Excess{}, false, nil
	}
	stored, err := storedBytes(ctx, picks)
	return Excess{CountPicks(picks), bytes, stored}, err == nil && bytes/model.ExcessTimes > stored, err
}

// Excess reports whether the files of the plan are an Excess, as far as their sizes are recorded.
func (p *Plan) Excess(ctx context.Context) (Excess, bool, error) {
	_, bytes := p.Counts()
	return FindExcess(ctx, p.picks, bytes)
}

// Allow permits an Excess.
func (p *Plan) Allow() { p.guard.allowed.Store(true) }

// guard stops an export that becomes an Excess, unless the user allows it.
type guard struct {
	bytes      atomic.Int64 // that were read so far, of all assets
	allowed    atomic.Bool
	mu         sync.Mutex
	excessFrom int64 // bytes that are no Excess; 0 until computed
	excess     *Excess
}

// spendBytes counts bytes that are read of assets, and returns an error if they are too many.
func (p *Plan) spendBytes(ctx context.Context, n int64) error {
	g := &p.guard
	bytes := g.bytes.Add(n)
	if bytes <= model.MinExcess || g.allowed.Load() {
		return nil
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	switch {
	case g.excess != nil:
		return *g.excess
	case bytes <= g.excessFrom || g.allowed.Load():
		return nil
	}
	x, ok, err := FindExcess(ctx, p.picks, bytes)
	switch {
	case err != nil:
		return err
	case !ok:
		g.excessFrom = max(bytes, model.ExcessTimes*x.Stored)
		return nil
	case p.opts.Excess != nil && p.opts.Excess(ctx, x):
		g.allowed.Store(true)
		return nil
	}
	g.excess = &x
	return x
}

// storedBytes returns the number of stored bytes of assets; bytes that several share count once.
func storedBytes(ctx context.Context, picks []Pick) (total int64, err error) {
	for _, group := range bySource(picks) {
		var spans []model.Span
		for i := range group {
			from := group[i].Index
			to := from + group[i].Len()
			err := model.DescribeEach(ctx, group[i].From, from, to, func(_ int, a *model.Payload) bool {
				if a.Stored.Size == 0 && a.Codec == "" { // it comes from elsewhere
					total += max(0, a.Size)
				}
				spans = append(spans, a.Stored)
				return ctx.Err() == nil
			})
			if err != nil {
				return 0, err
			}
		}
		total += coveredSize(spans)
	}
	return total, ctx.Err()
}

// bySource groups picks that have the same Payloads.
func bySource(picks []Pick) (all [][]Pick) {
	indexes := map[any]int{}
	for _, p := range picks {
		k, ok := indexes[identity(p.From)]
		if !ok {
			k, all = len(all), append(all, nil)
			indexes[identity(p.From)] = k
		}
		all[k] = append(all[k], p)
	}
	return all
}

// coveredSize returns the number of bytes in any of some spans.
func coveredSize(spans []model.Span) (total int64) {
	slices.SortFunc(spans, func(a, b model.Span) int { return cmp.Compare(a.Offset, b.Offset) })
	var end int64
	for _, s := range spans {
		if s.End() > end {
			total += s.End() - max(end, s.Offset)
			end = s.End()
		}
	}
	return total
}
