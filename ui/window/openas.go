package window

import (
	"context"
	"path/filepath"
	"slices"

	"assay/model"
	"assay/ui"
	"assay/ui/ask"
	"assay/ui/doc"
	"assay/ui/host"
	"assay/ui/opening"
)

// canOpenAs reports whether a tab has a document and there are formats to choose from.
func (w *Window) canOpenAs(t Tab) bool { return has[*doc.Pane](t) && w.options.Formats != nil }

// askFormat asks for a format, built in or described, and opens the document of the tab in it.
func (w *Window) askFormat(t *docTab) {
	w.chooseFormat("Open "+model.OneLine(t.title, 60)+" as", t.pane.Document().Source.Home(), t.openAs)
}

// chooseFormat asks for a format or a description for the file at path, and calls do with its ID.
func (w *Window) chooseFormat(question, path string, do func(id string)) {
	var all []ui.Format
	w.Choose(question, "", func(_ context.Context, query string, show func([]ask.Item)) {
		if all == nil {
			all = append([]ui.Format{{Title: "Detect automatically"}}, w.options.Formats(path)...)
		}
		var items []ask.Item
		for _, f := range all {
			if ask.ContainsWords(query, f.Title, f.From) {
				items = append(items, w.formatItem(f, do))
			}
		}
		show(append(items, ask.Item{Name: "Choose Description File…", Where: w.options.Descriptions.Title,
			On: func() {
				w.ask.File("Choose Description File", filepath.Dir(path), w.options.Descriptions.Extensions, do)
			}}))
	})
}

// supportsDescriptionFolders reports whether description folders can be added.
func (w *Window) supportsDescriptionFolders(Tab) bool { return w.options.DescriptionFolders != nil }

// askDescriptions asks for a description folder to add, and calls done after it was added.
func (w *Window) askDescriptions(done func()) {
	w.ask.Folder("Choose a folder with descriptions ("+w.options.Descriptions.Title+")", w.folder(),
		func(folder string) { w.addDescriptions(folder, done) })
}

func (w *Window) addDescriptions(folder string, done func()) {
	w.changeDescriptions(func() error { return w.options.DescriptionFolders.Add(folder) },
		"Descriptions in "+model.OneLine(folder, 200)+" are now used to recognize files and are listed in Open As.",
		done)
}

// askDescriptionsToRemove asks for an added description folder to remove.
func (w *Window) askDescriptionsToRemove() {
	w.Choose("Remove description folder", "No description folders.",
		func(_ context.Context, query string, show func([]ask.Item)) {
			var items []ask.Item
			for _, folder := range w.options.DescriptionFolders.All()[1:] {
				if ask.ContainsWords(query, folder) {
					remove := func() { w.removeDescriptions(folder, func() {}) }
					items = append(items, ask.Item{Name: folder, On: remove})
				}
			}
			show(items)
		})
}

// removeDescriptions removes a folder from the description folders, and calls done. Open documents stay unchanged.
func (w *Window) removeDescriptions(folder string, done func()) {
	w.changeDescriptions(func() error { return w.options.DescriptionFolders.Remove(folder) },
		"Descriptions in "+model.OneLine(folder, 200)+" are no longer used. The folder itself is unchanged.",
		done)
}

// changeDescriptions changes the description folders, notifies the user of the result, and calls done.
func (w *Window) changeDescriptions(change func() error, success string, done func()) {
	w.group.Write(func(context.Context) func() {
		n := host.Notice{ID: "descriptions", Text: success}
		if err := change(); err != nil {
			n.Level, n.Text = host.Error, host.Sentence(err)
		}
		return func() {
			w.watchDescriptions()
			w.Notify(n)
			done()
		}
	})
}

// watchDescriptions watches the description folders, including folders of the projects of unrecognized files.
func (w *Window) watchDescriptions() {
	if !w.supportsDescriptionFolders(nil) {
		return
	}
	var unrecognized []string
	for _, t := range w.tabs.all {
		if t, ok := t.(*docTab); ok && t.unrecognized && t.formatID == "" {
			unrecognized = append(unrecognized, t.pane.Document().Source.Home())
		}
	}
	w.group.Go(func(context.Context) func() {
		var folders []*opening.File
		for _, folder := range w.options.DescriptionFolders.Watched(unrecognized) {
			folders = append(folders, opening.NewFile(folder))
		}
		return func() {
			w.descriptionFolders = folders
			w.watching.Set(w.group, &w.descriptionFolders, folders...)
		}
	})
}

// descriptionsChanged reopens the unrecognized files that a description now recognizes, if path is a description
// folder.
func (w *Window) descriptionsChanged(path string) {
	if !slices.ContainsFunc(w.descriptionFolders, func(f *opening.File) bool { return f.HasPath(path) }) {
		return
	}
	w.watchDescriptions() // there may be new folders
	for _, t := range w.tabs.all {
		if t, ok := t.(*docTab); ok && t.unrecognized && t.formatID == "" {
			t.retryRecognition()
		}
	}
}

// retryRecognition reopens the document if its format is recognized now.
func (t *docTab) retryRecognition() {
	src := t.pane.Document().Source
	t.group.Go(func(context.Context) func() {
		t.w.options.Formats(src.Home()) // reads the folders again
		if t.w.options.Recognize(src) == "" {
			return nil
		}
		return func() {
			if t.unrecognized && t.pane.Document().Source == src {
				t.reloadAs("")
			}
		}
	})
}

// askAssetFormat asks for the format of assets with the selected asset's type in this package, saves it, and opens the
// selected asset.
func (w *Window) askAssetFormat(t *docTab) {
	home := t.pane.Document().Source.Home()
	w.chooseFormat("Open assets of this type in "+model.OneLine(t.title, 60)+" as", home, func(id string) {
		t.pane.OpenInsideWith(func(content *model.Source, asset *model.Payload) {
			if m := w.options.Memory; m != nil && home != "" {
				w.group.Write(func(context.Context) func() {
					err := m.SetAssetFormat(home, asset.Type, id)
					return func() { w.cannotRemember(err) }
				})
			}
			w.opener.openSource(content, id, nil)
		})
	})
}

// formatItem returns the list item of a format. The item of an unusable format explains the problem.
func (w *Window) formatItem(f ui.Format, do func(id string)) ask.Item {
	if f.Problem == "" {
		return ask.Item{Name: f.Title, Where: f.From, On: func() { do(f.ID) }}
	}
	return ask.Item{Name: f.Title, Note: "has an error", Where: f.Problem, Dim: true,
		On: func() { w.Explain(f.Title, host.SentenceOf(f.Problem)) }}
}

// openAs replaces the tab by one that decodes the file in another format, after a confirmation if there are unsaved
// changes. If opening fails, the tab stays.
func (t *docTab) openAs(format string) {
	open := func() { t.openAsThen(format, nil) }
	if !t.w.confirmLeaving(t, open) {
		open()
	}
}

// openAsThen is openAs without the confirmation. It calls done, which may be nil, with the new tab.
func (t *docTab) openAsThen(format string, done func(opened *docTab)) {
	t.openIn("Opening "+t.title, format, func(d *model.Document, f *opening.File, err error) {
		if err != nil {
			t.Notify(host.Notice{ID: "open as", Level: host.Error, Text: host.Sentence(err) + reloadFailedSuffix})
			return
		}
		opened := t.w.showDocument(t, request{title: t.title, Path: t.Path, format: format}, t.w.group.Subgroup(), f, d)
		t.w.notices.Forget(t)
		t.Close()
		if done != nil {
			done(opened)
		}
	})
}

// reloadFailedSuffix is the end of a notice about a failed reload.
const reloadFailedSuffix = " Showing the version loaded earlier."

// drafts returns the actions of the editor of the tab's description.
func (t *docTab) drafts() doc.DraftActions {
	w := t.w
	return doc.DraftActions{
		Read: func(file, text string) {
			w.options.Describer.Draft(file, []byte(text))
			t.reloadAs(file)
		},
		Save: func(file, text string, saved func()) {
			w.writeDescription(file, func() (string, error) { return text, nil }, func() {
				w.options.Describer.Draft(file, nil) // the file has the text
				saved()
				w.ShowHint("Saved " + model.FileName(file) + ".")
			})
		},
		SaveAs: func(file, text string) {
			w.ask.NewFile("Save Description As", filepath.Dir(file), filepath.Base(file), func(path string) {
				w.writeDescription(path, func() (string, error) { return text, nil }, func() {
					w.options.Describer.Draft(file, nil)
					t.openAsThen(path, nil)
				})
			})
		},
		Close:    func(file string) { w.options.Describer.Draft(file, nil) },
		Focus:    w.win.Canvas().Focus,
		Complete: w.options.Describer.Complete,
	}
}

// writeDescription writes the text of a description, and calls done on the UI thread if it could be written.
func (w *Window) writeDescription(file string, text func() (string, error), done func()) {
	w.group.Write(func(context.Context) func() {
		content, err := text()
		if err == nil {
			err = model.ReplaceFile(file, []byte(content), 0o644)
		}
		return func() {
			if err != nil {
				w.Notify(host.Notice{Level: host.Error, Text: host.SentenceOf("Could not save " + model.FileName(file) + ": " +
					err.Error())})
				return
			}
			done()
		}
	})
}

// canDescribe reports whether a new description of the tab's file can be written.
func (w *Window) canDescribe(t Tab) bool {
	d, ok := t.(*docTab)
	changes, _ := unsavedIn(t)
	return ok && w.options.Describer != nil && d.Path != "" && changes == ""
}

// describe asks for the path of a new description of the tab's file, and edits it.
func (w *Window) describe(t *docTab) {
	src := t.pane.Document().Source
	name := src.Stem() + w.options.Descriptions.Extensions[0]
	w.ask.NewFile("New Description", filepath.Dir(t.Path), name, func(path string) {
		text := func() (string, error) {
			head, err := src.Bytes(model.Span{Size: min(16, src.Size())})
			return w.options.Describer.Skeleton(src.Name(), head), err
		}
		w.writeDescription(path, text, func() {
			t.openAsThen(path, func(opened *docTab) {
				if opened.description != nil {
					opened.pane.Center.Show(opened.description)
					opened.description.Select(opened.pane.Selection())
					opened.description.Edit()
				}
			})
		})
	})
}

// isDescribed reports whether a tab has a document with a description.
func isDescribed(t Tab) bool {
	d, ok := t.(*docTab)
	return ok && d.description != nil
}

// whyNotDescribed returns that a document has no description, or "" for other tabs.
func (w *Window) whyNotDescribed(t Tab) string {
	_, ok := t.(*docTab)
	switch {
	case !ok:
		return ""
	case w.canDescribe(t):
		return "This file has no description. Choose File > Describe This File to begin one."
	}
	return "This file has no description."
}
