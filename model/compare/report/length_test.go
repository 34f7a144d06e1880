package report_test

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/model/compare"
	"assay/model/compare/report"
	"assay/model/modeltest"
	"assay/model/text"
)

// manyValues compares two files: n values changed in one item, one in another, and one outside of items.
func manyValues(t *testing.T, n int) *compare.Comparison {
	file := func(v uint64) *model.Document {
		var values []modeltest.Tree
		for i := range n {
			values = append(values, modeltest.Leaf(fmt.Sprint("v", i), v))
		}
		root := modeltest.Node("", "File", "", modeltest.Leaf("flags", v), modeltest.List("things", "Thing",
			modeltest.Node("", "Thing", "many", values...),
			modeltest.Node("", "Thing", "a few", modeltest.Leaf("mass", v))))
		d := modeltest.Document("1", root)
		d.Item = func(n *model.Node) (model.Item, bool) { return model.Item{Kind: "thing"}, n.Type == "Thing" }
		return d
	}
	return modeltest.Compare(t, file(1), file(2), compare.Options{})
}

func TestReportListsTheFirstRows(t *testing.T) {
	c := manyValues(t, 400)
	const left = "%d more rows not listed (--all lists all, --limit N the first N, --summary one line per item)"
	for _, test := range []struct {
		options report.Options
		rows    int
	}{
		{report.Options{}, 200}, {report.Options{Limit: 10}, 10}, {report.Options{All: true}, 402},
		{report.Options{Limit: 402}, 402},
	} {
		for form, mark := range map[string]string{"text": "\n~ ", "Markdown": "\n| changed"} {
			var out bytes.Buffer
			write := report.Text
			if form == "Markdown" {
				write = report.Markdown
			}
			require.NoError(t, write(t.Context(), c, &out, test.options))
			assert.Equal(t, test.rows, strings.Count(out.String(), mark), form)
			if test.rows < 402 {
				assert.Contains(t, out.String(), fmt.Sprintf(left, 402-test.rows), form)
			} else {
				assert.NotContains(t, out.String(), "more row", form)
			}
			assert.Contains(t, strings.ToLower(out.String()), "rows: 402 changed", form)
		}
	}
}

func TestSummaryHasALineForEachItem(t *testing.T) {
	c := manyValues(t, 400)
	var out bytes.Buffer
	require.NoError(t, report.Text(t.Context(), c, &out, report.Options{Summary: true}))
	assert.Equal(t, "~ thing many: v0 1 → 2 (+1); v1 1 → 2 (+1); v2 1 → 2 (+1); v3 1 → 2 (+1); "+
		"v4 1 → 2 (+1); v5 1 → 2 (+1); 394 more changes\n~ thing a few: mass 1 → 2 (+1)\n~ flags 1 → 2 (+1)\n"+
		"# 2 things changed; 1 other value changed\n", out.String())
	out.Reset()
	require.NoError(t, report.Text(t.Context(), c, &out, report.Options{Summary: true, Limit: 1}))
	assert.Contains(t, out.String(), "# and 1 more\n")
	out.Reset()
	require.NoError(t, report.Markdown(t.Context(), c, &out, report.Options{Summary: true}))
	assert.Contains(t, out.String(), "- ~ thing many: v0 1 → 2")
}

// Markdown does not list the bytes of texts.
func TestMarkdownShowsTheLinesOfATextThatDiffer(t *testing.T) {
	file := func(content string) *model.Document {
		root := modeltest.Node("", "File", "", modeltest.List("things", "Thing",
			modeltest.Node("", "Thing", "notes", modeltest.Leaf("data", content))))
		d := modeltest.Document("1", root)
		data := d.Root().Child(0).Child(1).Child(0)
		data.Value = model.Blob{Source: d.Source, Span: model.Span{Offset: data.Offset, Size: int64(len(content))}}
		d.Item = func(n *model.Node) (model.Item, bool) {
			return model.Item{Kind: "thing", Content: func(context.Context) (any, error) {
				return text.Decode([]byte(content), "notes.txt"), nil
			}}, n.Type == "Thing"
		}
		return d
	}
	c := modeltest.Compare(t, file("one\n| two |\n```\n"), file("one\n| 2 |\n```\n"), compare.Options{})
	var out bytes.Buffer
	require.NoError(t, report.Markdown(t.Context(), c, &out, report.Options{}))
	assert.Contains(t, out.String(), "\n````diff\n@@ -1 +1 @@\n  one\n- | two |\n+ | 2 |\n  ```\n````\n")
	assert.NotContains(t, out.String(), "changed: ")
}

func TestMarkdownHasNoEmptyListOfLines(t *testing.T) {
	file := func(extra string) *model.Document {
		item := modeltest.Node("", "Thing", "notes", modeltest.Leaf("data", "stored"+extra))
		d := modeltest.Document("1", modeltest.Node("", "File", "", modeltest.List("things", "Thing", item)))
		d.Item = func(n *model.Node) (model.Item, bool) {
			return model.Item{Kind: "thing", Content: func(context.Context) (any, error) {
				return text.Decode([]byte("one\n"), "notes.txt"), nil
			}}, n.Type == "Thing"
		}
		return d
	}
	c := modeltest.Compare(t, file(""), file(" in another way"), compare.Options{})
	var out bytes.Buffer
	require.NoError(t, report.Markdown(t.Context(), c, &out, report.Options{}))
	assert.Contains(t, out.String(), "thing notes")
	assert.NotContains(t, out.String(), "```")
}
