package cli

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/assets"
)

// TestCommandsReportFailedOutput tests that each command reports a full disk or a closed pipe as
// standard output.
func TestCommandsReportFailedOutput(t *testing.T) {
	program, dir := buildWithoutWindow(t), t.TempDir()
	file := filepath.Join(dir, "pond.ppac")
	for _, s := range assets.Samples() {
		if s.Name == "pond.ppac" {
			require.NoError(t, os.WriteFile(file, s.Bytes, 0o600))
		}
	}
	text := filepath.Join(dir, "a.txt")
	require.NoError(t, os.WriteFile(text, []byte("a\nb\nc\n"), 0o600))
	other := filepath.Join(dir, "b.txt")
	require.NoError(t, os.WriteFile(other, []byte("a\nx\nc\n"), 0o600))
	for _, args := range [][]string{
		{"--version"}, {"--man"}, {"--help"}, {"help", "extract"}, {"help", "filters"}, {"formats"},
		{"completion", "bash"}, {"tree", file}, {"dump", file}, {"verify", file}, {"verify", "--json", file},
		{"find", "--in", "names", "pond", dir}, {"graph", dir}, {"graph", "--json", file}, {"extract", "--list", file},
		{"extract", "--list", "--json", file}, {"extract", "-o", filepath.Join(dir, "out"), file},
		{"pack", file, "-o", filepath.Join(dir, "new.ppac")},
		{"patch", file, file, "-o", filepath.Join(dir, "patch.ppac")},
		{"merge", text, other, text}, {"merge", text, other, text, "-o", filepath.Join(dir, "merged.txt")},
		{"diff", text, other}, {"diff", "--json", text, other}, {"thumbnail", file, "-"}, {"notes", "--json"},
	} {
		full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
		require.NoError(t, err)
		read, closed, err := os.Pipe()
		require.NoError(t, err)
		require.NoError(t, read.Close())
		for cause, out := range map[string]*os.File{"no space left on device": full, "broken pipe": closed} {
			_ = os.Remove(filepath.Join(dir, "new.ppac"))
			_ = os.Remove(filepath.Join(dir, "merged.txt"))
			cmd := exec.Command(program, args...)
			cmd.Env = append(os.Environ(), "HOME="+dir)
			var messages bytes.Buffer
			cmd.Stdout, cmd.Stderr = out, &messages
			_ = cmd.Run()
			assert.Equal(t, 2, cmd.ProcessState.ExitCode(), "%v, %s: %s", args, cause, messages.String())
			assert.Contains(t, string(messages.String()), "assay: the standard output cannot be written: "+cause, args)
			require.NoError(t, out.Close())
		}
	}
}
