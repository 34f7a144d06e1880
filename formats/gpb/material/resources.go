package material

import (
	"cmp"
	"context"
	"fmt"

	"assay/formats/gpb/project"
	"assay/formats/gpb/properties"
	"assay/model/scene"
)

// missingMost is how many sentences about what is not there a scene has.
const missingMost = 100

// Resources reads what a scene needs of a project, and notes in the scene what is not there.
type Resources struct {
	*project.Project
	notes *notes
}

// notes are the sentences of a scene, and what is left of its bounds.
type notes struct {
	ctx    context.Context
	out    *scene.Scene
	said   map[string]bool
	more   int // sentences that were not kept
	budget properties.Budget
}

// NewResources returns the resources of a scene that is made until the context ends. Nothing may be read if the project
// is nil.
func NewResources(ctx context.Context, p *project.Project, out *scene.Scene) *Resources {
	return &Resources{p, &notes{ctx: ctx, out: out, said: make(map[string]bool)}}
}

// Canceled reports whether the context has ended, and nothing more of the scene is needed.
func (r *Resources) Canceled() bool { return r.notes.ctx.Err() != nil }

// Space returns a namespace of a text with what it inherits, within the budget of the scene.
func (r *Resources) Space(text, n *properties.Namespace) *properties.Space {
	return text.SpaceWithin(n, &r.notes.budget)
}

// Of returns the resources of the same scene that are around another file.
func (r *Resources) Of(p *project.Project) *Resources { return &Resources{p, r.notes} }

// Notef adds a sentence about the scene, as Note does. Of what it is made of, strings are names of files or of things
// in them: each becomes a part of one line.
func (r *Resources) Notef(format string, args ...any) { r.Note(sentence(format, args)) }

// sentence returns a text with printable names.
func sentence(format string, args []any) string {
	for i, arg := range args {
		if name, ok := arg.(string); ok {
			args[i] = project.Printable(name)
		}
	}
	return fmt.Sprintf(format, args...)
}

// Note adds a sentence about the scene, once: what it lacks, or what is not shown as the game does.
func (r *Resources) Note(sentence string) { r.note(sentence) }

// note is Note, and reports whether the sentence is new and was kept.
func (r *Resources) note(sentence string) bool {
	n := r.notes
	switch {
	case n.said[sentence]:
		return false
	case len(n.out.Missing) >= missingMost:
		n.more++
		return false
	}
	n.said[sentence] = true
	n.out.Missing = append(n.out.Missing, sentence)
	return true
}

// absent notes that a file which the scene refers to is not where it should be: in a sentence that it is nowhere, or in
// one that another is shown in its place. Nothing is noted if both are empty.
func (r *Resources) absent(problem, substitution string) {
	sentence := cmp.Or(problem, substitution)
	if sentence == "" {
		return
	}
	if r.note(sentence) && problem != "" {
		r.notes.out.Absent = append(r.notes.out.Absent, problem)
	}
	r.notes.out.Incomplete = true
}

// AbsentTextures notes the pictures of a material that were not found where they should be.
func (r *Resources) AbsentTextures(m *scene.Material) {
	for _, s := range m.Samplers() {
		r.absent(s.Texture.Missing, s.Texture.Substitution)
	}
}

// Close adds a note of how many notes were left out. It is called last.
func (r *Resources) Close() {
	if n := r.notes; n.more > 0 {
		n.out.Missing = append(n.out.Missing, fmt.Sprintf("and %d more messages", n.more))
	}
}

// Load reads a text of the project by its path from the root; nil if it cannot be read.
func (r *Resources) Load(full string) *properties.Namespace {
	file, err := r.Text(full)
	if err != nil {
		r.Note(err.Error())
	}
	return file
}

// Locate returns the path of a file that a text in a folder names; empty if there is none.
func (r *Resources) Locate(name, folder string) string {
	found := r.Find(name, folder)
	r.absent(found.Problem, found.Substitution)
	return found.Path
}
