package exporting

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"assay/model"
	"assay/model/export"
	"assay/ui/host"
	"assay/ui/work"
)

// Window is the part of the window that a Maker uses.
type Window interface {
	host.Host
	// AskFile and AskFolder ask for a file or a folder. AskNew asks for an output file with a suggested name.
	AskFile(title string, done func(path string))
	AskFolder(title string, done func(path string))
	AskNew(title, name string, done func(path string))
	// OpenPath opens a file in a tab. Shows reports whether a tab displays it.
	OpenPath(path string)
	Shows(path string) bool
}

// Maker writes packages.
type Maker struct {
	Window
	Group *work.Group
	// PackerFor returns the packer for an output file by its extension. Extension is the default one.
	PackerFor func(path string) (*model.Packer, error)
	Extension string
	Open      model.Opener // opens the written package to verify it
}

// FromFolder asks for a folder and writes a package of its files.
func (m *Maker) FromFolder() {
	m.AskFolder("Choose the folder to pack", func(folder string) {
		m.askOutput("New Package", filepath.Base(folder), func(path string, packer *model.Packer) {
			m.write(path, func(ctx context.Context) (string, error) { return m.packFolder(ctx, folder, path, packer) },
				func(bool) {})
		})
	})
}

// FromList writes a package of the files of the export list, as they would be exported.
func (m *Maker) FromList(list *Panel) {
	m.askOutput("New Package", "package", func(path string, packer *model.Packer) {
		write, release := list.FileWriter()
		if write == nil {
			m.ShowHint("The export list is empty: add assets to it first.")
			return
		}
		m.write(path, func(ctx context.Context) (string, error) {
			folder, err := os.MkdirTemp("", "assay-package-")
			if err != nil {
				return "", err
			}
			defer os.RemoveAll(folder)
			note, err := write(ctx, folder)
			if err != nil {
				return "", err
			}
			text, err := m.packFolder(ctx, folder, path, packer)
			return text + note, err
		}, func(bool) { release() })
	})
}

// packFolder writes the package of a folder, and describes its content.
func (m *Maker) packFolder(ctx context.Context, folder, path string, packer *model.Packer) (string, error) {
	skipped, firstReason := 0, ""
	files, err := export.Files(ctx, folder, func(reason string) {
		if skipped++; skipped == 1 {
			firstReason = reason
		}
	})
	if err != nil {
		return "", err
	}
	p, err := packer.Files(files, model.PackOptions{})
	if err != nil {
		return "", err
	}
	text, err := m.save(ctx, path, p)
	if skipped > 0 {
		text += fmt.Sprintf("; %s skipped, the first because %s", host.Count(int64(skipped), "file"),
			model.OneLine(strings.TrimPrefix(firstReason, folder+string(filepath.Separator)), 200))
	}
	return text, err
}

// save writes a package copied from documents, and describes its content.
func (m *Maker) save(ctx context.Context, path string, p model.ArchivePlan,
	sources ...*model.Document) (string, error) {
	size, err := export.WriteArchive(ctx, export.Target{Path: path, Replace: true}, p, sources, m.Open)
	return host.Count(int64(p.Len()), "asset") + ", " + host.Count(size, "byte"), err
}

// patchName returns the suggested name of a patch for a package.
func patchName(d *model.Document) string {
	return strings.TrimSuffix(d.Source.Name(), filepath.Ext(d.Source.Name())) + "-patch"
}

// errEmptyPatch is the error for a patch without new contents.
var errEmptyPatch = errors.New("nothing was added or changed")

// Patch writes a package that provides the assets of new if it is loaded over old. It lists the assets of old that the
// patch cannot remove.
func (m *Maker) Patch(old, new *model.Document) {
	m.askOutput("Save Patch", patchName(new), func(path string, packer *model.Packer) {
		var removed []string
		empty := false
		release := hold(old, new)
		m.write(path, func(ctx context.Context) (string, error) {
			p, err := packer.Patch(ctx, old, new)
			if err != nil {
				return "", err
			}
			removed = p.Removed
			if empty = p.Len() == 0; empty {
				return "", errEmptyPatch
			}
			text, err := m.save(ctx, path, p, old, new)
			text += fmt.Sprintf(": %s added, %s changed", host.Number(int64(p.Added)), host.Number(int64(p.Changed)))
			if n := len(p.Removed); n > 0 {
				text += fmt.Sprintf("; the patch cannot remove %s that only the old package has",
					host.Count(int64(n), "asset"))
			}
			return text, err
		}, func(written bool) {
			if release(); (written || empty) && len(removed) > 0 {
				m.Explain("Assets Only in the Old Package", strings.Join(removed, "\n"))
			}
		})
	})
}

// Replace asks for a file, and writes a package that replaces the content of the asset of a node by the file if it is
// loaded over d.
func (m *Maker) Replace(d *model.Document, n *model.Node) {
	m.AskFile("Choose a file to replace "+model.OneLine(n.Title(), 100), func(file string) {
		m.askOutput("Save Patch", patchName(d), func(path string, packer *model.Packer) {
			release := hold(d)
			m.write(path, func(ctx context.Context) (string, error) {
				content, err := export.PackedFile(file)
				if err != nil {
					return "", err
				}
				i, err := assetOf(ctx, d, n)
				if err != nil {
					return "", err
				}
				p, err := packer.Replace(ctx, d, i, content)
				if err != nil {
					return "", err
				}
				text, err := m.save(ctx, path, p, d)
				return text + ": " + model.OneLine(n.Title(), 200) + " is " + filepath.Base(file) + " in it", err
			}, func(bool) { release() })
		})
	})
}

// assetOf returns the index of the only asset of a node.
func assetOf(ctx context.Context, d *model.Document, n *model.Node) (int, error) {
	i, err := d.OnlyAsset(ctx, n)
	if err == nil && i < 0 {
		err = errors.New("select one asset")
	}
	return i, err
}

// hold keeps documents open until release is called.
func hold(docs ...*model.Document) (release func()) {
	for _, d := range docs {
		d.Source.Hold()
	}
	return func() { model.CloseDocuments(docs...) }
}

// askOutput asks for the output file of a package.
func (m *Maker) askOutput(title, name string, done func(path string, packer *model.Packer)) {
	m.AskNew(title, name+m.Extension, func(path string) {
		packer, err := m.PackerFor(path)
		if m.Shows(path) {
			err = errors.New("it is open in Assay, which never modifies open files. Choose another file name")
		}
		if err != nil {
			m.notifyFailure(path, err)
			return
		}
		done(path, packer)
	})
}

func (m *Maker) notifyFailure(path string, err error) {
	m.Notify(host.Notice{ID: "package", Level: host.Error,
		Text: host.Sentence(export.Failure(model.FileName(path), err))})
}

// write writes a package off the UI thread and notifies the user of the result. Then it calls done.
func (m *Maker) write(path string, do func(ctx context.Context) (summary string, err error), done func(written bool)) {
	ctx, stop := context.WithCancel(m.Group.Context())
	m.Busy("Writing "+model.FileName(path), -1, stop)
	m.Group.Write(func(context.Context) func() {
		defer stop()
		text, err := do(ctx)
		return func() {
			m.Busy("", 0, nil)
			defer done(err == nil)
			switch {
			case errors.Is(err, context.Canceled):
				m.ShowHint(model.FileName(path) + " was not saved: canceled.")
			case errors.Is(err, errEmptyPatch):
				m.Notify(host.Notice{ID: "package",
					Text: host.SentenceOf("no patch was written because " + errEmptyPatch.Error())})
			case err != nil:
				m.notifyFailure(path, err)
			default:
				m.Notify(host.Notice{ID: "package", Text: host.SentenceOf(model.FileName(path) + " was written: " + text),
					Actions: []host.Action{{Label: "Open", On: func() { m.OpenPath(path) }}}})
			}
		}
	})
}
