package files

import (
	"context"
	"fmt"
	"slices"
	"time"

	"assay/model"
	"assay/model/folder"
	"assay/ui/doc"
	"assay/ui/host"
	"assay/ui/paint"
)

// firstUpdate is the time until the first files are listed while the search continues. The wait doubles after each
// update.
const firstUpdate = 300 * time.Millisecond

// maxFiles is the maximum number of listed files.
const maxFiles = 100_000

// Scan starts the search for files. Call it when the list is in a tab, and to scan the folder again.
func (f *Folder) Scan() {
	f.scanned = nil
	f.scanLane.Go(func(ctx context.Context) func() {
		progress := f.Group.Progress(ctx, func(scanned, supported int64) {
			f.setState(fmt.Sprintf("%s scanned, %s supported", host.Count(scanned, "file"), host.Number(supported)))
			f.Busy("Scanning folder", -1, f.stop)
		})
		next, wait := time.Now().Add(firstUpdate), firstUpdate
		supported := int64(0)
		files, err := folder.List(ctx, f.root, maxFiles, f.Recognize, func(found []folder.File) {
			if !found[len(found)-1].IsUnknown() {
				supported++
			}
			progress(int64(len(found)), supported)
			if now := time.Now(); now.After(next) && len(found) > 0 {
				wait *= 2
				next = now.Add(wait)
				files := slices.Clone(found)
				f.Group.Do(ctx, func() { f.showFound(files) })
			}
		})
		return func() {
			f.Busy("", 0, nil)
			if err != nil {
				f.Notify(host.Notice{ID: "folder " + f.root, Level: host.Warning, Text: host.Sentence(err)})
			}
			f.readWith.Clear()
			f.finishScan(files)
		}
	})
}

// finishScan displays the files of a complete scan.
func (f *Folder) finishScan(files []folder.File) {
	f.scanned = append([]folder.File{}, files...) // not nil
	f.showFound(files)
	f.setState(f.countText())
	f.readAll()
}

// maxUnaskedFiles is the maximum number of files of a folder that is scanned again without the user's request.
const maxUnaskedFiles = 10_000

// LookForChanges scans the folder again, and displays files that were added, removed or changed since.
func (f *Folder) LookForChanges() {
	previous := f.scanned
	if previous == nil || len(previous) > maxUnaskedFiles {
		return
	}
	f.scanLane.Go(func(ctx context.Context) func() {
		files, err := folder.List(ctx, f.root, maxFiles, f.Recognize, func([]folder.File) {})
		if err != nil || slices.Equal(files, previous) {
			return nil
		}
		unchanged := map[folder.File]bool{}
		for _, file := range previous {
			unchanged[file] = true
		}
		return func() {
			for _, file := range files {
				if unchanged[file] {
					continue
				}
				f.readWith.Delete(file.Path)
				if f.previewed != nil && f.previewed.Source.Path() == file.Path {
					f.preview(file.Path)
				}
			}
			f.finishScan(files)
		}
	})
}

func (f *Folder) stop() {
	f.scanLane.Stop()
	f.readLane.Stop()
	f.Busy("", 0, nil)
	f.setState(f.countText() + " (stopped)")
}

func (f *Folder) setState(text string) {
	f.state = text
	f.Changed()
}

func (f *Folder) countText() string {
	text, others := host.Count(len(f.found), "file"), f.otherFiles()
	if others > 0 {
		text = fmt.Sprintf("%s supported, %s", host.Count(len(f.found)-others, "file"), host.Count(others, "other"))
	}
	if f.exportFiles > 0 {
		text += fmt.Sprintf(", %s in export folders not listed", host.Number(f.exportFiles))
	}
	return text
}

// otherFiles returns the number of files of unknown format.
func (f *Folder) otherFiles() (n int) {
	for i := range f.found {
		if f.found[i].IsUnknown() {
			n++
		}
	}
	return n
}

// showFound displays the found files, except files in export folders.
func (f *Folder) showFound(all []folder.File) {
	found := slices.DeleteFunc(slices.Clone(all), func(file folder.File) bool { return file.Export })
	f.exportFiles = len(all) - len(found)
	f.listFound(found)
}

func (f *Folder) listFound(found []folder.File) {
	f.found, f.files = found, found
	others := f.otherFiles()
	if !f.allFiles.Checked {
		f.files = slices.DeleteFunc(slices.Clone(found), func(file folder.File) bool { return file.IsUnknown() })
	}
	f.allFiles.SetText("Other files (" + host.Number(others) + ")")
	paint.SetVisible(f.allFiles, others > 0)
	f.list.set(f.document(f.files), -1)
	f.showOverview()
}

// showOverview displays the overview of the listed files, or the only file, unless a file is displayed.
func (f *Folder) showOverview() {
	switch d := f.list.document; {
	case f.previewed != nil:
	case len(f.files) > 1:
		f.previewPane.Select(doc.Selection{Document: d, Node: d.Root(), Report: f.report})
	case len(f.files) == 1:
		f.selectFile(model.Path{0}, nil)
	case len(f.found) > 0:
		f.previewPane.ShowPlaceholder("No files of supported formats. Switch on Other files to list the others.")
	case f.scanned != nil:
		f.previewPane.ShowPlaceholder("No files in this folder.")
	}
}

// maxVerifiedSize is the maximum size of a file that is verified in the background, in bytes.
const maxVerifiedSize = 64 << 20

// readAll finds the versions and problems of the files, except of files that were read with this resource folder
// before.
func (f *Folder) readAll() {
	files := f.found
	f.readLane.Go(func(ctx context.Context) func() {
		progress := f.Group.Progress(ctx, func(done, total int64) {
			f.Busy("Reading files", float64(done)/float64(max(1, total)), f.stop)
			f.list.Refresh()
		})
		for i, file := range files {
			if ctx.Err() != nil {
				return nil
			}
			progress(int64(i), int64(len(files)))
			if file.Format == "" {
				continue
			}
			chosen := f.Resources(file.Path)
			if previous, ok := f.readWith.Load(file.Path); !ok || previous != chosen {
				f.readWith.Store(file.Path, chosen)
				f.readFile(ctx, file)
			}
		}
		return func() {
			f.Busy("", 0, nil)
			f.list.Refresh()
			f.report = f.facts.Report(files)
			f.showOverview()
		}
	})
}

func (f *Folder) readFile(ctx context.Context, file folder.File) {
	d, err := f.Opener(ctx, file.Path)
	if err != nil {
		f.facts.Set(file.Path, "", 1, host.Sentence(err))
		return
	}
	defer d.Source.Close()
	if file.Size > maxVerifiedSize {
		return
	}
	report, err := d.Check(ctx, nil)
	if err != nil {
		return
	}
	worst := ""
	for _, p := range report.Problems {
		if p.Severity == report.Worst && p.Severity > model.Note {
			worst = model.OneLine(p.Message, 300)
			break
		}
	}
	version := d.Variant
	if d.Description != nil {
		version = "" // descriptions have no versions
	}
	f.facts.Set(file.Path, version, report.Count[model.Error]+report.Count[model.Warning], worst)
}
