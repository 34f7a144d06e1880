package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/adrg/xdg"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/assets"
	"assay/formats"
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

// The system's own tools must recognise what a registered desktop is told.
func TestTheSystemKnowsTheTypes(t *testing.T) {
	t.Cleanup(xdg.Reload)
	tool, err := exec.LookPath("xdg-mime")
	require.NoError(t, err, "xdg-utils is among the packages that make test installs")
	data := t.TempDir()
	t.Setenv("XDG_DATA_HOME", data)
	xdg.Reload()
	status, talk, _ := do(t, "register")
	require.Zero(t, status)
	assert.Contains(t, talk, "written: applications/org.assay.Assay.desktop")
	folder := t.TempDir()
	for _, c := range []struct{ name, content, want string }{
		{"a.gpb", "\xABGPB\xBB\r\n\x1A\n\x01\x02", "application/gpb"},
		{"a-gpb", "\xABGPB\xBB\r\n\x1A\n\x01\x02", "application/gpb"},
		{"a.casset", "\x00BUNDLE\x00\x00\x00\x00\x00", "application/x-crystalengine-asset"},
		{"b", "\x00BUNDLE\x00\x00\x00\x00\x00", "application/x-crystalengine-asset"},
		{"c", "\x00PACK\x00\x00\n\x01\x00\x00\x00", "application/x-crystalengine-asset"},
		{"a.ppac", "PPAC\x00\x04\x00\x00", "application/x-ppac"},
		{"d", "PPAC\x00\x04\x00\x00", "application/x-ppac"},
		{"a.world", "CLAY\x01\x02\x00\x00\x00\x25", "application/x-dprsim-state"},
		{"a.state", "CLAY\x01\x02\x00\x00\x00\x25", "application/x-dprsim-state"},
		{"a.experiment", "# nothing\n", "text/x-dprsim-experiment"},
		{"e", "# a test\nWORLD=a.world\nTIMESTEPS=5\n", "text/x-dprsim-experiment"},
		{"proxy.pac", "function FindProxyForURL(url, host) { return \"DIRECT\"; }\n", ""},
		{"other.state", "some text of another program\n", "text/plain"},
		{"picture", "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", "image/png"},
		{"notes.txt", "WORLD=is not enough\n", "text/plain"},
		{"picture.gif", "GIF89a\x01\x00\x01\x00", "image/gif"},
		{"archive", "PK\x03\x04\x14\x00\x00\x00\x00\x00", "application/zip"},
		{"paper", "%PDF-1.7\n", "application/pdf"},
		{"page.html", "<!DOCTYPE html><html></html>\n", "text/html"},
		{"data.json", "{\"a\": 1}\n", "application/json"},
		{"script.sh", "#!/bin/sh\necho hello\n", "application/x-shellscript"},
		{"empty.world", "", ""},
		{"empty.state", "", ""},
		{"saved.state", "\x80\x03}q\x00X\x05\x00\x00\x00worldq\x01K\x01s.", ""},
		{"other.world", "{\"world\": true}\n", ""},
		{"other.pac", "PAC1\x00\x00\x00\x01", ""},
		{"clay.bin", "CLAY\x02\x00\x00", ""},
		{"package", "\x00PACKAGE\x00", ""},
		{"bundle", "BUNDLE\x00", ""},
		{"music.ogg", "OggS\x00\x02", "audio/ogg"},
		{"library.so", "\x7fELF\x02\x01\x01\x00", ""},
	} {
		path := filepath.Join(folder, c.name)
		require.NoError(t, os.WriteFile(path, []byte(c.content), 0o600))
		cmd := exec.Command(tool, "query", "filetype", path)
		cmd.Env = append(os.Environ(), "XDG_DATA_HOME="+data, "HOME="+folder, "XDG_CURRENT_DESKTOP=GNOME")
		out, err := cmd.Output()
		require.NoError(t, err, c.name)
		if c.want == "" {
			for _, typ := range formats.FileTypes() {
				assert.NotContains(t, string(out), typ.MIME, c.name)
			}
			continue
		}
		assert.Equal(t, c.want, strings.TrimSpace(string(out)), c.name)
	}
	status, _, _ = do(t, "unregister")
	assert.Zero(t, status)
	left, err := os.ReadDir(data)
	require.NoError(t, err)
	assert.Empty(t, left)
}

func TestTheDeclarationsForOtherSystemsNameTheSameTypes(t *testing.T) {
	for _, name := range []string{"assets/windows/assay.reg", "assets/macos/Info.plist"} {
		b, err := os.ReadFile(filepath.FromSlash(name))
		require.NoError(t, err)
		for _, typ := range formats.FileTypes() {
			for _, glob := range typ.Globs {
				assert.Contains(t, string(b), strings.TrimPrefix(glob, "*."), name)
			}
			if len(typ.Globs) > 0 {
				assert.Contains(t, string(b), typ.MIME, name)
			}
		}
	}
}

func TestDiffIsLikeDiffAndCmp(t *testing.T) {
	a, b := file(t, "a.gpb", emptyBundle), file(t, "b.gpb", strings.Replace(emptyBundle, "\x01\x02", "\x01\x03", 1))
	for _, c := range []struct {
		args   []string
		status int
		out    string
	}{
		{[]string{"diff", a, a}, 0, ""},
		{[]string{"diff", a, b}, 1, "~ /version"},
		{[]string{"diff", "--json", a, b}, 1, `"status":"changed","path":"/version"`},
		{[]string{"diff", "--as", "html", a, b}, 1, "<html"},
		{[]string{"diff", a, "no such file"}, 2, ""},
	} {
		status, out, _ := do(t, c.args...)
		assert.Equal(t, c.status, status, c.args)
		assert.Contains(t, out, c.out, c.args)
		assert.NotContains(t, out, filepath.Dir(a), c.args)
	}
}

func TestExtractAsAPresetSays(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	xdg.Reload()
	t.Cleanup(xdg.Reload)
	f := file(t, "one.pac", "")
	status, _, talk := do(t, "extract", f, "--preset", "mine")
	assert.Equal(t, 2, status)
	assert.Contains(t, talk, `no preset "mine"`)

	path := filepath.Join(xdg.ConfigHome, "assay", "presets.json")
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
	require.NoError(t, os.WriteFile(path, []byte(`[{"name":"mine","names":"{index}-{name}{ext}","conflict":"overwrite","forms":{"Mesh":"json"}}]`), 0o600))
	duck := filepath.Join("assets", "samples", "duck.gpb")
	status, out, talk := do(t, "extract", duck, "--preset", "mine", "--list")
	require.Zero(t, status, talk)
	assert.Contains(t, out, " 1-")
	status, _, _ = do(t, "extract", duck, "--preset", "mine", "--names", "{nothing}", "--list")
	assert.Equal(t, 2, status, "what is given on the command line counts more")
}

// verbsOnly builds the program without a window and gives its path.
func verbsOnly(t *testing.T) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "assay")
	build := exec.Command("go", "build", "-buildvcs=false", "-o", program, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	out, err := build.CombinedOutput()
	require.NoError(t, err, string(out))
	return program
}

func TestTheProgramWithoutAWindowHasAllVerbs(t *testing.T) {
	program := verbsOnly(t)
	folder := t.TempDir()
	for _, s := range assets.Samples() {
		require.NoError(t, os.WriteFile(filepath.Join(folder, s.Name), s.Bytes, 0o600))
	}
	for _, c := range []struct {
		args   []string
		status int
		says   string
	}{
		{[]string{"tree", "duck.gpb"}, 0, "/ [Bundle]"},
		{[]string{"dump", "sky.casset"}, 0, `"format":"casset"`},
		{[]string{"verify", "duck.gpb", "goregular.gpb", "pond.ppac", "sky.casset", "ball.world", "ball.experiment"}, 0, "fine"},
		{[]string{"extract", "pond.ppac", "-o", "out"}, 0, "exported"},
		{[]string{"extract", "duck.gpb", "--list"}, 0, ".glb"},
		{[]string{"diff", "duck.gpb", "duck.gpb"}, 0, ""},
		{[]string{"diff", "duck.gpb", "goregular.gpb"}, 1, "duck"},
		{[]string{"thumbnail", "-s", "64", "duck.gpb", "duck.png"}, 0, ""},
		{[]string{"open", "duck.gpb"}, 2, "built without a window"},
		{[]string{"compare", "duck.gpb", "goregular.gpb"}, 2, "built without a window"},
	} {
		run := exec.Command(program, c.args...)
		run.Dir = folder
		out, _ := run.CombinedOutput()
		assert.Equal(t, c.status, run.ProcessState.ExitCode(), "%s: %s", c.args, out)
		assert.Contains(t, string(out), c.says, c.args)
	}
	content, err := os.ReadFile(filepath.Join(folder, "out", "models", "duck.gpb"))
	require.NoError(t, err)
	assert.Equal(t, assets.Samples()[0].Bytes, content, "what is taken out of the package is what was put in")
	assert.FileExists(t, filepath.Join(folder, "duck.png"))
}

// The README's recipe, in a real repository.
func TestGitShowsWhatChangedInAnAsset(t *testing.T) {
	git, err := exec.LookPath("git")
	require.NoError(t, err)
	program, folder := verbsOnly(t), t.TempDir()
	do := func(args ...string) string {
		cmd := exec.Command(git, args...)
		cmd.Dir = folder
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "GIT_PAGER=cat", "NO_COLOR=1")
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s: %s", args, out)
		return string(out)
	}
	do("init", "-q")
	do("config", "user.name", "A")
	do("config", "user.email", "a@example.org")
	do("config", "diff.assay.textconv", program+" tree")
	do("config", "difftool.assay.cmd", program+` diff "$LOCAL" "$REMOTE"`)
	require.NoError(t, os.WriteFile(filepath.Join(folder, ".gitattributes"), []byte("*.gpb diff=assay\n"), 0o600))
	asset := filepath.Join(folder, "empty.gpb")
	require.NoError(t, os.WriteFile(asset, []byte(emptyBundle), 0o600))
	do("add", ".")
	do("commit", "-q", "-m", "one")
	require.NoError(t, os.WriteFile(asset, []byte(strings.Replace(emptyBundle, "\x01\x02", "\x01\x03", 1)), 0o600))

	diff := do("diff")
	assert.Contains(t, diff, "-  version [byte[2]] = 1.2")
	assert.Contains(t, diff, "+  version [byte[2]] = 1.3")
	assert.Contains(t, do("difftool", "-y", "-t", "assay"), "~ /version")
	do("add", ".")
	do("commit", "-q", "-m", "two")
	assert.Contains(t, do("log", "-p", "-1"), "+  version [byte[2]] = 1.3")
}
