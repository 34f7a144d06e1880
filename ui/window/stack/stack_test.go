package stack

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/rows"
	"assay/ui/work"
)

func document(file string, keys ...string) *model.Document {
	root := &model.Node{Type: "File"}
	var list model.List
	var all model.PayloadList
	for i, k := range keys {
		n := &model.Node{Name: model.IndexName(i), Type: "Entry", Key: k}
		list = append(list, n)
		all = append(all, &model.Payload{Key: k, Name: k + " in " + file, Node: n})
	}
	root.SetChildren(list)
	d := model.NewDocument(model.NewSource(file, bytes.NewReader(nil), 0), "made", "", root)
	d.Payloads = all
	return d
}

// window records the requests of a pane.
type window struct {
	host.None
	menu   *fyne.Menu
	shown  []string // nodes
	export []string // assets
}

func (w *window) Menu(m *fyne.Menu, _ fyne.Position) { w.menu = m }

func (w *window) Reveal(d *model.Document, n *model.Node) {
	w.shown = append(w.shown, d.Source.Name()+n.PathText())
}

func (w *window) Export(d *model.Document, positions []int) {
	for _, i := range positions {
		w.export = append(w.export, d.Source.Name()+" "+d.Payloads.At(i).Key)
	}
}

func show(t *testing.T) *Pane {
	t.Helper()
	test.NewTempApp(t)
	p := New(new(window), paint.NewStyle(), work.Inline(context.Background()),
		[]*model.Document{document("base", "a", "b", "c"), document("one", "b", "d"), document("two", "b", "b", "a")})
	w := test.NewTempWindow(t, p.Content())
	w.Resize(fyne.NewSize(900, 600))
	p.Begin()
	t.Cleanup(p.Close)
	w.Canvas().Capture()
	return p
}

func rowsOf(d rows.TableData, columns int) []string {
	var all []string
	for i := range d.Len() {
		var cells []string
		for c := range columns {
			cells = append(cells, d.Cell(i, c).Text)
		}
		all = append(all, strings.Join(cells, "|"))
	}
	return all
}

func TestLaterFilesOverride(t *testing.T) {
	p := show(t)
	assert.Equal(t, []string{"1|base|3|1|2", "2|one|2|1|1", "3|two|3|3|0"}, rowsOf(p.layers, 5))
	assert.Equal(t, []string{"a|a in two|two|base", "b|b in two|two (2 times)|base, one", "c|c in base|base|",
		"d|d in one|one|"}, rowsOf(p.keys, 4))
	way, facts := p.Status()
	assert.Equal(t, "base ‹ one ‹ two", way[0].Text)
	assert.Equal(t, "3 assets overridden", facts[1].Text)
}

func TestTheOrderChanges(t *testing.T) {
	p := show(t)
	assert.True(t, p.down.Disabled(), "the last one is current")
	test.Tap(p.up)
	test.Tap(p.up)
	assert.Equal(t, []string{"1|two|3|0|3", "2|base|3|2|1", "3|one|2|2|0"}, rowsOf(p.layers, 5))
	assert.Equal(t, "b|b in one|one|two, base", rowsOf(p.keys, 4)[1])
	assert.True(t, p.up.Disabled())
	p.move(-1)
	test.Tap(p.down)
	assert.Equal(t, "base", p.Documents()[0].Source.Name())
}

func TestKeysAreFiltered(t *testing.T) {
	p := show(t)
	p.overriddenOnly.SetChecked(true)
	assert.Equal(t, []string{"a|a in two|two|base", "b|b in two|two (2 times)|base, one"}, rowsOf(p.keys, 4))
	p.filterField.SetText("ONE")
	assert.Equal(t, []string{"b|b in two|two (2 times)|base, one"}, rowsOf(p.keys, 4))
	p.filterField.SetText("file = one* not key = zzz")
	assert.NotEmpty(t, p.keys.Items)
	p.filterField.SetText("size > 3")
	assert.Contains(t, p.filter.Problem(), `nknown column "size"`)
	assert.NotEmpty(t, p.keys.Items)
	p.filterField.SetText("nothing")
	assert.Empty(t, rowsOf(p.keys, 4))
}

func TestActiveAssetsAreExported(t *testing.T) {
	p := show(t)
	test.Tap(p.export)
	assert.Equal(t, []string{"base c", "one d", "two b", "two b", "two a"}, p.Host.(*window).export)
}

func TestRowsSelectTheirAssets(t *testing.T) {
	p := show(t)
	w := p.Host.(*window)
	p.keys.OnActivate(0)
	p.keys.OnMenu(0, fyne.Position{})
	require.Equal(t, "Show in base", w.menu.Items[1].Label)
	w.menu.Items[1].Action()
	assert.Equal(t, []string{"two/2", "base/0"}, w.shown)
	p.keys.OnMenu(1, fyne.Position{})
	w.menu.Items[len(w.menu.Items)-2].Action()
	assert.Equal(t, []string{"two b", "two b"}, w.export, "both that win")
}
