package verbs

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"

	"assay/model"
	"assay/model/export"
	"assay/model/folder"
)

// PackOptions are how pack goes.
type PackOptions struct {
	Output string        // the archive to write, which must not be there yet
	Packer *model.Packer // how it is written
	Types  string        // the path of a table of types by extension; empty for none
	model.PackOptions
}

// Pack writes an archive: of the files in a folder, or of archives that are loaded one over the other.
func (r *Runner) Pack(ctx context.Context, from []string, o PackOptions) int {
	if len(from) == 1 && isFolder(from[0]) {
		return r.packFolder(ctx, from[0], o)
	}
	if o.Variant != "" || o.Types != "" {
		return r.trouble(errors.New("--variant and --types are for files of a folder: assets of packages stay as they are"))
	}
	var layers []*model.Document
	for _, path := range from {
		d, err := r.open(ctx, path, "give one folder, or packages")
		if err != nil {
			return r.trouble(err)
		}
		defer d.Source.Close()
		layers = append(layers, d)
	}
	p, err := o.Packer.Stack(ctx, layers)
	if err == nil {
		err = r.writeArchive(ctx, o.Output, p, layers)
	}
	if err != nil {
		return r.trouble(err)
	}
	return Fine
}

// packFolder writes the archive of the files in a folder.
func (r *Runner) packFolder(ctx context.Context, dir string, o PackOptions) int {
	files, err := packedFiles(ctx, dir)
	if err == nil && o.Types != "" {
		o.PackOptions.Types, err = readTypes(o.Types)
	}
	var p model.Packing
	if err == nil {
		p, err = o.Packer.Files(files, o.PackOptions)
	}
	if err == nil {
		err = r.writeArchive(ctx, o.Output, p, nil)
	}
	if err != nil {
		return r.trouble(err)
	}
	return Fine
}

// packedFiles lists the files below a folder. One that cannot be read is an error: an archive without it would not be
// that of the folder.
func packedFiles(ctx context.Context, dir string) (files []model.PackedFile, err error) {
	err = folder.Walk(ctx, dir, func(e folder.Entry) error {
		if e.Problem != "" {
			return fmt.Errorf("%s %s", given(e.Path), e.Problem)
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
		err = fmt.Errorf("%s: %w", given(e.Path), model.ErrChanged)
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
			err = fmt.Errorf("%s: %w", given(w.entry.Path), model.ErrChanged)
		}
	}
	return n, err
}

// readTypes reads a table of types: a line has an extension and a type.
func readTypes(path string) (map[string]string, error) {
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
				given(path), n)
		}
	}
	return types, lines.Err()
}

// writeArchive writes an archive, verifies it, and says what is in it. from are the documents that it is copied from.
func (r *Runner) writeArchive(ctx context.Context, output string, p model.Packing, from []*model.Document) error {
	var size int64
	err := export.WriteNew(output, func(w io.Writer) error {
		if err := p.Write(ctx, w); err != nil {
			return err
		}
		for _, d := range from {
			if err := unsettled(d); err != nil {
				return fmt.Errorf("%s: %w", given(d.Source.Name()), err)
			}
		}
		return nil
	}, func(src *model.Source) error {
		size = src.Size()
		return r.verifyArchive(ctx, src, p.Len())
	})
	if err != nil {
		return fmt.Errorf("%s was not written: %w", given(output), err)
	}
	fmt.Fprintf(r.Out, "%s: %s, %s\n", given(output), model.Count(p.Len(), "asset"), humanize.IBytes(uint64(size)))
	return nil
}

// verifyArchive reads an archive that was written: its structure, and each content against its checksum.
func (r *Runner) verifyArchive(ctx context.Context, src *model.Source, assets int) error {
	d, err := r.OpenSource(ctx, src)
	if err != nil {
		return err
	}
	n := 0
	if d.Payloads != nil {
		n = d.Payloads.Len()
	}
	if n != assets {
		return fmt.Errorf("what was written is read as %s, not %d", model.Count(n, "asset"), assets)
	}
	report, err := d.Check(ctx, nil)
	if err == nil {
		_, err = r.verifyPayloads(ctx, d, report, false)
	}
	if err != nil {
		return err
	}
	wrong := slices.IndexFunc(report.Problems, func(p model.Problem) bool { return p.Severity == model.Error })
	if wrong >= 0 {
		p := report.Problems[wrong]
		return fmt.Errorf("what was written has a problem: %s: %s", model.OneLine(p.Path, 400), model.OneLine(p.Message, 400))
	}
	return nil
}
