package window

import (
	"testing"

	"fyne.io/fyne/v2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/ui/control"
	"assay/ui/doc"
)

// selectField selects a field of a document that has a page in the format reference.
func selectField(p *doc.Pane) *model.Page {
	page := &model.Page{Name: "made", Title: "Made", Sections: []model.Section{{Title: "Header"}}}
	d := p.Document()
	d.Root().SetChildren(model.List{{Name: "field"}})
	d.Meaning = func(*model.Node) model.Meaning { return model.Meaning{Page: page, Section: &page.Sections[0]} }
	p.Select(model.Path{0})
	return page
}

func TestF1ExplainsTheSelectedField(t *testing.T) {
	w := makeWindow(t)
	w.options.Pages = func() []*model.Page { return []*model.Page{{Name: "other", Title: "Other"}} }
	w.opener.openSample(w.options.Samples[0])
	document := w.tabs.current()
	f1 := &fyne.KeyEvent{Name: fyne.KeyF1}
	w.Key(f1, false)
	require.NotNil(t, w.list, "the shortcuts, as the file as a whole is selected")
	w.list.Close()

	page := selectField(paneOf(document))
	w.Key(f1, false)
	manual, ok := w.tabs.current().(*manualTab)
	require.True(t, ok)
	assert.Same(t, page, manual.Page())
	w.list = nil
	w.Key(f1, false)
	assert.NotNil(t, w.list, "the shortcuts again, where there is no field")
	w.list.Close()

	act(t, w, "Find Bytes…")
	_, ok = w.win.Canvas().Focused().(*control.Field)
	assert.True(t, ok, "the field for words on all pages")
	w.tabs.reveal(document)
	act(t, w, "Format Reference")
	assert.Same(t, manual, w.tabs.current(), "there is one tab for all pages")
	w.tabs.close(manual)
	act(t, w, "Format Reference")
	assert.Equal(t, "other", w.tabs.current().(*manualTab).Page().Name)
}
