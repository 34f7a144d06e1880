package comparison

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"fyne.io/fyne/v2"

	"assay/model"
	"assay/model/compare"
	"assay/model/compare/changes"
	"assay/model/compare/report"
	"assay/ui/comparison/compared"
)

// Limits of the commands for the selected pairs.
const (
	maxCopiedLines = 10_000
	maxExported    = 100_000
)

// copyLines copies the selected pairs as lines of the report.
func (c *Comparison) copyLines() {
	blocks := changes.Blocks{MaxBytes: changes.MaxBlockBytes}
	c.copyEach(func(p *compare.Pair) string {
		l := changes.LineOf(p, &blocks)
		s := l.Sign + " " + l.Path
		if l.Change != "" {
			s += " " + l.Change
		}
		return s
	})
}

func (c *Comparison) copyOld() { c.copyEach(func(p *compare.Pair) string { return wholeValue(p.Old) }) }

func (c *Comparison) copyNew() { c.copyEach(func(p *compare.Pair) string { return wholeValue(p.New) }) }

func (c *Comparison) copyPath() {
	c.copyEach(func(p *compare.Pair) string { return p.Node().NamePath() })
}

func (c *Comparison) copyEach(line func(p *compare.Pair) string) {
	pairs := c.tree.Selected(maxCopiedLines)
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

// wholeValue returns the full value of a node with a text.
func wholeValue(n *model.Node) string {
	if n == nil {
		return ""
	}
	if s, ok := n.Value.(string); ok {
		return s
	}
	return n.ValueText()
}

var errTooManyAssets = errors.New("too many assets to export at once")

// addSelectedToExport adds the new nodes of the selected pairs to the export list.
func (c *Comparison) addSelectedToExport() {
	var nodes []*model.Node
	for _, p := range c.tree.Selected(maxExported) {
		if p.New != nil {
			nodes = append(nodes, p.New)
		}
	}
	c.addToExport(c.result, nodes)
}

// AddChangedToExport adds all nodes with keys that are new or changed in the new file to the export list: only nodes
// with keys are assets.
func (c *Comparison) AddChangedToExport() {
	result := c.result
	if result == nil {
		return
	}
	c.Busy("Collecting changes", -1, nil)
	c.Group.Go(func(ctx context.Context) func() {
		var nodes []*model.Node
		err := result.Rows(func(p *compare.Pair) error {
			if len(nodes) >= maxExported {
				return errTooManyAssets
			}
			if p.New != nil && p.New.Key != "" && (p.Status == compare.Added || p.Status == compare.Changed) {
				nodes = append(nodes, p.New)
			}
			return ctx.Err()
		})
		return func() {
			c.Busy("", 0, nil)
			if err != nil {
				c.notifyError(err)
			}
			c.addToExport(result, nodes)
		}
	})
}

func (c *Comparison) addToExport(result *compare.Comparison, nodes []*model.Node) {
	if len(nodes) == 0 {
		c.ShowHint("The selection has no assets in the new file.")
		return
	}
	c.AddToExport(result.New, nodes)
}

func (c *Comparison) showPairMenu(p *compare.Pair, pos fyne.Position) {
	var items []*fyne.MenuItem
	add := func(label string, do func()) { items = append(items, fyne.NewMenuItem(label, do)) }
	addSeparator := func() { items = append(items, fyne.NewMenuItemSeparator()) }
	if old, new, ok := c.selectedUnmatched(); ok {
		add("Pair Selected", func() { c.pairByHand(old, new) })
		addSeparator()
	}
	if p.Old != nil {
		add("Copy Old Value", c.copyOld)
	}
	if p.New != nil {
		add("Copy New Value", c.copyNew)
	}
	add("Copy Path", c.copyPath)
	add("Copy as Text", c.copyLines)
	addSeparator()
	for i, n := range []*model.Node{p.Old, p.New} {
		if n != nil {
			add([]string{"Open in the Old File", "Open in the New File"}[i], func() {
				c.Open(c.input.sides[i], n.Path())
			})
		}
	}
	if p.New != nil {
		addSeparator()
		add("Add to Export", c.addSelectedToExport)
		add("Add New and Changed Assets to Export List", c.AddChangedToExport)
	}
	addSeparator()
	if name := p.Node().Name; name != "" && p.Parent() != nil && !p.Node().IsElement() {
		add("Ignore “"+model.OneLine(name, 40)+"” Everywhere", func() {
			c.input.changeRules(func(o *compare.Options) { o.Names = append(slices.Clip(o.Names), name) })
		})
	}
	if p.Old == nil || p.New == nil {
		add("To pair nodes, select one removed and one added node", nil)
		items[len(items)-1].Disabled = true
	}
	c.Menu(fyne.NewMenu("", items...), pos)
}

// selectedUnmatched returns one removed and one added node, if those two are selected.
func (c *Comparison) selectedUnmatched() (old, new *model.Node, ok bool) {
	pairs := c.tree.Selected(3)
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

// pairByHand compares an old node with a new one that the user paired.
func (c *Comparison) pairByHand(old, new *model.Node) {
	c.input.changeRules(func(o *compare.Options) {
		o.Pairs = append(slices.Clip(o.Pairs), compare.Match{Old: old.Path(), New: new.Path()})
	})
}

type reportForm struct {
	name, extension string
	write           func(ctx context.Context, c *compare.Comparison, w io.Writer) error
}

var reportForms = []reportForm{
	{"Text", ".txt", func(ctx context.Context, c *compare.Comparison, w io.Writer) error {
		return report.Text(ctx, c, w, report.Options{All: true})
	}},
	{"Markdown", ".md", func(ctx context.Context, c *compare.Comparison, w io.Writer) error {
		return report.Markdown(ctx, c, w, report.Options{All: true})
	}},
	{"JSON", ".json", report.JSON},
	{"HTML", ".html", report.HTML},
}

// maxCopiedReport is the maximum size of a report on the clipboard, in bytes.
const maxCopiedReport = 16 << 20

// limitedBuffer is a buffer of at most maxCopiedReport bytes.
type limitedBuffer struct{ bytes.Buffer }

// Write implements io.Writer. It fails if the buffer would exceed its maximum.
func (b *limitedBuffer) Write(p []byte) (int, error) {
	if b.Len()+len(p) > maxCopiedReport {
		return 0, fmt.Errorf("the report is larger than %d MiB; save it to a file instead", maxCopiedReport>>20)
	}
	return b.Buffer.Write(p)
}

// ReportForms are the names of the forms of a report.
func ReportForms() []string {
	var names []string
	for _, f := range reportForms {
		names = append(names, f.name)
	}
	return names
}

// CopyReport puts the report on the clipboard, in one of ReportForms.
func (c *Comparison) CopyReport(i int) {
	if c.result == nil {
		return
	}
	result, f := c.result, reportForms[i]
	writing := c.Group.Lane()
	c.Busy(compared.WritingReport, -1, func() {
		writing.Stop()
		c.Busy("", 0, nil)
	})
	writing.Go(func(ctx context.Context) func() {
		var out limitedBuffer
		err := f.write(ctx, result, &out)
		return func() {
			c.Busy("", 0, nil)
			if err != nil {
				c.notifyError(err)
				return
			}
			c.Copy(out.String())
			c.ShowHint("Copied the report as " + f.name + ".")
		}
	})
}

// SaveReport asks for a file and writes the report to it, in one of ReportForms.
func (c *Comparison) SaveReport(i int) {
	if c.result == nil {
		return
	}
	result, f := c.result, reportForms[i]
	c.SaveWithStop("comparison"+f.extension, func(ctx context.Context, w io.Writer) error {
		return f.write(ctx, result, w)
	})
}

// showReportMenu shows a menu with the forms of the report below a button.
func (c *Comparison) showReportMenu(anchor fyne.CanvasObject) {
	var items []*fyne.MenuItem
	for i, f := range reportForms {
		items = append(items, fyne.NewMenuItem("Copy as "+f.name, func() { c.CopyReport(i) }))
	}
	items = append(items, fyne.NewMenuItemSeparator())
	for i, f := range reportForms {
		items = append(items, fyne.NewMenuItem("Save as "+f.name+"…", func() { c.SaveReport(i) }))
	}
	pos := fyne.CurrentApp().Driver().AbsolutePositionForObject(anchor)
	c.Menu(fyne.NewMenu("", items...), pos.AddXY(0, anchor.Size().Height))
}
