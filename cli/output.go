package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"assay/model"
)

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
