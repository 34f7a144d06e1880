package export

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"assay/model"
	"assay/model/folder"
)

// Files lists the files below a folder. One that cannot be read is an error: an archive without it would not be
// that of the folder. What is no file, such as a pipe or a socket, and links that lead out of the folder are left out:
// skipped is called with a sentence about each.
func Files(ctx context.Context, dir string, skipped func(why string)) (files []model.PackedFile, err error) {
	root, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return nil, err
	}
	err = folder.Walk(ctx, dir, func(e folder.Entry) error {
		at := model.OneLine(e.Path, 4096)
		if leadsOut(root, e) {
			skipped(at + " is behind a link that leads out of the folder")
			return nil
		}
		if info, err := os.Stat(e.Path); err == nil && !info.IsDir() && !info.Mode().IsRegular() {
			skipped(at + " " + e.Problem)
			return nil
		}
		if e.Problem != "" {
			return fmt.Errorf("%s %s", at, e.Problem)
		}
		files = append(files, packedFile(e.Name, e.Path, e.Size, e.ModTime))
		return nil
	})
	return files, err
}

// leadsOut reports whether a file, which is there, is not below a folder whose real path is given.
func leadsOut(root string, e folder.Entry) bool {
	real, err := filepath.EvalSymlinks(e.Path)
	if err != nil {
		return false
	}
	below, err := filepath.Rel(root, real)
	return err != nil || !filepath.IsLocal(below)
}

// PackedFile returns a file that is to be an asset.
func PackedFile(path string) (model.PackedFile, error) {
	info, err := model.StatFile(path)
	if err != nil {
		return model.PackedFile{}, err
	}
	return packedFile(filepath.Base(path), path, info.Size(), info.ModTime()), nil
}

// packedFile returns a file with the size and the time that it must have until it is read.
func packedFile(name, path string, size int64, modTime time.Time) model.PackedFile {
	return model.PackedFile{Name: name, Size: size, ModTime: modTime,
		Open: func(context.Context) (io.ReadCloser, error) {
			f, err := model.OpenShared(path)
			if err != nil {
				return nil, err
			}
			return &watched{File: f, size: size, modTime: modTime}, nil
		}}
}

// watched is a file that says when it is closed whether it changed since it was found.
type watched struct {
	*os.File
	size, read int64
	modTime    time.Time
}

// Read implements io.Reader. The end comes with the last bytes: only a file that grew has more, which Close finds.
// Without that, 10,000 files of 2 KiB take 4 % longer.
func (w *watched) Read(p []byte) (int, error) {
	n, err := w.File.Read(p)
	if w.read += int64(n); err == nil && w.read == w.size && n < len(p) {
		err = io.EOF
	}
	return n, err
}

// Close implements io.Closer.
func (w *watched) Close() error {
	info, err := w.Stat()
	if err == nil && (info.Size() != w.size || !info.ModTime().Equal(w.modTime)) {
		err = fmt.Errorf("%s: %w", model.OneLine(w.Name(), 4096), model.ErrChanged)
	}
	return cmp.Or(err, w.File.Close())
}

// typesMost is the most bytes of a table of types, which has a line for each extension.
const typesMost = 1 << 20

// ReadTypes reads a table of types: a line has an extension and a type.
func ReadTypes(path string) (map[string]string, error) {
	if info, err := model.StatFile(path); err != nil {
		return nil, err
	} else if info.Size() > typesMost {
		return nil, fmt.Errorf("%s has more than the %d bytes of a table of types", model.OneLine(path, 4096), typesMost)
	}
	f, err := model.OpenShared(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	types := make(map[string]string)
	lines := bufio.NewScanner(io.LimitReader(f, typesMost))
	for n := 1; lines.Scan(); n++ {
		line, _, _ := strings.Cut(lines.Text(), "#")
		switch fields := strings.Fields(line); len(fields) {
		case 0:
		case 2:
			types[strings.ToLower(strings.TrimPrefix(fields[0], "."))] = fields[1]
		default:
			return nil, fmt.Errorf("%s, line %d: expected an extension and a type, such as png 0200",
				model.OneLine(path, 4096), n)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", model.OneLine(path, 4096), err)
	}
	return types, nil
}
