package git_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"assay/model/git"
)

func TestTemporaryFiles(t *testing.T) {
	assert.True(t, git.Temporary("/tmp/git-blob-IismPb/scene.gpb"))
	assert.True(t, git.Temporary("/tmp/git-difftool.x1/left/a/scene.gpb"))
	assert.False(t, git.Temporary("/home/me/git-blob.gpb"))
	assert.False(t, git.Temporary("scene.gpb"))
}
