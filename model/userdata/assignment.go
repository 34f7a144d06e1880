// Package userdata stores the data of a user, in the XDG base directories or, on Windows, in the local application
// data: JSON files that are written whole or not at all, locks between processes, and the materials that were assigned
// to models by hand.
package userdata

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"assay/model"
)

// The bounds of the file of a project. A file that has more was not written by the program.
const (
	maxAssignmentBytes = 4 << 20
	maxAssignments     = 10_000
	maxTextBytes       = 4096 // bytes of a name or a path
)

// AssignmentStore is the folder of the assignments of a user. It may be used from any goroutine, and by several
// programs at once.
type AssignmentStore struct{ files *Records[assignmentFile] }

var _ model.Assignments = (*AssignmentStore)(nil)

// AssignmentFolder returns where the assignments of this user are.
func AssignmentFolder() string { return filepath.Join(State(), "assay", "assignments") }

// AssignmentsIn returns the store in a folder, which need not be there yet.
func AssignmentsIn(folder string) *AssignmentStore {
	return &AssignmentStore{RecordsIn[assignmentFile](folder, "assignments", maxAssignmentBytes)}
}

// assignmentFile is the file of a project.
type assignmentFile struct {
	Project     string             `json:"project"`
	Assignments []model.Assignment `json:"assignments"`
}

// Path returns the path of the file that the assignments of a project are kept in.
func (s *AssignmentStore) Path(project string) string { return s.files.Path(fileNameOf(project)) }

func fileNameOf(project string) string {
	sum := sha256.Sum256([]byte(filepath.Clean(project)))
	return hex.EncodeToString(sum[:12])
}

// ForProject implements model.Assignments. It returns no assignments if the file does not exist, and an error if it
// cannot be read. The valid assignments of a file with invalid ones are returned with an error.
func (s *AssignmentStore) ForProject(project string) (assignments []model.Assignment, file string, err error) {
	file = s.Path(project)
	stored, err := s.files.Read(fileNameOf(project))
	if err != nil {
		return nil, file, err
	}
	count := len(stored.Assignments)
	stored.Assignments = slices.DeleteFunc(stored.Assignments, func(a model.Assignment) bool { return !valid(a) })
	if n := count - len(stored.Assignments); n > 0 {
		err = fmt.Errorf("ignored %s in the assignments file %s", model.PlainCount(n, "invalid entry"),
			filepath.Base(file))
	}
	if len(stored.Assignments) > maxAssignments {
		return nil, file, fmt.Errorf("the assignments file %s has more than %d entries",
			filepath.Base(file), maxAssignments)
	}
	for i := range stored.Assignments {
		stored.Assignments[i].Material.File = model.DecodePath(stored.Assignments[i].Material.File)
	}
	return stored.Assignments, file, err
}

// valid reports whether a may have been written by this program.
func valid(a model.Assignment) bool {
	for _, text := range []string{a.To.File, a.To.Node, a.To.Mesh, a.To.Has.File, a.To.Has.ID, a.Material.ID,
		a.Material.Technique} {
		if len(text) > maxTextBytes {
			return false
		}
	}
	return a.Material.File != "" && len(a.Material.File) <= maxTextBytes && a.To.Part >= model.AllParts
}

// Set replaces the assignments of a project. Without any its file is removed. A file that has invalid entries or cannot
// be read is kept aside.
func (s *AssignmentStore) Set(project string, assignments []model.Assignment) error {
	if len(assignments) > maxAssignments {
		return fmt.Errorf("a project can have %d assignments at most", maxAssignments)
	}
	stored := assignmentFile{Project: model.EncodePath(project)}
	for _, a := range assignments {
		if !valid(a) {
			return errors.New("a name is too long to be stored")
		}
		if filepath.IsAbs(a.Material.File) {
			a.Material.File = model.EncodePath(a.Material.File)
		}
		stored.Assignments = append(stored.Assignments, a)
	}
	return s.files.Change(func() error {
		if _, _, err := s.ForProject(project); err != nil {
			if err := s.files.keepAside(fileNameOf(project)); err != nil {
				return err
			}
		}
		if len(assignments) == 0 {
			return s.files.Remove(fileNameOf(project))
		}
		return s.files.Write(fileNameOf(project), stored)
	})
}

// Add returns assignments with one more, which replaces those for parts that it covers.
func Add(assignments []model.Assignment, a model.Assignment) []model.Assignment {
	return append(Remove(assignments, a.To), a)
}

// Remove returns assignments without those for parts that a target covers.
func Remove(assignments []model.Assignment, target model.Target) []model.Assignment {
	return slices.DeleteFunc(slices.Clone(assignments), func(a model.Assignment) bool { return target.Covers(a.To) })
}
