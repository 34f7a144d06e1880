package cli

import (
	"bytes"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/image/bmp"
)

// TestAReportNamesTheFilesOfTheForm extracts a scene in a form other than its first, twice into one folder.
func TestAReportNamesTheFilesOfTheForm(t *testing.T) {
	twoVersions(t)
	for range 2 {
		do(t, "extract", "--as", "obj", "--only", "duckShape", "-o", "out", "mine/scene.gpb")
	}
	_, out, _ := do(t, "extract", "--as", "obj", "--only", "duckShape", "-o", "out", "mine/scene.gpb")
	assert.Contains(t, out, "duckShape (3).obj  (original name: duckShape.obj)")
	assert.NotContains(t, out, ".glb")
	_, out, _ = do(t, "extract", "--as", "obj", "--only", "duckShape", "--conflict", "skip", "-o", "out", "mine/scene.gpb")
	assert.Contains(t, out, "  duckShape.obj: a file with this name already exists")
}

// TestAssetsOfSeveralFilesAreInAFolderEach extracts scenes with the same names from several files.
func TestAssetsOfSeveralFilesAreInAFolderEach(t *testing.T) {
	twoVersions(t)
	require.NoError(t, os.Rename(filepath.Join("mine", "scene.gpb"), "a.gpb"))
	b, err := os.ReadFile("a.gpb")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile("b.gpb", b, 0o600))
	_, out, _ := do(t, "extract", "--as", "obj", "--only", "duckShape", "-o", "out", "a.gpb", "b.gpb")
	assert.FileExists(t, filepath.Join("out", "a.gpb", "duckShape.obj"), out)
	assert.FileExists(t, filepath.Join("out", "b.gpb", "duckShape.obj"), out)
	_, out, _ = do(t, "extract", "--list", "--names", "{dir}{name}{ext}", "--only", "duckShape", "a.gpb", "b.gpb")
	assert.NotContains(t, out, "a.gpb/")
}

// TestAListDoesNotDependOnTheFolder lists assets in a folder with files of the same names.
func TestAListDoesNotDependOnTheFolder(t *testing.T) {
	twoVersions(t)
	status, _, messages := do(t, "pack", "mine", "-o", "mine.ppac")
	require.Zero(t, status, messages)
	_, elsewhere, _ := do(t, "extract", "--list", "mine.ppac")
	require.NoError(t, os.WriteFile("scene.gpb", nil, 0o600))
	_, here, _ := do(t, "extract", "--list", "mine.ppac")
	assert.Equal(t, elsewhere, here)
	assert.Contains(t, here, "  scene.gpb  ")
}

// TestBMPInAPackageIsExportedAsPNG exports a picture in another format.
func TestBMPInAPackageIsExportedAsPNG(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.Mkdir("art", 0o700))
	img, err := png.Decode(bytes.NewReader(plainPNG(t, 4, 4, red)))
	require.NoError(t, err)
	var b bytes.Buffer
	require.NoError(t, bmp.Encode(&b, img))
	require.NoError(t, os.WriteFile(filepath.Join("art", "red.bmp"), b.Bytes(), 0o600))
	status, _, messages := do(t, "pack", "art", "-o", "art.ppac")
	require.Zero(t, status, messages)
	_, out, _ := do(t, "extract", "--list", "art.ppac")
	assert.Contains(t, out, "red.bmp  [raw png]")
	status, out, messages = do(t, "extract", "--as", "png", "-o", "out", "art.ppac")
	require.Zero(t, status, messages)
	assert.Contains(t, out, "  red.png")
	assert.FileExists(t, filepath.Join("out", "red.png"))
}

// TestPictureIsExportedAsPNG tests that a PNG is copied and other pictures are converted.
func TestPictureIsExportedAsPNG(t *testing.T) {
	t.Chdir(t.TempDir())
	own := plainPNG(t, 4, 4, red)
	require.NoError(t, os.WriteFile("y.png", own, 0o600))
	img, err := png.Decode(bytes.NewReader(own))
	require.NoError(t, err)
	var b bytes.Buffer
	require.NoError(t, bmp.Encode(&b, img))
	require.NoError(t, os.WriteFile("x.bmp", b.Bytes(), 0o600))
	require.NoError(t, os.Mkdir("art", 0o700))
	require.NoError(t, os.WriteFile("art/z.png", own, 0o600))
	status, _, messages := do(t, "pack", "art", "-o", "art.ppac")
	require.Zero(t, status, messages)
	for name, want := range map[string]string{"y.png": "y.png", "x.bmp": "x.png", "art.ppac": "z.png"} {
		status, _, messages := do(t, "extract", "--as", "png", "-o", "out", name)
		require.Zero(t, status, messages)
		got, err := os.ReadFile(filepath.Join("out", want))
		require.NoError(t, err)
		if name != "x.bmp" {
			assert.Equal(t, own, got)
		}
		_, err = png.Decode(bytes.NewReader(got))
		assert.NoError(t, err)
	}
}

// TestExtractDoesNotOverwriteInputs tests that no input is overwritten, and that no file named - is written.
func TestExtractDoesNotOverwriteInputs(t *testing.T) {
	twoVersions(t)
	before, err := os.ReadFile("mine/picture.png")
	require.NoError(t, err)
	status, out, _ := do(t, "extract", "--conflict", "overwrite", "--as", "png", "-o", "mine", "mine/picture.png")
	assert.Equal(t, 1, status)
	assert.Contains(t, out, "the existing file is one of the inputs")
	after, err := os.ReadFile("mine/picture.png")
	require.NoError(t, err)
	assert.Equal(t, before, after)
	status, _, messages := do(t, "extract", "-o", "-", "mine/picture.png")
	assert.Equal(t, 2, status)
	assert.Contains(t, messages, "the standard output")
	assert.NoFileExists(t, "-")
}
