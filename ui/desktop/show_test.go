package desktop_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"

	"assay/ui/desktop"
)

func TestFolderThatIsGoneIsASentence(t *testing.T) {
	err := desktop.ShowInFolder(t.Context(), filepath.Join(t.TempDir(), "gone", "a.gpb"))
	assert.EqualError(t, err, "the folder of a.gpb no longer exists")
}
