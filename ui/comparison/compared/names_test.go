package compared

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestFilesOfOneNameShowTheFoldersInWhichTheyDiffer(t *testing.T) {
	for _, tt := range []struct{ a, b, wantA, wantB string }{
		{"/p/v1/duck.gpb", "/p/v2/duck.gpb", "v1/duck.gpb", "v2/duck.gpb"},
		{"/p/v1/res/duck.gpb", "/p/v2/res/duck.gpb", "v1/…/duck.gpb", "v2/…/duck.gpb"},
		{"/p/duck.gpb", "/p/old/duck.gpb", "p/duck.gpb", "old/duck.gpb"},
		{"/duck.gpb", "/p/duck.gpb", "/duck.gpb", "p/duck.gpb"},
		{"/p/a.gpb", "/q/b.gpb", "a.gpb", "b.gpb"},
		{"/p/a.gpb", "/p/a.gpb", "a.gpb", "a.gpb"},
	} {
		var sides []Side
		for _, path := range []string{tt.a, tt.b} {
			path = filepath.FromSlash(path)
			sides = append(sides, File(path, filepath.Base(path), nil))
		}
		assert.Equal(t, []string{tt.wantA, tt.wantB}, Names(sides))
	}
	assert.Equal(t, []string{"v1/…/res", "v2/…/res"}, FolderNames([]string{"/p/v1/x/res", "/p/v2/x/res"}))
	head := Side{Title: "duck.gpb (HEAD)"}
	assert.Equal(t, []string{"duck.gpb (HEAD)", "duck.gpb"}, Names([]Side{head, File("/p/duck.gpb", "duck.gpb", nil)}))
}
