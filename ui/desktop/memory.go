package desktop

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"assay/model"
	"assay/model/userdata"
)

// maxRecent is the maximum number of recent files.
const maxRecent = 30

// maxTabs is the maximum number of restored tabs.
const maxTabs = 200

// maxMemorySize is the maximum size of the file, in bytes.
const maxMemorySize = 1 << 20

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
	saved savedState

	drawings drawings
}

type savedState struct {
	Recent   []Recent `json:"recent"`
	Open     []Tab    `json:"open"`
	Selected int      `json:"shown"`  // index of the selected tab
	Folder   string   `json:"folder"` // folder of the last opened file
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

// maxRules is the maximum number of rules.
const maxRules = 200

// valid returns s without entries that have no file name, and without excess tabs.
func (s savedState) valid() savedState {
	s.Recent = slices.DeleteFunc(s.Recent, func(r Recent) bool { return r.Path == "" })
	s.Recent = s.Recent[:min(len(s.Recent), maxRecent)]
	s.Assets = s.Assets[:min(len(s.Assets), maxRules)]
	read, selected := s.Open, s.Selected
	s.Open, s.Selected = nil, -1
	for i, t := range read {
		if len(t.Files) == 0 || slices.Contains(t.Files, "") || len(s.Open) == maxTabs {
			s.dropped++
			continue
		}
		if i == selected {
			s.Selected = len(s.Open)
		}
		s.Open = append(s.Open, t)
	}
	return s
}

// withPaths returns s with all paths converted.
func (s savedState) withPaths(convert func(string) string) savedState {
	s.Folder = convert(s.Folder)
	s.Recent = slices.Clone(s.Recent)
	for i := range s.Recent {
		s.Recent[i].Path = convert(s.Recent[i].Path)
	}
	s.Assets = slices.Clone(s.Assets)
	for i := range s.Assets {
		s.Assets[i].Package, s.Assets[i].As = convert(s.Assets[i].Package), convert(s.Assets[i].As)
	}
	s.Open = slices.Clone(s.Open)
	for i := range s.Open {
		s.Open[i].Files, s.Open[i].As = convertPaths(s.Open[i].Files, convert), convert(s.Open[i].As)
	}
	return s
}

func convertPaths(paths []string, convert func(string) string) []string {
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

// OpenMemory returns the memory saved at path. A missing or invalid file is an empty memory.
func OpenMemory(path string) *Memory {
	m := &Memory{path: path}
	m.load()
	return m
}

// load reads the file. On failure it keeps the current state. The caller holds mu, or m is not shared yet.
func (m *Memory) load() {
	info, err := os.Stat(m.path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxMemorySize {
		return
	}
	b, err := model.ReadShared(m.path)
	var saved savedState
	if err != nil || json.Unmarshal(b, &saved) != nil {
		return
	}
	m.saved = saved.valid().withPaths(model.DecodePath)
}

// change applies one change and saves the file.
func (m *Memory) change(do func(s *savedState)) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.load()
	do(&m.saved)
	return m.save()
}

// current returns the current state.
func (m *Memory) current() savedState {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.saved
}

// Recent returns the recent files, latest first.
func (m *Memory) Recent() []Recent { return slices.Clone(m.current().Recent) }

// AddRecent adds a file at the start of the recent files.
func (m *Memory) AddRecent(path, format string, now time.Time) error {
	return m.change(func(s *savedState) {
		recent := slices.DeleteFunc(slices.Clone(s.Recent), func(r Recent) bool { return r.Path == path })
		s.Recent = slices.Insert(recent, 0, Recent{path, format, now})
		s.Recent = s.Recent[:min(len(s.Recent), maxRecent)]
		s.Folder = filepath.Dir(path)
	})
}

// Clear removes all recent files.
func (m *Memory) ClearRecent() error { return m.change(func(s *savedState) { s.Recent = nil }) }

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
	return m.change(func(s *savedState) {
		s.Assets = slices.DeleteFunc(slices.Clone(s.Assets),
			func(r assetRule) bool { return r.Package == path && r.Type == assetType })
		if format != "" {
			s.Assets = slices.Insert(s.Assets, 0, assetRule{path, assetType, format})
			s.Assets = s.Assets[:min(len(s.Assets), maxRules)]
		}
	})
}

// Tabs returns the tabs that were open when the window was closed or crashed, and the index of the selected one or -1.
// dropped is the number of saved tabs that were ignored because they have no file or exceed the maximum.
func (m *Memory) Tabs() (tabs []Tab, selected, dropped int) {
	s := m.current()
	return slices.Clone(s.Open), s.Selected, s.dropped
}

// SetTabs saves the open tabs.
func (m *Memory) SetTabs(tabs []Tab, selected int) error {
	equal := func(a, b Tab) bool {
		return a.Kind == b.Kind && a.As == b.As && a.Opening == b.Opening && slices.Equal(a.Files, b.Files) &&
			bytes.Equal(a.View, b.View)
	}
	if s := m.current(); slices.EqualFunc(tabs, s.Open, equal) && selected == s.Selected {
		return nil
	}
	return m.change(func(s *savedState) { s.Open, s.Selected = slices.Clone(tabs), selected })
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

// drawings is the record of the files that are being drawn. It is a file of its own: it is written before and after
// each drawing, without waiting for the disk, as it need only outlive the program.
type drawings struct {
	mu    sync.Mutex
	files map[string]int // number of drawings under way, by file
	ended bool
}

// drawingName is the name of the record, beside the memory.
const drawingName = "drawing"

// Drawing records that something of a file is being drawn, until finish is called. If the program ends before, Recover
// finds the file at the next start.
func (m *Memory) Drawing(file string) (finish func()) {
	m.addDrawing(file, 1)
	return sync.OnceFunc(func() { m.addDrawing(file, -1) })
}

func (m *Memory) addDrawing(file string, n int) {
	d := &m.drawings
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.files == nil {
		d.files = make(map[string]int)
	}
	if d.files[file] += n; d.files[file] == 0 {
		delete(d.files, file)
	}
	if d.files[file] <= 1 {
		m.writeDrawings()
	}
}

// EndDrawings removes the record at a regular end of the program.
func (m *Memory) EndDrawings() {
	d := &m.drawings
	d.mu.Lock()
	defer d.mu.Unlock()
	d.ended = true
	m.writeDrawings()
}

// writeDrawings writes the record. Without one, a file that ends the program is opened again; no more is lost.
func (m *Memory) writeDrawings() {
	path := m.SiblingPath(drawingName)
	if len(m.drawings.files) == 0 || m.drawings.ended {
		_ = os.Remove(path)
		return
	}
	_ = os.MkdirAll(filepath.Dir(path), 0o700)
	_ = os.WriteFile(path, []byte(strings.Join(slices.Sorted(maps.Keys(m.drawings.files)), "\x00")), 0o600)
}

// Recover marks the saved tabs with files that were being drawn when the program ended, as Tab.Opening does.
func (m *Memory) Recover() error {
	path := m.SiblingPath(drawingName)
	text, err := model.ReadText(path, maxMemorySize)
	if err != nil || len(text) == 0 {
		return nil // nothing was drawn
	}
	files := strings.Split(string(text), "\x00")
	err = m.change(func(s *savedState) {
		s.Open = slices.Clone(s.Open)
		for i, t := range s.Open {
			if slices.ContainsFunc(t.Files, func(file string) bool { return slices.Contains(files, file) }) {
				s.Open[i].Opening = true
			}
		}
	})
	_ = os.Remove(path)
	return err
}
