//go:build unix && !darwin

package desktop_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestUnregisterPutsTheDefaultProgramsBack(t *testing.T) {
	_, err := exec.LookPath("xdg-mime")
	require.NoError(t, err, "xdg-utils is among the packages that make test installs")
	const list = "\n\n[Added Associations]\ntext/x-second=a.desktop;b.desktop;\n\n\n[Default Applications]\n" +
		"text/x-second=a.desktop\nimage/png=viewer.desktop\n# odd\n\n[Removed Associations]\n\n\n"
	for name, before := range map[string]*string{"none": nil, "empty": new(string), "one": ptr(list)} {
		t.Run(name, func(t *testing.T) {
			home := t.TempDir()
			config, state := filepath.Join(home, "config"), filepath.Join(home, "state", "assay")
			for k, v := range map[string]string{"HOME": home, "XDG_CONFIG_HOME": config,
				"XDG_DATA_HOME":       filepath.Join(home, "data"),
				"XDG_CURRENT_DESKTOP": "GNOME", "KDE_SESSION_VERSION": ""} {
				t.Setenv(k, v)
			}
			require.NoError(t, os.MkdirAll(config, 0o700))
			path := filepath.Join(config, "mimeapps.list")
			if before != nil {
				require.NoError(t, os.WriteFile(path, []byte(*before), 0o644))
			}
			r, _ := registration(t, filepath.Join(home, "data"))
			r.Config, r.State = config, state
			ctx := context.Background()
			require.NoError(t, r.Register(ctx))
			now := func() string {
				b, err := os.ReadFile(path)
				require.NoError(t, err)
				return string(b)
			}
			for range 2 {
				require.NoError(t, r.SetDefault(ctx))
				assert.Contains(t, now(), "text/x-second=org.assay.Assay.desktop\n")
			}
			if before != nil {
				// Another program adds a line, and then they are set again: that line stays, and nothing else.
				added := strings.Replace(now(), "[Default Applications]\n",
					"[Default Applications]\nimage/gif=x.desktop\n", 1)
				require.NoError(t, os.WriteFile(path, []byte(added), 0o644))
				require.NoError(t, r.SetDefault(ctx))
				require.NoError(t, r.Unregister(ctx))
				assert.NotContains(t, now(), "Assay")
				assert.Contains(t, now(), "image/gif=x.desktop\n")
				if name == "one" {
					assert.Contains(t, now(), "text/x-second=a.desktop\nimage/png=viewer.desktop\n")
				}
				require.NoError(t, os.WriteFile(path, []byte(*before), 0o644))
				require.NoError(t, r.Register(ctx))
				require.NoError(t, r.SetDefault(ctx))
			}
			require.NoError(t, r.Unregister(ctx))
			if before == nil {
				assert.NoFileExists(t, path)
			} else {
				assert.Equal(t, *before, now(), "byte by byte")
			}
			assert.NoDirExists(t, state)
		})
	}
}

func ptr(s string) *string { return &s }

// A list of default programs may have any bytes, be a link to a file that is kept elsewhere, or be closed to others.
func TestUnusualListsOfDefaultProgramsAreAsBefore(t *testing.T) {
	home := t.TempDir()
	config, data := filepath.Join(home, "config"), filepath.Join(home, "data")
	for k, v := range map[string]string{"HOME": home, "XDG_CONFIG_HOME": config, "XDG_DATA_HOME": data,
		"XDG_CURRENT_DESKTOP": "GNOME", "KDE_SESSION_VERSION": ""} {
		t.Setenv(k, v)
	}
	require.NoError(t, os.MkdirAll(config, 0o700))
	path, kept := filepath.Join(config, "mimeapps.list"), filepath.Join(home, "kept.list")
	const list = "# caf\xe9\r\n[Added Associations]\r\nimage/png=viewer.desktop;"
	require.NoError(t, os.WriteFile(kept, []byte(list), 0o600))
	require.NoError(t, os.Symlink("../kept.list", path))
	r, _ := registration(t, data)
	r.Config, r.State = config, filepath.Join(home, "state")

	require.NoError(t, r.SetDefault(t.Context()))
	b, err := os.ReadFile(kept)
	require.NoError(t, err)
	assert.Contains(t, string(b), "org.assay.Assay.desktop")
	require.NoError(t, r.Unregister(t.Context()))
	b, err = os.ReadFile(kept)
	require.NoError(t, err)
	assert.Equal(t, list, string(b))
	link, err := os.Readlink(path)
	require.NoError(t, err)
	assert.Equal(t, "../kept.list", link)
	info, err := os.Stat(path)
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o600), info.Mode())
}
