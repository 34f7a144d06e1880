package comparison

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"

	"fyne.io/fyne/v2"

	"assay/model"
	"assay/model/compare"
)

// form is a form of the report.
type form struct {
	name, extension string
	write           func(c *compare.Comparison, w io.Writer) error
}

var forms = []form{
	{"Text", ".txt", func(c *compare.Comparison, w io.Writer) error { return c.WriteText(w, false) }},
	{"Markdown", ".md", (*compare.Comparison).WriteMarkdown},
	{"JSON", ".json", (*compare.Comparison).WriteJSON},
	{"HTML", ".html", (*compare.Comparison).WriteHTML},
}

// copiedMost is how large a report may be to be put on the clipboard.
const copiedMost = 16 << 20

// clip is a report on its way to the clipboard; one that is too long ends.
type clip struct{ bytes.Buffer }

func (b *clip) Write(p []byte) (int, error) {
	if b.Len()+len(p) > copiedMost {
		return 0, fmt.Errorf("the report is longer than %d MiB: save it as a file instead", copiedMost>>20)
	}
	return b.Buffer.Write(p)
}

// ReportForms are the names of the forms of a report.
func ReportForms() []string {
	var names []string
	for _, f := range forms {
		names = append(names, f.name)
	}
	return names
}

// CopyReport puts the report on the clipboard, in one of ReportForms.
func (c *Comparison) CopyReport(i int) {
	if c.c == nil {
		return
	}
	found, f := c.c, forms[i]
	c.Busy("Writing the report", -1, nil)
	c.Group.Go(func(context.Context) func() {
		var out clip
		err := f.write(found, &out)
		return func() {
			c.Busy("", 0, nil)
			if err != nil {
				c.complain(err)
				return
			}
			c.Copy(out.String())
			c.Tell("Copied the report as " + f.name + ".")
		}
	})
}

// SaveReport asks for a file and writes the report to it, in one of ReportForms.
func (c *Comparison) SaveReport(i int) {
	if c.c == nil {
		return
	}
	found, f := c.c, forms[i]
	c.Save("comparison"+f.extension, func(w io.Writer) error { return f.write(found, w) })
}

func (c *Comparison) reportItems() []*fyne.MenuItem {
	var items []*fyne.MenuItem
	for i, f := range forms {
		items = append(items, fyne.NewMenuItem("Copy as "+f.name, func() { c.CopyReport(i) }))
	}
	items = append(items, fyne.NewMenuItemSeparator())
	for i, f := range forms {
		items = append(items, fyne.NewMenuItem("Save as "+f.name+"…", func() { c.SaveReport(i) }))
	}
	return items
}

func (c *Comparison) showReportMenu() {
	at := fyne.CurrentApp().Driver().AbsolutePositionForObject(c.head.report)
	c.Menu(fyne.NewMenu("", c.reportItems()...), at.Add(fyne.NewPos(0, c.head.report.Size().Height)))
}

// linesCopied is how many selected pairs are copied at once.
const linesCopied = 10_000

// copyBoth copies the selected pairs as lines of the report.
func (c *Comparison) copyBoth() {
	c.copyEach(func(p *compare.Pair) string {
		l := p.Line()
		s := l.Sign + " " + l.Path
		if l.Change != "" {
			s += " " + l.Change
		}
		return s
	})
}

// copyOld copies the old values of the selected pairs.
func (c *Comparison) copyOld() { c.copyEach(func(p *compare.Pair) string { return wholeValue(p.Old) }) }

// copyNew copies the new values of the selected pairs.
func (c *Comparison) copyNew() { c.copyEach(func(p *compare.Pair) string { return wholeValue(p.New) }) }

// CopyPath copies the paths of the selected pairs.
func (c *Comparison) CopyPath() {
	c.copyEach(func(p *compare.Pair) string { return p.Node().PathText() })
}

func (c *Comparison) copyEach(line func(p *compare.Pair) string) {
	pairs := c.list.selected(linesCopied)
	if len(pairs) == 0 {
		return
	}
	c.Group.Go(func(ctx context.Context) func() {
		var lines []string
		for _, p := range pairs {
			if ctx.Err() != nil {
				return nil
			}
			lines = append(lines, line(p))
		}
		return func() { c.Copy(strings.Join(lines, "\n")) }
	})
}

// wholeValue is a node's value in full, where it is a text.
func wholeValue(n *model.Node) string {
	if n == nil {
		return ""
	}
	if s, ok := n.Value.(string); ok {
		return s
	}
	return n.ValueText()
}

// pairMenu is the menu of a pair.
func (c *Comparison) pairMenu(p *compare.Pair, at fyne.Position) {
	var items []*fyne.MenuItem
	add := func(label string, do func()) { items = append(items, fyne.NewMenuItem(label, do)) }
	if old, new, ok := c.loose(); ok {
		add("Pair These Two", func() { c.pairByHand(old, new) })
		items = append(items, fyne.NewMenuItemSeparator())
	}
	if p.Old != nil {
		add("Copy Old Value", c.copyOld)
	}
	if p.New != nil {
		add("Copy New Value", c.copyNew)
	}
	add("Copy Path", c.CopyPath)
	add("Copy as Text", c.copyBoth)
	items = append(items, fyne.NewMenuItemSeparator())
	for i, n := range []*model.Node{p.Old, p.New} {
		if n != nil {
			path := n.Path()
			add([]string{"Open in the Old File", "Open in the New File"}[i], func() { c.Open(c.sides[i], path) })
		}
	}
	if p.New != nil {
		items = append(items, fyne.NewMenuItemSeparator())
		add("Add to Export", c.exportSelected)
		add("Add Everything New or Changed to Export", c.ExportChanged)
	}
	items = append(items, fyne.NewMenuItemSeparator())
	if n := p.Node(); n.Name != "" && p.Parent() != nil {
		add("Leave Out “"+model.OneLine(n.Name, 40)+"” Everywhere", func() {
			o := c.options
			o.Names = append(append([]string(nil), o.Names...), n.Name)
			c.setOptions(o)
		})
	}
	if p.Old == nil || p.New == nil {
		add("To pair by hand: select one removed and one added", nil)
		items[len(items)-1].Disabled = true
	}
	c.Menu(fyne.NewMenu("", items...), at)
}

// loose gives one removed and one added node, if those two are selected.
func (c *Comparison) loose() (old, new *model.Node, ok bool) {
	pairs := c.list.selected(3)
	if len(pairs) != 2 {
		return nil, nil, false
	}
	for _, p := range pairs {
		switch {
		case p.New == nil && old == nil:
			old = p.Old
		case p.Old == nil && new == nil:
			new = p.New
		}
	}
	return old, new, old != nil && new != nil
}

// pairByHand compares an old node with a new one, because somebody says that they belong together.
func (c *Comparison) pairByHand(old, new *model.Node) {
	o := c.options
	o.Pairs = append(append([]compare.Match(nil), o.Pairs...), compare.Match{Old: old.Path(), New: new.Path()})
	c.selected, c.pair = nil, nil
	c.setOptions(o)
}
