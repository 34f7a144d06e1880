// Package dprsim reads the files of DPRSim, a simulator of claytronic atoms (catoms): worlds and states, version 1
// of the binary state format, and experiments, version 2 of the text format. They are published as "DPRSim file
// formats"; where that page contradicts itself, the comments here say how a file is decided. The files of the package
// in its order.
//
// A catom is followed from its bytes to its values in catom.go, value.go and template.go, an entry of an experiment in
// lines.go, lines.go and experiment.go. The rest is made of what these read: body.go finds where the catoms begin, and
// catom.go goes through them; dprsim.go and body.go remark on what is doubtful, dprsim.go says what a catom is
// to people. value.go reads the same values of many catoms, and catom.go says which there are, for package catoms,
// which makes tables, points and cubes of them. payload.go lists the tables and the files that leave, of which
// experiment.go writes an experiment; view.go, view.go and world.go give worlds and experiments to package worldscene,
// which draws them.
//
// Each value of a state is a node, with one exception: of the numbers of one code that begin after the first 64 KiB of
// a catom, all are one leaf, an array with the name of the first. A catom may have 2^32 bytes, and its nodes are in
// memory together.
//
// Module states are decoded by their templates: c C W n N v V s S l L i I q Q j J f d F a A Z U x, counts, "*",
// "[count]", "!", "<" and ">". Not read are groups, "/", positions ("@", ".", "X"), bit, hex and uuencoded strings, BER
// numbers, long doubles, pointers, and "x!" after values whose sizes differ: a template is followed up to the first of
// those, and the bytes after are shown as they are. "x*" is no byte, as perl packs it. That perl reads all data as
// UTF-8 where a template begins with "U" is not followed.
//
// It also makes tables, points and cubes of the catoms of a world. It makes the scenes of worlds, objects and
// experiments.
package dprsim

import (
	"context"
	_ "embed"
	"path/filepath"
	"strings"

	"assay/formats/decode"
	"assay/model"
)

// format is the system's short name.
const format = "dprsim"

// experimentExtension makes a text an experiment that does not look like one.
const experimentExtension = ".experiment"

var (
	//go:embed world.png
	worldIcon []byte
	//go:embed experiment.png
	experimentIcon []byte
)

// worldForms are those of a world as a whole.
var worldForms = []model.Form{{Name: "csv", Extension: ".csv", MediaType: "text/csv"},
	{Name: "ply", Extension: ".ply", MediaType: "model/ply"},
	{Name: "glb", Extension: ".glb", MediaType: "model/gltf-binary"}}

// Formats returns what the program and desktops know of the files that the package reads. The extensions of worlds and
// states belong to anyone.
func Formats() []decode.Format {
	return []decode.Format{
		{Name: format, Sniff: SniffState, Open: Open, Page: fields.Page, FileType: model.FileType{
			MIME: "application/x-dprsim-state", Title: "DPRSim world or state", Icon: "world", Picture: worldIcon,
			Shared: []string{"*.world", "*.state"},
			Magic:  []model.Magic{{Bytes: []byte("CLAY\x01")}}},
			Forms: map[string][]model.Form{".world": worldForms, ".state": worldForms}},
		{Name: format, Sniff: SniffExperiment, Open: Open, Page: fields.Page, FileType: model.FileType{
			MIME: "text/x-dprsim-experiment", Title: "DPRSim experiment", Icon: "experiment", Picture: experimentIcon,
			Globs: []string{"*.experiment"}, Parent: "text/plain",
			Magic: []model.Magic{{Bytes: []byte("WORLD="), To: 1024,
				And: []model.Magic{{Bytes: []byte("TIMESTEPS="), To: 1024}}}}}},
	}
}

// Open reads a world, a state or an experiment. Native pack codes are read as little-endian; the document's Switches
// change that. Errors are those of reading the source and of the context; anything wrong with the content is a problem
// of the document.
func Open(ctx context.Context, src *model.Source) (*model.Document, error) {
	head, err := headOf(src)
	if err != nil {
		return nil, err
	}
	named := strings.EqualFold(filepath.Ext(src.Name()), experimentExtension)
	if SniffState(head, src.Size()) == decode.No &&
		(named || SniffExperiment(head, src.Size()) > decode.No && len(head) > 0) {
		return openExperiment(ctx, src)
	}
	return openState(ctx, src, options{})
}

// headOf returns the first bytes of a file, by which it is recognised.
func headOf(src *model.Source) ([]byte, error) {
	head := make([]byte, min(src.Size(), 64<<10))
	if n, err := src.ReadAt(head, 0); n < len(head) {
		return nil, err
	}
	return head, nil
}

// describe returns what a catom is to people.
func describe(n *model.Node) (model.Thing, bool) {
	if n.Type != "Catom" {
		return model.Thing{}, false
	}
	return model.Thing{Kind: "catom", Uniform: true,
		Place: func(leaf *model.Node) bool { return leaf.Role == model.RolePlace }}, true
}

//go:embed fields.md
var fieldsText string

// fields says what the fields of worlds, states and experiments mean.
var fields = &decode.Glossary{Name: format, Text: fieldsText, Subject: subject,
	Values: map[string]model.Choices{"Chunk.id": chunkNames}}

// subject returns what a value is described under whose meaning depends on the entry, module or object that it is in.
func subject(n *model.Node) (typ, field string, ok bool) {
	switch p := n.Parent; {
	case p.Type == "Entry" && n.Name == "value":
		key, _, _ := strings.Cut(p.Key, "#")
		return "KEY", key, true
	case p.Type == "ModuleState" && p.Key == simulator:
		return simulator, n.Name, true
	case p.Type == "Object":
		shape, _ := p.Child(0).Value.(string)
		if mass := p.Named("mass"); mass != nil && n.Index > mass.Index {
			return shape, n.Name, true
		}
	}
	return "", "", false
}

// validate remarks on what a state must have and does not, and on what it has that the document does not describe, with
// what was assumed.
func (r *chunkReader) validate() {
	root, at := r.c.Node(), model.Span{Offset: r.c.Pos()}
	if len(r.bodies) == 0 {
		root.Warn(model.Error, at, "the file has no body chunk, so there are no catoms")
	}
	if len(r.modules) == 0 {
		root.Warn(model.Error, at, "no module list, so catom values cannot be decoded")
		return
	}
	r.validateBodies()
	r.validateSimulator()
}

// validateBodies remarks on bodies after the first and before a module: the document has one, after all modules.
func (r *chunkReader) validateBodies() {
	for i, b := range r.bodies {
		span := model.Span{Offset: b.span.Offset}
		if i > 0 {
			b.content.Warn(model.Warning, span,
				"body %d of %d: the document has one; the catoms of all are read with the same modules", i+1,
				len(r.bodies))
		}
		for k, m := range r.modules {
			if r.listingOf(k).Offset > b.span.Offset {
				b.content.Warn(model.Warning, span,
					"the body comes before the listing of module %s; its catoms are read with all modules of the file",
					m.title())
				break
			}
		}
	}
}

// validateSimulator remarks unless there is one module _sim, of version 1.
func (r *chunkReader) validateSimulator() {
	found, whole := 0, true
	for i, m := range r.modules {
		whole = whole && m.whole
		if m.name != simulator {
			continue
		}
		if found++; found > 1 {
			n := r.listingOf(i)
			n.Warn(model.Warning, n.Span, "module _sim is listed %d times; positions are taken from the first",
				found)
		}
		if m.whole && m.version != 1 {
			n := r.listingOf(i)
			n.Warn(model.Warning, n.Span,
				"unknown version %d of module _sim; decoded using its own types and names", m.version)
		}
	}
	if found == 0 && whole {
		r.c.Node().Warn(model.Warning, model.Span{Offset: r.c.Pos()},
			"no module _sim, so catom positions are unknown; catoms are listed but not drawn")
	}
}
