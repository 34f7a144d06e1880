package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// do runs the command line as the program does.
func do(t *testing.T, args ...string) (status int, out, talk string) {
	t.Helper()
	var o, e bytes.Buffer
	status = run(context.Background(), args, &o, &e)
	return status, o.String(), e.String()
}

// emptyBundle is the smallest gameplay bundle: no references, no meshes, no objects.
const emptyBundle = "\xABGPB\xBB\r\n\x1A\n\x01\x02\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"

func file(t *testing.T, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, []byte(content), 0o600))
	return path
}

func TestVerbsOnAFileThatIsFine(t *testing.T) {
	f := file(t, "empty.gpb", emptyBundle)
	status, out, talk := do(t, "tree", f)
	assert.Zero(t, status)
	assert.Empty(t, talk)
	assert.Contains(t, out, "gpb 1.2, 23 bytes, 100 % accounted, 0 problems")
	assert.NotContains(t, out, filepath.Dir(f), "output does not tell where a file lies")

	status, out, _ = do(t, "tree", "--depth", "0", f)
	assert.Zero(t, status)
	assert.NotContains(t, out, "meshCount")

	status, out, _ = do(t, "dump", f)
	assert.Zero(t, status)
	assert.True(t, json.Valid([]byte(out)))

	status, out, _ = do(t, "verify", f, f)
	assert.Zero(t, status)
	assert.Contains(t, out, "empty.gpb: gpb 1.2, 23 bytes, 100 % accounted\n  fine\n")
}

func TestVerbsOnAFileThatIsBroken(t *testing.T) {
	f := file(t, "broken.gpb", emptyBundle[:14])
	for _, verb := range []string{"tree", "dump", "verify"} {
		status, out, talk := do(t, verb, f)
		assert.Equal(t, 1, status, verb)
		assert.Contains(t, out, "count needs 4 bytes, 3 are left (at 0xb)", verb)
		assert.Empty(t, talk, verb)
	}
}

func TestAForeignFileIsBytesAndASentence(t *testing.T) {
	status, out, _ := do(t, "dump", file(t, "picture.gpb", "\x89PNG\r\n\x1a\n\x00\x00\x00\x0dIHDR"))
	assert.Equal(t, 1, status)
	assert.Contains(t, out, `"format":"bytes"`)
	assert.Contains(t, out, `"type":"gap"`)
	assert.Contains(t, out, "not a gameplay bundle, though its name says so; it looks like a file of the type image/png")
}

func TestWhatCannotBeReadIsTrouble(t *testing.T) {
	for _, args := range [][]string{
		{"tree", "no such file"}, {"dump", t.TempDir()}, {"tree"}, {"tree", "--depth", "x", "f"}, {"nonsense-verb", "--flag"},
	} {
		status, out, talk := do(t, args...)
		assert.Equal(t, 2, status, args)
		assert.Empty(t, out, args)
		assert.NotEmpty(t, talk, args)
	}
}
