package desktop_test

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/windows"
	"golang.org/x/sys/windows/registry"

	"assay/model"
	"assay/ui/desktop"
)

// values returns all string values below a key of the current user, by key and name.
func values(t *testing.T, key string) map[string]string {
	t.Helper()
	all := make(map[string]string)
	k, err := registry.OpenKey(registry.CURRENT_USER, key, registry.READ)
	if err != nil {
		return all
	}
	defer k.Close()
	all[key] = ""
	names, err := k.ReadValueNames(-1)
	require.NoError(t, err)
	for _, name := range names {
		s, _, err := k.GetStringValue(name)
		if err == nil {
			all[key+"@"+name] = s
		}
	}
	below, err := k.ReadSubKeyNames(-1)
	require.NoError(t, err)
	for _, name := range below {
		maps.Copy(all, values(t, key+`\`+name))
	}
	return all
}

func set(t *testing.T, key, name, data string) {
	t.Helper()
	k, _, err := registry.CreateKey(registry.CURRENT_USER, key, registry.SET_VALUE)
	require.NoError(t, err)
	require.NoError(t, k.SetStringValue(name, data))
	require.NoError(t, k.Close())
}

func TestRegisteringIsTakenBackExactly(t *testing.T) {
	const classes = `Software\Classes`
	t.Cleanup(func() {
		for _, key := range []string{`\.assay-second\OpenWithProgids`, `\.assay-second`} {
			_ = registry.DeleteKey(registry.CURRENT_USER, classes+key)
		}
	})
	set(t, classes+`\.assay-second`, "", "Another.Program")
	set(t, classes+`\.assay-second\OpenWithProgids`, "Another.Program", "")
	before := values(t, "Software")

	var talk bytes.Buffer
	r := &desktop.Registration{Program: `C:\Program Files\Assay & co\assayw.exe`, Progress: &talk, Types: []model.FileType{
		{MIME: "application/x-first", Title: "First", Icon: "first", Globs: []string{"*.assay-first"},
			Shared: []string{"*.assay-shared"}},
		{MIME: "application/x-second", Title: "Second", Icon: "second", Globs: []string{"*.assay-second"}},
	}}
	require.NoError(t, r.Register(t.Context()))
	once := values(t, "Software")
	assert.Equal(t, "Assay.first", once[classes+`\.assay-first@`])
	assert.Equal(t, "Another.Program", once[classes+`\.assay-second@`], "what others have chosen stays")
	assert.Contains(t, once, classes+`\.assay-second\OpenWithProgids@Assay.second`)
	assert.Contains(t, once, classes+`\.assay-shared\OpenWithProgids@Assay.first`)
	assert.NotContains(t, once, classes+`\.assay-shared@`, "a shared extension is not claimed")
	assert.Equal(t, `"C:\Program Files\Assay & co\assayw.exe" open "%1"`,
		once[classes+`\Assay.first\shell\open\command@`])
	assert.Equal(t, `C:\Program Files\Assay & co\assayw.exe,-3`, once[classes+`\Assay.second\DefaultIcon@`])

	require.NoError(t, r.Register(t.Context()))
	assert.Equal(t, once, values(t, "Software"), "a second time changes nothing")

	require.NoError(t, r.Unregister(t.Context()))
	assert.Equal(t, before, values(t, "Software"))
	talk.Reset()
	require.NoError(t, r.Unregister(t.Context()))
	assert.Equal(t, "nothing was registered\n", talk.String())
}

// An opened file is in the shell's folder of recent files.
func TestOpenedIsRecent(t *testing.T) {
	file := filepath.Join(t.TempDir(), "färbe 7f3a.gpb")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	require.NoError(t, desktop.AddRecent(file))
	recent, err := windows.KnownFolderPath(windows.FOLDERID_Recent, 0)
	require.NoError(t, err)
	link := filepath.Join(recent, "färbe 7f3a.gpb.lnk")
	assert.FileExists(t, link)
	assert.NoError(t, os.RemoveAll(link))
	assert.Error(t, desktop.AddRecent("a\x00b"))
}
