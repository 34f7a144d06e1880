package desktop

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"assay/model"
)

// drawings is the record of the files that are being drawn. It is a file of its own: it is written before and after
// each drawing, without waiting for the disk, as it need only outlive the program.
type drawings struct {
	mu    sync.Mutex
	files map[string]int // and the number of their contents
	ended bool
}

// drawingName is the name of the record, beside the memory.
const drawingName = "drawing"

// Drawing records that something of a file is being drawn, until finish is called. If the program ends before, Recover
// finds the file at the next start.
func (m *Memory) Drawing(file string) (finish func()) {
	m.count(file, 1)
	return sync.OnceFunc(func() { m.count(file, -1) })
}

func (m *Memory) count(file string, n int) {
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
