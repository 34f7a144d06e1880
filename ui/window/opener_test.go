package window

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
)

// isOpen reports whether the file of a document is open.
func isOpen(d *model.Document) bool { return d.Source.IsIntact() }

// opensThen makes the window call then after it has opened a file. last returns the latest opened document.
func opensThen(w *Window, then *func()) (last func() *model.Document) {
	open := w.options.Open
	var d *model.Document
	w.options.Open = func(ctx context.Context, path string) (*model.Document, error) {
		var err error
		if d, err = open(ctx, path); *then != nil {
			(*then)()
		}
		return d, err
	}
	return func() *model.Document { return d }
}

func TestUnneededFilesAreClosed(t *testing.T) {
	w := makeWindow(t)
	one := write(t, t.TempDir(), "one.bin", "1")
	var then func()
	last := opensThen(w, &then)

	w.openFile(one)
	require.True(t, isOpen(last()))
	tab, ok := w.tabs.current().(*docTab)
	require.True(t, ok)
	then = func() { w.tabs.close(tab) }
	tab.reload()
	assert.False(t, isOpen(last()), "the tab was closed while its file was read again")

	then = func() { w.tabs.close(w.tabs.current()) }
	w.openFile(one)
	assert.Empty(t, w.tabs.all)
	assert.False(t, isOpen(last()), "the tab was closed while it was opened")
}
