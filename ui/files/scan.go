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
func (t *Folder) Scan() {
	t.scanned = nil
	t.scanLane.Go(func(ctx context.Context) func() {
		progress := t.Group.Progress(ctx, func(scanned, supported int64) {
			t.setState(fmt.Sprintf("%s scanned, %s supported", host.Count(scanned, "file"), host.Number(supported)))
			t.Busy("Scanning folder", -1, t.stop)
		})
		next, wait := time.Now().Add(firstUpdate), firstUpdate
		supported := int64(0)
		files, err := folder.List(ctx, t.root, maxFiles, t.Recognize, func(found []folder.File) {
			if !found[len(found)-1].IsUnknown() {
				supported++
			}
			progress(int64(len(found)), supported)
			if now := time.Now(); now.After(next) && len(found) > 0 {
				wait *= 2
				next = now.Add(wait)
				files := slices.Clone(found)
				t.Group.Do(ctx, func() { t.showFound(files) })
			}
		})
		return func() {
			t.Busy("", 0, nil)
			if err != nil {
				t.Notify(host.Notice{ID: "folder " + t.root, Level: host.Warning, Text: host.Sentence(err)})
			}
			t.readWith.Clear()
			t.finishScan(files)
		}
	})
}

// finishScan displays the files of a complete scan.
func (t *Folder) finishScan(files []folder.File) {
	t.scanned = append([]folder.File{}, files...) // not nil
	t.showFound(files)
	t.setState(t.countText())
	t.readAll()
}

// maxUnaskedFiles is the maximum number of files of a folder that is scanned again without the user's request.
const maxUnaskedFiles = 10_000

// LookForChanges scans the folder again, and displays files that were added, removed or changed since.
func (t *Folder) LookForChanges() {
	previous := t.scanned
	if previous == nil || len(previous) > maxUnaskedFiles {
		return
	}
	t.scanLane.Go(func(ctx context.Context) func() {
		files, err := folder.List(ctx, t.root, maxFiles, t.Recognize, func([]folder.File) {})
		if err != nil || slices.Equal(files, previous) {
			return nil
		}
		unchanged := map[folder.File]bool{}
		for _, f := range previous {
			unchanged[f] = true
		}
		return func() {
			for _, f := range files {
				if unchanged[f] {
					continue
				}
				t.readWith.Delete(f.Path)
				if t.previewed != nil && t.previewed.Source.Path() == f.Path {
					t.preview(f.Path)
				}
			}
			t.finishScan(files)
		}
	})
}

func (t *Folder) stop() {
	t.scanLane.Stop()
	t.readLane.Stop()
	t.Busy("", 0, nil)
	t.setState(t.countText() + " (stopped)")
}

func (t *Folder) setState(text string) {
	t.state = text
	t.Changed()
}

func (t *Folder) countText() string {
	text, others := host.Count(len(t.found), "file"), t.otherFiles()
	if others > 0 {
		text = fmt.Sprintf("%s supported, %s", host.Count(len(t.found)-others, "file"), host.Count(others, "other"))
	}
	if t.exportFiles > 0 {
		text += fmt.Sprintf(", %s in export folders not listed", host.Number(t.exportFiles))
	}
	return text
}

// otherFiles returns the number of files of unknown format.
func (t *Folder) otherFiles() (n int) {
	for i := range t.found {
		if t.found[i].IsUnknown() {
			n++
		}
	}
	return n
}

// showFound displays the found files, except files in export folders.
func (t *Folder) showFound(all []folder.File) {
	found := slices.DeleteFunc(slices.Clone(all), func(f folder.File) bool { return f.Export })
	t.exportFiles = len(all) - len(found)
	t.listFound(found)
}

func (t *Folder) listFound(found []folder.File) {
	t.found, t.files = found, found
	others := t.otherFiles()
	if !t.allFiles.Checked {
		t.files = slices.DeleteFunc(slices.Clone(found), func(f folder.File) bool { return f.IsUnknown() })
	}
	t.allFiles.SetText("Other files (" + host.Number(others) + ")")
	paint.SetVisible(t.allFiles, others > 0)
	t.list.set(t.document(t.files), -1)
	t.showOverview()
}

// showOverview displays the overview of the listed files, or the only file, unless a file is displayed.
func (t *Folder) showOverview() {
	switch d := t.list.document; {
	case t.previewed != nil:
	case len(t.files) > 1:
		t.previewPane.Select(doc.Selection{Document: d, Node: d.Root(), Report: t.report})
	case len(t.files) == 1:
		t.selectFile(model.Path{0}, nil)
	case len(t.found) > 0:
		t.previewPane.ShowPlaceholder("No files of supported formats. Switch on Other files to list the others.")
	case t.scanned != nil:
		t.previewPane.ShowPlaceholder("No files in this folder.")
	}
}

// maxVerifiedSize is the maximum size of a file that is verified in the background, in bytes.
const maxVerifiedSize = 64 << 20

// readAll finds the versions and problems of the files, except of files that were read with this resource folder
// before.
func (t *Folder) readAll() {
	files := t.found
	t.readLane.Go(func(ctx context.Context) func() {
		progress := t.Group.Progress(ctx, func(done, total int64) {
			t.Busy("Reading files", float64(done)/float64(max(1, total)), t.stop)
			t.list.Refresh()
		})
		for i, f := range files {
			if ctx.Err() != nil {
				return nil
			}
			progress(int64(i), int64(len(files)))
			if f.Format == "" {
				continue
			}
			chosen := t.Resources(f.Path)
			if previous, ok := t.readWith.Load(f.Path); !ok || previous != chosen {
				t.readWith.Store(f.Path, chosen)
				t.readFile(ctx, f)
			}
		}
		return func() {
			t.Busy("", 0, nil)
			t.list.Refresh()
			t.report = t.facts.Report(files)
			t.showOverview()
		}
	})
}

func (t *Folder) readFile(ctx context.Context, f folder.File) {
	d, err := t.Opener(ctx, f.Path)
	if err != nil {
		t.facts.Set(f.Path, "", 1, host.Sentence(err))
		return
	}
	defer d.Source.Close()
	if f.Size > maxVerifiedSize {
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
	t.facts.Set(f.Path, version, report.Count[model.Error]+report.Count[model.Warning], worst)
}
