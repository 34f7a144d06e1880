package cli

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"hash/crc32"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/adrg/xdg"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/assets"
	"assay/formats"
	"assay/formats/casset/cassettest"
	"assay/formats/dprsim/dprsimtest"
	"assay/formats/gpb"
	"assay/formats/gpb/gpbtest"
	"assay/formats/ppac/ppactest"
	"assay/model/userdata"
	"assay/ui/desktop"
)

// The tests run in the root folder of the project, where its documents, packages, and samples are. A child process of a
// test keeps its folder.
func init() {
	if _, err := os.Stat("../go.mod"); err != nil {
		return
	}
	if err := os.Chdir(".."); err != nil {
		panic(err)
	}
}

// do runs a command line as the program does.
func do(t *testing.T, args ...string) (status int, out, messages string) {
	t.Helper()
	return doWith(strings.NewReader(""), args...)
}

// doWith is like do, with a standard input.
func doWith(in io.Reader, args ...string) (status int, out, messages string) {
	var o, e bytes.Buffer
	status = run(context.Background(), args, in, &o, &e)
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

func TestCommandsPrintAnIntactFile(t *testing.T) {
	f := file(t, "empty.gpb", emptyBundle)
	status, out, messages := do(t, "tree", f)
	assert.Zero(t, status)
	assert.Empty(t, messages)
	assert.Contains(t, out, "gpb 1.2, 23 bytes, 100% decoded, 0 problems")
	assert.NotContains(t, out, filepath.Dir(f), "the output has no folder")

	status, out, _ = do(t, "tree", "--depth", "0", f)
	assert.Zero(t, status)
	assert.NotContains(t, out, "meshCount")

	status, out, _ = do(t, "dump", f)
	assert.Zero(t, status)
	assert.True(t, json.Valid([]byte(out)))

	status, out, _ = do(t, "verify", f, f)
	assert.Zero(t, status)
	assert.Contains(t, out, "empty.gpb: gpb 1.2, 23 bytes, 100% decoded\nOK\n")
}

func TestCommandsReportADamagedFile(t *testing.T) {
	f := file(t, "broken.gpb", emptyBundle[:14])
	for _, verb := range []string{"tree", "dump", "verify"} {
		status, out, messages := do(t, verb, f)
		assert.Equal(t, 1, status, verb)
		assert.Contains(t, out, "count needs 4 bytes, but only 3 remain", verb)
		assert.Empty(t, messages, verb)
	}
}

func TestUnknownFileIsShownAsBytes(t *testing.T) {
	status, out, _ := do(t, "dump", file(t, "picture.gpb", "\x89PNG\r\n\x1a\n\x00\x00\x00\x0dIHDR"))
	assert.Equal(t, 1, status)
	assert.Contains(t, out, `"format":"bytes"`)
	assert.Contains(t, out, `"type":"gap"`)
	assert.Contains(t, out,
		"not a valid gameplay bundle, despite its extension; it looks like a file of the type image/png")
}

func TestUnreadableFilesAreErrors(t *testing.T) {
	for _, args := range [][]string{
		{"tree", "no such file"}, {"dump", t.TempDir()}, {"tree"}, {"tree", "--depth", "x", "f"},
		{"nonsense-verb", "--flag"},
	} {
		status, out, messages := do(t, args...)
		assert.Equal(t, 2, status, args)
		assert.Empty(t, out, args)
		assert.NotEmpty(t, messages, args)
	}
}

// After register, the tools of the system must recognize the file types.
func TestRegisterAddsTheFileTypes(t *testing.T) {
	if !desktop.HasSystem {
		t.Skip("xdg-mime is not of this system")
	}
	t.Cleanup(xdg.Reload)
	tool, err := exec.LookPath("xdg-mime")
	require.NoError(t, err, "xdg-utils is among the packages that make test installs")
	data := t.TempDir()
	t.Setenv("XDG_DATA_HOME", data)
	xdg.Reload()
	status, messages, _ := do(t, "register")
	require.Zero(t, status)
	assert.Contains(t, messages, "written: applications/org.assay.Assay.desktop")
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
		{"a.material", "material textured : base\n{\n}\n", "text/x-gameplay-properties"},
		{"b.material", "// Shared.\r\n\r\nmaterial textured\r\n{\r\n}\r\n", "text/x-gameplay-properties"},
		{"a.scene", "scene\n{\n    path = res/a.gpb\n}\n", "text/x-gameplay-properties"},
		{"a.physics", "collisionObject floor\n{\n}\n", "text/x-gameplay-properties"},
		{"a.animation", "animation walk\n{\n}\n", "text/x-gameplay-properties"},
		{"game.config", "window\n{\n    width = 1280\n}\n", "text/x-gameplay-properties"},
		{"terrain", "terrain hills {\n}\n", "text/x-gameplay-properties"},
		{"material.txt", "material textured\n{\n}\n", "text/plain"},
		{"App.config", "<?xml version=\"1.0\"?>\n<configuration/>\n", "application/xml"},
		{"other.scene", "[gd_scene load_steps=2]\n", ""},
		{"letter.scene", "scene 1, in which material matters\n", ""},
		{"some.config", "{\"window\": {}}\n", ""},
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

func TestDiffHasTheStatusesOfCmp(t *testing.T) {
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

func TestExtractUsesAPreset(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	xdg.Reload()
	t.Cleanup(xdg.Reload)
	f := file(t, "one.pac", "")
	status, _, messages := do(t, "extract", f, "--preset", "mine")
	assert.Equal(t, 2, status)
	assert.Contains(t, messages, `unknown preset "mine"`)

	path := filepath.Join(userdata.Config(), "assay", "presets.json")
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
	require.NoError(t, os.WriteFile(path,
		[]byte(`[{"name":"mine","names":"{index}-{name}{ext}","conflict":"overwrite","forms":{"Mesh":"json"}}]`),
		0o600))
	duck := filepath.Join("assets", "samples", "duck.gpb")
	status, out, messages := do(t, "extract", duck, "--preset", "mine", "--list")
	require.Zero(t, status, messages)
	assert.Contains(t, out, " 1-")
	status, _, _ = do(t, "extract", duck, "--preset", "mine", "--names", "{nothing}", "--list")
	assert.Equal(t, 2, status, "flags override the preset")
}

// buildWithoutWindow builds the program without a window and returns its path. flags are passed to the go command.
func buildWithoutWindow(t *testing.T, flags ...string) string {
	t.Helper()
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("SKIPPED: there is no go command to build with")
	}
	program := filepath.Join(t.TempDir(), "assay")
	build := exec.Command("go", append(append([]string{"build"}, flags...), "-buildvcs=false", "-o", program, ".")...)
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	out, err := build.CombinedOutput()
	require.NoError(t, err, string(out))
	return program
}

func TestProgramWithoutAWindowHasAllCommands(t *testing.T) {
	program := buildWithoutWindow(t)
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
		{[]string{"verify", "duck.gpb", "goregular.gpb", "pond.ppac", "sky.casset", "ball.world", "ball.experiment"}, 0,
			"OK\n"},
		{[]string{"extract", "pond.ppac", "-o", "out"}, 0, "exported"},
		{[]string{"extract", "duck.gpb", "--list"}, 0, ".glb"},
		{[]string{"diff", "duck.gpb", "duck.gpb"}, 0, ""},
		{[]string{"diff", "duck.gpb", "goregular.gpb"}, 1, "duck"},
		{[]string{"thumbnail", "-s", "64", "duck.gpb", "duck.png"}, 0, ""},
		{[]string{"open", "duck.gpb"}, 2, "this build has no window"},
		{[]string{"compare", "duck.gpb", "goregular.gpb"}, 2, "this build has no window"},
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

// TestGitShowsTheChangesInAnAsset follows the Git section of docs/comparing.md in a real repository.
func TestGitShowsTheChangesInAnAsset(t *testing.T) {
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip("SKIPPED: git is not installed")
	}
	program, folder := buildWithoutWindow(t), t.TempDir()
	do := func(args ...string) string {
		cmd := exec.Command(git, args...)
		cmd.Dir = folder
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "GIT_PAGER=cat",
			"NO_COLOR=1")
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s: %s", args, out)
		return string(out)
	}
	do("init", "-q")
	do("config", "user.name", "A")
	do("config", "user.email", "a@example.org")
	setup := exec.Command(program, "git-setup")
	setup.Dir = folder
	messages, err := setup.CombinedOutput()
	require.NoError(t, err, string(messages))
	for extension, attribute := range map[string]string{"gpb": "assay", "casset": "assay", "ppac": "assay", "pac": "assay",
		"world": "assay", "state": "assay", "experiment": "set", "material": "unspecified"} {
		assert.Contains(t, do("check-attr", "diff", "x."+extension), ": diff: "+attribute+"\n")
	}
	do("config", "difftool.assay.cmd", program+` diff "$LOCAL" "$REMOTE"`)
	asset := filepath.Join(folder, "empty.gpb")
	require.NoError(t, os.WriteFile(asset, []byte(emptyBundle), 0o600))
	script := filepath.Join(folder, "proxy.pac")
	require.NoError(t, os.WriteFile(script, []byte("function f(url) {\n  return 1;\n}\n"), 0o600))
	scene := filepath.Join(folder, "scene.gpb")
	require.NoError(t, os.WriteFile(scene, sceneFile(t, false), 0o600))
	do("add", ".")
	do("commit", "-q", "-m", "one")
	require.NoError(t, os.WriteFile(script, []byte("function f(url) {\n  return 2;\n}\n"), 0o600))
	assert.Contains(t, do("diff"), "-  return 1;\n+  return 2;\n", "a text of another program stays one")
	do("commit", "-qam", "script")
	require.NoError(t, os.WriteFile(scene, sceneFile(t, true), 0o600))
	diff := do("diff", "-U0")
	assert.Regexp(t, "(?m)^@@ .* @@ \\[Node\\] body$", diff)
	assert.Contains(t, diff, "\n+  children of [Node] group\n")
	assert.Less(t, len(regexp.MustCompile(`(?m)^[-+]`).FindAllString(diff, -1)), 20,
		"a scene that grew by one node: %s", diff)
	do("commit", "-qam", "grown")
	require.NoError(t, os.WriteFile(asset, []byte(strings.Replace(emptyBundle, "\x01\x02", "\x01\x03", 1)), 0o600))

	diff = do("diff")
	assert.Contains(t, diff, "-  version [byte[2]] = 1.2")
	assert.Contains(t, diff, "+  version [byte[2]] = 1.3")
	assert.Contains(t, do("difftool", "-y", "-t", "assay"), "~ /version")
	do("add", ".")
	do("commit", "-q", "-m", "two")
	assert.Contains(t, do("log", "-p", "-1"), "+  version [byte[2]] = 1.3")
}

// sceneFile returns a file with a scene of nested nodes, with one more between them if grown is set.
func sceneFile(t *testing.T, grown bool) []byte {
	t.Helper()
	node := func(id string, children ...*gpb.Node) *gpb.Node {
		n := &gpb.Node{ID: id, Children: children}
		n.Transform[0], n.Transform[5], n.Transform[10], n.Transform[15] = 1, 1, 1, 1
		return n
	}
	body := node("body", node("head"), node("arm", node("hand")), node("leg", node("foot")))
	if grown {
		body = node("group", body)
	}
	var out bytes.Buffer
	require.NoError(t, gpbtest.Write(&out, &gpb.File{Objects: []gpb.Object{&gpb.Scene{ID: "scene",
		Nodes: []*gpb.Node{node("hero", body, node("shadow"))}}}}, gpbtest.Versions()[2], 0))
	return out.Bytes()
}

// thumbnail returns the thumbnail of a file.
func thumbnail(t *testing.T, name string, content []byte, options ...string) *image.NRGBA {
	t.Helper()
	out := filepath.Join(t.TempDir(), "out.png")
	status, printed, messages := do(t, append(append([]string{"thumbnail"}, options...), file(t, name, string(content)),
		out)...)
	require.Zero(t, status, messages)
	assert.Empty(t, printed)
	assert.Empty(t, messages)
	b, err := os.ReadFile(out)
	require.NoError(t, err)
	img, err := png.Decode(bytes.NewReader(b))
	require.NoError(t, err)
	same := image.NewNRGBA(img.Bounds())
	draw.Draw(same, same.Rect, img, image.Point{}, draw.Src)
	return same
}

// paintedShare returns the share of the picture that is not transparent, and its number of tones.
func paintedShare(img *image.NRGBA) (share float64, tones int) {
	n, seen := 0, map[color.NRGBA]bool{}
	for i := 0; i < len(img.Pix); i += 4 {
		if p := img.Pix[i : i+4]; p[3] > 128 {
			n++
			seen[color.NRGBA{p[0] >> 3, p[1] >> 3, p[2] >> 3, 255}] = true
		}
	}
	return float64(n) / float64(img.Rect.Dx()*img.Rect.Dy()), len(seen)
}

func tetrahedron() *gpb.File {
	m := &gpb.Mesh{ID: "m", Format: []gpb.VertexElement{{Usage: 1, Size: 3}},
		Vertices: gpbtest.Bytes(littleEndian(0, 0, 0, 1, 0, 0, 0, -1, 0, 0, 0, 1)), Stride: 12,
		Parts: []*gpb.MeshPart{gpbtest.Part(gpb.Triangles, gpb.Index16, 0, 1, 2, 0, 1, 3, 0, 2, 3, 1, 2, 3)}}
	return &gpb.File{Meshes: []*gpb.Mesh{m}}
}

func littleEndian(v ...float32) []byte {
	var b bytes.Buffer
	_ = binary.Write(&b, binary.LittleEndian, v)
	return b.Bytes()
}

func bundle(t *testing.T, f *gpb.File, v gpbtest.Version) []byte {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, gpbtest.Write(&b, f, v, gpbtest.ByID))
	return b.Bytes()
}

func cube(t *testing.T, side int) []byte {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, dprsimtest.Cube(&b, side))
	return b.Bytes()
}

// plainPNG returns a PNG of one color.
func plainPNG(t *testing.T, w, h int, c color.Color) []byte {
	t.Helper()
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			img.Set(x, y, c)
		}
	}
	var b bytes.Buffer
	require.NoError(t, png.Encode(&b, img))
	return b.Bytes()
}

func archive(t *testing.T, contents ...[]byte) []byte {
	t.Helper()
	var a ppactest.Archive
	for i, c := range contents {
		a.Assets = append(a.Assets, ppactest.Asset{TPU: ppactest.TPU{Unique: uint32(i + 1)}, Content: c,
			Codec: []string{"", "zlib"}[i%2]})
	}
	var b bytes.Buffer
	require.NoError(t, ppactest.Write(&b, a))
	return b.Bytes()
}

var red, blue = color.NRGBA{200, 30, 30, 255}, color.NRGBA{30, 30, 200, 255}

func TestEveryFormatHasThumbnails(t *testing.T) {
	files := map[string][]byte{"cube.world": cube(t, 6),
		"pictures.ppac": archive(t, []byte("words"), plainPNG(t, 30, 20, red), plainPNG(t, 5, 9, blue))}
	for _, v := range gpbtest.Versions() {
		files[v.Name+".gpb"] = bundle(t, tetrahedron(), v)
	}
	for _, l := range cassettest.Layouts() {
		if name := l.String(); name != "package-0.1" && name != "package-1.0" { // they have no blobs
			files[name+".casset"] = cassettest.Write(l, cassettest.Sample())
		}
	}
	for _, s := range assets.Samples() {
		if filepath.Ext(s.Name) != ".experiment" {
			files["sample "+s.Name] = s.Bytes
		}
	}
	for name, b := range files {
		t.Run(name, func(t *testing.T) {
			img := thumbnail(t, name, b, "-s", "96")
			assert.Equal(t, image.Rect(0, 0, 96, 96), img.Rect)
			share, tones := paintedShare(img)
			assert.Greater(t, share, .1)
			assert.Greater(t, tones, 1)
		})
	}
}

func TestThumbnailSizesAreLimited(t *testing.T) {
	world := cube(t, 3)
	assert.Equal(t, 256, thumbnail(t, "a.world", world).Rect.Dx())
	for _, size := range []string{"16", "1024"} {
		share, _ := paintedShare(thumbnail(t, "a.world", world, "-s", size))
		assert.Greater(t, share, .5, size)
	}
	out := filepath.Join(t.TempDir(), "out.png")
	for _, size := range []string{"15", "1025", "-1", "x"} {
		status, _, messages := do(t, "thumbnail", "-s", size, file(t, "a.world", string(world)), out)
		assert.Equal(t, 2, status)
		assert.NotEmpty(t, messages)
		assert.NoFileExists(t, out)
	}
}

func TestThumbnailKeepsAspect(t *testing.T) {
	img := thumbnail(t, "a.ppac", archive(t, plainPNG(t, 400, 100, red)), "-s", "64")
	share, _ := paintedShare(img)
	assert.InDelta(t, .25, share, .01)
	assert.Equal(t, red, img.NRGBAAt(0, 32))
	assert.Equal(t, red, img.NRGBAAt(63, 32))
	assert.Zero(t, img.NRGBAAt(32, 10).A)
	img = thumbnail(t, "a.ppac", archive(t, plainPNG(t, 1, 3, blue)), "-s", "60")
	assert.Equal(t, blue, img.NRGBAAt(30, 0), "small pictures are enlarged")
	assert.Zero(t, img.NRGBAAt(5, 30).A)
}

func TestThumbnailsOfPackagesShowFourAssets(t *testing.T) {
	scene := bundle(t, tetrahedron(), gpbtest.V15)
	img := thumbnail(t, "a.ppac", archive(t, []byte("words"), plainPNG(t, 8, 8, red), scene, plainPNG(t, 9, 9, blue),
		plainPNG(t, 10, 10, red), plainPNG(t, 10, 10, blue)), "-s", "128")
	assert.Equal(t, red, img.NRGBAAt(20, 20))
	assert.Equal(t, blue, img.NRGBAAt(20, 100))
	assert.Equal(t, red, img.NRGBAAt(100, 100), "four, in the order of the file")
	assert.Equal(t, uint8(0), img.NRGBAAt(64, 64).A, "with a gap between them")
	part, _ := paintedShare(img.SubImage(image.Rect(66, 0, 128, 62)).(*image.NRGBA))
	assert.Greater(t, part, .0, "the second is the scene in the bundle")
}

func TestThumbnailsShowTheReadablePart(t *testing.T) {
	whole := cube(t, 6)
	share, _ := paintedShare(thumbnail(t, "a.world", whole[:len(whole)*2/3]))
	assert.Greater(t, share, .2, "the readable catoms")
	b := bundle(t, tetrahedron(), gpbtest.V12)
	copy(b[len(b)-9:], "\xFF\xFF\xFF\xFF")
	share, _ = paintedShare(thumbnail(t, "a.gpb", b))
	assert.Greater(t, share, .1)
}

// pngClaiming returns a PNG that claims a width and a height, without pixels.
func pngClaiming(w, h uint32) []byte {
	b := []byte("\x89PNG\r\n\x1A\n\x00\x00\x00\x0DIHDR")
	b = binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(b, w), h)
	b = append(b, 8, 6, 0, 0, 0)
	return binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b[12:]))
}

func TestFilesWithoutPicturesHaveNoThumbnail(t *testing.T) {
	for name, c := range map[string]struct {
		content  []byte
		messages string
	}{
		"empty.gpb":   {[]byte(emptyBundle), "nothing to draw"},
		"words.ppac":  {archive(t, []byte("words")), "nothing to draw"},
		"bytes.bin":   {[]byte("some bytes"), "nothing to draw"},
		"nothing.gpb": {nil, "nothing to draw"},
		"huge.ppac": {archive(t, pngClaiming(60_000, 60_000), pngClaiming(1<<31-1, 1<<31-1), pngClaiming(8192, 16384)),
			"nothing to draw"},
	} {
		t.Run(name, func(t *testing.T) {
			out := filepath.Join(t.TempDir(), "out.png")
			status, printed, messages := do(t, "thumbnail", file(t, name, string(c.content)), out)
			assert.Equal(t, 2, status)
			assert.Empty(t, printed)
			assert.Contains(t, messages, name+": ")
			assert.Contains(t, messages, c.messages)
			assert.NoFileExists(t, out)
		})
	}
	status, _, messages := do(t, "thumbnail", filepath.Join(t.TempDir(), "gone.gpb"), "out.png")
	assert.Equal(t, 2, status)
	assert.Contains(t, messages, "gone.gpb cannot be opened")
	status, _, messages = do(t, "thumbnail", file(t, "a.world", string(cube(t, 2))),
		filepath.Join(t.TempDir(), "no", "folder.png"))
	assert.Equal(t, 2, status)
	assert.Contains(t, messages, "folder.png cannot be written")
}

func TestRegisterWritesTheInstalledPath(t *testing.T) {
	root := t.TempDir()
	status, _, messages := do(t, "register", "--destdir", root)
	assert.Equal(t, 2, status)
	assert.Contains(t, messages, "--destdir and --prefix require --system")
	status, _, messages = do(t, "register", "--system", "--destdir", root)
	if !desktop.HasSystem {
		assert.Equal(t, 2, status)
		assert.Contains(t, messages, "--system is not supported")
		return
	}
	require.Zero(t, status, messages)
	entry, err := os.ReadFile(filepath.Join(root, "usr/share/applications/org.assay.Assay.desktop"))
	require.NoError(t, err)
	assert.Contains(t, string(entry), "Exec=\"/usr/bin/assay\" open %F\n")
	thumbnailer, err := os.ReadFile(filepath.Join(root, "usr/share/thumbnailers/org.assay.Assay.thumbnailer"))
	require.NoError(t, err)
	assert.NotContains(t, string(thumbnailer), root)

	status, _, messages = do(t, "register", "--system", "--destdir", root, "--prefix", "/usr/local")
	require.Zero(t, status, messages)
	entry, err = os.ReadFile(filepath.Join(root, "usr/local/share/applications/org.assay.Assay.desktop"))
	require.NoError(t, err)
	assert.Contains(t, string(entry), "Exec=\"/usr/local/bin/assay\" open %F\n")

	assert.Equal(t, "/opt/assay/assay", installedPath(filepath.Join(root, "opt/assay/assay"), root, "/usr"))
	assert.Equal(t, "/usr/bin/assay", installedPath("/elsewhere/build/assay", root, "/usr"))
}
