package desktop

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"assay/model"
	"assay/model/userdata"
)

// recentMax is the maximum number of recent files.
const recentMax = 30

// tabsMax is the maximum number of restored tabs.
const tabsMax = 200

// memoryMax is the maximum size of the file, in bytes.
const memoryMax = 1 << 20

// Recent is a recently opened file.
type Recent struct {
	Path   string    `json:"path"`
	Format string    `json:"format"`
	Opened time.Time `json:"opened"`
}

// Missing reports whether the file no longer exists.
func (r Recent) Missing() bool {
	_, err := os.Stat(r.Path)
	return err != nil
}

// Memory is the state saved between sessions, except for the settings of the window. It is one file. Every change reads
// the file again, so that windows keep each other's changes, and replaces it as a whole, so that a crash loses nothing.
// Memory is safe for concurrent use.
type Memory struct {
	path string

	mu    sync.Mutex
	saved memory

	drawings drawings
}

type memory struct {
	Recent []Recent `json:"recent"`
	Open   []Tab    `json:"open"`
	Shown  int      `json:"shown"`  // index of the selected tab
	Folder string   `json:"folder"` // folder of the last opened file
	// Assets are the chosen formats of assets, latest first.
	Assets []assetRule `json:"assets,omitempty"`

	dropped int // number of saved tabs that are not in Open
}

// assetRule is the format that the user chose for assets of a type in a package.
type assetRule struct {
	Package string `json:"package"`
	Type    string `json:"type"`
	As      string `json:"as"`
}

// rulesMax is the maximum number of rules.
const rulesMax = 200

// valid returns k without entries that have no file name, and without excess tabs.
func (k memory) valid() memory {
	k.Recent = slices.DeleteFunc(k.Recent, func(r Recent) bool { return r.Path == "" })
	k.Recent = k.Recent[:min(len(k.Recent), recentMax)]
	k.Assets = k.Assets[:min(len(k.Assets), rulesMax)]
	read, selected := k.Open, k.Shown
	k.Open, k.Shown = nil, -1
	for i, t := range read {
		if len(t.Files) == 0 || slices.Contains(t.Files, "") || len(k.Open) == tabsMax {
			k.dropped++
			continue
		}
		if i == selected {
			k.Shown = len(k.Open)
		}
		k.Open = append(k.Open, t)
	}
	return k
}

// withPaths returns k with all paths converted by other.
func (k memory) withPaths(convert func(string) string) memory {
	k.Folder = convert(k.Folder)
	k.Recent = slices.Clone(k.Recent)
	for i := range k.Recent {
		k.Recent[i].Path = convert(k.Recent[i].Path)
	}
	k.Assets = slices.Clone(k.Assets)
	for i := range k.Assets {
		k.Assets[i].Package, k.Assets[i].As = convert(k.Assets[i].Package), convert(k.Assets[i].As)
	}
	k.Open = slices.Clone(k.Open)
	for i := range k.Open {
		k.Open[i].Files, k.Open[i].As = otherPaths(k.Open[i].Files, convert), convert(k.Open[i].As)
	}
	return k
}

func otherPaths(paths []string, convert func(string) string) []string {
	out := slices.Clone(paths)
	for i := range out {
		out[i] = convert(out[i])
	}
	return out
}

// Tab is a saved tab: a file, or several files of a comparison.
type Tab struct {
	Kind  string   `json:"kind,omitempty"` // kind of comparison; empty for a file
	Files []string `json:"files"`
	// As is the format that the user chose for the file, or the path of a description, or "" if it was recognized.
	As string `json:"as,omitempty"`
	// View is the view of the file as the window encodes it, or empty for its beginning.
	View json.RawMessage `json:"view,omitempty"`
	// Opening is set before a file is opened and cleared afterwards. If it is set at the next start, opening the file
	// or drawing it (see Memory.Drawing) crashed the program.
	Opening bool `json:"opening,omitempty"`
}

// Remember returns the memory saved at path. A missing or invalid file is an empty memory.
func Remember(path string) *Memory {
	m := &Memory{path: path}
	m.load()
	return m
}

// load reads the file. On failure it keeps the current state. The caller holds mu, or m is not shared yet.
func (m *Memory) load() {
	info, err := os.Stat(m.path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > memoryMax {
		return
	}
	b, err := model.ReadShared(m.path)
	var saved memory
	if err != nil || json.Unmarshal(b, &saved) != nil {
		return
	}
	m.saved = saved.valid().withPaths(model.DecodePath)
}

// change applies one change and saves the file.
func (m *Memory) change(do func(k *memory)) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.load()
	do(&m.saved)
	return m.save()
}

// current returns the current state.
func (m *Memory) current() memory {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.saved
}

// Recent returns the recent files, latest first.
func (m *Memory) Recent() []Recent { return slices.Clone(m.current().Recent) }

// Opened adds a file at the start of the recent files.
func (m *Memory) Opened(path, format string, now time.Time) error {
	return m.change(func(k *memory) {
		recent := slices.DeleteFunc(slices.Clone(k.Recent), func(r Recent) bool { return r.Path == path })
		k.Recent = slices.Insert(recent, 0, Recent{path, format, now})
		k.Recent = k.Recent[:min(len(k.Recent), recentMax)]
		k.Folder = filepath.Dir(path)
	})
}

// Clear removes all recent files.
func (m *Memory) Clear() error { return m.change(func(k *memory) { k.Recent = nil }) }

// Folder returns the folder of the last opened file, or "".
func (m *Memory) Folder() string { return m.current().Folder }

// AssetFormat returns the format that the user chose for assets of a type in a package, or "".
func (m *Memory) AssetFormat(path, assetType string) string {
	for _, r := range m.current().Assets {
		if r.Package == path && r.Type == assetType {
			return r.As
		}
	}
	return ""
}

// SetAssetFormat saves the format for assets of a type in a package. An empty format removes it.
func (m *Memory) SetAssetFormat(path, assetType, format string) error {
	return m.change(func(k *memory) {
		k.Assets = slices.DeleteFunc(slices.Clone(k.Assets),
			func(r assetRule) bool { return r.Package == path && r.Type == assetType })
		if format != "" {
			k.Assets = slices.Insert(k.Assets, 0, assetRule{path, assetType, format})
			k.Assets = k.Assets[:min(len(k.Assets), rulesMax)]
		}
	})
}

// Tabs returns the tabs that were open when the window was closed or crashed, and the index of the selected one or -1.
// dropped is the number of saved tabs that were ignored because they have no file or exceed the maximum.
func (m *Memory) Tabs() (tabs []Tab, selected, dropped int) {
	k := m.current()
	return slices.Clone(k.Open), k.Shown, k.dropped
}

// SetTabs saves the open tabs.
func (m *Memory) SetTabs(tabs []Tab, selected int) error {
	equal := func(a, b Tab) bool {
		return a.Kind == b.Kind && a.As == b.As && a.Opening == b.Opening && slices.Equal(a.Files, b.Files) &&
			bytes.Equal(a.View, b.View)
	}
	if k := m.current(); slices.EqualFunc(tabs, k.Open, equal) && selected == k.Shown {
		return nil
	}
	return m.change(func(k *memory) { k.Open, k.Shown = slices.Clone(tabs), selected })
}

// SiblingPath returns the path of another settings file in the same folder.
func (m *Memory) SiblingPath(name string) string { return filepath.Join(filepath.Dir(m.path), name) }

func (m *Memory) save() error {
	b, err := json.Marshal(m.saved.withPaths(model.EncodePath))
	if err != nil {
		return err
	}
	if err := userdata.MakeFolder(filepath.Dir(m.path), 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return model.ReplaceFile(m.path, b, 0o600)
}
