package export

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"assay/model"
)

// Rule says what happens where a file of that name is in the folder already.
type Rule uint8

// The rules. Ask leaves it to Options.Ask.
const (
	Number Rule = iota
	Skip
	Overwrite
	Ask
)

var ruleNames = []string{"number", "skip", "overwrite", "ask"}

// String is the rule's name.
func (r Rule) String() string { return ruleNames[r] }

// ParseRule returns the rule of that name.
func ParseRule(name string) (Rule, error) {
	for i, n := range ruleNames {
		if n == name {
			return Rule(i), nil
		}
	}
	return 0, fmt.Errorf("there is no rule %q for names that are taken; there are %s", name,
		strings.Join(ruleNames, ", "))
}

// DefaultLimit is where the expansion of an asset stops if its size is not recorded.
const DefaultLimit = 4 << 30

// Answer is what a person says to a name that is taken: a rule for this one, or for all that follow.
type Answer struct {
	Rule Rule
	All  bool
}

// Options are how an export goes.
type Options struct {
	Names    Template // the zero Template is Keep
	Conflict Rule
	// Ask answers for one item when Conflict is Ask; calls do not overlap. Nil means Skip. Answering Ask means Skip.
	Ask func(ctx context.Context, item Item) Answer
	// Limit is the most bytes that a compressed asset may expand to. 0 means its declared size or, without one,
	// DefaultLimit.
	Limit    int64
	Usual    bool // an asset without a form gets the one that people take it in, not its first
	Once     bool // a file that only gets a number is not written if it is the same as the one that has its name
	Workers  int  // how many assets at a time; 0 means one for each processor
	Sums     bool // compute the SHA-256 of every file
	NoSync   bool // do not wait until the disk has everything
	Progress func(Progress)
}

// Pick is an asset that is to leave its file.
type Pick struct {
	From  model.Payloads
	Index int
	Form  string // empty means its first form
	File  string // name of the file that it comes from
}

// Item is what a plan says about one file.
type Item struct {
	*Pick // with its form
	*Kind
	Key, Name string // the asset's own
	Target    string // where it is going to be, relative to the folder, with forward slashes; empty if nowhere
	Size      int64  // bytes that are expected; -1 if unknown
	Renamed   bool   // Target is not the name that the template gave
	Exists    bool   // a file of that name is in the folder, and the rule is not Number

	file, files uint8 // which of the files of its form, if that has several
}

// Kind is what an item has in common with most others of a plan.
type Kind struct {
	MediaType string // empty for assets that are described in bulk
	Forms     []string
	Problem   string // why it goes nowhere
}

// Plan is what an export is going to write.
type Plan struct {
	Items  []Item
	folder Folder
	opts   Options
	taken  *taken
	held   []*model.Payload           // of the items, where they are at hand
	names  map[string]map[string]bool // of folders that were looked at: the names in them, folded
	kinds  map[string]*Kind           // of items that are written as they are, by media type
}

// NewPlan returns every asset its name in the folder. It writes nothing. The picks become the plan's: it fills in their
// forms.
func NewPlan(ctx context.Context, folder Folder, picks []Pick, opts Options) (*Plan, error) {
	if opts.Names.text == "" {
		opts.Names, _ = ParseTemplate(Keep)
	}
	p := &Plan{Items: make([]Item, 0, len(picks)), folder: folder, opts: opts, taken: newTaken(len(picks))}
	m := meter{tell: opts.Progress, now: Progress{Planning: true, Items: len(picks)}}
	if err := p.addEach(ctx, picks, func(int) { m.ended() }); err != nil {
		return nil, err
	}
	return p, nil
}

// addEach plans assets, and calls done after each with their number so far. Assets of one file that follow each other
// are described in bulk where the file can do that; their items have no media types then.
func (p *Plan) addEach(ctx context.Context, picks []Pick, done func(n int)) error {
	next := 0
	one := func(a *model.Payload) {
		p.add(&picks[next], a, next+1)
		next++
		done(next)
	}
	for next < len(picks) {
		first, to := picks[next], next+1
		all, bulk := first.From.(model.Describer)
		for bulk && to < len(picks) && picks[to].From == first.From && picks[to].Index == first.Index+to-next {
			to++
		}
		var err error
		if bulk && to-next >= bulkLeast {
			err = all.DescribeEach(ctx, first.Index, first.Index+to-next, func(_ int, a *model.Payload) bool {
				one(a)
				return ctx.Err() == nil
			})
		}
		for err == nil && next < to && ctx.Err() == nil {
			one(picks[next].From.At(picks[next].Index))
		}
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// bulkLeast is how many assets must follow each other to be described in bulk.
const bulkLeast = 64

// PlanOne plans one asset of a list by itself: the names that it gets if no other has them.
func PlanOne(pick Pick, number int, opts Options) Item {
	p, _ := NewPlan(context.Background(), Nowhere{}, nil, opts) // there is nothing that could fail
	p.add(&pick, pick.From.At(pick.Index), number)
	return p.Items[0]
}

// add plans an asset: one item, or one for each file of its form.
func (p *Plan) add(pick *Pick, a *model.Payload, number int) {
	if p.opts.Usual && pick.Form == "" {
		pick.Form = usual(a)
	}
	item := Item{Pick: pick, Key: a.Key, Name: a.Name, Size: a.Size}
	kind := Kind{MediaType: a.MediaType, Forms: FormNames(a)}
	form, ok := formOf(a, pick.Form)
	if !ok {
		item.Size = 0
		kind.Problem = fmt.Sprintf("it cannot be written as %s, only as %s", pick.Form, strings.Join(kind.Forms, ", "))
		item.Kind = p.kind(kind)
		p.Items = append(p.Items, item)
		return
	}
	pick.Form = form.Name
	switch {
	case !form.Own():
		kind.MediaType, item.Size = form.MediaType, -1
	case a.Problem != "":
		kind.MediaType, item.Size = "", a.Stored.Size
	}
	item.Kind = p.kind(kind)
	if form.WriteFiles == nil {
		p.name(&item, p.opts.Names.Name(a, form, number, pick.File))
		p.Items = append(p.Items, item)
		return
	}
	item.files = uint8(len(form.Extensions))
	for i, ext := range form.Extensions {
		form.Extension, item.file = ext, uint8(i)
		p.name(&item, p.opts.Names.Name(a, form, number, pick.File))
		p.Items = append(p.Items, item)
		kind.MediaType = "" // the first file's
		item.Kind = p.kind(kind)
	}
}

// kindsMost is how many media types are remembered.
const kindsMost = 256

// kind returns one Kind for all items that have only their own bytes and a media type.
func (p *Plan) kind(k Kind) *Kind {
	own := k.Problem == "" && len(k.Forms) == 1 && &k.Forms[0] == &onlyRaw[0]
	if known := p.kinds[k.MediaType]; own && known != nil {
		return known
	}
	made := new(Kind)
	*made = k
	if own && len(p.kinds) < kindsMost {
		if p.kinds == nil {
			p.kinds = make(map[string]*Kind)
		}
		p.kinds[k.MediaType] = made
	}
	return made
}

// name returns an item its place in the folder.
func (p *Plan) name(item *Item, wanted string) {
	item.Exists = false
	target := p.taken.take(SafePath(wanted))
	if p.exists(target) {
		if p.opts.Conflict == Number {
			target = p.next(target)
		} else {
			item.Exists = true
		}
	}
	item.Target, item.Renamed = target, target != wanted
	if target == item.Name {
		item.Target = item.Name // one text in memory
	}
}

// exists looks at the folder itself. What cannot be looked at is left for the writing to fail on.
func (p *Plan) exists(name string) bool {
	if p.absent(name) {
		return false
	}
	_, err := p.folder.Stat(name)
	return err == nil
}

// namer is a Folder that lists the names in one of its folders.
type namer interface {
	Names(folder string) ([]string, error)
}

// absent reports whether a folder, whose names are read once, has nothing of that name, in whatever case.
func (p *Plan) absent(name string) bool {
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
				names[fold(n)] = true
			}
		}
		if p.names == nil {
			p.names = make(map[string]map[string]bool)
		}
		p.names[dir] = names
	}
	return names != nil && !names[fold(path.Base(name))]
}

// next returns the next free number of a name, in the plan and in the folder.
func (p *Plan) next(name string) string {
	for {
		if q := p.taken.take(name); !p.exists(q) {
			return q
		}
	}
}

// Counts tells how many of the plan's assets get a file, and the bytes that are expected of those that say so.
func (p *Plan) Counts() (files int, bytes int64) {
	for i := range p.Items {
		if p.Items[i].Target != "" {
			files++
			bytes += max(p.Items[i].Size, 0)
		}
	}
	return files, bytes
}

// plain is an error without the paths of this machine.
func plain(err error) string {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err.Error()
	}
	return err.Error()
}
