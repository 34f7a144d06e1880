package compare_test

import (
	"io"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model/compare"
	"assay/model/modeltest"
)

func TestPairsAreAssets(t *testing.T) {
	old, new := modeltest.Versions(t)
	files, err := compare.Compare(t.Context(), old, new, nil, nil)
	require.NoError(t, err)
	known := map[string]compare.Found{"sub/longer": {Format: "text", Summary: "1 line added"}}
	d := compare.Document([2]string{old, new}, files, func(name string) compare.Found { return known[name] })
	table, err := d.Tables[0].Open(t.Context())
	require.NoError(t, err)
	var rows [][]any
	for i := range d.Payloads.Len() {
		row := []any{d.Payloads.At(i).Name}
		for c, column := range table.Columns {
			if column.Type != "time" {
				row = append(row, table.Cell(int64(i), c))
			}
		}
		rows = append(rows, row)
	}
	assert.Equal(t, [][]any{
		{"came", "added", nil, nil, int64(5), "added"},
		{"gone", "removed", nil, int64(4), nil, "removed"},
		{"is/now", "was was", nil, int64(17), int64(17), "moved"},
		{"same", "same", nil, int64(4), int64(4), "same"},
		{"sub/byte", "first difference at 0x3", nil, int64(6), int64(6), "changed"},
		{"sub/longer", "1 line added", "text", int64(5), int64(7), "changed"},
	}, rows)

	paths := d.Payloads.(interface{ Path(i int) string })
	assert.Equal(t, filepath.Join(old, "gone"), paths.Path(1), "what was removed stands for its old file")
	r, err := d.Payloads.At(5).Open(t.Context())
	require.NoError(t, err)
	defer r.Close()
	b, err := io.ReadAll(r)
	require.NoError(t, err)
	assert.Equal(t, "longer!", string(b))
}

func TestAChangeIsDescribedInAFewWords(t *testing.T) {
	for want, f := range map[string]compare.File{
		"it cannot be read":   {Problem: "it cannot be read"},
		"not compared yet":    {Pending: true},
		"was a; 1 line added": {OldName: "a", Old: 1, New: 2},
		"+1 byte":             {Old: 1, New: 2},
		"-1,000 bytes":        {Old: 1001, New: 1},
	} {
		summary := ""
		if f.OldName != "" {
			summary = "1 line added"
		}
		f.Status = compare.Changed
		assert.Equal(t, want, f.Change(summary))
	}
}
