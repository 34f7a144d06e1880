package window

import (
	"context"
	"errors"
	"testing"

	"fyne.io/fyne/v2/test"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/ui"
	"assay/ui/desktop"
	"assay/ui/quick"
)

// withFormats has a window offer formats: pairs, whose files are one node, and one that has an error.
func withFormats(w *Window) {
	w.options.Formats = func(string) []ui.Format {
		return []ui.Format{{ID: "pairs", Title: "Pairs of bytes", From: "part of a test"},
			{ID: "/broken.ksy", Title: "broken", From: "/broken.ksy", Problem: "broken.ksy:3: a key is expected"}}
	}
	w.options.As = func(id string) (func(ctx context.Context, src *model.Source) (*model.Document, error), error) {
		if id != "pairs" {
			return nil, errors.New(id + ":3: a key is expected")
		}
		return func(_ context.Context, src *model.Source) (*model.Document, error) {
			return model.NewDocument(src, id, "", &model.Node{Type: "Pairs", Span: model.Span{Size: src.Size()}}), nil
		}, nil
	}
}

// itemNamed returns what is offered under a name.
func itemNamed(t *testing.T, w *Window, name string) quick.Item {
	t.Helper()
	for _, i := range w.list.Items() {
		if i.Name == name {
			return i
		}
	}
	require.Fail(t, "it is not offered: "+name)
	return quick.Item{}
}

func TestOpenAs(t *testing.T) {
	w := makeWindow(t)
	path := write(t, t.TempDir(), "one.bin", "1111")
	w.openFile(path)
	before := w.tabs.present().(*docTab)
	assert.False(t, w.canOpenAs(before), "there is nothing to choose from")
	withFormats(w)
	w.commands.Run("file.open-as", before)
	require.Len(t, w.list.Items(), 3)
	broken := itemNamed(t, w, "broken")
	assert.True(t, broken.Dim)
	assert.Equal(t, "broken.ksy:3: a key is expected", broken.Where)

	itemNamed(t, w, "Pairs of bytes").On()
	now := w.tabs.present().(*docTab)
	assert.NotSame(t, before, now)
	assert.Equal(t, "pairs", now.pane.Document().Format)
	assert.Equal(t, []string{"one.bin"}, titles(w), "it is opened in its place")
	kept, ok := now.keep(false)
	assert.True(t, ok)
	assert.Equal(t, "pairs", kept.As)

	now.reload()
	assert.Equal(t, "pairs", now.pane.Document().Format, "it stays so when it is read again")
	d, err := w.comparer.file(path).Open(context.Background())
	require.NoError(t, err)
	assert.Equal(t, "pairs", d.Format, "and in a comparison")
	require.NoError(t, d.Source.Close())

	now.openAs("/broken.ksy")
	assert.Same(t, now, w.tabs.present(), "what cannot be opened leaves what there was")
}

func TestTheFormatOfATabComesBack(t *testing.T) {
	a := test.NewTempApp(t)
	w := windowWith(t, a, ui.Options{})
	withFormats(w)
	path := write(t, t.TempDir(), "one.bin", "1111")
	tab := &suspendedTab{saved: desktop.Tab{Files: []string{path}, As: "pairs"}, openTab: w.openTab}
	w.tabs.put(tab)
	w.tabs.show(0)
	assert.Equal(t, "pairs", w.tabs.present().(*docTab).pane.Document().Format)
}

func TestAnAssetIsOpenedAs(t *testing.T) {
	w := makeWindow(t)
	withFormats(w)
	w.opener.sample(w.options.Samples[0])
	w.tabs.present().(*docTab).openAs("pairs")
	d := w.tabs.present().(*docTab).pane.Document()
	assert.Equal(t, "pairs", d.Format)
	b, err := d.Source.Bytes(model.Span{Size: 6})
	require.NoError(t, err)
	assert.Equal(t, "sample", string(b))
}
