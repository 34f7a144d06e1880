package formats_test

import (
	"bytes"
	"encoding/json"
	"image"
	"image/color"
	"image/png"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/cli"
	"assay/formats"
	"assay/formats/formatstest"
	"assay/formats/gpb"
	"assay/formats/gpb/gpbtest"
	"assay/model"
)

// The tests in this file give what Assay exports to programs of other people: glTF-Validator, assimp and f3d. `.ci/deps
// readers` installs them; without them the tests are skipped. SAMPLES names a folder of more files to be exported.

// exported writes all meshes and scenes of files into folders of their own, and returns the paths of those with an
// extension.
func exported(t *testing.T, extension string) (all []string) {
	t.Helper()
	files := crate(t)
	for name, b := range formatstest.Files(t) {
		files[strings.ReplaceAll(name, "/", "_")] = b
	}
	folders := []string{folderOf(t, files)}
	if more := os.Getenv("SAMPLES"); more != "" {
		folders = append(folders, more)
	}
	for _, folder := range folders {
		all = append(all, exportedFrom(t, folder, extension)...)
	}
	require.NotEmpty(t, all)
	return all
}

// folderOf writes files into a new folder.
func folderOf(t *testing.T, files map[string][]byte) string {
	folder := t.TempDir()
	for name, b := range files {
		full := filepath.Join(folder, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(full), 0o777))
		require.NoError(t, os.WriteFile(full, b, 0o666))
	}
	return folder
}

// exportedFrom exports the files of a folder.
func exportedFrom(t *testing.T, folder, extension string) (all []string) {
	require.NoError(t, filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			all = append(all, exportedOf(t, path, extension)...)
		}
		return err
	}))
	return all
}

// exportedOf exports one file.
func exportedOf(t *testing.T, path, extension string) (all []string) {
	d, err := formats.Opener{}.OpenFile(t.Context(), path)
	if err != nil || d.Payloads == nil {
		return nil
	}
	d.Source.Close()
	to := t.TempDir()
	var o formats.Opener
	r := &cli.Runner{Open: o.OpenFile, OpenSource: o.Open, Out: io.Discard, Err: io.Discard}
	r.Extract(t.Context(), []string{path}, cli.ExtractOptions{Folder: to, Form: strings.TrimPrefix(extension, ".")})
	require.NoError(t, filepath.WalkDir(to, func(path string, _ fs.DirEntry, err error) error {
		if filepath.Ext(path) == extension {
			all = append(all, path)
		}
		return err
	}))
	return all
}

// crate is a project: a bundle with a texture, which has a color space that glTF does not take.
func crate(t *testing.T) map[string][]byte {
	v := gpbtest.Floats(
		-1, -1, 0, 0, 0, 1, 0, 0, 1, -1, 0, 0, 0, 1, 1, 0, 1, 1, 0, 0, 0, 1, 1, 1, -1, 1, 0, 0, 0, 1, 0, 1)
	side := &gpb.Mesh{ID: "side", Format: []gpb.VertexElement{{Usage: 1, Size: 3}, {Usage: 2, Size: 3},
		{Usage: 8, Size: 2}}, Vertices: model.Blob{Source: v.Source, Span: model.Span{Size: 4 * v.Count}},
		Bounds: gpb.Bounds{Min: [3]float32{-1, -1}, Max: [3]float32{1, 1}, Radius: 1.5},
		Parts:  []*gpb.MeshPart{gpbtest.Part(gpb.Triangles, gpb.Index16, 0, 1, 2, 0, 2, 3)}}
	one := [16]float32{0: 1, 5: 1, 10: 1, 15: 1}
	f := &gpb.File{Meshes: []*gpb.Mesh{side}, Objects: []gpb.Object{&gpb.Scene{ID: "room", Nodes: []*gpb.Node{
		{ID: "wall", Transform: one, Model: &gpb.Model{Mesh: "#side", Materials: []string{"wood"}}}}}}}
	var bundle, picture bytes.Buffer
	require.NoError(t, gpbtest.Write(&bundle, f, gpbtest.V15, gpbtest.ByID))
	img := image.NewNRGBA(image.Rect(0, 0, 4, 4))
	for i := range 16 {
		img.SetNRGBA(i%4, i/4, []color.NRGBA{{255, 0, 0, 255}, {0, 0, 255, 255}}[(i+i/4)%2])
	}
	require.NoError(t, png.Encode(&picture, img))
	const head = 33
	b := picture.Bytes()
	gamma := "\x00\x00\x00\x04gAMA\x00\x00\xB1\x8F\x0B\xFC\x61\x05"
	b = append(append(append([]byte(nil), b[:head]...), gamma...), b[head:]...)
	const material = `material wood
{
    technique
    {
        pass
        {
            vertexShader = res/shaders/textured.vert
            defines = DIRECTIONAL_LIGHT_COUNT 1
            sampler u_diffuseTexture
            {
                path = res/wood.png
                wrapS = CLAMP
            }
        }
    }
}
`
	return map[string][]byte{"game/res/crate.gpb": bundle.Bytes(), "game/res/crate.material": []byte(material),
		"game/res/wood.png": b}
}

// reader returns what runs a program, if it is there.
func reader(t *testing.T, name string) func(args ...string) (string, error) {
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("SKIPPED: %s is not here, so that nothing reads what is exported (.ci/deps readers installs it)", name)
	}
	return func(args ...string) (string, error) {
		said, err := exec.CommandContext(t.Context(), path, args...).CombinedOutput()
		return string(said), err
	}
}

// validate is a program for node that prints what the validator says of files, as JSON.
const validate = `const fs = require('fs'), validator = require('gltf-validator');
(async () => {
	const all = {};
	for (const f of process.argv.slice(1)) {
		const r = await validator.validateBytes(new Uint8Array(fs.readFileSync(f)), {maxIssues: 1000});
		all[f] = r.issues.messages.filter(m => m.severity <= 1).map(m => m.code + ' ' + m.pointer + ': ' + m.message);
	}
	console.log(JSON.stringify(all));
})();`

func TestTheValidatorFindsNothing(t *testing.T) {
	reader(t, "node")
	modules, err := filepath.Abs("../build/readers/node_modules")
	require.NoError(t, err)
	if _, err := os.Stat(filepath.Join(modules, "gltf-validator")); err != nil {
		t.Skip("SKIPPED: gltf-validator is not here, so that nothing checks GLB files (.ci/deps readers installs it)")
	}
	all := exported(t, ".glb")
	c := exec.CommandContext(t.Context(), "node", append([]string{"-e", validate, "--"}, all...)...)
	c.Env = append(os.Environ(), "NODE_PATH="+modules)
	said, err := c.Output()
	require.NoError(t, err)
	var found map[string][]string
	require.NoError(t, json.Unmarshal(said, &found))
	require.Len(t, found, len(all))
	for f, messages := range found {
		assert.Empty(t, messages, filepath.Base(f))
	}
}

// drawsAnything says whether a GLB file has a mesh with vertices at two places or more: assimp refuses a file with
// none.
func drawsAnything(t *testing.T, path string) bool {
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	size := int(b[12]) | int(b[13])<<8 | int(b[14])<<16 | int(b[15])<<24
	var content struct {
		Meshes []struct {
			Primitives []struct{ Attributes map[string]int }
		}
		Accessors []struct{ Min, Max []float32 }
	}
	require.NoError(t, json.Unmarshal(b[20:20+size], &content))
	for _, mesh := range content.Meshes {
		for _, primitive := range mesh.Primitives {
			positions := content.Accessors[primitive.Attributes["POSITION"]]
			if !slices.Equal(positions.Min, positions.Max) {
				return true
			}
		}
	}
	return false
}

func TestAssimpReadsAll(t *testing.T) {
	assimp := reader(t, "assimp")
	for _, f := range exported(t, ".glb") {
		if !drawsAnything(t, f) {
			continue
		}
		said, err := assimp("info", f)
		assert.NoError(t, err, "%s: %s", filepath.Base(f), said)
	}
	for _, f := range exported(t, ".obj") {
		text, err := os.ReadFile(f)
		require.NoError(t, err)
		if !bytes.Contains(text, []byte("\nf ")) {
			continue // likewise
		}
		said, err := assimp("info", f)
		assert.NoError(t, err, "%s: %s", filepath.Base(f), said)
		for line := range strings.Lines(string(text)) {
			if name, ok := strings.CutPrefix(strings.TrimSpace(line), "mtllib "); ok {
				library, err := os.ReadFile(filepath.Join(filepath.Dir(f), name))
				require.NoError(t, err)
				assert.Contains(t, string(library), "newmtl ", "a library has materials")
			}
		}
	}
}

// TestF3DOpensWhatHasNothingToDraw exports a scene of nodes alone: f3d 1.3 crashes on a file without a mesh.
func TestF3DOpensWhatHasNothingToDraw(t *testing.T) {
	f3d := reader(t, "f3d")
	if os.Getenv("DISPLAY") == "" {
		t.Skip("SKIPPED: f3d needs a display (.ci/display gives one)")
	}
	f := &gpb.File{Objects: []gpb.Object{&gpb.Scene{ID: "room", Nodes: []*gpb.Node{
		{ID: "place", Transform: [16]float32{0: 1, 5: 1, 10: 1, 15: 1}}}}}}
	var bundle bytes.Buffer
	require.NoError(t, gpbtest.Write(&bundle, f, gpbtest.V15, gpbtest.ByID))
	path := filepath.Join(t.TempDir(), "nodes.gpb")
	require.NoError(t, os.WriteFile(path, bundle.Bytes(), 0o666))
	all := exportedOf(t, path, ".glb")
	require.Len(t, all, 1)
	said, err := f3d("--resolution", "64,64", "--output", filepath.Join(t.TempDir(), "f3d.png"), all[0])
	assert.NoError(t, err, said)
	assimp := reader(t, "assimp")
	said, err = assimp("info", all[0])
	assert.NoError(t, err, said)
}

// TestF3DSeesTheTexture draws the crate, as GLB and as OBJ. The crate is lit: f3d 1.3 leaves out the textures of what
// is not.
func TestF3DSeesTheTexture(t *testing.T) {
	f3d := reader(t, "f3d")
	if os.Getenv("DISPLAY") == "" {
		t.Skip("SKIPPED: f3d needs a display (.ci/display gives one)")
	}
	out := filepath.Join(t.TempDir(), "f3d.png")
	drawn := func(path string, view ...string) image.Image {
		said, err := f3d(append(view, "--resolution", "64,64", "--filename=false", "--output", out, path)...)
		require.NoError(t, err, "%s: %s", filepath.Base(path), said)
		b, err := os.ReadFile(out)
		require.NoError(t, err)
		img, err := png.Decode(bytes.NewReader(b))
		require.NoError(t, err)
		return img
	}
	seen := 0
	for _, extension := range []string{".glb", ".obj"} {
		for _, f := range exportedFrom(t, folderOf(t, crate(t)), extension) {
			switch name := filepath.Base(f); {
			case strings.HasPrefix(name, "room") || strings.HasPrefix(name, "side"):
				seen++
				red, blue := 0, 0
				img := drawn(f, "--camera-position", "0,0,4", "--camera-focal-point", "0,0,0")
				for i := range 64 * 64 {
					r, _, b, _ := img.At(i%64, i/64).RGBA()
					if r > b+b/3 {
						red++
					}
					if b > r+r/3 {
						blue++
					}
				}
				assert.Greater(t, min(red, blue), 64*64/8, "%s shows its texture", name)
			}
		}
	}
	assert.Equal(t, 4, seen)
}
