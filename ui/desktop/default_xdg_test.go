//go:build unix && !darwin

package desktop_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/ui/desktop"
)

func TestUnregisterPutsTheDefaultProgramsBack(t *testing.T) {
	const list = "\n\n[Added Associations]\ntext/x-second=a.desktop;b.desktop;\n\n\n[Default Applications]\n" +
		"text/x-second=a.desktop\nimage/png=viewer.desktop\n# odd\n\n[Removed Associations]\n\n\n"
	for name, before := range map[string]*string{"none": nil, "empty": new(string), "one": ptr(list)} {
		t.Run(name, func(t *testing.T) {
			home := t.TempDir()
			config, state := filepath.Join(home, "config"), filepath.Join(home, "state", "assay")
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
				// After another program added a line, setting the defaults again keeps only that line.
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

// A list of default programs may contain any bytes, be a link, or be unreadable for other users.
func TestUnusualListsOfDefaultProgramsAreAsBefore(t *testing.T) {
	home := t.TempDir()
	config, data := filepath.Join(home, "config"), filepath.Join(home, "data")
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

// bareHome returns a registration of a user whose home folder is empty.
func bareHome(t *testing.T) (r *desktop.Registration, home string, talk *bytes.Buffer) {
	t.Helper()
	home = t.TempDir()
	r, talk = registration(t, filepath.Join(home, ".local", "share"))
	r.Home, r.Config, r.State = home, filepath.Join(home, ".config"), filepath.Join(home, ".local", "state", "assay")
	return r, home, talk
}

func TestUnregisterRemovesCreatedFolders(t *testing.T) {
	r, home, _ := bareHome(t)
	require.NoError(t, r.Register(t.Context()))
	require.NoError(t, r.SetDefault(t.Context()))
	// A killed run leaves these files.
	for _, name := range []string{".local/share/applications/.tmp-org.assay.Assay.desktop123",
		".local/share/mime/packages/.tmp-org.assay.Assay.xml45", ".config/.tmp-mimeapps.list6",
		".local/state/assay/.tmp-default-programs.json78", ".local/state/assay/register.lock"} {
		require.NoError(t, os.WriteFile(filepath.Join(home, name), []byte("half"), 0o600))
	}
	require.NoError(t, r.Unregister(t.Context()))
	assert.Empty(t, listing(t, home))
	require.NoError(t, r.Unregister(t.Context()))
	assert.Empty(t, listing(t, home), "a second one makes nothing either")
}

func TestDefaultsAreKeptBeforeTheyAreChanged(t *testing.T) {
	const before = "[Default Applications]\ntext/x-second=a.desktop\n"
	r, home, _ := bareHome(t)
	list, record := filepath.Join(r.Config, "mimeapps.list"), filepath.Join(r.State, "default-programs.json")
	require.NoError(t, os.MkdirAll(r.Config, 0o700))
	require.NoError(t, os.WriteFile(list, []byte(before), 0o600))
	now := func() string {
		b, err := os.ReadFile(list)
		require.NoError(t, err)
		return string(b)
	}

	require.NoError(t, os.MkdirAll(r.State, 0o700))
	require.NoError(t, os.Symlink(filepath.Join(home, "nothing"), record)) // it cannot be replaced
	assert.ErrorContains(t, r.SetDefault(t.Context()), "default apps unchanged")
	assert.Equal(t, before, now())
	require.NoError(t, os.Remove(record))

	require.NoError(t, r.SetDefault(t.Context()))
	assert.Contains(t, now(), "text/x-second=org.assay.Assay.desktop\n")
	require.NoError(t, os.WriteFile(list, []byte(before), 0o600)) // as if the process was killed between the two writes
	require.NoError(t, r.Unregister(t.Context()))
	assert.Equal(t, before, now())
}

func TestUnsetDefaultsAreReported(t *testing.T) {
	r, home, talk := bareHome(t)
	require.NoError(t, os.MkdirAll(r.Config, 0o700))
	list := filepath.Join(r.Config, "mimeapps.list")
	require.NoError(t, os.Symlink(filepath.Join(home, "no folder", "list"), list))
	assert.ErrorContains(t, r.SetDefault(t.Context()), "default apps unchanged")
	assert.NotContains(t, talk.String(), "is now the default app")
	assert.NoDirExists(t, r.State, "nothing has to be put back")

	require.NoError(t, os.Remove(list))
	t.Setenv("XDG_CURRENT_DESKTOP", "ubuntu:GNOME")
	first := filepath.Join(r.Config, "gnome-mimeapps.list")
	require.NoError(t, os.WriteFile(first, []byte("[Default Applications]\ntext/x-second=a.desktop\n"), 0o600))
	assert.ErrorContains(t, r.SetDefault(t.Context()), first+" sets another app for text/x-second")
	assert.NotContains(t, talk.String(), "is now the default app")
}

func TestRegistrationsAtOnceLoseNoLine(t *testing.T) {
	r, _, _ := bareHome(t)
	var all sync.WaitGroup
	for i := range 16 {
		one := *r
		one.Progress = io.Discard
		one.Types = []model.FileType{{MIME: fmt.Sprintf("text/x-%d", i)}}
		all.Go(func() { assert.NoError(t, one.SetDefault(t.Context())) })
	}
	all.Wait()
	list, err := os.ReadFile(filepath.Join(r.Config, "mimeapps.list"))
	require.NoError(t, err)
	for i := range 16 {
		assert.Contains(t, string(list), fmt.Sprintf("text/x-%d=org.assay.Assay.desktop\n", i))
	}
}

func TestADamagedRecordIsNamed(t *testing.T) {
	r, _, _ := bareHome(t)
	require.NoError(t, os.MkdirAll(r.State, 0o700))
	record := filepath.Join(r.State, "default-programs.json")
	require.NoError(t, os.WriteFile(record, []byte("[{"), 0o600))
	assert.ErrorContains(t, r.SetDefault(t.Context()), record)
	assert.ErrorContains(t, r.Unregister(t.Context()), record)
	assert.NoFileExists(t, filepath.Join(r.Config, "mimeapps.list"))
}
