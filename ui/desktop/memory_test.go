package desktop_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/ui/desktop"
)

func TestMemoryIsRestored(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new folder", "memory.json")
	day := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	m := desktop.OpenMemory(path)
	assert.Empty(t, m.Recent())
	for i := range 40 {
		require.NoError(t, m.AddRecent(fmt.Sprintf("/a/%d.gpb", i), "gpb 1.2", day))
	}
	require.NoError(t, m.AddRecent("/b/20.gpb", "gpb 1.5", day))
	require.NoError(t, m.AddRecent("/a/20.gpb", "gpb 1.5", day))
	require.NoError(t, m.SetTabs([]desktop.Tab{{Files: []string{"/a/1.gpb"}},
		{Kind: "files", Files: []string{"/a/1.gpb", "/a/2.gpb"}}}, 1))

	m = desktop.OpenMemory(path)
	recent := m.Recent()
	require.Len(t, recent, 30)
	assert.Equal(t, desktop.Recent{Path: "/a/20.gpb", Format: "gpb 1.5", Opened: day}, recent[0])
	assert.Equal(t, "/b/20.gpb", recent[1].Path)
	assert.Equal(t, "/a/39.gpb", recent[2].Path)
	assert.True(t, recent[0].Missing())
	assert.Equal(t, filepath.FromSlash("/a"), m.Folder())
	tabs, shown, dropped := m.Tabs()
	assert.Zero(t, dropped)
	assert.Equal(t, []desktop.Tab{{Files: []string{"/a/1.gpb"}},
		{Kind: "files", Files: []string{"/a/1.gpb", "/a/2.gpb"}}}, tabs)
	assert.Equal(t, 1, shown)

	require.NoError(t, m.ClearRecent())
	assert.Empty(t, desktop.OpenMemory(path).Recent())
}

func TestNamesThatAreNotUTF8AreSaved(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.json")
	odd := filepath.FromSlash("/mods/\x83e\x83X.gpb")
	m := desktop.OpenMemory(path)
	require.NoError(t, m.AddRecent(odd, "gpb", time.Now()))
	require.NoError(t, m.SetTabs([]desktop.Tab{{Files: []string{odd, "/plain.gpb"}}}, 0))
	again := desktop.OpenMemory(path)
	assert.Equal(t, odd, again.Recent()[0].Path)
	tabs, _, _ := again.Tabs()
	assert.Equal(t, []string{odd, "/plain.gpb"}, tabs[0].Files)
}

func TestInvalidFileIsAnEmptyMemory(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.json")
	for _, content := range []string{"", "{", `{"recent": 7}`, `[1]`, "\x00\xff"} {
		require.NoError(t, os.WriteFile(path, []byte(content), 0o600))
		m := desktop.OpenMemory(path)
		assert.Empty(t, m.Recent())
		require.NoError(t, m.AddRecent("/x", "f", time.Time{}))
		assert.Len(t, desktop.OpenMemory(path).Recent(), 1)
	}
}

func TestWindowsKeepEachOthersChanges(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.json")
	one, two := desktop.OpenMemory(path), desktop.OpenMemory(path)
	require.NoError(t, one.AddRecent("/a", "f", time.Time{}))
	require.NoError(t, two.AddRecent("/b", "f", time.Time{}))
	require.NoError(t, one.SetTabs([]desktop.Tab{{Files: []string{"/a"}}}, 0))
	recent := desktop.OpenMemory(path).Recent()
	require.Len(t, recent, 2)
	assert.Equal(t, "/b", recent[0].Path)
}

func TestEntriesWithoutAFileAreDropped(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.json")
	for _, c := range []struct {
		json                 string
		tabs, shown, dropped int
	}{
		{`{"open":[{}]}`, 0, -1, 1},
		{`{"open":[{"files":null},{"files":[]},{"files":["/a"]},{"files":[""]}],"shown":2}`, 1, 0, 3},
		{`{"open":[null,{"kind":"files","files":["/a",""]},{"kind":"folder"}],"shown":2}`, 0, -1, 3},
		{`{"open":[` + strings.Repeat(`{"files":["/a"]},`, 300) + `{"files":["/b"]}],"shown":300}`, 200, -1, 101},
		{`{"recent":[{},{"path":""}],"open":null,"shown":-7}`, 0, -1, 0},
	} {
		require.NoError(t, os.WriteFile(path, []byte(c.json), 0o600))
		m := desktop.OpenMemory(path)
		tabs, shown, dropped := m.Tabs()
		assert.Len(t, tabs, c.tabs, c.json)
		assert.Equal(t, c.shown, shown, c.json)
		assert.Equal(t, c.dropped, dropped, c.json)
		assert.Empty(t, m.Recent(), c.json)
	}
}
