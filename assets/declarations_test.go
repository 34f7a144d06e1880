package assets_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"text/template"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/formats"
)

var plist = template.Must(template.New("plist").Funcs(template.FuncMap{
	"capital":   func(s string) string { return strings.ToUpper(s[:1]) + s[1:] },
	"extension": func(glob string) string { return strings.TrimPrefix(glob, "*.") },
}).Parse(`<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<!-- The document types of Assay, to be merged into the Info.plist of its application bundle. Written by go generate
     ./assets. Extensions that belong to other programs too are left out: such files are opened by Open With and by
     dropping them on the program. -->
<plist version="1.0">
<dict>
	<key>CFBundleDocumentTypes</key>
	<array>
		{{- range .}}
		<dict>
			<key>CFBundleTypeName</key>
			<string>{{capital .Title}}</string>
			<key>CFBundleTypeRole</key>
			<string>Viewer</string>
			<key>LSHandlerRank</key>
			<string>Owner</string>
			<key>LSItemContentTypes</key>
			<array>
				<string>org.assay.{{.Icon}}</string>
			</array>
		</dict>
		{{- end}}
		<dict>
			<key>CFBundleTypeName</key>
			<string>Any file</string>
			<key>CFBundleTypeRole</key>
			<string>Viewer</string>
			<key>LSHandlerRank</key>
			<string>None</string>
			<key>LSItemContentTypes</key>
			<array>
				<string>public.data</string>
			</array>
		</dict>
	</array>
	<key>UTExportedTypeDeclarations</key>
	<array>
		{{- range .}}
		<dict>
			<key>UTTypeIdentifier</key>
			<string>org.assay.{{.Icon}}</string>
			<key>UTTypeDescription</key>
			<string>{{capital .Title}}</string>
			<key>UTTypeConformsTo</key>
			<array>
				<string>{{if .Parent}}public.plain-text{{else}}public.data{{end}}</string>
			</array>
			<key>UTTypeTagSpecification</key>
			<dict>
				{{- with .Globs}}
				<key>public.filename-extension</key>
				<array>
					{{- range .}}
					<string>{{extension .}}</string>
					{{- end}}
				</array>
				{{- end}}
				<key>public.mime-type</key>
				<array>
					<string>{{.MIME}}</string>
				</array>
			</dict>
		</dict>
		{{- end}}
	</array>
</dict>
</plist>
`))

// TestInfoPlist holds the declaration for macOS to the table of formats.
func TestInfoPlist(t *testing.T) {
	var want bytes.Buffer
	require.NoError(t, plist.Execute(&want, formats.FileTypes()))
	file := filepath.Join("macos", "Info.plist")
	if *update {
		require.NoError(t, os.WriteFile(file, want.Bytes(), 0o644))
	}
	got, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, want.String(), string(got), "go generate ./assets writes it anew")
	for _, typ := range formats.FileTypes() {
		assert.Contains(t, []string{"", "text/plain"}, typ.Parent, "the template knows no other parent")
	}
}

// TestReadmeTable holds the table of the readme to the table of formats: a row for each, with its extensions.
func TestReadmeTable(t *testing.T) {
	readme, err := os.ReadFile(filepath.Join("..", "README.md"))
	require.NoError(t, err)
	_, rows, found := strings.Cut(string(readme), "|---|---|\n")
	require.True(t, found)
	rows, _, _ = strings.Cut(rows, "\n\n")
	lines := strings.Split(rows, "\n")
	all := formats.FileTypes()
	require.Len(t, lines, len(all))
	for i, typ := range all {
		cells := strings.Split(lines[i], "|")
		require.Len(t, cells, 4, lines[i])
		assert.Equal(t, typ.Title, strings.TrimSpace(cells[1]))
		assert.Equal(t, typ.Extensions(), extensionsIn(cells[2]), lines[i])
	}
}

// extensionsIn returns the extensions that a cell of the table names.
func extensionsIn(cell string) []string {
	var all []string
	for i, part := range strings.Split(cell, "`") {
		if i%2 == 1 {
			all = append(all, part)
		}
	}
	return all
}
