package export

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path"
	"runtime"
	"slices"
	"sync"
	"syscall"

	"assay/model"
)

// run is an export that is going on.
type run struct {
	*Plan
	ctx    context.Context
	report *Report
	meter  meter

	targets map[int]string // of items, where they get another target than they have in the plan

	inputs []fs.FileInfo // the files that are read, and links to them

	mu           sync.Mutex // guards writtenPaths, and the names that are assigned while it runs
	writtenPaths []string
	askMu        sync.Mutex // for one question at a time; guards ruleForAll
	ruleForAll   Rule       // the user's answer for all; Ask until then
}

// Run carries out the plan. It always returns a report, with one row for each item: after a cancellation, the rows that
// were not written have that as their problem. A plan runs once.
func (p *Plan) Run(ctx context.Context) *Report {
	r := &run{Plan: p, ctx: ctx, report: newReport(p), ruleForAll: p.opts.Conflict}
	for _, path := range p.opts.Inputs {
		for _, stat := range []func(string) (fs.FileInfo, error){os.Stat, os.Lstat} {
			if info, err := stat(path); err == nil {
				r.inputs = append(r.inputs, info)
			}
		}
	}
	_, bytes := p.Counts()
	r.meter = meter{report: p.opts.Progress, now: Progress{Items: p.Len(), Bytes: bytes}}
	r.writeAll(r.decideNames())
	r.sync()
	r.report.Canceled = slices.Contains(r.report.rows, canceled)
	r.report.count()
	r.meter.finish()
	return r.report
}

// Write streams the i-th item of the plan into w, for callers that choose the path themselves. The row has the problems
// of the content; an error means that it is not complete.
func (p *Plan) Write(ctx context.Context, i int, w io.Writer) (Row, error) {
	item := p.Item(i)
	row := Row{Item: item}
	r := &run{Plan: p, ctx: ctx}
	if _, err := r.copyContent(item.From.At(item.Index), i, w, &row, false); err != nil {
		return row.notWritten(Failed, reason(err)), err
	}
	row.Outcome, row.Path = Exported, item.Target
	return row, nil
}

// decideNames returns the rule for each item whose name exists, after it has asked the user. Questions come first, so
// that the rest runs unattended and every name is final before the first write.
func (r *run) decideNames() []Rule {
	rules := make([]Rule, r.Len())
	r.targets = make(map[int]string)
	r.same = make(map[int]string)
	for i := range r.Len() {
		item := r.Item(i)
		switch {
		case !item.Exists:
		case item.isOwnFile:
			rules[i] = Overwrite
		case r.ruleForAll == Ask && r.existsSame(i):
			r.same[i] = item.Target
		default:
			if rules[i] = r.ruleFor(item); rules[i] == Number {
				r.targets[i] = r.nextFree(item.Target)
			}
		}
	}
	return rules
}

// writeAll writes all items, several at once, until the context ends.
func (r *run) writeAll(rules []Rule) {
	workers := r.opts.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	next := make(chan int)
	var wait sync.WaitGroup
	first, after := r.writeQueues()
	for range min(workers, len(first)) {
		wait.Go(func() {
			for i := range next {
				r.writeInOrder(append([]int{i}, after[i]...), rules)
			}
		})
	}
	for k, i := range first {
		if r.ctx.Err() != nil {
			r.cancel(first[k:], after)
			break
		}
		next <- i
	}
	close(next)
	wait.Wait()
}

// sync waits until the written files are safe on the disk, unless Options.NoSync is set.
func (r *run) sync() {
	if r.opts.NoSync || len(r.writtenPaths) == 0 {
		return
	}
	if err := r.folder.Sync(r.writtenPaths); errors.Is(err, errMoved) {
		r.report.Problem = errMoved.Error()
	} else if err != nil {
		r.report.Problem = "the files were written but may not be safe on the disk yet: " + withoutPath(err)
	}
}

// cancel sets the rows of items, which have not begun, and of the items after each.
func (r *run) cancel(items []int, after map[int][]int) {
	for _, i := range items {
		r.report.rows[i] = canceled
		for _, k := range after[i] {
			r.report.rows[k] = canceled
		}
	}
}

// writeInOrder writes items one after the other.
func (r *run) writeInOrder(items []int, rules []Rule) {
	var earlier []writtenFile
	for _, i := range items {
		row, sum := r.writeItem(i, rules[i], len(items) > 1, earlier)
		r.report.rows[i] = row.Result
		if row.Outcome == Exported && sum != nil {
			earlier = append(earlier, writtenFile{row.Path, row.Bytes, sum})
		}
		r.meter.finishItem()
	}
}

// ruleFor returns the rule for a name that is taken.
func (r *run) ruleFor(item Item) Rule {
	r.askMu.Lock()
	defer r.askMu.Unlock()
	if r.ruleForAll != Ask {
		return r.ruleForAll
	}
	if r.opts.Ask == nil || r.ctx.Err() != nil {
		return Skip
	}
	a := r.opts.Ask(r.ctx, item)
	if a.Rule == Ask {
		a.Rule = Skip
	}
	if a.All {
		r.ruleForAll = a.Rule
	}
	return a.Rule
}

// writeItem writes the i-th item. rule is the policy if its name exists. shared reports whether its queue has other
// items; earlier are the files that the queue has written. If it computes the SHA-256 of the content, it returns it.
func (r *run) writeItem(i int, rule Rule, shared bool, earlier []writtenFile) (row Row, sum []byte) {
	target := r.target(i)
	row = Row{Item: r.Item(i)}
	item := &row.Item
	switch {
	case r.ctx.Err() != nil:
		return Row{row.Item, canceled}, nil
	case item.Target == "":
		return row.notWritten(Skipped, item.Problem), nil
	case item.Same != "":
		return row.skippedSame(item.Same), nil
	case item.Exists && rule == Skip && r.existsSame(i):
		return row.skippedSame(target), nil
	case item.Exists && rule == Skip:
		return row.notWritten(Skipped, nameExists), nil
	}
	r.meter.startItem(item.Name)
	if err := r.folder.MkdirAll(path.Dir(target)); err != nil {
		return row.notWritten(Failed, "cannot create its folder: "+reason(err)), nil
	}
	file, err := r.folder.Create(path.Dir(target))
	if err != nil {
		return row.notWritten(Failed, "it cannot be written: "+reason(err)), nil
	}
	defer file.Discard()
	a := r.payload(i)
	once := r.opts.Once && (shared || item.mayRepeat())
	sum, err = r.copyContent(a, i, file, &row, once)
	if err != nil {
		if r.ctx.Err() != nil {
			return Row{row.Item, canceled}, nil
		}
		return row.notWritten(Failed, reason(err)), nil
	}
	if once {
		if same := r.twin(item, target, row.Bytes, sum, earlier); same != "" {
			return row.skippedSame(same), nil
		}
	}
	if t := a.ModTime; !t.IsZero() && t.Year() > 1901 && t.Year() < 2262 {
		if err := file.SetTime(t); err != nil {
			row.addProblem("cannot set its modification time: " + withoutPath(err))
		}
	}
	if row = r.nameFile(row, file, target, rule); row.Outcome != Exported {
		return row, nil
	}
	return row, sum
}

// nameFile gives the complete file of an item its name, and returns the row of the report.
func (r *run) nameFile(row Row, file File, target string, rule Rule) Row {
	target, replaced, err := r.publish(file, target, &row.Item, rule)
	switch {
	case errors.Is(err, errInput):
		return row.notWritten(Failed, err.Error())
	case err != nil:
		return row.notWritten(Failed, "cannot rename the finished file: "+reason(err))
	case target == "":
		return row.notWritten(Skipped, nameExists)
	}
	row.Outcome, row.Path, row.replacedFile = Exported, target, replaced
	row.hasOtherName = row.Item.Renamed || target != row.Target
	r.mu.Lock()
	r.writtenPaths = append(r.writtenPaths, target)
	r.mu.Unlock()
	return row
}

// nameExists is the reason of a file that was skipped because of its name.
const nameExists = "a file with this name already exists"

// existsSame reports whether the file with the name of the i-th item has its content. It compares them only with
// Options.Once.
func (r *run) existsSame(i int) bool {
	row := Row{Item: r.Item(i)}
	if !r.opts.Once || row.isOneOfSeveral {
		return false
	}
	info, err := r.folder.Stat(row.Target)
	if err != nil || !info.Mode().IsRegular() || row.Size >= 0 && row.Size != info.Size() {
		return false
	}
	sum, err := r.copyContent(r.payload(i), i, io.Discard, &row, true)
	return err == nil && r.hasContent(row.Target, row.Bytes, sum)
}

func (p *Plan) payload(i int) *model.Payload {
	if p.payloads != nil {
		return p.payloads[i]
	}
	item := p.Item(i)
	return item.From.At(item.Index)
}

// target returns the path at which an item is to be written: the planned one, or the numbered one if the name existed
// before the run. publish changes it if the name has been taken meanwhile.
func (r *run) target(i int) string {
	if other, ok := r.targets[i]; ok {
		return other
	}
	return r.Item(i).Target
}

// publish gives the complete file its name, or the next one where others have taken it since the plan. An empty name
// means that the file is not wanted then.
func (r *run) publish(file File, target string, item *Item, rule Rule) (name string, replaced bool, err error) {
	replace := item.Exists && rule == Overwrite
	if !item.Exists {
		rule = r.opts.Conflict
	}
	for {
		if replace && r.isInput(target) {
			return "", false, errInput
		}
		err := file.Publish(target, replace)
		if !errors.Is(err, fs.ErrExist) || replace {
			return target, replace, err
		}
		if rule == Ask {
			rule = r.ruleFor(*item)
		}
		switch rule {
		case Skip:
			return "", false, nil
		case Overwrite:
			replace = true
		default:
			target = r.freeName(target)
		}
	}
}

// errInput is the failure of an item whose file would replace an input.
var errInput = errors.New("the existing file is one of the inputs; choose another folder or other names")

func (r *run) isInput(name string) bool {
	existing, err := r.folder.Stat(name)
	same := func(input fs.FileInfo) bool { return os.SameFile(input, existing) }
	return err == nil && slices.ContainsFunc(r.inputs, same)
}

func (r *run) freeName(target string) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.nextFree(target)
}

// copyContent streams the asset into the file and fills in its row. It returns the SHA-256 if needsSum or Options.Sums
// is set.
func (r *run) copyContent(a *model.Payload, i int, file io.Writer, row *Row, needsSum bool) ([]byte, error) {
	form, _ := formOf(a, row.Form)
	if form.Files != nil {
		var err error
		if form, err = form.Files(r.ctx); err != nil {
			return nil, err
		}
	}
	if form.WriteFiles != nil {
		form.Write = r.fileOf(form, i)
	}
	limit := limitOf(a, form, r.opts.Limit)
	var sum hash.Hash
	if r.opts.Sums || needsSum {
		sum = sha256.New()
	}
	out := newSink(r.ctx, file, sum, limit, r.meter.addWritten)
	out.spend = r.spendBytes
	verdict, why, err := writeContent(r.ctx, a, form, out)
	var loss model.Loss
	if errors.As(err, &loss) {
		err = nil
	}
	err = out.finish(err)
	if errors.Is(err, errTooLong) {
		return nil, fmt.Errorf("stopped after %d bytes: it expands to more than the limit", limit)
	}
	if err != nil {
		return nil, err
	}
	row.Bytes = out.n
	if r.opts.Sums {
		row.SHA256 = hex.EncodeToString(sum.Sum(nil))
	}
	row.Verdict = verdict
	row.addProblem(a.Problem)
	for _, part := range loss {
		row.addProblem(part)
	}
	switch verdict {
	case model.Invalid:
		row.addProblem(cmp.Or(why, "its content differs from its recorded checksum"))
	case model.Unknown:
		row.addProblem(cmp.Or(why, "its recorded checksum cannot be checked"))
	}
	if form.IsRaw() && a.Problem == "" && a.Size >= 0 && out.n < a.Size {
		row.addProblem(fmt.Sprintf("it has %d bytes, but %d are recorded", out.n, a.Size))
	}
	if sum == nil {
		return nil, nil
	}
	return sum.Sum(nil), nil
}

// fileOf returns the func that writes one of the files of a form.
func (r *run) fileOf(form model.Form, i int) func(context.Context, io.Writer) error {
	item := r.Item(i)
	names, first := make([]string, len(form.Extensions)), i-int(item.file)
	for k := range names {
		names[k] = path.Base(r.target(first + k))
	}
	return func(ctx context.Context, w io.Writer) error { return form.WriteFiles(ctx, w, int(item.file), names) }
}

// writeContent writes the asset into out and returns the verdict on its checksum.
func writeContent(ctx context.Context, a *model.Payload, form model.Form, out *sink) (model.Verdict, string, error) {
	if form.Write != nil {
		lost := form.Write(ctx, out)
		if _, ok := errors.AsType[model.Loss](lost); lost != nil && !ok {
			return 0, "", lost
		}
		verdict, why, err := a.Check(ctx)
		if err == nil {
			err = lost
		}
		return verdict, why, err
	}
	content, err := a.Open(ctx)
	if err != nil {
		return 0, "", err
	}
	defer content.Close()
	if _, err := out.ReadFrom(content); err != nil {
		return 0, "", err
	}
	if c, ok := content.(model.Checked); ok {
		v, why := c.Verdict()
		return v, why, nil
	}
	if a.Verify != nil {
		return a.Verify(ctx)
	}
	return model.Unrecorded, "", nil
}

// limitOf returns the maximum number of bytes of an asset, or -1 for content that ends by itself: in other forms, with
// a Problem, or uncompressed and of unrecorded size.
func limitOf(a *model.Payload, form model.Form, limit int64) int64 {
	switch {
	case !form.IsRaw() || a.Problem != "" || a.Codec == "" && a.Size < 0:
		return -1
	case a.Codec == "":
		return a.Size
	case a.Size >= 0 && limit > 0:
		return min(a.Size, limit)
	case a.Size >= 0:
		return a.Size
	case limit > 0:
		return limit
	}
	return model.ExpandLimit
}

func reason(err error) string {
	switch {
	case errors.Is(err, syscall.ENOSPC):
		return "the disk is full"
	case errors.Is(err, fs.ErrPermission):
		return "permission denied"
	}
	return withoutPath(err)
}
