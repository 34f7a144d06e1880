package export_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/model/export"
)

func layer(file string, keys ...string) export.Layer {
	var l model.PayloadList
	for _, k := range keys {
		l = append(l, &model.Payload{Key: k, Name: k + ".txt"})
	}
	return export.Layer{File: file, Payloads: l}
}

func TestOfAssetsWithOneKeyTheLastFileWins(t *testing.T) {
	base, patch1, patch2 := layer("base", "a", "b", "c", "d"), layer("patch1", "b", "d", "e"),
		layer("patch2", "b", "a", "b")
	for _, c := range []struct {
		layers     []export.Layer
		want       []string
		overridden int
	}{
		{[]export.Layer{base}, []string{"base a", "base b", "base c", "base d"}, 0},
		{[]export.Layer{base, patch1}, []string{"base a", "base c", "patch1 b", "patch1 d", "patch1 e"}, 2},
		{[]export.Layer{patch1, base}, []string{"patch1 e", "base a", "base b", "base c", "base d"}, 2},
		{[]export.Layer{base, patch1, patch2},
			[]string{"base c", "patch1 d", "patch1 e", "patch2 b", "patch2 a", "patch2 b"}, 4},
	} {
		everything, err := export.NewChooser(nil)
		require.NoError(t, err)
		picks, overridden, err := export.Effective(context.Background(), c.layers, everything, "")
		require.NoError(t, err)
		var got []string
		for _, p := range picks {
			for i := range p.Len() {
				got = append(got, p.File+" "+p.From.At(p.Index+i).Key)
			}
		}
		assert.Equal(t, c.want, got)
		assert.Equal(t, c.overridden, overridden)
	}
}
