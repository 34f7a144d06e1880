package desktop

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/google/renameio/v2/maybe"
)

// recentMax is how many recent files are remembered.
const recentMax = 30

// memoryMax bounds the file that is read at a start: somebody may have put anything there.
const memoryMax = 1 << 20

// Recent is a file that was open.
type Recent struct {
	Path   string    `json:"path"`
	Format string    `json:"format"`
	Opened time.Time `json:"opened"`
}

// Missing reports whether the file is no longer there.
func (r Recent) Missing() bool {
	_, err := os.Stat(r.Path)
	return err != nil
}

// Memory is what is remembered from one start to the next, besides the looks of the window. It is kept in one file,
// which is replaced whole at every change, so that a crash loses nothing. Only one goroutine may use it.
type Memory struct {
	path string
	kept memory
}

type memory struct {
	Recent []Recent `json:"recent"`
	Tabs   []string `json:"tabs"`   // files that are open
	Shown  string   `json:"shown"`  // the one in view
	Folder string   `json:"folder"` // where a file was opened last
}

// Remember reads the memory that is kept at path. A file that is not there or makes no sense is an empty memory.
func Remember(path string) *Memory {
	m := &Memory{path: path}
	info, err := os.Stat(path)
	if err != nil || info.Size() > memoryMax {
		return m
	}
	b, err := os.ReadFile(path)
	if err != nil || json.Unmarshal(b, &m.kept) != nil {
		m.kept = memory{}
	}
	m.kept.Recent = m.kept.Recent[:min(len(m.kept.Recent), recentMax)]
	return m
}

// Recent lists the files that were open, the last one first.
func (m *Memory) Recent() []Recent { return slices.Clone(m.kept.Recent) }

// Opened puts a file at the head of the recent ones.
func (m *Memory) Opened(path, format string, now time.Time) error {
	m.forget(path)
	m.kept.Recent = slices.Insert(m.kept.Recent, 0, Recent{path, format, now})
	m.kept.Recent = m.kept.Recent[:min(len(m.kept.Recent), recentMax)]
	m.kept.Folder = filepath.Dir(path)
	return m.save()
}

// Forget takes a file out of the recent ones.
func (m *Memory) Forget(path string) error {
	m.forget(path)
	return m.save()
}

func (m *Memory) forget(path string) {
	m.kept.Recent = slices.DeleteFunc(m.kept.Recent, func(r Recent) bool { return r.Path == path })
}

// Clear forgets all recent files.
func (m *Memory) Clear() error {
	m.kept.Recent = nil
	return m.save()
}

// Folder is where a file was opened last; empty if that is not known.
func (m *Memory) Folder() string { return m.kept.Folder }

// Tabs are the files that were open when the window was closed, or crashed, and the one that was in view.
func (m *Memory) Tabs() (files []string, shown string) {
	return slices.Clone(m.kept.Tabs), m.kept.Shown
}

// SetTabs remembers the files that are open.
func (m *Memory) SetTabs(files []string, shown string) error {
	if slices.Equal(files, m.kept.Tabs) && shown == m.kept.Shown {
		return nil
	}
	m.kept.Tabs, m.kept.Shown = slices.Clone(files), shown
	return m.save()
}

func (m *Memory) save() error {
	b, err := json.Marshal(m.kept)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(m.path), 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return maybe.WriteFile(m.path, b, 0o600)
}
