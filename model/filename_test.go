package model_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"

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
}

func TestPathsSurviveText(t *testing.T) {
	for _, path := range []string{"/a/b.gpb", "", "/a/100%.gpb", filepath.FromSlash("/x/\x83e%41\x83X #?.gpb")} {
		text := model.EncodePath(path)
		assert.Equal(t, path, model.DecodePath(text))
	}
	assert.Equal(t, "/a/100%.gpb", model.EncodePath("/a/100%.gpb"))
	assert.Equal(t, "file:///%83", model.EncodePath("/\x83"))
	assert.Equal(t, "file://%zz", model.DecodePath("file://%zz"))
}
