package project

import (
	"fmt"

	"assay/formats/gpb/properties"
	"assay/model/scene"
)

// missingMost is how many sentences about what is not there a scene has.
const missingMost = 100

// Resources reads what a scene needs of a project, and notes in the scene what is not there.
type Resources struct {
	*Project
	notes *notes
}

// notes are the sentences of a scene.
type notes struct {
	out  *scene.Scene
	said map[string]bool
	more int // sentences that were not kept
}

// NewResources returns the resources of a scene. Nothing may be read if the project is nil.
func NewResources(p *Project, out *scene.Scene) *Resources {
	out.Materials = p.Materials()
	return &Resources{p, &notes{out: out, said: make(map[string]bool)}}
}

// Of returns the resources of the same scene that are around another file.
func (r *Resources) Of(p *Project) *Resources { return &Resources{p, r.notes} }

// Missing notes something that the scene lacks, once.
func (r *Resources) Missing(format string, args ...any) {
	n, sentence := r.notes, fmt.Sprintf(format, args...)
	switch {
	case n.said[sentence]:
	case len(n.out.Missing) >= missingMost:
		n.more++
	default:
		n.said[sentence] = true
		n.out.Missing = append(n.out.Missing, sentence)
	}
}

// Absent notes a file that the scene refers to and that is not where it should be.
func (r *Resources) Absent(format string, args ...any) {
	r.Missing(format, args...)
	r.notes.out.Incomplete = true
}

// AbsentTextures notes the pictures of a material that were not found.
func (r *Resources) AbsentTextures(m *scene.Material) {
	for _, s := range m.Samplers() {
		if s.Texture.Missing != "" {
			r.Absent("%s", s.Texture.Missing)
		}
	}
}

// Close adds a note of how many notes were left out. It is called last.
func (r *Resources) Close() {
	if n := r.notes; n.more > 0 {
		n.out.Missing = append(n.out.Missing, fmt.Sprintf("%d more messages like these are left out", n.more))
	}
}

// Load reads a text of the project by its path from the root; nil if it cannot be read.
func (r *Resources) Load(full string) *properties.Namespace {
	file, err := r.Text(full)
	if err != nil {
		r.Missing("%s", err)
	}
	return file
}

// Locate returns the path of a file that a text in a folder names; empty if there is none.
func (r *Resources) Locate(name, folder string) string {
	found := r.Find(name, folder)
	if m := found.Message(); m != "" {
		r.Absent("%s", m)
	}
	return found.Path
}
