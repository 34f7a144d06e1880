package window

import (
	"context"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"assay/model/query"
	"assay/ui/ask"
	"assay/ui/command"
	"assay/ui/comparison"
	"assay/ui/doc"
	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/preview"
)

// bar returns the menu bar for the current tab.
func (w *Window) bar() *fyne.MainMenu {
	bar := fyne.NewMainMenu()
	for _, name := range command.Menus {
		bar.Items = append(bar.Items, w.commands.Menu(name, w.tabs.current(), w.tabs.current))
	}
	return bar
}

// showBar updates the menu bar for the current tab if any label or state differs from the displayed bar.
func (w *Window) showBar() {
	bar := w.bar()
	var text strings.Builder
	for _, m := range bar.Items {
		writeStates(&text, m)
	}
	if text.String() == w.barText {
		return
	}
	w.barText = text.String()
	if w.menus == nil {
		w.win.SetMainMenu(bar)
		return
	}
	w.menus.SetMenus(bar.Items)
}

// writeStates writes the labels and states of a menu and its submenus.
func writeStates(b *strings.Builder, m *fyne.Menu) {
	for _, item := range m.Items {
		b.WriteString(item.Label)
		for _, state := range []bool{item.Checked, item.Disabled} {
			if state {
				b.WriteByte('!')
			}
			b.WriteByte('\n')
		}
		if item.ChildMenu != nil {
			writeStates(b, item.ChildMenu)
		}
	}
}

// showShortcuts lists every command with its shortcut. Enter runs the selected one.
func (w *Window) showShortcuts() {
	w.Choose("Search commands and shortcuts; Enter runs the selected one", "", w.findShortcuts)
}

// findShortcuts lists the commands with query in their names. The last row opens the settings of shortcuts.
func (w *Window) findShortcuts(_ context.Context, query string, show func([]ask.Item)) {
	var items []ask.Item
	for _, c := range command.All() {
		do, ok := w.runner(c)
		location := c.Scope.String()
		if c.Scope < command.Scene && c.Menu != "" {
			location = c.Menu
		}
		if !ok || c.Menu == "" && w.commands.Keys.Text(c.ID) == "" ||
			!ask.ContainsWords(query, c.Label, location, string(c.ID)) {
			continue
		}
		items = append(items, ask.Item{Name: c.Label, Note: w.commands.Keys.Text(c.ID), Where: location, On: do})
	}
	if strings.TrimSpace(query) == "" && w.options.Keys != "" {
		items = append(items, ask.Item{Name: "Change shortcuts…", Where: "Settings",
			On: func() { w.showSettings(len(settingsPages) - 1) }})
	}
	show(items)
}

// runner returns a func that runs a command in the current tab, or false if the window does not implement the command
// or the command only opens a menu. For a command of a list, the func only focuses the tab.
func (w *Window) runner(c command.Command) (do func(), ok bool) {
	if a, known := w.commands.Actions[c.ID]; known {
		return func() { w.commands.Run(c.ID, w.tabs.current()) }, a.Do != nil
	}
	switch {
	case c.Scope == command.Scene:
		return func() {
			if p := partOf[*preview.Preview](w.tabs.current()); p != nil && p.Viewport().Scene() != nil {
				p.Viewport().Commands().Run(c.ID, p.Viewport())
			}
		}, true
	case c.Scope > command.Scene:
		return func() {
			if t := w.tabs.current(); t != nil {
				t.Focus()
			}
		}, true
	}
	return nil, false
}

// reportKeyProblems reports invalid lines of the file with the user's shortcuts.
func (w *Window) reportKeyProblems(problems []string) {
	if len(problems) > 0 {
		w.Notify(host.Notice{Level: host.Warning, Text: "Your shortcuts file has " +
			host.Count(int64(len(problems)), "invalid line") + ". " + problems[0],
			Actions: []host.Action{{Label: "Show All", On: func() {
				w.Explain("Custom Shortcuts", w.options.Keys+"\n\n"+strings.Join(problems, "\n"))
			}}}})
	}
}

// explainFilters displays the syntax of filters.
func (w *Window) explainFilters() {
	plain := func(text string) widget.RichTextSegment {
		return &widget.TextSegment{Style: widget.RichTextStyleParagraph, Text: text}
	}
	page := widget.NewRichText(plain(query.WhereText))
	for _, r := range query.Rules {
		written := widget.RichTextStyleCodeBlock
		written.ColorName = theme.ColorNamePrimary
		page.Segments = append(page.Segments, &widget.TextSegment{Style: written, Text: r.Written}, plain(r.Finds))
	}
	page.Segments = append(page.Segments, plain(query.OnlyText))
	page.Wrapping = fyne.TextWrapWord
	w.ask.ShowContent("Filters", container.NewVScroll(page), fyne.NewSize(640, 600))
}

// exportItems returns the further items for adding to the export list from the context menu of a node.
func (w *Window) exportItems(Tab) []item {
	x := w.exporting
	return []item{
		{Label: "All Assets of This Type", Action: onSelected(x.AddType)},
		{Label: "All Filter Results", Action: onPart(func(p *doc.Pane) { x.Add(p.Document(), p.FilteredNodes()) })},
		{Label: "All Assets", Action: onPart(func(p *doc.Pane) { x.AddAll(p.Document()) })},
		{Label: "This Node as JSON", Line: true, Action: onSelected(x.AddNodes)},
		{Label: "This Node as Raw Bytes", Action: onPart(func(p *doc.Pane) { addBytes(x, p.Selection(), false) })},
	}
}

func (w *Window) recentItems(Tab) []item {
	var all []item
	for _, r := range w.recents.files[:min(len(w.recents.files), maxRecentItems)] {
		all = append(all, item{Label: recentLabel(r), Action: always(func() { w.openFile(r.Path) })})
	}
	if len(all) > 0 {
		all = append(all, item{Label: "Clear Recent Files", Line: true, Action: always(w.recents.clear)})
	}
	return all
}

func (w *Window) sampleItems(Tab) []item {
	var all []item
	for _, s := range w.options.Samples {
		all = append(all, item{Label: s.Name, Action: always(func() { w.opener.openSample(s) })})
	}
	return all
}

// groupItems returns the groupings of a document, or nil if there are fewer than two.
func groupItems(t Tab) []item {
	p := partOf[*doc.Pane](t)
	if p == nil || len(p.Groupings()) < 2 {
		return nil
	}
	var all []item
	for i, name := range p.Groupings() {
		all = append(all, item{Label: name, Action: withCheck(
			onPart(func(p *doc.Pane) { p.SetGrouping(i) }),
			func(t Tab) bool { return partOf[*doc.Pane](t).Grouping() == i })})
	}
	return all
}

func (w *Window) themeItems(Tab) []item {
	var all []item
	for _, m := range []struct {
		label string
		mode  paint.Mode
	}{{"Follow System", paint.System}, {"Light", paint.Light}, {"Dark", paint.Dark}} {
		all = append(all, item{Label: m.label, Action: withCheck(
			always(func() { w.setMode(m.mode) }), func(Tab) bool { return w.prefs.mode() == m.mode })})
	}
	return all
}

func reportItems(dots string, do func(c *comparison.Comparison, form int)) func(Tab) []item {
	return func(Tab) []item {
		var all []item
		for i, name := range comparison.ReportForms() {
			write := onPart(func(c *comparison.Comparison) { do(c, i) })
			all = append(all, item{Label: name + dots, Action: write})
		}
		return all
	}
}
