package cli

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/dustin/go-humanize/english"
	"golang.org/x/sync/errgroup"

	"assay/model"
	"assay/model/export"
)

type extractCommand struct {
	resourcesFlag
	formatFlag
	Files []string `arg:"" name:"file" help:"Files, or folders with --recursive. Of several packages, later ones override earlier ones."`
	ExtractOptions
}

// ExtractOptions are the flags of extract.
type ExtractOptions struct {
	Recursive bool     `short:"r" help:"Include recognized files in folders."`
	Folder    string   `name:"output" short:"o" placeholder:"DIR" help:"Output folder, created if missing. Default: the current folder."`
	List      bool     `help:"List the files without writing them."`
	JSON      bool     `name:"json" help:"Print the report as JSON."`
	Form      string   `name:"as" predictor:"form" placeholder:"FORM" help:"Export format, such as raw, json, png, glb, obj, or csv (see --list). Default: the first format of each asset."`
	Only      []string `sep:"none" predictor:"path" placeholder:"FILTER" help:"Export only matching assets: a key, name, path (/...), or filter such as '*.png size > 1 MB' (see assay help filters). Can be repeated."`
	Names     string   `placeholder:"TEMPLATE" help:"Names of the files: {dir} {name} {ext} {key} {type} {index} {file}. Default: {dir}{name}{ext}, for several files {file}/{dir}{name}{ext}."`
	Conflict  string   `enum:"number,skip,overwrite," default:"" placeholder:"number" help:"If a file already exists: number, skip, or overwrite. Default: number."`
	Preset    string   `predictor:"preset" placeholder:"NAME" help:"Use an export preset saved in the window. Other flags override it."`
	AnySize   bool     `help:"Allow assets that expand to more than 1 GiB and more than 100 times their stored size (possible decompression bombs)."`
	Limit     byteSize `placeholder:"SIZE" help:"Maximum expanded size of an asset, such as 64MB or 1GiB. Default: 4GiB."`
}

func (c *extractCommand) Run(s *session) error {
	if err := cmp.Or(c.formatFlag.apply(s), c.resourcesFlag.apply(s)); err != nil {
		return err
	}
	s.useAssignments()
	s.status = s.runner.Extract(s.ctx, c.Files, c.ExtractOptions)
	return nil
}

// options returns the options of an export. If o.Folder is empty, it is set to the preset's folder, else to the current
// one.
func (o *ExtractOptions) options() (e export.Options, err error) {
	var p export.Preset
	if o.Preset != "" {
		saved, err := export.LoadPresets(export.PresetFile())
		if err != nil {
			return e, err
		}
		if p, err = saved.Find(o.Preset); err != nil {
			return e, err
		}
	}
	o.Folder = cmp.Or(o.Folder, p.Folder, ".")
	e = export.Options{Limit: int64(o.Limit), Forms: p.Forms, Prefer: p.Prefer, Sums: o.JSON}
	if e.Names, err = export.ParseTemplate(cmp.Or(o.Names, p.Names)); err != nil {
		return e, err
	}
	e.Conflict, err = export.ParseRule(cmp.Or(o.Conflict, p.Conflict, "number"))
	return e, err
}

// inputFiles holds the opened files of one extract command.
type inputFiles struct {
	documents []*model.Document
	paths     []string // paths of the files in the command line
	status    int
}

// Extract writes the assets of files into a folder. If files form a stack (Document.IsLayered) and are given together,
// an asset of a later file replaces assets with the same key in earlier ones.
func (r *Runner) Extract(ctx context.Context, files []string, o ExtractOptions) int {
	options, err := o.options()
	if err != nil {
		return r.reportError(err)
	}
	if o.Folder == Dash && !o.List {
		return r.reportError(errors.New("files cannot be written to the standard output; name a folder with -o, such as ./-"))
	}
	chooser, err := export.NewChooser(o.Only)
	if err != nil {
		return r.reportError(err)
	}
	inputs := r.openAll(ctx, files, o.Recursive)
	defer model.CloseDocuments(inputs.documents...)
	if len(inputs.documents) == 0 && inputs.status == ExitError {
		return ExitError
	}
	picks, err := r.pickAssets(ctx, inputs.documents, chooser, o.Form)
	if err == nil {
		err = checkForm(ctx, inputs.documents, o.Form)
	}
	if err != nil {
		return r.reportError(err)
	}
	for _, p := range chooser.UnusedTexts() {
		fmt.Fprintf(r.Err, "assay: no asset matches %s (use --list to list assets)\n",
			model.OneLine(p, 200))
		inputs.status = max(inputs.status, ExitProblems)
	}
	r.completeOptions(&options, inputs.documents, o)
	folder := export.OpenDirectory(o.Folder)
	defer folder.Close()
	write, err := r.selectWriter(ctx, folder, picks, options, o)
	if err != nil {
		return r.reportError(err)
	}
	var written, status int
	g, gctx := errgroup.WithContext(ctx)
	g.Go(func() error { return r.checkStructure(gctx, inputs) })
	g.Go(func() error { written, status = write(); return nil })
	if err := g.Wait(); err != nil && ctx.Err() == nil {
		return r.reportError(err)
	}
	if o.Form != "" && written == 0 && len(picks) > 0 {
		fmt.Fprintf(r.Err, "assay: no asset can be exported as %s (use --list for available formats)\n",
			model.OneLine(o.Form, 100))
		status = max(status, ExitProblems)
	}
	for i, d := range inputs.documents {
		status = max(status, r.checkUnchanged(d, inputs.paths[i]))
	}
	return max(inputs.status, status)
}

// completeOptions sets the options of an export that depend on the opened files, and whether assets of excessive size
// are exported.
func (r *Runner) completeOptions(options *export.Options, documents []*model.Document, o ExtractOptions) {
	if o.Names == "" {
		options.Names = options.Names.ForFiles(documents)
	}
	for _, d := range documents {
		options.Inputs = append(options.Inputs, d.Source.Path())
	}
	options.Excess = func(_ context.Context, x export.Excess) bool {
		if !o.AnySize {
			fmt.Fprintf(r.Err, "assay: %v. Use --any-size to export anyway, or --only to select assets\n", x)
		}
		return o.AnySize
	}
}

// selectWriter returns a func that lists the assets or writes them, and returns the number of files and the exit
// status.
func (r *Runner) selectWriter(ctx context.Context, folder *export.Directory, picks []export.Pick,
	options export.Options, o ExtractOptions) (write func() (files, status int), err error) {
	switch {
	case o.List && o.JSON:
		return func() (files, status int) { return r.listJSON(ctx, picks, options) }, nil
	case o.List:
		return func() (files, status int) { return r.listAssets(ctx, picks, options) }, nil
	}
	plan, err := r.preparePlan(ctx, folder, picks, options, &o)
	if err != nil {
		return nil, err
	}
	return func() (files, status int) { return r.runPlan(ctx, plan, o) }, nil
}

// preparePlan returns the plan of an export, and creates its folder if there is anything to write.
func (r *Runner) preparePlan(ctx context.Context, folder *export.Directory, picks []export.Pick,
	options export.Options, o *ExtractOptions) (*export.Plan, error) {
	if err := export.CheckFolder(o.Folder); err != nil {
		return nil, err
	}
	plan, err := export.NewPlan(ctx, folder, picks, options)
	if err == nil {
		err = checkExcess(ctx, plan, o.AnySize)
	}
	if err != nil {
		return nil, err
	}
	if files, _ := plan.Counts(); files > 0 {
		err = folder.Make()
	}
	return plan, err
}

// maxFormSearch is the maximum number of assets of a file that are searched for a form before any of them is written.
const maxFormSearch = 1 << 16

// checkForm returns an error with the possible forms if no asset of the files can be written in a form. It also returns
// the error of ctx.
func checkForm(ctx context.Context, documents []*model.Document, form string) error {
	known := make(map[string]bool)
	for _, d := range documents {
		if form == "" || d.Payloads == nil {
			continue
		}
		for i := range min(d.Payloads.Len(), maxFormSearch) {
			if err := ctx.Err(); err != nil {
				return err
			}
			for _, name := range export.FormNames(d.Payloads.At(i)) {
				if name == form {
					return nil
				}
				known[name] = true
			}
		}
		if d.Payloads.Len() > maxFormSearch {
			return nil // the others may have it
		}
	}
	if len(known) == 0 {
		return nil // nothing can be written at all
	}
	return fmt.Errorf("cannot export as %s; available: %s", model.OneLine(form, 100),
		english.OxfordWordSeries(slices.Sorted(maps.Keys(known)), "or"))
}

// openAll opens the files, and with recursive the recognized files in folders.
func (r *Runner) openAll(ctx context.Context, files []string, recursive bool) *inputFiles {
	inputs := new(inputFiles)
	for _, f := range files {
		for path, err := range filePaths(ctx, f, recursive) {
			var d *model.Document
			if err == nil {
				d, err = r.open(ctx, path, adviceRecursive)
			}
			switch {
			case err != nil:
				inputs.status = r.reportError(err)
			case recursive && d.Format == model.UnknownFormat:
				d.Source.Close() // unrecognized files in folders are skipped
			default:
				inputs.documents = append(inputs.documents, d)
				inputs.paths = append(inputs.paths, path)
			}
		}
	}
	return inputs
}

// pickAssets returns the assets to write, with the assets that they need.
func (r *Runner) pickAssets(ctx context.Context, documents []*model.Document, chooser *export.Chooser,
	form string) ([]export.Pick, error) {
	picks, err := r.pickChosen(ctx, documents, chooser, form)
	if err != nil {
		return nil, err
	}
	foundMore, err := chooser.Follow(ctx, documents)
	if err != nil || !foundMore {
		return picks, err
	}
	return r.pickChosen(ctx, documents, chooser, form)
}

// pickChosen returns the assets that the chooser selects.
func (r *Runner) pickChosen(ctx context.Context, documents []*model.Document, chooser *export.Chooser,
	form string) ([]export.Pick, error) {
	var layers []export.Layer
	isStack := len(documents) > 1
	for _, d := range documents {
		if err := d.FindPayloads(ctx); err != nil {
			return nil, err
		}
		if d.Payloads != nil {
			layers = append(layers, export.Layer{File: d.Source.Name(), Payloads: d.Payloads})
			isStack = isStack && d.IsLayered
		}
	}
	if isStack {
		picks, overridden, err := export.Effective(ctx, layers, chooser, form)
		if err == nil && overridden > 0 {
			fmt.Fprintf(r.Err, "assay: %s overridden by later files\n", model.PlainCount(overridden, "asset"))
		}
		return picks, err
	}
	all := make([][]export.Pick, len(layers))
	for i, l := range layers {
		all[i] = chooser.Choose(ctx, l.Payloads, l.File, form)
	}
	if len(all) == 1 { // avoid a copy: there may be a million
		return all[0], ctx.Err()
	}
	return slices.Concat(all...), ctx.Err()
}

// checkStructure checks the structure of the files, so that a damaged file is reported even if all its remaining assets
// are written.
func (r *Runner) checkStructure(ctx context.Context, inputs *inputFiles) error {
	for i, d := range inputs.documents {
		report, err := d.Check(ctx, nil)
		if err != nil {
			return err
		}
		if report.Bad() {
			inputs.status = max(inputs.status, ExitProblems)
			fmt.Fprintf(r.Err, "assay: %s has problems (run assay verify to list them)\n", displayPath(inputs.paths[i]))
		}
	}
	return nil
}

// runPlan executes a plan, prints the report, and returns the number of files and the status.
func (r *Runner) runPlan(ctx context.Context, plan *export.Plan, o ExtractOptions) (files, status int) {
	files, _ = plan.Counts()
	report := plan.Run(ctx)
	var err error
	if o.JSON {
		err = report.WriteJSON(r.Out)
		fmt.Fprintf(r.Err, "assay: %s\n", report.Summary())
	} else {
		err = report.WriteText(r.Out)
	}
	if err != nil {
		return files, r.reportError(err)
	}
	switch {
	case report.Problem != "":
		return files, r.reportError(fmt.Errorf("%s: %s", displayPath(o.Folder), report.Problem))
	case report.Bad():
		return files, ExitProblems
	}
	return files, ExitOK
}

// checkExcess returns an error if a plan may not be executed because of the size of its assets.
func checkExcess(ctx context.Context, plan *export.Plan, anySize bool) error {
	if anySize {
		plan.Allow()
		return nil
	}
	x, over, err := plan.Excess(ctx)
	if over {
		err = fmt.Errorf("nothing written: %w. Use --any-size to export anyway, or --only to select assets", x)
	}
	return err
}

// listJSON reads and checks all assets, and prints the output files as JSON.
func (r *Runner) listJSON(ctx context.Context, picks []export.Pick, o export.Options) (files, status int) {
	files, bad, err := export.WriteListing(ctx, r.Out, picks, o)
	switch {
	case err != nil:
		return files, r.reportError(err)
	case bad:
		return files, ExitProblems
	}
	return files, ExitOK
}

// listAssets prints a line for each asset: its size, key, path in an empty folder, recorded type if its name has
// another type, and export formats.
func (r *Runner) listAssets(ctx context.Context, picks []export.Pick, o export.Options) (files, status int) {
	out := bufio.NewWriterSize(r.Out, 64<<10)
	var bytes int64
	err := export.List(ctx, export.DiscardFolder{}, picks, o, func(i *export.Item) {
		if i.Target != "" {
			files++
			bytes += max(0, i.Size)
		}
		size := "?"
		if i.Size >= 0 {
			size = strconv.FormatInt(i.Size, 10)
		}
		fmt.Fprintf(out, "%12s  %-22s  %s", size, model.OneLine(i.Key, 100), model.OneLine(i.Target, 400))
		if i.Recorded != "" {
			fmt.Fprintf(out, "  (recorded type %s)", i.Recorded)
		}
		if len(i.Forms) > 1 {
			fmt.Fprintf(out, "  [%s]", strings.Join(i.Forms, " "))
		}
		if i.Problem != "" {
			fmt.Fprintf(out, "  ! %s", model.OneLine(i.Problem, 400))
		}
		if i.File != "" {
			out.WriteString("  < " + model.OneLine(i.File, 200))
		}
		out.WriteByte('\n')
	})
	if err == nil {
		err = out.Flush()
	}
	x, over, errExcess := export.FindExcess(ctx, picks, bytes)
	if err = cmp.Or(err, errExcess); err != nil {
		return files, r.reportError(err)
	}
	if over {
		fmt.Fprintf(r.Err, "assay: %v\n", x)
		return files, ExitProblems
	}
	return files, ExitOK
}
