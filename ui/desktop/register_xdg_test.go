//go:build unix && !darwin

package desktop_test

import (
	"bytes"
	"context"
	"encoding/xml"
	"image"
	"image/png"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/assets"
	"assay/model"
	"assay/ui/desktop"
)

// icon is a small picture, because scaling a large one takes most of the time of a registration.
var icon = func() []byte {
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, 4, 4))); err != nil {
		panic(err)
	}
	return b.Bytes()
}()

// types are two invented file types, one with its own icon.
var types = []model.FileType{
	{MIME: "application/x-first", Title: "First", Icon: "first", Picture: icon, Globs: []string{"*.first"},
		Magic: []model.Magic{{Bytes: []byte("\x00<&1\n")}}},
	{MIME: "text/x-second", Title: "Second", Icon: "second", Picture: icon, Parent: "text/plain",
		Magic: []model.Magic{{Bytes: []byte("KEY="), To: 1024,
			And: []model.Magic{{Bytes: []byte("VALUE="), To: 1024}}}}},
	{MIME: "application/x-plain", Title: "Without an icon", Icon: "plain", Globs: []string{"*.plain"}},
}

func registration(t *testing.T, data string) (*desktop.Registration, *bytes.Buffer) {
	t.Helper()
	var talk bytes.Buffer
	return &desktop.Registration{Data: data, Program: `/opt/my "tools" $x/100%/assay`, Types: types, Progress: &talk,
		Icon: desktop.Icon{App: icon, SVG: assets.IconSVG}}, &talk
}

// listing returns every file below a folder with its content.
func listing(t *testing.T, folder string) map[string]string {
	t.Helper()
	all := make(map[string]string)
	require.NoError(t, filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || path == folder {
			return err
		}
		rel, _ := filepath.Rel(folder, path)
		all[rel] = ""
		if !d.IsDir() {
			b, err := os.ReadFile(path)
			all[rel] = string(b)
			return err
		}
		return nil
	}))
	return all
}

func TestUnregisterLeavesNoTrace(t *testing.T) {
	data := t.TempDir()
	r, talk := registration(t, data)
	require.NoError(t, r.Register(context.Background()))
	assert.Contains(t, talk.String(), "written: mime/packages/org.assay.Assay.xml")
	once := listing(t, data)
	assert.Contains(t, once, "icons/hicolor/48x48/mimetypes/org.assay.Assay-first.png")
	assert.Contains(t, once, "icons/hicolor/16x16/apps/org.assay.Assay.png")

	talk.Reset()
	require.NoError(t, r.Register(context.Background()))
	assert.Contains(t, talk.String(), "unchanged: mime/packages/org.assay.Assay.xml")
	for name, content := range once {
		if !strings.HasSuffix(name, "mime.cache") && !strings.HasSuffix(name, "mimeinfo.cache") {
			assert.Equal(t, content, listing(t, data)[name], name)
		}
	}

	require.NoError(t, r.Unregister(context.Background()))
	assert.Empty(t, listing(t, data))
	talk.Reset()
	require.NoError(t, r.Unregister(context.Background()))
	assert.Contains(t, talk.String(), "nothing was registered")
}

// Generated files and links of other programs stay.
func TestUnregisterRemovesOnlyItsOwnFiles(t *testing.T) {
	data := t.TempDir()
	for _, folder := range []string{"mime/packages", "applications", "icons/hicolor/16x16/apps"} {
		require.NoError(t, os.MkdirAll(filepath.Join(data, folder), 0o755))
	}
	for _, name := range []string{"mime/mime.cache", "applications/mimeinfo.cache"} {
		require.NoError(t, os.WriteFile(filepath.Join(data, name), []byte("theirs"), 0o644))
	}
	for _, name := range []string{"applications/org.assay.Assay.desktop", "icons/hicolor/16x16/apps/org.assay.Assay.png"} {
		require.NoError(t, os.Symlink("/nowhere/at/all", filepath.Join(data, name)))
	}
	before := links(t, data)
	r, talk := registration(t, data)
	assert.ErrorContains(t, r.Unregister(context.Background()), "belongs to another program")
	assert.Contains(t, talk.String(), "nothing was registered")
	assert.Equal(t, before, links(t, data))
}

// links returns the files and links below a folder.
func links(t *testing.T, folder string) (all []string) {
	t.Helper()
	require.NoError(t, filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			all = append(all, path)
		}
		return err
	}))
	return all
}

// The path of the program is quoted as the Desktop Entry Specification requires, and refused if the specification
// cannot express it.
func TestPathsInDesktopEntries(t *testing.T) {
	for program, want := range map[string]string{
		"/opt/a\tb/assay": `Exec="/opt/a\tb/assay" open %F`, "/opt/a\nb/assay": `Exec="/opt/a\nb/assay" open %F`,
		"/opt/100%/assay": `Exec="/opt/100%%/assay" open %F`, "/opt/a\x01/assay": "", "/opt/\xff/assay": "",
		"/opt/a=b/assay": "",
	} {
		data := t.TempDir()
		r, _ := registration(t, data)
		r.Program, r.Staged = program, true
		err := r.Register(context.Background())
		if want == "" {
			assert.ErrorContains(t, err, "a desktop entry cannot contain the path", program)
			assert.Empty(t, links(t, data))
			continue
		}
		require.NoError(t, err)
		entry := listing(t, data)["applications/org.assay.Assay.desktop"]
		assert.Contains(t, strings.Split(entry, "\n"), want)
		assert.NoError(t, r.Unregister(context.Background()))
	}
}

func TestFilesOfOthersAreLeftAlone(t *testing.T) {
	data := t.TempDir()
	theirs := map[string]string{
		"applications/org.assay.Assay.desktop": "[Desktop Entry]\nName=Another\n",
		"applications/other.desktop":           "[Desktop Entry]\nName=Other\n",
		"icons/hicolor/48x48/apps/other.png":   "x",
		"thumbnailers/other.thumbnailer":       "y",
		"mime/packages/other.xml":              `<mime-info xmlns="http://www.freedesktop.org/standards/shared-mime-info"></mime-info>`,
	}
	for name, content := range theirs {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(data, name)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(data, name), []byte(content), 0o644))
	}
	r, _ := registration(t, data)
	assert.ErrorContains(t, r.Register(context.Background()),
		"applications/org.assay.Assay.desktop belongs to another program")
	assert.ErrorContains(t, r.Unregister(context.Background()), "belongs to another program")
	now := listing(t, data)
	for name, content := range theirs {
		assert.Equal(t, content, now[name], name)
	}
	assert.NotContains(t, now, "mime/packages/org.assay.Assay.xml")
}

func TestDeclarationsAreWellFormed(t *testing.T) {
	data := t.TempDir()
	r, _ := registration(t, data)
	r.Staged = true
	require.NoError(t, r.Register(context.Background()))
	all := listing(t, data)

	var info struct {
		Types []struct {
			Type string `xml:"type,attr"`
			Glob []struct {
				Pattern string `xml:"pattern,attr"`
			} `xml:"glob"`
		} `xml:"mime-type"`
	}
	require.NoError(t, xml.Unmarshal([]byte(all["mime/packages/org.assay.Assay.xml"]), &info))
	require.Len(t, info.Types, len(types))
	entry := all["applications/org.assay.Assay.desktop"]
	assert.Contains(t, entry, `Exec="/opt/my \\"tools\\" \\$x/100%%/assay" open %F`)
	if tool, err := exec.LookPath("desktop-file-validate"); err == nil {
		out, err := exec.Command(tool, filepath.Join(data, "applications/org.assay.Assay.desktop")).CombinedOutput()
		assert.NoError(t, err, string(out))
	}
}
