package main

import (
	"bytes"
	"encoding/binary"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"howett.net/plist"

	"assay/formats"
)

func TestTheBundleIsComplete(t *testing.T) {
	app := filepath.Join(t.TempDir(), "Assay.app")
	require.NoError(t, write("1.2.3+4.gabcdef0", app))

	b, err := os.ReadFile(filepath.Join(app, "Contents", "Info.plist"))
	require.NoError(t, err)
	var info struct {
		Identifier string `plist:"CFBundleIdentifier"`
		Executable string `plist:"CFBundleExecutable"`
		Version    string `plist:"CFBundleShortVersionString"`
		Icon       string `plist:"CFBundleIconFile"`
		Documents  []struct {
			Role  string   `plist:"CFBundleTypeRole"`
			Icon  string   `plist:"CFBundleTypeIconFile"`
			Types []string `plist:"LSItemContentTypes"`
		} `plist:"CFBundleDocumentTypes"`
		Exported []struct {
			ID   string `plist:"UTTypeIdentifier"`
			Icon string `plist:"UTTypeIconFile"`
			Tags struct {
				Extensions []string `plist:"public.filename-extension"`
				MIME       []string `plist:"public.mime-type"`
			} `plist:"UTTypeTagSpecification"`
		} `plist:"UTExportedTypeDeclarations"`
	}
	_, err = plist.Unmarshal(b, &info)
	require.NoError(t, err)
	assert.Equal(t, "org.assay.Assay", info.Identifier)
	assert.Equal(t, "assay", info.Executable)
	assert.Equal(t, "1.2.3", info.Version)
	all := formats.FileTypes()
	require.Len(t, info.Exported, len(all))
	require.Len(t, info.Documents, len(all)+1)
	icons := []string{info.Icon}
	for i, d := range info.Exported {
		icons = append(icons, d.Icon)
		assert.Equal(t, []string{all[i].MIME}, d.Tags.MIME)
		assert.Len(t, d.Tags.Extensions, len(all[i].Globs), "shared extensions are left out")
		assert.Equal(t, []string{d.ID}, info.Documents[i+1].Types)
	}
	for _, d := range info.Documents {
		assert.Equal(t, "Viewer", d.Role)
		assert.NotEmpty(t, d.Types)
	}
	for _, icon := range icons {
		require.NotEmpty(t, icon)
		set, err := os.ReadFile(filepath.Join(app, "Contents", "Resources", icon+".icns"))
		require.NoError(t, err)
		edges := edgesOf(t, set)
		assert.Contains(t, edges, 16, icon)
		assert.Contains(t, edges, 256, icon)
	}
}

// edgesOf reads an icon set, and returns the edges of its pictures in pixels.
func edgesOf(t *testing.T, set []byte) []int {
	t.Helper()
	require.Equal(t, "icns", string(set[:4]))
	require.EqualValues(t, len(set), binary.BigEndian.Uint32(set[4:]))
	var edges []int
	for rest := set[8:]; len(rest) > 0; {
		size := binary.BigEndian.Uint32(rest[4:])
		require.LessOrEqual(t, int(size), len(rest))
		picture, err := png.DecodeConfig(bytes.NewReader(rest[8:size]))
		require.NoError(t, err)
		assert.Equal(t, picture.Width, picture.Height)
		edges = append(edges, picture.Width)
		rest = rest[size:]
	}
	return edges
}
