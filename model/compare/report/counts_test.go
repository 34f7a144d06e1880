package report_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/model/compare"
	"assay/model/compare/report"
	"assay/model/modeltest"
)

// renamedItems compares two files: one item was renamed, one renamed and edited, one edited, and a list of two items
// was added.
func renamedItems(t *testing.T) *compare.Comparison {
	item := func(key, text string, mass int) modeltest.Tree {
		return modeltest.Node("", "Thing", key, modeltest.Leaf("mass", uint64(mass)),
			modeltest.Leaf("text", strings.Repeat(text+" ", 20)))
	}
	file := func(more []modeltest.Tree, items ...modeltest.Tree) *model.Document {
		d := modeltest.Document("1", modeltest.Node("", "File", "",
			append([]modeltest.Tree{modeltest.List("things", "Thing", items...)}, more...)...))
		d.Item = func(n *model.Node) (model.Item, bool) { return model.Item{Kind: "thing"}, n.Type == "Thing" }
		return d
	}
	came := modeltest.List("more", "Thing", item("m1", "far", 1), item("m2", "away", 2))
	return modeltest.Compare(t, file(nil, item("t1", "one", 1), item("t2", "two", 2), item("t3", "three", 3)),
		file([]modeltest.Tree{came}, item("t1", "one", 9), item("renamed", "two", 2), item("edited", "three", 8)),
		compare.Options{})
}

func TestNaNInVectorsIsATextInJSON(t *testing.T) {
	file := func(last float64) *model.Document {
		vectors := model.Scalars{model.Scalars{math.NaN(), 1.5}, model.Scalars{math.Inf(-1), last}}
		return modeltest.Document("1", modeltest.Node("", "File", "", modeltest.Leaf("vectors", vectors)))
	}
	var out bytes.Buffer
	c := modeltest.Compare(t, file(2), file(math.Inf(1)), compare.Options{})
	require.NoError(t, report.JSON(t.Context(), c, &out))
	assert.Contains(t, out.String(), `"old_value":[["NaN",1.5],["-Inf",2]],"new_value":[["NaN",1.5],["-Inf","Inf"]]`)
}

// TestReportsHaveTheSameNumbers tests that text, Markdown, HTML and the overview count a renamed item in the same way.
// In JSON, whose rows have keys, it is removed and added.
func TestReportsHaveTheSameNumbers(t *testing.T) {
	c := renamedItems(t)
	modeltest.Rows(t, c)
	n := c.Counts()
	n.Same = 0
	want := compare.Counts{Changed: 4, Moved: 1, Added: 2, Parents: 1}
	want.OtherKey.Changed, want.OtherKey.Moved = 1, 1
	assert.Equal(t, want, n)
	var out bytes.Buffer
	require.NoError(t, report.JSON(t.Context(), c, &out))
	var written struct {
		Version                        int
		Changed, Moved, Added, Removed int64
		Parents                        int64
		Items                          compare.Counts `json:"things"`
		Changes                        []struct{ Status, Path string }
	}
	require.NoError(t, json.Unmarshal(out.Bytes(), &written))
	assert.Equal(t, report.Version, written.Version)
	byKey := compare.Counts{Changed: written.Changed, Moved: written.Moved, Added: written.Added,
		Removed: written.Removed, Parents: written.Parents}
	assert.Equal(t, compare.Counts{Changed: 3, Added: 4, Removed: 2, Parents: 1}, byKey)
	assert.Equal(t, compare.Counts{Changed: 2, Moved: 1, Added: 1}, written.Items, "as the chips say")
	var rows []string
	for _, r := range written.Changes {
		rows = append(rows, r.Status+" "+r.Path)
	}
	assert.Equal(t, []string{"changed /things/0", "changed /things/0/mass", "removed /things/1", "added /things/1",
		"removed /things/2", "added /things/2", "changed /things/2/mass", "added /more/0", "added /more/1"}, rows)

	out.Reset()
	require.NoError(t, report.Text(t.Context(), c, &out, report.Options{}))
	assert.Equal(t, []string{"~ /things/t1/mass", "> /things/renamed", "~ /things/edited", "~ /things/edited/mass",
		"+ /more/m1", "+ /more/m2"}, regexp.MustCompile(`(?m)^[~>+-] \S+`).FindAllString(out.String(), -1))
	assert.Contains(t, out.String(), "# rows: "+n.String()+"\n")
	assert.Contains(t, out.String(), ", renamed from t2\n")

	for name, row := range map[string]string{"Markdown": `(?m)^\| (changed|moved|added|removed) `,
		"HTML": `<tr class=(\w+)><td>`} {
		out.Reset()
		if name == "HTML" {
			require.NoError(t, report.HTML(t.Context(), c, &out))
		} else {
			require.NoError(t, report.Markdown(t.Context(), c, &out, report.Options{}))
		}
		var got compare.Counts
		for _, m := range regexp.MustCompile(row).FindAllStringSubmatch(out.String(), -1) {
			for _, s := range []compare.Status{compare.Changed, compare.Moved, compare.Added, compare.Removed} {
				if s.String() == m[1] {
					got.Count(s)
				}
			}
		}
		assert.Equal(t, compare.Counts{Changed: 3, Moved: 1, Added: 2}, got, fmt.Sprint(name, ": ", out.String()))
	}
}
