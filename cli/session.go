package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"assay/assets"
	"assay/formats"
	"assay/formats/kaitai/gallery"
	"assay/model"
	contents "assay/model/content"
	"assay/model/find"
	"assay/model/folder"
	"assay/model/userdata"
	"assay/ui"
)

// The exit statuses.
const (
	Fine    = 0
	Bad     = 1
	Trouble = 2
)

// Runner holds the dependencies of all commands.
type Runner struct {
	Open func(ctx context.Context, path string) (*model.Document, error)
	// OpenSource opens a file inside of a file; OpenStream the bytes of the standard input or of a pipe.
	OpenSource, OpenStream model.Opener

	In  io.Reader // the standard input; nil once it is read
	Out io.Writer
	Err io.Writer

	color bool // write comparisons in color, for a terminal
}

// Tree prints the outline of a file.
func (r *Runner) Tree(ctx context.Context, file string, o TreeOptions) int {
	return r.with(ctx, file, func(d *model.Document, report *model.Report) error {
		options := model.OutlineOptions{Depth: o.Depth, NoOffsets: o.NoOffsets}
		if o.Only == "" && o.NoOffsets && d.Format == model.UnknownFormat && contents.Of(d.Source).Text {
			// A text of another program with the same extension: a text diff has to compare the text itself.
			_, err := io.Copy(r.Out, d.Source.Reader(model.Span{Size: d.Source.Size()}))
			return err
		}
		if o.Only == "" {
			err := d.Outline(ctx, r.Out, report, options)
			if err == nil && o.NoOffsets && o.Depth < 0 {
				err = r.writePacked(ctx, d)
			}
			return err
		}
		return located(ctx, d, report, o.Only, func(n *model.Node) error {
			return d.OutlineNode(ctx, r.Out, n, options)
		})
	})
}

// Dump prints the whole decoded content of a file as JSON, or that of the nodes which only finds, one after another.
func (r *Runner) Dump(ctx context.Context, file, only string) int {
	return r.with(ctx, file, func(d *model.Document, report *model.Report) error {
		if only == "" {
			return d.Dump(ctx, r.Out, report)
		}
		return located(ctx, d, report, only, func(n *model.Node) error { return model.DumpNode(ctx, r.Out, n) })
	})
}

// located calls do with the node that has a path, which begins with a slash, or a key; else with each node that a
// filter finds, and not with those below it.
func located(ctx context.Context, d *model.Document, report *model.Report, where string,
	do func(n *model.Node) error) error {
	d.ShowGaps(report)
	n, err := d.Find(where)
	switch {
	case strings.HasPrefix(where, "/") && err == nil:
		return do(n)
	case d.FindKey != nil:
		if p, ok := d.FindKey(where); ok {
			if n := d.At(p); n != nil {
				return do(n)
			}
		}
	}
	q, wrong := find.NewQuery(where)
	switch {
	case wrong != nil:
		return wrong
	case q.Filter().Plain() && strings.HasPrefix(where, "/"):
		return fmt.Errorf("%w; run assay tree to list paths (in names, ~1 means /)", err)
	case q.Filter().Plain():
		return fmt.Errorf("no key %s in the file. Use a key, a path from assay tree (starting with /), or a filter (see assay help filters)",
			model.OneLine(where, 200))
	}
	defer d.ReadUntil(ctx)()
	any := false
	err = model.Walk(d.Root(), func(n *model.Node) (below bool, err error) {
		if n.Parent == nil || !q.Match(n) {
			return true, ctx.Err()
		}
		any = true
		return false, do(n)
	}, nil)
	if err == nil && !any {
		err = fmt.Errorf("no matches for %s (see assay help filters)", model.OneLine(where, 200))
	}
	return err
}

// with opens a file, checks it, and calls do with the result.
func (r *Runner) with(ctx context.Context, file string, do func(*model.Document, *model.Report) error) int {
	d, err := r.open(ctx, file, nameAFile)
	if err != nil {
		return r.reportError(err)
	}
	defer d.Source.Close()
	report, err := d.Check(ctx, nil)
	if err != nil {
		return r.reportError(err)
	}
	if err := do(d, report); err != nil {
		return r.reportError(err)
	}
	return max(r.checkUnchanged(d, file), status(report))
}

// checkUnchanged prints an error and returns Bad if the file changed after it was opened or a read failed; else it
// returns Fine.
func (r *Runner) checkUnchanged(d *model.Document, path string) int {
	if err := unsettled(d); err != nil {
		fmt.Fprintf(r.Err, "assay: %s: %v\n", given(path), err)
		return Bad
	}
	return Fine
}

func unsettled(d *model.Document) error {
	if err := d.Source.Changed(); err != nil {
		return err
	}
	return d.Source.Failed()
}

func (r *Runner) reportError(err error) int {
	if out, ok := r.Out.(*Output); ok && out.Err() != nil && errors.Is(err, out.Err()) {
		return Trouble // the caller reports it
	}
	if errors.Is(err, context.Canceled) {
		err = errors.New("interrupted")
	}
	fmt.Fprintf(r.Err, "assay: %v\n", err)
	return Trouble
}

func status(report *model.Report) int {
	if report.Bad() {
		return Bad
	}
	return Fine
}

// Stdin is the file name of the standard input.
const Stdin = "-"

// Advice for the user who gave a folder.
const (
	nameAFile = "choose a file in it"
	enterIt   = "use -r to include its files"
)

// open opens the file at a path, or the standard input. The error has the path as it was given; instead is the advice
// for a folder.
func (r *Runner) open(ctx context.Context, path, instead string) (*model.Document, error) {
	d, err := r.openAny(ctx, path)
	var why *model.OpenError
	switch {
	case errors.Is(err, model.ErrFolder):
		return nil, fmt.Errorf("%s is a folder: %s", given(path), instead)
	case errors.As(err, &why):
		return nil, fmt.Errorf("%s %s", given(path), why.Reason)
	}
	return d, err
}

// openEach opens several files; it returns either all of them or an error.
func (r *Runner) openEach(ctx context.Context, instead string, paths ...string) (docs []*model.Document, err error) {
	for _, path := range paths {
		d, err := r.open(ctx, path, instead)
		if err != nil {
			model.CloseDocuments(docs...)
			return nil, err
		}
		docs = append(docs, d)
	}
	return docs, nil
}

// openAny opens a file, the standard input or a pipe.
func (r *Runner) openAny(ctx context.Context, path string) (*model.Document, error) {
	if path == Stdin {
		return r.openStdin(ctx)
	}
	d, err := r.Open(ctx, path)
	if errors.Is(err, model.ErrPipe) { // the shell's replacement of <(command)
		return r.openStream(ctx, model.FileName(path), func() (io.ReadCloser, error) { return model.OpenShared(path) })
	}
	return d, err
}

// openStdin opens the bytes of the standard input.
func (r *Runner) openStdin(ctx context.Context) (*model.Document, error) {
	in := r.In
	if r.In = nil; in == nil {
		return nil, errors.New("the standard input (-) can be read only once")
	}
	return r.openStream(ctx, "stdin", func() (io.ReadCloser, error) { return io.NopCloser(in), nil })
}

// openStream reads a stream to its end, and keeps its bytes for as long as the document is open.
func (r *Runner) openStream(ctx context.Context, name string, open func() (io.ReadCloser, error)) (*model.Document,
	error) {
	in, out := io.Pipe()
	defer in.Close()
	stop := context.AfterFunc(ctx, func() { out.CloseWithError(ctx.Err()) })
	defer stop()
	// Opening a pipe and reading from it block until it has a writer, and only the end of the process ends that: after
	// a cancellation the goroutine is abandoned.
	go func() {
		stream, err := open()
		if err == nil {
			_, err = io.CopyBuffer(out, stream, make([]byte, 1<<20))
			stream.Close()
		}
		out.CloseWithError(err)
	}()
	src, err := model.Spool(ctx, name, in)
	if err != nil {
		return nil, err
	}
	return model.OpenSource(ctx, src, r.OpenStream)
}

// given is a path as it was given, in one line.
func given(path string) string {
	if path == "" {
		return `""`
	}
	return model.OneLine(path, 4096)
}

// paths are a path itself, or with recursive the files in the folder and below it.
func paths(ctx context.Context, root string, recursive bool) func(yield func(string, error) bool) {
	return func(yield func(string, error) bool) {
		if !recursive || !isFolder(root) {
			yield(root, nil)
			return
		}
		errEnough := errors.New("enough")
		err := folder.Walk(ctx, root, func(e folder.Entry) error {
			var err error
			if e.Problem != "" {
				err = fmt.Errorf("%s %s", given(e.Path), e.Problem)
			}
			if !yield(e.Path, err) {
				return errEnough
			}
			return nil
		})
		if err != nil && err != errEnough {
			yield(root, fmt.Errorf("%s: %w", given(root), err))
		}
	}
}

// formatFlag is the format to read files as, regardless of their content.
type formatFlag struct {
	Format string `placeholder:"NAME|FILE.ksy" help:"Read files as this format or with this Kaitai Struct description (see assay formats)."`
}

// use has the files that a command opens read as that format.
func (f *formatFlag) use(s *session) error {
	if f.Format == "" {
		return nil
	}
	open, err := opener.As(f.Format)
	if err != nil {
		return err
	}
	s.readAs(open)
	return nil
}

// readAs has files, pipes and the standard input opened so.
func (s *session) readAs(open model.Opener) {
	s.runner.OpenStream = open
	s.runner.Open = func(ctx context.Context, path string) (*model.Document, error) {
		return model.OpenDocument(ctx, path, "", open)
	}
}

// resourcesFlag is the resource folder of files that refer to others.
type resourcesFlag struct {
	Resources string `placeholder:"DIR" help:"Additional folder to search for referenced files, such as materials and textures."`
}

// use has the files that a command opens look there.
func (f *resourcesFlag) use(s *session) error {
	if f.Resources == "" {
		return nil
	}
	if info, err := os.Stat(f.Resources); err != nil || !info.IsDir() {
		return fmt.Errorf("--resources: cannot read the folder %s", model.OneLine(f.Resources, 200))
	}
	folder, err := filepath.Abs(f.Resources)
	if err != nil {
		return err
	}
	s.before(func(src *model.Source) { src.SetResources(folder) })
	return nil
}

// opener opens files in the built-in formats and in those of the descriptions of the user and of a project.
var opener = formats.Opener{Gallery: &gallery.Gallery{Bundled: assets.Formats(),
	UserFolders: func() []string { return descriptions().All() }}}

// descriptions are the folders of this user's descriptions.
func descriptions() gallery.Folders {
	return gallery.Folders{Own: filepath.Join(userdata.Data(), "assay", "formats")}
}

// choices returns the formats that the window offers for a file.
func choices(file string) []ui.Format {
	var all []ui.Format
	for _, c := range opener.Choices(file) {
		f := ui.Format{ID: c.Name, Title: c.Title, From: cmp.Or(c.From, "part of Assay")}
		if c.Err != nil {
			f.Problem = c.Err.Error()
		}
		all = append(all, f)
	}
	return all
}

// before has something done with the sources of files before they are opened.
func (s *session) before(do func(src *model.Source)) {
	s.runner.OpenSource = after(do, s.runner.OpenSource)
	s.readAs(after(do, s.runner.OpenStream))
}

// after returns an opener that calls do with the source first.
func after(do func(src *model.Source), open model.Opener) model.Opener {
	return func(ctx context.Context, src *model.Source) (*model.Document, error) {
		do(src)
		return open(ctx, src)
	}
}

// useAssignments applies the materials and pictures that this user assigned by hand to drawn and exported models.
// Verify and diff ignore them: scripts and reviews need the same result for everyone.
func (s *session) useAssignments() {
	all := userdata.AssignmentsIn(userdata.AssignmentFolder())
	s.before(func(src *model.Source) { src.SetAssignments(all) })
}

type formatsCommand struct {
	Add    string `placeholder:"FOLDER" type:"path" help:"Add a folder to search for descriptions (.ksy), including subfolders."`
	Remove string `placeholder:"FOLDER" type:"path" help:"Remove a folder added with --add."`

	Check bool     `help:"Print the errors in the given descriptions, as file:line:column: message. Exit status 1: there are errors."`
	Files []string `arg:"" optional:"" name:"file" help:"Descriptions for --check."`
}

// Run prints a line for each format, with its name, title and extensions, or checks descriptions.
func (c *formatsCommand) Run(s *session) error {
	switch {
	case c.Check && len(c.Files) == 0:
		return errors.New("name the descriptions (.ksy) to check")
	case c.Check:
		return c.check(s)
	case len(c.Files) > 0:
		return errors.New("files can only be given with --check")
	}
	if c.Add != "" {
		if err := descriptions().Add(c.Add); err != nil {
			return err
		}
	}
	if c.Remove != "" {
		if err := descriptions().Remove(c.Remove); err != nil {
			return err
		}
	}
	lines := tabwriter.NewWriter(s.runner.Out, 0, 0, 2, ' ', 0)
	for _, f := range formats.All() {
		fmt.Fprintf(lines, "%s\t%s\t%s\n", f.Name, f.Title, strings.Join(f.Extensions(), " "))
	}
	for _, e := range opener.Gallery.List("") {
		if e.Err != nil {
			fmt.Fprintf(lines, "%s\t%v\t\n", e.Name, e.Err)
			s.status = Bad
			continue
		}
		extensions := strings.Join(e.Description.Extensions, " .")
		if extensions != "" {
			extensions = "." + extensions
		}
		fmt.Fprintf(lines, "%s\t%s (from %s)\t%s\n", e.Name, e.Description.Title, e.File, extensions)
	}
	return lines.Flush()
}

// check prints the errors in descriptions.
func (c *formatsCommand) check(s *session) error {
	for _, file := range c.Files {
		found, err := opener.Gallery.Check(file)
		if err != nil {
			s.status = s.runner.reportError(err)
			continue
		}
		for _, e := range found {
			s.status = max(s.status, Bad)
			_, err := fmt.Fprintf(s.runner.Out, "%s:%d:%d: %s\n", given(e.File), max(e.Line, 1), max(e.Column, 1),
				model.OneLine(e.Message, 400))
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// version is the version that Main got: the linker sets it in package main (-X main.version=1.2.3).
var version string

// release returns the version to print; in tests it is unknown.
func release() string { return cmp.Or(version, "unknown") }
