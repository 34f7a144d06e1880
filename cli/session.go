package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
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
	if out, ok := s.runner.Out.(*Output); ok && out.Err() != nil && errors.Is(err, out.Err()) {
		return ExitError // run reports it
	}
	s.failed.Do(func() { fmt.Fprintf(s.runner.Err, "assay: %v\n", err) })
	return ExitError
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
	if out, ok := r.Out.(*Output); ok && out.Err() != nil && errors.Is(err, out.Err()) {
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
