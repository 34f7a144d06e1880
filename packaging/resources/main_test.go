package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/tc-hib/winres"
	"github.com/tc-hib/winres/version"

	"assay/formats"
	"assay/ui/desktop"
)

// The program is built as `make windows` does, and the resources are read from its file.
func TestAProgramHasItsResources(t *testing.T) {
	compiler, err := exec.LookPath("go")
	if err != nil {
		t.Skip("SKIPPED: there is no go command to build with")
	}
	folder := t.TempDir()
	file := func(name, content string) {
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), []byte(content), 0o600))
	}
	file("go.mod", "module carrier\n")
	file("main.go", "package main\n\nfunc main() {}\n")
	const release = "1.2.3+4.gabcdef0"
	require.NoError(t, write(release, "../windows/assay.manifest", filepath.Join(folder, "rsrc_windows_amd64.syso")))
	build := exec.CommandContext(t.Context(), compiler, "build", "-trimpath", "-o", "carrier.exe", ".")
	build.Dir = folder
	build.Env = append(os.Environ(), "GOOS=windows", "GOARCH=amd64", "CGO_ENABLED=0", "GOFLAGS=")
	out, err := build.CombinedOutput()
	require.NoError(t, err, string(out))

	program, err := os.Open(filepath.Join(folder, "carrier.exe"))
	require.NoError(t, err)
	defer program.Close()
	all, err := winres.LoadFromEXE(program)
	require.NoError(t, err)

	manifest, err := winres.AppManifestFromXML(all.Get(winres.RT_MANIFEST, winres.ID(1), winres.LCIDDefault))
	require.NoError(t, err)
	assert.Equal(t, winres.DPIPerMonitorV2, manifest.DPIAwareness)
	assert.True(t, manifest.LongPathAware)
	assert.Contains(t, string(all.Get(winres.RT_MANIFEST, winres.ID(1), winres.LCIDDefault)),
		`<activeCodePage xmlns="http://schemas.microsoft.com/SMI/2019/WindowsSettings">UTF-8</activeCodePage>`)

	types := formats.FileTypes()
	icons := []int{1}
	for i := range types {
		icons = append(icons, desktop.TypeIconID(i))
	}
	for _, id := range icons {
		_, err := all.GetIcon(winres.ID(id))
		assert.NoError(t, err, id)
	}

	var versions [][]byte
	all.WalkType(winres.RT_VERSION, func(_ winres.Identifier, _ uint16, data []byte) bool {
		versions = append(versions, data)
		return true
	})
	require.Len(t, versions, 1, "there is no version in another language")
	info, err := version.FromBytes(versions[0])
	require.NoError(t, err)
	assert.Equal(t, [4]uint16{1, 2, 3, 4}, info.FileVersion)
	texts, err := json.Marshal(info)
	require.NoError(t, err)
	for _, key := range []string{version.FileVersion, version.ProductVersion} {
		assert.Contains(t, string(texts), `"`+key+`":"`+release+`"`)
	}
}

func TestAVersionIsFourNumbers(t *testing.T) {
	for release, numbers := range map[string][4]uint16{
		"1.2.3":                    {1, 2, 3, 0},
		"1.2.3+45.gabcdef0.dirty":  {1, 2, 3, 45},
		"1.2.3-rc1+45.gabcdef0":    {1, 2, 3, 0},
		"0.0.0+unknown":            {},
		"70000.1.0+99999.gabcdef0": {0, 1, 0, 0},
		"no version":               {},
	} {
		assert.Equal(t, numbers, numbersOf(release), release)
	}
}
