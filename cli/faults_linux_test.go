package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/assets"
)

// filesBelow returns the contents of the files below a folder.
func filesBelow(t *testing.T, folder string) map[string][]byte {
	t.Helper()
	all := make(map[string][]byte)
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) && path == folder {
			return nil // nothing was written
		}
		if err != nil || d.IsDir() {
			return err
		}
		name, _ := filepath.Rel(folder, path)
		all[name], err = os.ReadFile(path)
		return err
	})
	require.NoError(t, err)
	return all
}

// failedMessage matches an injected failure of the standard output or the standard error. Calls are counted in each
// thread, so a failure may prevent the message about another one.
var failedMessage = regexp.MustCompile(`write\([12], .*\(INJECTED\)`)

// failedQuery matches an injected failure of the call that finds out whether files can be linked without a path. It is
// not an error: then they cannot.
var failedQuery = regexp.MustCompile(`linkat\(\d+, "", -1, .*\(INJECTED\)`)

// injected reports whether a call failed by injection, other than those that failedMessage and failedQuery match.
func injected(log []byte) bool {
	return bytes.Count(log, []byte("(INJECTED)")) > len(failedMessage.FindAll(log, -1))+len(failedQuery.FindAll(log, -1))
}

// TestCallsOfTheSystemThatFailLeaveWholeFiles fails one system call after the other, as a full or broken disk does. The
// program must report the failure, and leave only complete files.
func TestCallsOfTheSystemThatFailLeaveWholeFiles(t *testing.T) {
	strace, err := exec.LookPath("strace")
	if err == nil {
		err = exec.Command(strace, "-qq", "-o", os.DevNull, "true").Run()
	}
	if err != nil {
		t.Skipf("SKIPPED: no failures of the system are injected, as strace is missing or may not trace: %v", err)
	}
	program, folder := buildWithoutWindow(t), t.TempDir()
	archive := filepath.Join(folder, "pond.ppac")
	for _, s := range assets.Samples() {
		if s.Name == "pond.ppac" {
			require.NoError(t, os.WriteFile(archive, s.Bytes, 0o600))
		}
	}
	sound := filepath.Join(folder, "sound")
	require.NoError(t, exec.Command(program, "extract", archive, "-o", sound).Run())
	whole := filesBelow(t, sound)
	require.NotEmpty(t, whole)
	for _, calls := range []string{"write,pwrite64,copy_file_range", "fsync,fdatasync,syncfs", "linkat",
		"renameat,renameat2", "mkdirat"} {
		for _, conflict := range []string{"number", "overwrite"} {
			failures := 0
			for n := 1; n <= 4; n++ {
				name := fmt.Sprintf("%s, call %d, %s", calls, n, conflict)
				out := filepath.Join(folder, name)
				if conflict == "overwrite" {
					for name := range whole {
						path := filepath.Join(out, name)
						require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
						require.NoError(t, os.WriteFile(path, []byte("old"), 0o600))
					}
				}
				traces := t.TempDir()
				cmd := exec.Command(strace, "-ff", "-qq", "-o", filepath.Join(traces, "thread"), "-e",
					fmt.Sprintf("inject=%s:error=ENOSPC:when=%d", calls, n), "-e", "trace="+calls,
					program, "extract", archive, "-o", out, "--conflict", conflict)
				output, _ := cmd.CombinedOutput()
				// One trace per thread, so that lines are not mixed.
				log := bytes.Join(slices.Collect(maps.Values(filesBelow(t, traces))), nil)
				failed := injected(log)
				if failed {
					failures++
					assert.NotZero(t, cmd.ProcessState.ExitCode(), "%s: it is told\n%s\n%s", name, output, log)
					if !failedMessage.Match(log) {
						assert.NotEmpty(t, output, name)
					}
				}
				for path, content := range filesBelow(t, out) {
					require.Contains(t, whole, path, "%s: no file with another name is left", name)
					if conflict == "overwrite" && string(content) == "old" {
						assert.True(t, failed, name)
						continue
					}
					assert.True(t, bytes.Equal(whole[path], content), "%s: %s has %d of %d bytes", name, path,
						len(content), len(whole[path]))
				}
			}
			t.Logf("%s, %s: %d of 4 runs failed on purpose", calls, conflict, failures)
		}
	}
}

// TestCommandsReportFailedOutput tests that each command reports a full disk as standard output, and ends without a
// message if the pipe has no reader.
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
			if out == closed { // as head does: not a failure that needs a message
				assert.Equal(t, 141, cmd.ProcessState.ExitCode(), "%v: %s", args, messages.String())
				assert.NotContains(t, messages.String(), "standard output", args)
			} else {
				assert.Equal(t, 2, cmd.ProcessState.ExitCode(), "%v: %s", args, messages.String())
				assert.Contains(t, messages.String(), "assay: the standard output cannot be written: "+cause, args)
			}
			require.NoError(t, out.Close())
		}
	}
}
