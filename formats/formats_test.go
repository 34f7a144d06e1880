package formats_test

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"debug/elf"
	"encoding/binary"
	"image"
	"image/gif"
	"image/jpeg"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/formats"
	"assay/formats/dprsim/dprsimtest"
	"assay/formats/formatstest"
	"assay/formats/gpb"
	"assay/formats/gpb/gpbtest"
	"assay/formats/kaitai/gallery"
	"assay/model"
)

func source(name string, b []byte) *model.Source {
	return model.NewSource(name, bytes.NewReader(b), int64(len(b)))
}

// filesByFormat returns the written files that are no texts, by the names of their formats and their own.
func filesByFormat(t *testing.T) map[string]map[string][]byte {
	t.Helper()
	all := make(map[string]map[string][]byte)
	for name, b := range formatstest.Files(t) {
		format := map[string]string{".gpb": "gpb", ".casset": "casset", ".ppac": "ppac", ".pac": "ppac",
			".world": "dprsim", ".state": "dprsim"}[filepath.Ext(name)]
		if all[format] == nil {
			all[format] = make(map[string][]byte)
		}
		all[format][name] = b
	}
	delete(all, "") // texts
	return all
}

func TestContentDecidesWhateverTheName(t *testing.T) {
	for format, files := range filesByFormat(t) {
		for version, b := range files {
			for _, name := range []string{"x", "x.gpb", "x.casset", "x.ppac", "x.pac", "x.world", "x.state",
				"x.experiment",
				"x.png", "X.GPB", ".casset", "no.ext.ension"} {
				f := formats.Recognize(source(name, b))
				if assert.NotNil(t, f, "%s %s as %s", format, version, name) {
					assert.Equal(t, format, f.Name, "%s %s as %s", format, version, name)
				}
			}
		}
	}
}

func TestAnExperimentIsTextSoItsNameHelps(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, dprsimtest.WriteExperiment(&b, "a test", dprsimtest.Setting{Key: "WORLD", Value: "a.world"},
		dprsimtest.Setting{Key: "TIMESTEPS", Value: "20"}, dprsimtest.Setting{Key: "OBJECT",
			Value: "SPHERE,0,0,5,0,0,0,0,255,0,0,100,5"}))
	for _, name := range []string{"x.experiment", "x", "x.txt"} {
		f := formats.Recognize(source(name, b.Bytes()))
		if assert.NotNil(t, f, name) {
			assert.Equal(t, "dprsim", f.Name, name)
		}
	}
	f := formats.Recognize(source("x.experiment", []byte("KEY=value\n")))
	require.NotNil(t, f)
	assert.Equal(t, "dprsim", f.Name)
	assert.Nil(t, formats.Recognize(source("settings.ini", []byte("KEY=value\n"))))
}

// foreignFiles returns files of other programs, and what the sentence about them has to name.
func foreignFiles(t *testing.T) map[string]struct {
	content []byte
	says    string
} {
	t.Helper()
	picture := image.NewGray(image.Rect(0, 0, 2, 2))
	var pngFile, gifFile, jpegFile, zipFile, tarFile, gzFile bytes.Buffer
	require.NoError(t, png.Encode(&pngFile, picture))
	require.NoError(t, gif.Encode(&gifFile, picture, nil))
	require.NoError(t, jpeg.Encode(&jpegFile, picture, nil))
	z := zip.NewWriter(&zipFile)
	_, err := z.Create("a.txt")
	require.NoError(t, err)
	require.NoError(t, z.Close())
	tw := tar.NewWriter(&tarFile)
	require.NoError(t, tw.WriteHeader(&tar.Header{Name: "a.txt", Mode: 0o600, Size: 1}))
	_, err = tw.Write([]byte("x"))
	require.NoError(t, err)
	require.NoError(t, tw.Close())
	g := gzip.NewWriter(&gzFile)
	require.NoError(t, g.Close())
	elfFile := make([]byte, 64)
	copy(elfFile, elf.ELFMAG+"\x02\x01\x01")
	binary.LittleEndian.PutUint16(elfFile[16:], uint16(elf.ET_EXEC))
	return map[string]struct {
		content []byte
		says    string
	}{
		"empty":            {nil, "it is empty"},
		"one byte":         {[]byte{0}, "only 1 byte, too short"},
		"two bytes":        {[]byte("\x00Q"), "only 2 bytes, too short"},
		"png":              {pngFile.Bytes(), "image/png"},
		"gif":              {gifFile.Bytes(), "image/gif"},
		"jpeg":             {jpegFile.Bytes(), "image/jpeg"},
		"zip":              {zipFile.Bytes(), "application/zip"},
		"tar":              {tarFile.Bytes(), "application/x-tar"},
		"gzip":             {gzFile.Bytes(), "application/gzip"},
		"elf":              {elfFile, "application/x-executable"},
		"pdf":              {[]byte("%PDF-1.7\n"), "application/pdf"},
		"text":             {[]byte("It was a dark and stormy night.\n"), "plain text"},
		"ini":              {[]byte("[section]\nkey=value\nother=1\n"), "plain text"},
		"json":             {[]byte(`{"WORLD": "a", "TIMESTEPS": 3}`), "application/json"},
		"html":             {[]byte("<!DOCTYPE html><html></html>"), "text/html"},
		"xml":              {[]byte(`<?xml version="1.0"?><a/>`), "text/xml"},
		"utf-16":           {[]byte("\xff\xfea\x00b\x00c\x00d\x00"), "text"},
		"proxy script":     {[]byte("function FindProxyForURL(url, host) {\n  return \"DIRECT\";\n}\n"), "text"},
		"python":           {[]byte("#!/usr/bin/env python3\nWORLD = 1\n"), "python"},
		"shell variables":  {[]byte("PATH=/bin\nHOME=/root\nLANG=C\n"), "plain text"},
		"wav":              {[]byte("RIFF\x24\x00\x00\x00WAVEfmt \x10\x00\x00\x00"), "audio/wav"},
		"zeros":            {make([]byte, 1000), ""},
		"another state":    {[]byte("STATE\x00\x01\x02\x03\x04\x05\x06\xff\xfe\x80"), ""},
		"clay of tomorrow": {[]byte("CLAX\x01\x02\x00\x00\x00\x10\xff"), ""},
	}
}

func TestForeignFilesAreBytesAndASentence(t *testing.T) {
	for kind, f := range foreignFiles(t) {
		for _, name := range []string{"x", "x.gpb", "x.casset", "x.pac", "x.ppac", "x.world", "x.state"} {
			d, err := formats.Opener{}.Open(context.Background(), source(name, f.content))
			require.NoError(t, err)
			require.Equal(t, "bytes", d.Format, "%s as %s", kind, name)
			r, err := d.Check(context.Background(), nil)
			require.NoError(t, err)
			if shown := []string{"png", "gif", "jpeg", "text", "ini", "json", "html", "xml", "utf-16", "proxy script",
				"python",
				"shell variables", "wav"}; name == "x" && slices.Contains(shown, kind) {
				assert.True(t, d.Content, kind)
				assert.Empty(t, r.Problems, kind)
				assert.Equal(t, d.Source.Size(), r.Accounted, kind)
				continue
			}
			assert.False(t, d.Content, kind)
			assert.Zero(t, r.Accounted)
			assert.True(t, r.Bad())
			require.Len(t, r.Problems, 1, kind)
			assert.Contains(t, r.Problems[0].Message, f.says, "%s as %s", kind, name)
			assert.Equal(t, name != "x", strings.Contains(r.Problems[0].Message, "despite its extension"), "%s as %s",
				kind,
				name)
			if len(f.content) > 0 {
				assert.Equal(t, []model.Span{{Size: int64(len(f.content))}}, r.Gaps)
			}
		}
	}
}

func TestFilesConvertedAsTextAreReported(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, gpbtest.Write(&b, &gpb.File{}, gpbtest.Versions()[0], gpbtest.ByID))
	whole := b.String()
	latin := strings.NewReplacer("\xAB", "\u00ab", "\xBB", "\u00bb").Replace(whole)
	japanese := strings.NewReplacer("\xAB", "\uff6b", "\xBB", "\uff7b").Replace(whole)
	for content, want := range map[string]string{
		latin:                                   "from Latin-1 to UTF-8",
		japanese:                                "from code page 932 (Japanese) to UTF-8",
		strings.ToValidUTF8(whole, "\uFFFD"):    "text conversion to UTF-8",
		strings.ReplaceAll(whole, "\r\n", "\n"): "from CR LF to LF",
		strings.ReplaceAll(whole, "\n", "\r\n"): "from LF to CR LF",
		strings.Replace(whole, "\n\x1A\n", "\r\n\x1A\r\n", 1):      "from LF to CR LF",
		strings.Replace(whole, "\x1A", "\x1B", 1):                  "this is a GPBx file",
		strings.Replace(japanese, "\r\n\x1a\n", "\r\n\x1a\r\n", 1): "from code page 932",
	} {
		for _, name := range []string{"x", "x.gpb"} {
			d, err := formats.Opener{}.Open(t.Context(), source(name, []byte(content)))
			require.NoError(t, err)
			assert.Equal(t, "bytes", d.Format)
			require.Len(t, d.Root().Problems(), 1)
			assert.Contains(t, d.Root().Problems()[0].Message, want)
		}
	}
}

// TestTitleIsOfTheFormatThatOpens has descriptions that match names, and files that were meant to have another format.
func TestTitleIsOfTheFormatThatOpens(t *testing.T) {
	o := formats.Opener{Gallery: &gallery.Gallery{Bundled: fstest.MapFS{
		"a.ksy": {Data: []byte("meta: {id: a, title: Mine, file-extension: [mine, gpb]}\nseq: [{id: a, type: u1}]")}}}}
	var b bytes.Buffer
	require.NoError(t, gpbtest.Write(&b, &gpb.File{}, gpbtest.Versions()[0], gpbtest.ByID))
	altered := strings.Replace(b.String(), "\x1A", "\x1B", 1)
	for name, c := range map[string]struct{ content, format, title string }{
		"x.mine":       {"x", "a", "Mine"},
		"x.gpb":        {"x", "bytes", ""},
		"altered.mine": {altered, "bytes", ""},
	} {
		d, err := o.Open(t.Context(), source(name, []byte(c.content)))
		require.NoError(t, err)
		assert.Equal(t, c.format, d.Format, name)
		assert.Equal(t, c.title, o.TitleOf(source(name, []byte(c.content))), name)
	}
}

func TestFileTypesFitTheFormats(t *testing.T) {
	claimed := make(map[string]string)
	for _, typ := range formats.FileTypes() {
		for _, g := range typ.Globs {
			assert.Regexp(t, `^\*\.[a-z]+$`, g)
			assert.Empty(t, claimed[g], "%s is of one type", g)
			claimed[g] = typ.MIME
			assert.NotContains(t, []string{"*.pac", "*.world", "*.state"}, g, "these extensions belong to others too")
		}
	}
	for format, files := range filesByFormat(t) {
		for version, b := range files {
			n := 0
			for _, typ := range formats.FileTypes() {
				for _, m := range typ.Magic {
					if bytes.HasPrefix(b, m.Bytes) {
						n++
					}
				}
			}
			assert.Equal(t, 1, n, "%s %s is one type for a desktop", format, version)
		}
	}
}

func TestChoicesAreFormatsThenDescriptions(t *testing.T) {
	folder := t.TempDir()
	mine, broken := filepath.Join(folder, "mine.ksy"), filepath.Join(folder, "broken.ksy")
	require.NoError(t, os.WriteFile(mine, []byte("meta: {id: png, title: My PNG}\nseq: [{id: a, type: u1}]"), 0o600))
	require.NoError(t, os.WriteFile(broken, []byte("meta: {id: broken}\nsequence: []"), 0o600))
	bundled := fstest.MapFS{"png.ksy": {Data: []byte("meta: {id: png}")}, "dds.ksy": {Data: []byte("meta: {id: dds}")}}
	folders := func() []string { return []string{folder} }
	o := formats.Opener{Gallery: &gallery.Gallery{UserFolders: folders, Bundled: bundled}}
	all := o.Choices("")
	require.Len(t, all, 7)
	assert.Equal(t, formats.Choice{Name: "gpb", Title: "gameplay bundle or gameplay properties"}, all[0])
	assert.ErrorContains(t, all[4].Err, "broken.ksy:2: /sequence: unknown key")
	assert.Equal(t, formats.Choice{Name: mine, Title: "My PNG", From: mine}, all[5])
	assert.Equal(t, formats.Choice{Name: "dds", Title: "dds"}, all[6], "the user's png replaces the bundled one")

	beside := o.Choices(filepath.Join(folder, "file.bin"))
	require.Len(t, beside, 7, "those beside the file come first, and once")
	assert.Equal(t, mine, beside[1].From)

	for _, c := range all {
		open, err := o.As(c.Name)
		if c.Err != nil {
			assert.Equal(t, c.Err.Error(), err.Error())
			continue
		}
		require.NoError(t, err)
		d, err := open(context.Background(), source("file", []byte("x")))
		if c.From != "" || c.Name == "dds" {
			require.NoError(t, err)
			assert.Equal(t, map[string]string{mine: "png", "dds": "dds"}[c.Name], d.Format)
		}
	}
}

func TestADescriptionOfAProjectImportsFromItsFolderOnly(t *testing.T) {
	folder := filepath.Join(t.TempDir(), ".assay", "formats")
	require.NoError(t, os.MkdirAll(folder, 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(folder, "..", "other.ksy"), []byte("meta: {id: other}"), 0o600))
	file := filepath.Join(folder, "mine.ksy")
	require.NoError(t, os.WriteFile(file, []byte("meta: {id: mine, imports: [../other]}"), 0o600))
	_, err := formats.Opener{}.As(file)
	assert.ErrorContains(t, err, "is outside the folder")
}
