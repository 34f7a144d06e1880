package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"assay/model"
	"assay/model/folder"
)

// The exit statuses.
const (
	ExitOK = 0 // all is well
	// ExitProblems means that something is damaged, missing, or was not written in full; of diff, find and merge:
	// differences, no match, conflicts.
	ExitProblems = 1
	ExitError    = 2 // a file could not be read, or the command line is invalid
	// ExitClosedPipe means that the reader of the output ended first: the status of a program that SIGPIPE ends.
	ExitClosedPipe = 141
)

// session is the environment of a command, and its exit status.
type session struct {
	ctx      context.Context
	runner   *Runner
	runAgain func(args ...string) int // runs another command line in this process
	status   int
	failed   sync.Once
}

// fail prints the error of a command, once, and returns the exit status.
func (s *session) fail(err error) int {
	s.failed.Do(func() { s.runner.reportError(err) })
	return ExitError
}

// isOutputError reports whether an error is that of the first failed write to out.
func isOutputError(err error, out io.Writer) bool {
	o, ok := out.(*Output)
	return ok && o.Err() != nil && errors.Is(err, o.Err())
}

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

// withDocument opens a file, checks it, and calls do with the result.
func (r *Runner) withDocument(ctx context.Context, file string, do func(*model.Document, *model.Report) error) int {
	d, err := r.open(ctx, file, adviceFile)
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
	return max(r.checkUnchanged(d, file), reportStatus(report))
}

// checkUnchanged prints an error and returns ExitProblems if the file changed after it was opened or a read failed;
// else it returns ExitOK.
func (r *Runner) checkUnchanged(d *model.Document, path string) int {
	if err := sourceError(d); err != nil {
		fmt.Fprintf(r.Err, "assay: %s: %v\n", displayPath(path), err)
		return ExitProblems
	}
	return ExitOK
}

func sourceError(d *model.Document) error {
	if err := d.Source.Changed(); err != nil {
		return err
	}
	return d.Source.Err()
}

func (r *Runner) reportError(err error) int {
	if isOutputError(err, r.Out) {
		return ExitError // the caller reports it
	}
	if errors.Is(err, context.Canceled) {
		err = errors.New("interrupted")
	}
	fmt.Fprintf(r.Err, "assay: %v\n", err)
	return ExitError
}

func reportStatus(report *model.Report) int {
	if report.Bad() {
		return ExitProblems
	}
	return ExitOK
}

// Dash is the file name of the standard input or, as an output, of the standard output.
const Dash = "-"

// Advice if the user gave a folder instead of a file.
const (
	adviceFile      = "choose a file in it"
	adviceRecursive = "use -r to include its files"
)

// open opens the file at a path, or the standard input. The error contains the path as the user gave it and, if it is a
// folder, the advice.
func (r *Runner) open(ctx context.Context, path, advice string) (*model.Document, error) {
	d, err := r.openAny(ctx, path)
	var failure *model.OpenError
	switch {
	case errors.Is(err, model.ErrFolder):
		return nil, fmt.Errorf("%s is a folder: %s", displayPath(path), advice)
	case errors.As(err, &failure):
		return nil, fmt.Errorf("%s %s", displayPath(path), failure.Reason)
	}
	return d, err
}

// openEach opens several files; it returns either all of them or an error.
func (r *Runner) openEach(ctx context.Context, advice string, paths ...string) (docs []*model.Document, err error) {
	for _, path := range paths {
		d, err := r.open(ctx, path, advice)
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
	if path == Dash {
		return r.openStdin(ctx)
	}
	d, err := r.Open(ctx, path)
	if errors.Is(err, model.ErrPipe) { // the shell passes a pipe for <(command)
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

// openStream reads a stream to its end. The document keeps its bytes while it is open.
func (r *Runner) openStream(ctx context.Context, name string, open func() (io.ReadCloser, error)) (*model.Document,
	error) {
	in, out := io.Pipe()
	defer in.Close()
	stop := context.AfterFunc(ctx, func() { out.CloseWithError(ctx.Err()) })
	defer stop()
	// Opening a pipe and reading from it block until it has a writer, which cannot be canceled: after a cancellation
	// the goroutine is abandoned.
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

// displayPath returns a path as the user gave it, as one line.
func displayPath(path string) string {
	if path == "" {
		return `""`
	}
	return model.OneLine(path, 4096)
}

// filePaths yields root itself or, if recursive is set and root is a folder, the files below it.
func filePaths(ctx context.Context, root string, recursive bool) func(yield func(string, error) bool) {
	return func(yield func(string, error) bool) {
		if !recursive || !isFolder(root) {
			yield(root, nil)
			return
		}
		errEnough := errors.New("enough")
		err := folder.Walk(ctx, root, func(e folder.Entry) error {
			var err error
			if e.Problem != "" {
				err = fmt.Errorf("%s %s", displayPath(e.Path), e.Problem)
			}
			if !yield(e.Path, err) {
				return errEnough
			}
			return nil
		})
		if err != nil && err != errEnough {
			yield(root, fmt.Errorf("%s: %w", displayPath(root), err))
		}
	}
}

// Output records the first failed write to the standard output, so that a full disk or a closed pipe is reported once,
// at the end of a command.
type Output struct {
	w   io.Writer
	err error
}

// NewOutput returns an output that writes to w.
func NewOutput(w io.Writer) *Output { return &Output{w: w} }

// Write implements io.Writer. After a failed write, all further ones fail.
func (o *Output) Write(p []byte) (int, error) {
	if o.err != nil {
		return 0, o.err
	}
	n, err := o.w.Write(p)
	if err != nil {
		o.err = fmt.Errorf("the standard output cannot be written: %w", cause(err))
	}
	return n, o.err
}

// Err returns the error of the first failed write, or nil.
func (o *Output) Err() error { return o.err }

// outputKind is a kind of files that a command writes and may overwrite.
type outputKind struct {
	name string
	// recognizes reports whether an existing file is of this kind and may be replaced. If it is nil, no file may be
	// replaced.
	recognizes func(src *model.Source) bool
	// allowsDevices permits a device such as /dev/null as output: no data is lost.
	allowsDevices bool
}

// The kinds of output files.
var (
	newFile     = outputKind{name: "a new file"}
	pngPicture  = outputKind{"a PNG picture", hasMagic("\x89PNG\r\n\x1a\n"), true}
	jpegPicture = outputKind{"a JPEG picture", hasMagic("\xff\xd8\xff"), true}
)

func hasMagic(magic string) func(src *model.Source) bool {
	return func(src *model.Source) bool {
		head, err := src.Bytes(model.Span{Size: int64(len(magic))})
		return err == nil && string(head) == magic
	}
}

// checkOutput returns an error, before anything is read, if the output is one of the inputs, by any path or link, or an
// existing file of another kind. An empty file may be replaced: thumbnailers create one.
func (r *Runner) checkOutput(output string, k outputKind, inputs ...string) error {
	folder := filepath.Dir(output)
	switch info, err := os.Stat(folder); {
	case output == Dash:
		return errors.New("- is the standard output, which cannot be written here: name a file; one named - is ./-")
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s cannot be written: the folder %s does not exist; create it, or choose another path", displayPath(output),
			displayPath(folder))
	case err == nil && !info.IsDir():
		return fmt.Errorf("%s cannot be written: %s is a file, not a folder; name a file elsewhere", displayPath(output),
			displayPath(folder))
	}
	existing, err := os.Stat(output)
	if err != nil && k.recognizes == nil {
		existing, err = os.Lstat(output) // a broken link also occupies the name
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("%s cannot be written: %w", displayPath(output), cause(err))
	case existing.IsDir():
		return fmt.Errorf("%s cannot be written: it is a folder; choose a file in it", displayPath(output))
	}
	for _, input := range inputs {
		if r.isInput(input, existing) {
			return fmt.Errorf("%s is also an input; nothing written. Name another output file", displayPath(output))
		}
	}
	switch {
	case k.allowsDevices && existing.Mode()&os.ModeCharDevice != 0:
		return nil
	case !existing.Mode().IsRegular():
		return fmt.Errorf("%s is not a regular file; nothing written. Name a file", displayPath(output))
	case k.recognizes == nil:
		return fmt.Errorf("%s was not written: a file with this name already exists; choose another name",
			displayPath(output))
	case existing.Size() == 0:
		return nil
	}
	src, err := model.OpenFile(output)
	if err != nil {
		return fmt.Errorf("%s cannot be overwritten: %w", displayPath(output), err)
	}
	defer src.Close()
	if !k.recognizes(src) {
		return fmt.Errorf("%s already exists and is not %s; nothing written. Name another file", displayPath(output), k.name)
	}
	return nil
}

// isInput reports whether an input is the existing output file.
func (r *Runner) isInput(input string, file os.FileInfo) bool {
	var info os.FileInfo
	var err error
	if stdin, ok := r.In.(*os.File); input == Dash && ok {
		info, err = stdin.Stat()
	} else {
		info, err = os.Stat(input)
	}
	// A terminal or /dev/null may be an input and the output.
	return err == nil && info.Mode().IsRegular() && os.SameFile(info, file)
}

// cause returns the error of the operating system without the path.
func cause(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}
