package cli

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// example is the decoder that docs/CONTRIBUTING.md uses as an example.
const example = "formats/formatstest/riff/riff.go"

func readText(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(b)
}

// TestDocumentsShowTheExample compares the code in docs/CONTRIBUTING.md with the example.
func TestDocumentsShowTheExample(t *testing.T) {
	_, shown, found := strings.Cut(readText(t, example), "\nfunc chunk(")
	require.True(t, found)
	shown, _, _ = strings.Cut("func chunk("+shown, "\n}\n")
	shown = "    " + strings.ReplaceAll(strings.ReplaceAll(shown, "\t", "    "), "\n", "\n    ") + "\n    }\n"
	assert.Contains(t, readText(t, "docs/CONTRIBUTING.md"), shown)
}

// TestTheDocumentedStepsAddAFormat follows docs/CONTRIBUTING.md, in a copy of the two files: it puts the example into a
// folder and a package of its own and adds one line to the table. The format has no icon.
func TestTheDocumentedStepsAddAFormat(t *testing.T) {
	folder := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(folder, name)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	replace := func(text, old, new string) string {
		require.Equal(t, 1, strings.Count(text, old), old)
		return strings.Replace(text, old, new, 1)
	}
	table := replace(readText(t, "formats/formats.go"), "\n)\n\n// All", "\n\twave.Formats(),\n)\n\n// All")
	table = replace(table, "\t\"assay/model\"\n", "\t\"assay/formats/wave\"\n\t\"assay/model\"\n")
	decoder := replace(readText(t, example), "package riff", "package wave")
	here, err := os.Getwd()
	require.NoError(t, err)
	overlay, err := json.Marshal(map[string]map[string]string{"Replace": {
		filepath.Join(here, "formats", "formats.go"):      write("formats.go", table),
		filepath.Join(here, "formats", "wave", "wave.go"): write("wave.go", decoder)}})
	require.NoError(t, err)
	program := buildWithoutWindow(t, "-overlay", write("overlay.json", string(overlay)))

	sound := write("a.wav", "RIFF\x0f\x00\x00\x00WAVEdata\x03\x00\x00\x00\x01\x02\x03")
	run := func(args ...string) string {
		cmd := exec.Command(program, args...)
		cmd.Env = append(os.Environ(), "HOME="+folder, "XDG_DATA_HOME="+folder, "XDG_CONFIG_HOME="+folder,
			"XDG_STATE_HOME="+folder)
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s: %s", args[0], out)
		return string(out)
	}
	assert.Contains(t, run("tree", sound), "riff 1.0, 23 bytes, 100% decoded")
	assert.Contains(t, run("dump", "--only", "/chunks/0/data", sound), `"type":"BYTE[]","offset":20,"size":3`)
	run("verify", sound)
	run("extract", "-o", folder, sound)
	assert.Equal(t, "\x01\x02\x03", readText(t, filepath.Join(folder, "chunk-0.bin")))
	run("register")
	assert.Contains(t, readText(t, filepath.Join(folder, "mime", "packages", "org.assay.Assay.xml")),
		`<mime-type type="audio/x-wav">`)
	assert.FileExists(t, filepath.Join(folder, "icons", "hicolor", "64x64", "mimetypes", "org.assay.Assay-riff.png"))
}
