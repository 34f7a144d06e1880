package comparison

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/assets"
	"assay/formats"
	"assay/model"
	"assay/model/compare"
	"assay/model/compare/report"
	"assay/ui/comparison/compared"
	"assay/ui/uitest"
)

// TestWindowAndReportsHaveTheSameCounts tests that the chips and the details have the numbers of JSON, which a test
// of the command line compares with the other forms of a report.
func TestWindowAndReportsHaveTheSameCounts(t *testing.T) {
	// Each case changes the first byte of nodes of a sample.
	for _, edit := range []struct {
		sample string
		nodes  []string
		items  map[string]int
	}{
		{"duck.gpb", []string{"/meshes/0/vertices/3/POSITION", "/meshes/0/vertices/4/POSITION"},
			map[string]int{"changed": 1}},
		{"ball.world", []string{"/chunks/1/content/catoms/5/states/0/r", "/chunks/1/content/catoms/7/states/0/r"},
			map[string]int{"changed": 2}},
		{"ball.world", []string{"/chunks/1/content/catoms/5/states/0/x"}, map[string]int{"changed": 0, "moved": 1}},
		{"pond.ppac", []string{"/assets/1/modified", "/assets/2/data"}, map[string]int{"changed": 2}},
	} {
		t.Run(edit.sample+edit.nodes[0], func(t *testing.T) {
			all := assets.Samples()
			old := all[slices.IndexFunc(all, func(s assets.Sample) bool { return s.Name == edit.sample })].Bytes
			read := func(b []byte) *model.Document {
				d, err := formats.Opener{}.Open(t.Context(),
					model.NewSource(edit.sample, bytes.NewReader(b), int64(len(b))))
				require.NoError(t, err)
				return d
			}
			new, from := bytes.Clone(old), read(old)
			for _, path := range edit.nodes {
				found := model.NewPathPattern(path).Find(from.Root(), 1)
				require.Len(t, found, 1, path)
				new[found[0].Offset]++
			}
			c, s, _ := opened(t, from, read(new))
			var out bytes.Buffer
			require.NoError(t, report.JSON(t.Context(), c.result, &out))
			var written struct {
				Items   map[string]int `json:"things"`
				Summary struct {
					Headline string
					Items    []struct{ What []string } `json:"things"`
				}
			}
			require.NoError(t, json.Unmarshal(out.Bytes(), &written), out.String())
			for status, n := range edit.items {
				assert.Equal(t, n, written.Items[status], status)
			}
			chips := strings.Join(uitest.Lines(t, s.Style, c.header.chips), " ")
			for status, n := range written.Items {
				if n > 0 {
					assert.Contains(t, chips, fmt.Sprint(n, " ", status))
				} else {
					assert.NotRegexp(t, "[1-9][0-9,]* "+status, chips)
				}
			}
			visit(t, c, "/")
			for _, status := range []compare.Status{compare.Changed, compare.Moved} {
				c.setStatuses(1 << status)
				rows := c.tree.View.Len()
				assert.Equal(t, written.Items[status.String()] > 0, rows > 1, "the chip %s filters its items", status)
			}
			c.setStatuses(compared.Differing)
			c.details.Resize(fyne.NewSize(4000, 2000))
			details := strings.Join(uitest.Lines(t, s.Style, c.details), "\n")
			assert.Contains(t, details, written.Summary.Headline)
			require.NotEmpty(t, written.Summary.Items)
			for _, item := range written.Summary.Items {
				assert.Contains(t, details, strings.Join(item.What, "; "))
			}
		})
	}
}
