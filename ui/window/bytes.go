package window

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"assay/model"
	"assay/model/checksum"
	"assay/model/content"
	"assay/ui"
	"assay/ui/ask"
	"assay/ui/doc"
	"assay/ui/exporting"
	"assay/ui/hex"
	"assay/ui/host"
)

// selectedSpan returns the selected bytes, or the bytes of the selected node.
func selectedSpan(p *doc.Pane) (model.Span, bool) {
	s := p.Selection()
	switch {
	case s.Length > 0:
		return model.Span{Offset: s.Offset, Size: s.Length}, true
	case s.Node != nil && s.Node.Size > 0:
		return s.Node.Span, true
	}
	return model.Span{}, false
}

func onBytes(do func(p *doc.Pane, span model.Span)) action {
	return onPart(func(p *doc.Pane) {
		if span, ok := selectedSpan(p); ok {
			do(p, span)
		} else {
			p.ShowHint("No bytes are selected.")
		}
	})
}

// listChecksums lists the checksums of the bytes of a span. Enter copies one.
func (w *Window) listChecksums(p *doc.Pane, span model.Span) {
	src := p.Document().Source
	var cached []checksum.Sum
	w.Choose(fmt.Sprintf("Checksums of %s at %#x (Enter to copy)", host.Count(span.Size, "byte"), span.Offset), "",
		func(ctx context.Context, query string, show func([]ask.Item)) {
			all := cached
			if all == nil {
				var err error
				if all, err = checksum.Compute(ctx, src, span, nil); err != nil {
					return
				}
			}
			var items []ask.Item
			for _, s := range all {
				if ask.ContainsWords(query, s.Name, s.Hex) {
					items = append(items, ask.Item{Name: s.Name, Where: s.Hex, On: func() { w.Copy(s.Hex) }})
				}
			}
			show(items)
			w.group.Do(ctx, func() { cached = all })
		})
}

// listStrings lists the strings in the bytes of a span. Enter selects one.
func (w *Window) listStrings(p *doc.Pane, span model.Span) {
	src := p.Document().Source
	w.Choose(fmt.Sprintf("Strings in %s at %#x", host.Count(span.Size, "byte"), span.Offset),
		"No strings in these bytes",
		func(ctx context.Context, query string, show func([]ask.Item)) {
			found, err := content.ReadBytes(ctx, src, span)
			if err != nil {
				return
			}
			var items []ask.Item
			for _, s := range found.Strings {
				if ask.ContainsWords(query, s.Text) {
					items = append(items, ask.Item{Name: model.OneLine(s.Text, 200),
						Note: fmt.Sprintf("%#x", s.Offset), On: func() { p.GoTo(s.Offset) }})
				}
			}
			show(items)
		})
}

func columnItems(Tab) []item {
	var all []item
	for i, n := range bytesPerRow {
		all = append(all, item{Label: bytesPerRowLabels()[i], Action: withCheck(
			onPart(func(p *doc.Pane) {
				doc.BytesPerRow.Save(n)
				p.ShowBytes()
				p.SetBytesPerRow(n)
			}), func(t Tab) bool {
				p := partOf[*doc.Pane](t)
				return p != nil && p.Columns() == n
			})})
	}
	return all
}

// bytesPerRow are the numbers of bytes in a row of the hex view; 0 fits the width.
var bytesPerRow = []int{0, 4, 8, 12, 16, 20, 24, 32, 48, 64}

func bytesPerRowLabels() []string {
	labels := []string{"Fit to Width"}
	for _, n := range bytesPerRow[1:] {
		labels = append(labels, fmt.Sprint(n))
	}
	return labels
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
// It can be undone until the text is edited.
func (t *docTab) addField(f ui.Field, span model.Span) {
	before := t.description.Text()
	set := func(text string, offset int64) {
		t.description.ReplaceText(func(string) string { return text }, nil)
		t.pane.SelectByte(min(offset, t.pane.Document().Source.Size()-1))
	}
	set(f.Text, span.End())
	t.w.undo.add(step{
		name: "Add " + f.Title + " to the Description",
		revert: func() bool {
			set(before, span.Offset)
			return true
		},
		outdated: func() bool { return !slices.Contains(t.w.tabs.all, Tab(t)) || t.description.Text() != f.Text },
	})
}

// addBytes adds the selected bytes, or the bytes of the selected node, to the export list.
func addBytes(x *exporting.Panel, s doc.Selection, ranged bool) {
	if ranged && s.Length > 0 {
		x.AddBytes(s.Document, model.Span{Offset: s.Offset, Size: s.Length})
	} else if s.Node != nil {
		x.AddBytes(s.Document, s.Node.Span)
	}
}

func copyItems(Tab) []item {
	var all []item
	for _, f := range hex.Forms() {
		all = append(all, item{Label: f.String(), Action: onPart(func(p *doc.Pane) { p.CopyBytes(f) })})
	}
	return all
}
