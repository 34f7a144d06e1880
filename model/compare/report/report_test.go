package report

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/model/compare"
	"assay/model/compare/changes"
)

// plain returns a document of an unknown format.
func plain(name, data string) *model.Document {
	src := model.NewSource(name, strings.NewReader(data), int64(len(data)))
	return model.NewDocument(src, "bytes", "", &model.Node{Type: "bytes", Span: model.Span{Size: int64(len(data))}})
}

func comparedFiles(t *testing.T, old, new string) *compare.Comparison {
	t.Helper()
	c, err := compare.Documents(t.Context(), plain("old.txt", old), plain("new.txt", new), compare.Options{}, nil)
	require.NoError(t, err)
	return c
}

func TestTwoTextFilesAreReportedLineByLine(t *testing.T) {
	c := comparedFiles(t, "one\ntwo words\nthree\n", "one\ntwo sentences\nthree\nfour\n")
	var b bytes.Buffer
	require.NoError(t, Text(t.Context(), c, &b, Options{}))
	assert.Equal(t, "# 1 of 4 lines changed, 1 line added\n@@ -1 +1 @@\n  one\n- two words\n+ two sentences\n"+
		"  three\n+ four\n", b.String())
	b.Reset()
	require.NoError(t, HTML(t.Context(), c, &b))
	assert.Contains(t, b.String(), `two <mark>sentences</mark>`)
	assert.NotContains(t, b.String(), "All changes")
	b.Reset()
	require.NoError(t, JSON(t.Context(), c, &b))
	assert.Contains(t, b.String(), `"1 of 4 lines changed"`)
}

func TestTwoFilesOfUnknownBytesAreReportedAsBytes(t *testing.T) {
	c := comparedFiles(t, "\x00\x01\x02\xfe", "\x00\x01\x03\xfe")
	assert.NotEmpty(t, c.Note)
	o, err := changes.Collect(t.Context(), c)
	require.NoError(t, err)
	assert.False(t, o.Whole)
}

func TestPageDoesNotBreakWordsAtHyphens(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"plain, -5 and a - b", "plain, -5 and a - b"},
		{"[25, 1.17e-38]", "[25, <span class=word>1.17e-38]</span>"},
		{`a "wall-north" <b-c>`, `a <span class=word>&#34;wall-north&#34;</span> <span class=word>&lt;b-c&gt;</span>`},
		{strings.Repeat("long-", 10), strings.Repeat("long-", 10)},
		{"a-b/c-d", "<span class=word>a-b</span>/<span class=word>c-d</span>"},
	} {
		assert.Equal(t, c.want, unbroken(c.text))
	}
	assert.Equal(t, "<span class=word>a-b</span>/<wbr>c/<wbr><span class=word>&lt;d-e</span>", breakable("a-b/c/<d-e"))
}
