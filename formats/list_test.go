package formats_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/formats"
	"assay/formats/ppac/ppactest"
	"assay/model/export"
)

// TestListIsThePlan lists the assets of real packages in a folder that has some of the names.
func TestListIsThePlan(t *testing.T) {
	for _, file := range []string{"pond.ppac", "sky.casset", "duck.gpb"} {
		t.Run(file, func(t *testing.T) {
			doc, err := formats.Opener{}.OpenFile(t.Context(), filepath.Join("..", "assets", "samples", file))
			require.NoError(t, err)
			defer doc.Source.Close()
			chooser, err := export.NewChooser(nil)
			require.NoError(t, err)
			picks := chooser.Choose(t.Context(), doc.Payloads, file, "")
			dir := t.TempDir()
			all := []export.Pick{{From: doc.Payloads}}
			names, err := export.NewPlan(t.Context(), export.DiscardFolder{}, all, export.Options{})
			require.NoError(t, err)
			taken := filepath.Join(dir, filepath.FromSlash(names.Item(0).Target))
			require.NoError(t, os.MkdirAll(filepath.Dir(taken), 0o755))
			require.NoError(t, os.WriteFile(taken, nil, 0o600))
			folder := export.OpenDirectory(dir)
			defer folder.Close()
			plan, err := export.NewPlan(t.Context(), folder, picks, export.Options{})
			require.NoError(t, err)
			assert.True(t, plan.Item(0).Renamed)
			n := 0
			require.NoError(t, export.List(t.Context(), folder, picks, export.Options{}, func(i *export.Item) {
				want := plan.Item(n)
				want.MediaType, i.MediaType = "", ""
				assert.Equal(t, want, *i)
				n++
			}))
			assert.Equal(t, n, plan.Len())
		})
	}
}

// The packages are so long that their assets are described on all processors at once.
func TestPlanKeepsTheOrderOfManyAssets(t *testing.T) {
	const n = 5000
	for name, layout := range map[string]ppactest.Layout{"published": {SizeWidth: 4, PositionWidth: 4},
		"later": {Later: true, SizeWidth: 4, PositionWidth: 4}} {
		t.Run(name, func(t *testing.T) {
			a := ppactest.Archive{Layout: layout}
			for i := range n {
				asset := ppactest.Asset{TPU: ppactest.NewTPU(1, 1, uint32(i)), Content: fmt.Append(nil, i)}
				if i%2 == 0 {
					asset.Metadata = []ppactest.MetadataEntry{{Key: "name", Value: fmt.Sprint("dir/", i, ".txt")}}
				}
				a.Assets = append(a.Assets, asset)
			}
			var b bytes.Buffer
			require.NoError(t, ppactest.Write(&b, a))
			doc := openDocument(t, "many.pac", b.Bytes())
			picks := []export.Pick{{From: doc.Payloads, Count: n}}
			plan, err := export.NewPlan(t.Context(), export.DiscardFolder{}, picks, export.Options{})
			require.NoError(t, err)
			require.Equal(t, n, plan.Len())
			for i := range n {
				want := doc.Payloads.At(i)
				require.Equal(t, []string{want.Key, want.Name}, []string{plan.Item(i).Key, plan.Item(i).Target})
			}
		})
	}
}
