package pack

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"assay/model"
	"assay/model/folder"
)

// Files lists the files below a folder. One that cannot be read is an error: an archive without it would not be
// that of the folder.
func Files(ctx context.Context, dir string) (files []model.PackedFile, err error) {
	err = folder.Walk(ctx, dir, func(e folder.Entry) error {
		if e.Problem != "" {
			return fmt.Errorf("%s %s", model.OneLine(e.Path, 4096), e.Problem)
		}
		files = append(files, model.PackedFile{Name: e.Name, Size: e.Size, ModTime: e.ModTime,
			Open: func(context.Context) (io.ReadCloser, error) { return openUnchanged(e) }})
		return nil
	})
	return files, err
}

// openUnchanged opens a file that was found, if it is still what it was.
func openUnchanged(e folder.Entry) (io.ReadCloser, error) {
	f, err := model.OpenShared(e.Path)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && (info.Size() != e.Size || !info.ModTime().Equal(e.ModTime)) {
		err = fmt.Errorf("%s: %w", model.OneLine(e.Path, 4096), model.ErrChanged)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return &watched{File: f, entry: e}, nil
}

// watched is a file that says at its end whether it changed while it was read.
type watched struct {
	*os.File
	entry folder.Entry
}

// Read implements io.Reader.
func (w *watched) Read(p []byte) (int, error) {
	n, err := w.File.Read(p)
	if err == io.EOF {
		if info, failed := w.Stat(); failed != nil || !info.ModTime().Equal(w.entry.ModTime) {
			err = fmt.Errorf("%s: %w", model.OneLine(w.entry.Path, 4096), model.ErrChanged)
		}
	}
	return n, err
}

// ReadTypes reads a table of types: a line has an extension and a type.
func ReadTypes(path string) (map[string]string, error) {
	f, err := model.OpenShared(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	types := make(map[string]string)
	lines := bufio.NewScanner(f)
	for n := 1; lines.Scan(); n++ {
		line, _, _ := strings.Cut(lines.Text(), "#")
		switch fields := strings.Fields(line); len(fields) {
		case 0:
		case 2:
			types[strings.ToLower(strings.TrimPrefix(fields[0], "."))] = fields[1]
		default:
			return nil, fmt.Errorf("%s, line %d: a line of types has an extension and a type, such as png 0200",
				model.OneLine(path, 4096), n)
		}
	}
	return types, lines.Err()
}
