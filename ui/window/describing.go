package window

import (
	"context"
	"path/filepath"
	"regexp"
	"strings"

	"assay/model"
	"assay/ui"
	"assay/ui/ask"
	"assay/ui/doc"
	"assay/ui/host"
)

// drafts returns the actions of the editor of the tab's description.
func (t *docTab) drafts() doc.Drafts {
	w := t.w
	return doc.Drafts{
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
	return ok && w.options.Describer != nil && d.Path != "" && unsavedIn(t) == ""
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

// describeBytes asks for the type of selected bytes, and adds a field to the description. The bytes stay in view.
func (w *Window) describeBytes(p *doc.Pane, span model.Span) {
	t, ok := w.tabs.current().(*docTab)
	if !ok || t.pane != p {
		return
	}
	if t.description == nil || !t.description.CanEdit() {
		p.ShowHint("Choose File > Describe This File first: there is no description to add a field to.")
		return
	}
	unchanged := func(text string) string { return text }
	t.description.ReplaceText(unchanged, func(text string) { w.chooseField(t, span, text) })
}

// fieldName matches names of fields in a description.
var fieldName = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)

// chooseField lists the fields that the bytes of span can be, and adds the chosen one to the description text. The
// query is the beginning of a title or the name of the new field.
func (w *Window) chooseField(t *docTab, span model.Span, text string) {
	src := t.pane.Document().Source
	w.Choose("What are "+host.Count(span.Size, "byte")+"? Type a name for the field.", "", func(_ context.Context,
		query string, show func([]ask.Item)) {
		var items []ask.Item
		list := func(name, prefix string, include func(f ui.Field) bool) {
			fields, _ := w.options.Describer.Fields(text, name, src, span) // none after an error
			for _, f := range fields {
				if include(f) {
					add := func() { t.addField(f, span) }
					items = append(items, ask.Item{Name: prefix + f.Title, Where: f.Why, ID: f.Title, On: add})
				}
			}
		}
		isName := fieldName.MatchString(query)
		list("", "", func(f ui.Field) bool {
			return isName && strings.HasPrefix(f.Title, query) || !isName && ask.ContainsWords(query, f.Title, f.Why)
		})
		if isName {
			list(query, query+": ", func(ui.Field) bool { return true })
		}
		show(items)
	})
}

// addField replaces the text of the description by one with a further field. The caret moves to the bytes after span.
func (t *docTab) addField(f ui.Field, span model.Span) {
	t.description.ReplaceText(func(string) string { return f.Text }, nil)
	t.pane.SelectByte(min(span.End(), t.pane.Document().Source.Size()-1))
	t.w.ShowHint("Added " + f.Title + " to the description, which is not saved yet.")
}

// isDescribed reports whether a tab has a document with a description.
func isDescribed(t Tab) bool {
	d, ok := t.(*docTab)
	return ok && d.description != nil
}
