package ppac

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/formats/ppac/ppactest"
	"assay/model/text"
)

// TestAssetsOfOneTPUShowTheirOwnContent: that programs see the last of them does not make the others look like it.
func TestAssetsOfOneTPUShowTheirOwnContent(t *testing.T) {
	texts := []string{"one\n", "the second\n"}
	var a ppactest.Archive
	for _, content := range texts {
		a.Assets = append(a.Assets, ppactest.Asset{TPU: ppactest.NewTPU(0x100, 1, 1), Content: []byte(content)})
	}
	doc := opened(t, written(t, a))
	for i, want := range texts {
		thing, ok := doc.Thing(at(t, doc, "/assets").Child(i))
		require.True(t, ok)
		view, err := thing.Content(t.Context())
		require.NoError(t, err)
		shown, ok := view.(*text.Text)
		require.True(t, ok, "%T", view)
		assert.Equal(t, want, shown.Text)
	}
}
