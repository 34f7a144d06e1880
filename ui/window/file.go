package window

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"

	"assay/model"
	"assay/ui/comparison/compared"
)

// file is the file of a tab, as it was when it was opened.
type file struct {
	path string      // empty for bytes that are not a file
	real string      // where the path leads to
	info os.FileInfo // nil if there is none

	described []string // the files of the description that it was read with

	change change // how it differs on disk, as far as the user knows
	copied []byte // the bytes of a small file
}

// newFile looks at the file at a path.
func newFile(path string) *file {
	f := &file{path: path}
	if real, err := filepath.EvalSymlinks(path); err == nil && path != "" {
		f.real = real
		f.info, _ = os.Stat(path)
	}
	return f
}

func (f *file) isOf(path string) bool { return f.path == path || f.real == path }

// same reports whether both are one file, by a link perhaps.
func (f *file) same(g *file) bool {
	return f.info != nil && g.info != nil && f.change.word == "" && os.SameFile(f.info, g.info)
}

// watched lists the paths at which the file, or what says how it is read, can change.
func (f *file) watched() []string {
	switch {
	case f.path == "":
		return f.described
	case f.real == "" || f.real == f.path:
		return append([]string{f.path}, f.described...)
	}
	return append([]string{f.path, f.real}, f.described...)
}

// change is how a file on disk differs from the one that was opened.
type change struct {
	word string // on the tab; empty if it does not differ
	text string // a sentence
	sign string // what the file looks like now: the user is told once of each
	kept bool   // all of what was opened can still be read
}

// changed looks at the file of a source.
func changed(src *model.Source) change {
	if src.Changed() == nil {
		return change{}
	}
	name := src.Name()
	c := change{word: "changed", text: name + " changed on disk. What is on the screen is what was read before.",
		kept: src.Kept()}
	info, err := os.Stat(src.Path())
	switch {
	case err != nil:
		return change{word: "gone", text: name + " is no longer there. What was read before stays on the screen.",
			kept: c.kept}
	case info.Size() < src.Size():
		c.text = fmt.Sprintf("%s changed on disk: it has %d bytes now, and had %d. What was read before stays on the screen.", name, info.Size(), src.Size())
	case !c.kept:
		c.text = name + " changed on disk: it was written over. What is on the screen is what was read before, as far as it was read."
	}
	c.sign = fmt.Sprint(info.Size(), info.ModTime())
	return c
}

// copyMax is how large a file may be to be kept in memory: what writes over it would else take the old version away.
const copyMax = 8 << 20

// copyOf returns the bytes of a small file, to compare a later version with; nil if there are none to be had.
func copyOf(src *model.Source) []byte {
	if src.Path() == "" || src.Size() > copyMax {
		return nil
	}
	b, err := src.Bytes(model.Span{Size: src.Size()})
	if err != nil || src.Changed() != nil {
		return nil
	}
	return b
}

// before is what was open of a file before it changed, if it is still known as a whole.
func (f *file) before(d *model.Document,
	openSource func(ctx context.Context, src *model.Source) (*model.Document, error)) (compared.Side, bool) {
	name, b := fileTitle(f.path), f.copied
	old := compared.Side{Title: fileTitle(f.path) + " (before)", Hint: f.path}
	switch {
	case b != nil:
		old.Open = func(ctx context.Context) (*model.Document, error) {
			return openSource(ctx, model.NewSource(name, bytes.NewReader(b), int64(len(b))))
		}
	case f.change.kept:
		old.Open = func(context.Context) (*model.Document, error) {
			if !d.Source.Kept() {
				return nil, fmt.Errorf("what was open of %s is no longer there", d.Source.Name())
			}
			d.Source.Hold()
			return d, nil
		}
	}
	return old, old.Open != nil
}
