package model_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
)

func TestFileNamesAreShownInOneWay(t *testing.T) {
	for path, want := range map[string]string{
		"/x/duck.gpb":          "duck.gpb",
		"/x/\x83e\x83X.gpb":    `\x83e\x83X.gpb`, // Shift-JIS
		"/\xff/caf\u00e9.ppac": "caf\u00e9.ppac",
		"a\nb\u202e.gpb":       `a\nb<U+202E>.gpb`,
		"\ufffd":               "\ufffd", // which is a character of its own
	} {
		assert.Equal(t, want, model.FileName(path))
	}
	assert.Equal(t, `a\xe2…`, model.OneLine("a\xe2\x82", 2))
	n := &model.Node{Value: "\uFFFDGPB"}
	n.SetRaw([]byte("\xabGPB"))
	assert.Equal(t, `\xabGPB`, n.ValueText(), "its bytes, not what stands for them in a text")
}

func TestPathsSurviveText(t *testing.T) {
	here, err := filepath.Abs("a b\x83") // with a drive, where there are some
	require.NoError(t, err)
	for _, path := range []string{"/a/b.gpb", "", "/a/100%.gpb", filepath.FromSlash("/x/\x83e%41\x83X #?.gpb"), here} {
		text := model.EncodePath(path)
		assert.Equal(t, path, model.DecodePath(text))
	}
	address := "file:///" + strings.TrimPrefix(filepath.ToSlash(filepath.Dir(here)), "/")
	assert.Equal(t, filepath.Dir(here), model.DecodePath(address), "as others write it")
	assert.Equal(t, "/a/100%.gpb", model.EncodePath("/a/100%.gpb"))
	assert.Equal(t, "file:///%83", model.EncodePath("/\x83"))
	assert.Equal(t, "file://%zz", model.DecodePath("file://%zz"))
}
