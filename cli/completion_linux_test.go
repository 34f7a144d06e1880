package cli

import (
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// completed are typed command lines, and how a shell completes them.
var completed = []struct{ typed, rest string }{
	{"assay ver", "ify"},
	{"assay help unreg", "ister"},
	{"assay tree --no-o", "ffsets"},
	{"assay diff --as mark", "down"},
	{"assay pon", "d.ppac"},
	{"assay tree pon", "d.ppac"},
	{"assay verify --resources fol", "der"},
}

// maxShellTime is the maximum time of a shell, so that the test does not wait forever.
const maxShellTime = 3 * time.Minute

// controls matches control sequences for the terminal.
var controls = regexp.MustCompile(`\x1b\[[0-9;?]*[a-zA-Z]|\x1b[=>]|\x07`)

// shellIn returns a command in a folder with a file and a folder to complete. If found is set, the program is in PATH.
func shellIn(t *testing.T, program string, found bool, command string, args ...string) *exec.Cmd {
	t.Helper()
	folder := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(folder, "pond.ppac"), nil, 0o600))
	require.NoError(t, os.Mkdir(filepath.Join(folder, "folder"), 0o700))
	ctx, cancel := context.WithTimeout(t.Context(), maxShellTime)
	t.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, command, args...)
	cmd.Dir = folder
	path := os.Getenv("PATH")
	if found {
		path = filepath.Dir(program) + ":" + path
	}
	cmd.Env = append(os.Environ(), "PATH="+path, "HOME="+t.TempDir(), "TERM=dumb", "EDITOR=", "VISUAL=", "PROGRAM="+program)
	return cmd
}

// TestShellsCompleteWithTheScripts loads the printed scripts into shells, and completes a command, a flag, a value, and
// a file.
func TestShellsCompleteWithTheScripts(t *testing.T) {
	program := buildWithoutWindow(t)
	for _, shell := range []string{"bash", "zsh", "fish"} {
		t.Run(shell, func(t *testing.T) {
			if _, err := exec.LookPath(shell); err != nil {
				t.Skipf("SKIPPED: %s is not installed", shell)
			}
			for name, found := range map[string]bool{"by name": true, "by path": false} {
				t.Run(name, func(t *testing.T) {
					if shell == "fish" {
						completeInFish(t, program, found)
					} else {
						completeInTerminal(t, shell, program, found)
					}
				})
			}
		})
	}
}

func completeInFish(t *testing.T, program string, found bool) {
	for _, c := range completed {
		cmd := shellIn(t, program, found, "fish", "-c", `$PROGRAM completion fish | source; complete -C "`+c.typed+`"`)
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", out)
		words := strings.Fields(c.typed)
		assert.Equal(t, words[len(words)-1]+c.rest, strings.TrimRight(string(out), "/\n"), c.typed)
	}
}

// completeInTerminal types into a shell in a terminal of util-linux's script.
func completeInTerminal(t *testing.T, shell, program string, found bool) {
	if _, err := exec.LookPath("script"); err != nil {
		t.Skip("SKIPPED: script, which is a terminal for a shell, is not installed")
	}
	plain := "env 'PS1=ready> ' " + map[string]string{"bash": "bash --norc -i", "zsh": "zsh -f -i"}[shell]
	cmd := shellIn(t, program, found, "script", "-qec", plain, os.DevNull)
	keyboard, err := cmd.StdinPipe()
	require.NoError(t, err)
	screen, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	shown := ""
	waitFor := func(text string) {
		t.Helper()
		b := make([]byte, 4096)
		for !strings.Contains(shown, text) {
			n, err := screen.Read(b)
			shown = controls.ReplaceAllString(shown+string(b[:n]), "")
			require.NoError(t, err, "no %q on the screen:\n%s", text, shown)
		}
		shown = ""
	}
	typeIn := func(keys string) {
		_, err := io.WriteString(keyboard, keys)
		require.NoError(t, err)
	}
	waitFor("ready> ")
	typeIn("source <($PROGRAM completion " + shell + ")\n")
	waitFor("ready> ")
	for _, c := range completed {
		typeIn(c.typed + "\t")
		waitFor(c.rest)
		typeIn("\x01: \n") // the command that does nothing, before the line
		waitFor("ready> ")
	}
	typeIn("exit\n")
	_, err = io.Copy(io.Discard, screen)
	require.NoError(t, err)
	require.NoError(t, keyboard.Close())
	require.NoError(t, cmd.Wait())
}

// TestCompletionPrintsThePackagedScripts tests that the program prints the scripts that packages contain, if a shell
// finds it by its name.
func TestCompletionPrintsThePackagedScripts(t *testing.T) {
	program, err := os.Executable()
	require.NoError(t, err)
	folder := t.TempDir()
	require.NoError(t, os.Symlink(program, filepath.Join(folder, "assay")))
	for shell, file := range completionFiles {
		packaged, err := os.ReadFile(filepath.Join("cli", "completions", file))
		require.NoError(t, err)
		t.Setenv("PATH", folder)
		_, out, _ := do(t, "completion", shell)
		assert.Equal(t, string(packaged), out)
		t.Setenv("SHELL", "/bin/"+shell)
		_, out, _ = do(t, "completion")
		assert.Equal(t, string(packaged), out)
		t.Setenv("PATH", "")
		_, out, _ = do(t, "completion", shell)
		assert.Contains(t, out, program)
		assert.NotContains(t, out, "command assay")
	}
	t.Setenv("SHELL", "/bin/csh")
	status, _, messages := do(t, "completion")
	assert.Equal(t, 2, status)
	assert.Contains(t, messages, "name it, as in: assay completion bash")
}
