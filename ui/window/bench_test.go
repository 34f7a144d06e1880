package window

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/test"
	"github.com/stretchr/testify/require"

	"assay/formats"
	"assay/formats/casset/cassettest"
	"assay/formats/ppac/ppactest"
	"assay/model"
	"assay/ui"
	"assay/ui/rows"
	"assay/ui/tree"
	"assay/ui/work"
)

// BenchmarkWindow measures the time from an event of the window until everything visible is painted, in a package of a
// million entries and in a file of 50,000 objects: a press of Down in the tree, and a selection far from the one
// before, as by a click on a search hit. All work is done at once on the calling goroutine.
func BenchmarkWindow(b *testing.B) {
	for _, f := range []struct {
		name, file string
		content    []byte
		list       model.Path
	}{
		{"million", "million.ppac", ppactest.Many(1_000_000, numbered), model.Path{1, 1}},
		{"objects", "objects.casset", manyObjects(), model.Path{2}},
	} {
		w := newWindow(test.NewTempApp(b), work.Inline(context.Background()), ui.Options{
			Open:       formats.Opener{}.OpenFile,
			OpenSource: formats.Opener{}.Open})
		w.win.Resize(fyne.NewSize(1400, 900))
		path := filepath.Join(b.TempDir(), f.file)
		require.NoError(b, os.WriteFile(path, f.content, 0o600))
		w.openFile(path)
		pane := paneOf(w.tabs.current())
		list := pane.Document().At(f.list)
		for list.ElementCount() == 0 { // the layouts of the samples differ
			list = list.Parent.Child(list.Index + 1)
		}
		at, n := list.Path(), list.ElementCount()
		element := func(i int) model.Path { return append(at[:len(at):len(at)], list.FirstElementIndex()+i%n) }
		pane.Select(element(0))
		var keys *rows.Rows
		var rasters []*canvas.Raster
		for _, o := range test.LaidOutObjects(w.win.Content()) {
			switch o := o.(type) {
			case *tree.Tree:
				keys = test.WidgetRenderer(o).Objects()[0].(*rows.Rows)
			case *canvas.Raster:
				rasters = append(rasters, o)
			}
		}
		paint := func() {
			for _, r := range rasters {
				if s := r.Size(); r.Visible() && s.Height > 1 {
					r.Generator(int(s.Width), int(s.Height))
				}
			}
		}
		b.Run("key to row/"+f.name, func(b *testing.B) {
			for b.Loop() {
				keys.TypedKey(&fyne.KeyEvent{Name: fyne.KeyDown})
				paint()
			}
		})
		i := 0
		b.Run("selection to preview/"+f.name, func(b *testing.B) {
			for b.Loop() {
				i += 7919
				pane.Select(element(i))
				paint()
			}
		})
		w.quit()
	}
}

func numbered(i int) []byte { return fmt.Appendf(nil, "asset %d", i) }

// manyObjects returns a bundle of 50,000 objects of two fields.
func manyObjects() []byte {
	c := new(cassettest.Content)
	for i := range 50_000 {
		name := fmt.Sprint("object", i)
		c.Objects = append(c.Objects, cassettest.ObjectContent{ID: cassettest.ID(name), Asset: true, Path: name,
			Name: name, Class: "/Code/Some.Class", Fields: cassettest.Fields("name", name, "count", uint32(i))})
	}
	return cassettest.Write(cassettest.Bundle30, c)
}
