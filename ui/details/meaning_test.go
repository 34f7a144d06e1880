package details_test

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"github.com/stretchr/testify/assert"

	"assay/model"
	"assay/ui/details"
	"assay/ui/paint"
	"assay/ui/rows"
	"assay/ui/uitest"
)

// TestWhatANodeMeansIsShown shows the first sentence in at most three lines, so that the value stays in view, and the
// rest after it, with all values of an enum.
func TestWhatANodeMeansIsShown(t *testing.T) {
	test.NewTempApp(t)
	p := &panel{style: paint.NewStyle()}
	p.Details = details.New(&p.log, p.style)
	w := test.NewTempWindow(t, p)
	w.Resize(fyne.NewSize(300, 500))
	n := &model.Node{Name: "kind", Type: "u8", Value: uint64(2), Symbols: model.Names{1: "one", 2: "two", 300: "many"},
		Parent: &model.Node{}}
	d := model.NewDocument(model.NewSource("made", strings.NewReader("x"), 1), "made", "", n)
	d.Meaning = func(*model.Node) model.Meaning {
		return model.Meaning{Field: strings.Repeat("very ", 60) + "long. The rest of it.", Type: "And of its type.",
			Source: "Published: Kinds.", Written: "0-0-2"}
	}
	went := false
	p.OnPage = func() { went = true }
	m := d.Meaning(n)
	m.Page = &model.Page{}
	d.Meaning = func(*model.Node) model.Meaning { return m }
	p.SetNode(d, n, nil)
	uitest.Lines(t, p.style, p.Details)
	r := test.WidgetRenderer(p.Details).Objects()[0].(*rows.Rows)
	all := texts(p, r)
	assert.Equal(t, "u8", all[4], "the type, after the name and three lines")
	assert.Equal(t, []string{"All values", "one", "two", "many", "Meaning", "The rest of it.\nAnd of its type.",
		"The rest of it.\nAnd of its type.", "Published: Kinds.", "Open format reference"}, all[len(all)-9:])
	r.OnActivate(int64(len(all) - 1))
	assert.True(t, went)
	assert.Contains(t, all, "0-0-2")
}
