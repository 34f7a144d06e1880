package cli_test

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"image"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/cli"
	"assay/model"
)

func TestVerifyReportsADamagedAssetOnce(t *testing.T) {
	bad := func() *model.Document {
		d := document("a", "value", asset("k", "1", model.Invalid))()
		d.Root().Child(0).Warnf(model.Error, model.Span{Offset: 2, Size: 2}, "its sum differs")
		return d
	}
	r, out, _ := files{"dir/a": bad}.runner()
	assert.Equal(t, cli.ExitProblems, r.Verify(t.Context(), []string{"dir/a"}, cli.VerifyOptions{}))
	assert.True(t, strings.HasPrefix(out.String(), "dir/a: test 1"), "the path as it was given")
	assert.True(t, strings.HasSuffix(out.String(), "\n1 error, 0 warnings\n"), out)
}

func TestVerifySumsUpSeveralFiles(t *testing.T) {
	all := files{"a": document("a", "v"), "odd": withWarning(document("odd", "v"))}
	names := []string{"a", "odd"}
	r, out, _ := all.runner()
	assert.Equal(t, cli.ExitProblems, r.Verify(t.Context(), names, cli.VerifyOptions{}))
	assert.True(t, strings.HasSuffix(out.String(), "\n0 errors, 1 warning in 1 of 2 files\n"), out)

	r, out, _ = all.runner()
	assert.Equal(t, cli.ExitProblems, r.Verify(t.Context(), names, cli.VerifyOptions{Quiet: true}))
	assert.True(t, strings.HasPrefix(out.String(), "odd: "), "intact files are not listed")

	r, out, _ = all.runner()
	assert.Equal(t, cli.ExitOK, r.Verify(t.Context(), []string{"a"}, cli.VerifyOptions{Quiet: true}))
	assert.Empty(t, out.String())

	r, out, _ = all.runner()
	assert.Equal(t, cli.ExitError, r.Verify(t.Context(), []string{"a", "gone"}, cli.VerifyOptions{}))
	assert.Contains(t, out.String(), "some files could not be read")
}

func TestVerifyPrintsTheProblemsAsJSON(t *testing.T) {
	r, out, _ := files{"a": document("a", "v", asset("k", "1", model.Valid)),
		"odd": withWarning(document("odd", "v"))}.runner()
	assert.Equal(t, cli.ExitProblems, r.Verify(t.Context(), []string{"a", "odd"}, cli.VerifyOptions{JSON: true}))
	var got []struct {
		File             string
		Checksums        map[string]int
		Errors, Warnings int
		Problems         []struct{ Severity, Message string }
	}
	require.NoError(t, json.Unmarshal(out.Bytes(), &got), out)
	require.Len(t, got, 2)
	assert.Equal(t, "a", got[0].File)
	assert.Equal(t, 1, got[0].Checksums["valid"])
	assert.Equal(t, 1, got[1].Warnings)
	assert.Equal(t, "it is odd", got[1].Problems[0].Message)

	r, out, _ = files{}.runner()
	assert.Equal(t, cli.ExitError, r.Verify(t.Context(), []string{"gone"}, cli.VerifyOptions{JSON: true}))
	assert.JSONEq(t, "[]", out.String())
}

func TestVerifyReadsFolders(t *testing.T) {
	dir := t.TempDir()
	all := files{}
	for name, open := range map[string]func() *model.Document{
		"a": document("a", "v"), "sub/odd": withWarning(document("odd", "v")), "sub/other": func() *model.Document {
			d := document("other", "v")()
			d.Format = "bytes"
			return d
		},
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte("v"), 0o600))
		all[path] = open
	}
	r, out, _ := all.runner()
	assert.Equal(t, cli.ExitProblems, r.Verify(t.Context(), []string{dir}, cli.VerifyOptions{Recursive: true}))
	assert.Contains(t, out.String(), filepath.Join(dir, "sub", "odd")+": test 1")
	assert.NotContains(t, out.String(), "other", "files of unknown formats are left out")
	assert.Contains(t, out.String(), "0 errors, 1 warning in 1 of 2 files")
}

// TestVerifyDeepFindsDamageDespiteValidChecksums damages a byte of contents whose checksums are valid all the same.
func TestVerifyDeepFindsDamageDespiteValidChecksums(t *testing.T) {
	var picture, archive bytes.Buffer
	require.NoError(t, png.Encode(&picture, image.NewGray(image.Rect(0, 0, 9, 9))))
	z := zip.NewWriter(&archive)
	w, err := z.CreateHeader(&zip.FileHeader{Name: "a.txt", Method: zip.Store})
	require.NoError(t, err)
	_, err = io.WriteString(w, strings.Repeat("text ", 100))
	require.NoError(t, err)
	require.NoError(t, z.Close())
	for name, c := range map[string]struct {
		content []byte
		at      int // index of the damaged byte
		want    string
	}{
		"png":  {picture.Bytes(), 20, `the CRC of the PNG chunk "IHDR"`},
		"zip":  {archive.Bytes(), 100, "a.txt in the ZIP: zip: checksum error"},
		"file": {[]byte("file"), 0, "its content, /field at 0x0: it is odd"},
	} {
		t.Run(name, func(t *testing.T) {
			deep := func(content []byte) (int, string) {
				r, out, _ := files{"a": document("a", "v", asset("k", string(content), model.Valid))}.runner()
				r.OpenSource = func(_ context.Context, src *model.Source) (*model.Document, error) {
					b, err := src.Bytes(model.Span{Size: src.Size()})
					require.NoError(t, err)
					if string(b) == "file" {
						return document("inner", "value")(), nil
					}
					return withWarning(document("inner", "value"))(), nil
				}
				return r.Verify(t.Context(), []string{"a"}, cli.VerifyOptions{Deep: true}), out.String()
			}
			status, out := deep(c.content)
			assert.Equal(t, cli.ExitOK, status, out)
			damaged := bytes.Clone(c.content)
			damaged[c.at]++
			status, out = deep(damaged)
			assert.Equal(t, cli.ExitProblems, status)
			assert.Contains(t, out, c.want)
		})
	}
}
