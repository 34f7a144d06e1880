// Package assignment keeps which materials a person gave to the parts of models by hand, in a file for each project
// beside the list of recent files. Nothing is written into a project.
package assignment

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"assay/model"
	"assay/model/userdirs"
)

// The bounds of the file of a project. A file that has more was not written by the program.
const (
	bytesMost = 4 << 20
	countMost = 10_000
	textMost  = 4096 // bytes of a name or a path
)

// Store is the folder of the assignments of a user. It may be used from any goroutine, and by several programs at once.
type Store struct {
	folder string
	mu     sync.Mutex
}

var _ model.Assignments = (*Store)(nil)

// Folder returns where the assignments of this user are.
func Folder() string { return filepath.Join(userdirs.State(), "assay", "assignments") }

// In returns the store in a folder, which need not be there yet.
func In(folder string) *Store { return &Store{folder: folder} }

// kept is the file of a project.
type kept struct {
	Project     string             `json:"project"`
	Assignments []model.Assignment `json:"assignments"`
}

// Path returns the path of the file that the assignments of a project are kept in.
func (s *Store) Path(project string) string {
	sum := sha256.Sum256([]byte(filepath.Clean(project)))
	return filepath.Join(s.folder, hex.EncodeToString(sum[:12])+".json")
}

// Of implements model.Assignments. A file that is not there has none; the error is a sentence about one that cannot be
// read.
func (s *Store) Of(project string) (all []model.Assignment, file string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	all, err = s.read(project)
	return all, s.Path(project), err
}

// read reads the assignments of a project. mu is held.
func (s *Store) read(project string) ([]model.Assignment, error) {
	name := s.Path(project)
	info, err := os.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil || !info.Mode().IsRegular():
		return nil, fmt.Errorf("the assignments in %s cannot be read", filepath.Base(name))
	case info.Size() > bytesMost:
		return nil, fmt.Errorf("the file of assignments %s has more than the %d bytes that are read", filepath.Base(name),
			bytesMost)
	}
	b, err := model.ReadShared(name)
	var k kept
	if err == nil {
		err = json.Unmarshal(b, &k)
	}
	if err != nil {
		return nil, fmt.Errorf("the assignments in %s cannot be read", filepath.Base(name))
	}
	k.Assignments = slices.DeleteFunc(k.Assignments, func(a model.Assignment) bool { return !valid(a) })
	if len(k.Assignments) > countMost {
		return nil, fmt.Errorf("the file of assignments %s has more than the %d that are read", filepath.Base(name),
			countMost)
	}
	for i := range k.Assignments {
		k.Assignments[i].Wears.File = model.DecodePath(k.Assignments[i].Wears.File)
	}
	return k.Assignments, nil
}

// valid reports whether an assignment may be one that was written.
func valid(a model.Assignment) bool {
	for _, text := range []string{a.To.File, a.To.Node, a.To.Mesh, a.To.Has.File, a.To.Has.ID, a.Wears.ID,
		a.Wears.Technique} {
		if len(text) > textMost {
			return false
		}
	}
	return a.Wears.File != "" && len(a.Wears.File) <= textMost && a.To.Part >= model.AllParts
}

// Set keeps the assignments of a project in place of those that it had. Without any its file is removed.
func (s *Store) Set(project string, all []model.Assignment) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	name := s.Path(project)
	if len(all) == 0 {
		if err := os.Remove(name); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	}
	if len(all) > countMost {
		return fmt.Errorf("a project can have %d assignments at most", countMost)
	}
	k := kept{Project: model.EncodePath(project)}
	for _, a := range all {
		if !valid(a) {
			return errors.New("a name is too long to be kept")
		}
		if filepath.IsAbs(a.Wears.File) {
			a.Wears.File = model.EncodePath(a.Wears.File)
		}
		k.Assignments = append(k.Assignments, a)
	}
	b, err := json.MarshalIndent(k, "", "\t")
	if err == nil {
		err = os.MkdirAll(s.folder, 0o700)
	}
	if err != nil {
		return err
	}
	return model.ReplaceFile(name, b, 0o600)
}

// With returns assignments with one more, which replaces those for parts that it covers.
func With(all []model.Assignment, a model.Assignment) []model.Assignment {
	return append(Without(all, a.To), a)
}

// Without returns assignments without those for parts that a wearer covers.
func Without(all []model.Assignment, w model.Wearer) []model.Assignment {
	return slices.DeleteFunc(slices.Clone(all), func(a model.Assignment) bool { return w.Covers(a.To) })
}
