package export_test

import (
	"bytes"
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/model/export"
)

// stacked returns a document with an asset for each key. With nodes, the keys are found without describing the assets.
func stacked(file string, nodes bool, keys ...string) *model.Document {
	root := &model.Node{Type: "File"}
	var list model.List
	var all model.PayloadList
	for i, k := range keys {
		n := &model.Node{Name: model.IndexName(i), Type: "Entry"}
		if nodes {
			n.Key = k
		}
		list = append(list, n)
		all = append(all, &model.Payload{Key: k, Name: k + ".txt", Node: n})
	}
	root.SetChildren(list)
	d := model.NewDocument(model.NewSource(file, bytes.NewReader(nil), 0), "made", "", root)
	if len(all) > 0 {
		d.Payloads = all
	}
	return d
}

func TestOverlayAgreesWithEffective(t *testing.T) {
	for _, nodes := range []bool{true, false} {
		base, one, two, none := stacked("base", nodes, "a", "b", "c", "d"), stacked("one", nodes, "b", "d", "e"),
			stacked("two", nodes, "b", "a", "b"), stacked("none", nodes)
		for _, layers := range [][]*model.Document{{base}, {base, one}, {one, base}, {base, one, two},
			{two, none, base, one}, {none}} {
			o, err := export.NewOverlay(context.Background(), layers)
			require.NoError(t, err)
			win, lose := o.Effective()
			var got []string
			lost := 0
			for i, d := range o.Layers() {
				for _, k := range win[i] {
					got = append(got, d.Source.Name()+" "+d.Payloads.At(k).Key)
				}
				lost += lose[i]
			}
			var plain []export.Layer
			for _, d := range layers {
				if d.Payloads != nil {
					plain = append(plain, export.Layer{File: d.Source.Name(), Payloads: d.Payloads})
				}
			}
			everything, err := export.NewChooser(nil)
			require.NoError(t, err)
			picks, overridden, err := export.Effective(context.Background(), plain, everything, "")
			require.NoError(t, err)
			var want []string
			for _, p := range picks {
				for i := range p.Len() {
					want = append(want, p.File+" "+p.From.At(p.Index+i).Key)
				}
			}
			assert.Equal(t, want, got)
			assert.Equal(t, overridden, lost)
		}
	}
}

func TestMovedLayerChangesTheWinner(t *testing.T) {
	base, one, two := stacked("base", true, "a", "b"), stacked("one", true, "b", "c"), stacked("two", true, "b", "b")
	o, err := export.NewOverlay(context.Background(), []*model.Document{base, one, two})
	require.NoError(t, err)
	providers := func(i int) (names []string, win int) {
		in, win := o.Providers(i)
		for _, p := range in {
			names = append(names, o.Layer(p).Source.Name())
		}
		return names, win
	}
	assert.Equal(t, 3, o.Len())
	assert.Equal(t, "b", o.At(1).Key)
	names, win := providers(1)
	assert.Equal(t, []string{"base", "one", "two", "two"}, names)
	assert.Equal(t, 2, win)
	assert.False(t, o.Overridden(0))
	assert.True(t, o.Overridden(1))
	o.Move(2, 0)
	names, win = providers(1)
	assert.Equal(t, []string{"two", "two", "base", "one"}, names)
	assert.Equal(t, 1, win)
	o.Move(0, 5)
	o.Move(-1, 0)
	assert.Equal(t, []*model.Document{two, base, one}, o.Layers())

	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err = export.NewOverlay(ctx, []*model.Document{base})
	assert.ErrorIs(t, err, context.Canceled)
}

func layer(file string, keys ...string) export.Layer {
	var l model.PayloadList
	for _, k := range keys {
		l = append(l, &model.Payload{Key: k, Name: k + ".txt"})
	}
	return export.Layer{File: file, Payloads: l}
}

func TestLastFileWinsForAKey(t *testing.T) {
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
