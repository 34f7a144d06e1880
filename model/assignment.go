package model

import (
	"context"
	"path"
	"strings"
)

// Assignment is a material or a picture that the user assigned to parts of the models of a project. It overrides the
// files.
type Assignment struct {
	To       Target   `json:"to"`
	Material Material `json:"wears"`
}

// Target is the parts that an assignment is for: a part of a mesh, or all of its parts, on nodes of a name or on any
// node; or all parts of the project that have a material.
type Target struct {
	File string `json:"file,omitempty"` // that has the mesh, from the root of the project; empty for any
	Node string `json:"node,omitempty"` // empty for any
	Mesh string `json:"mesh,omitempty"`
	Part int    `json:"part"` // its number; AllParts for all
	// Has is the material of the parts; the zero value for parts that are named. Its technique is ignored.
	Has Material `json:"has,omitzero"`
}

// AllParts is the Part of a Target that includes all parts of a mesh.
const AllParts = -1

// Covers reports whether all parts of another target are parts of this one.
func (w Target) Covers(o Target) bool {
	part := w.Part
	w.Part = o.Part
	return w == o && (part == AllParts || part == o.Part)
}

// Material is a material or a picture in a file.
type Material struct {
	// File is its path from the root of the project with slashes, or an absolute path on disk.
	File string `json:"file"`
	ID   string `json:"id,omitempty"` // of the material in the file; empty for a picture, or for the file's first one
	// Technique is the name of the way to draw it; empty for the usual one.
	Technique string `json:"technique,omitempty"`
}

// Name returns the display name: the material, else the file.
func (m Material) Name() string {
	if m.ID != "" {
		return m.ID
	}
	return path.Base(strings.ReplaceAll(m.File, `\`, "/"))
}

// Assignments has the assignments of projects.
type Assignments interface {
	// ForProject returns the assignments of a project, which is a folder or a package on disk, and the path of the file
	// that they are kept in, which need not be there.
	ForProject(project string) (assignments []Assignment, file string, err error)
}

// Materials lists the materials and pictures that can be assigned to parts of the models of a project.
type Materials interface {
	// Root returns where the project is on disk: a folder or a package.
	Root() string
	// List returns the materials of the project.
	List(ctx context.Context) ([]Material, error)
	// Unused returns the unused materials: no scene refers to them, they are not parents of others, and they do not
	// belong to a bundle outside files.
	Unused(ctx context.Context, files []string) ([]Material, error)
	// ReadFile returns the materials of a file on disk: of a text, or a picture as a material. The error is a sentence.
	ReadFile(ctx context.Context, file string) ([]Material, error)
	// Extensions returns the extensions of the files that ReadFile reads, with their dots.
	Extensions() []string
}

// Assignments returns the store of the assignments of the source's project, or nil.
func (s *Source) Assignments() Assignments {
	if a := s.assignments.Load(); a != nil {
		return *a
	}
	return nil
}

// SetAssignments sets the result of Assignments, for documents that are opened later.
func (s *Source) SetAssignments(a Assignments) { s.assignments.Store(&a) }
