// Package dprsim reads the files of DPRSim, a simulator of claytronic atoms (catoms): worlds and states, version 1 of
// the binary state format, and experiments, version 2 of the text format. They are published as "DPRSim file formats".
// Where that page contradicts itself, the comments of this package explain the decision.
//
// state.go reads a state twice: quietly to collect the modules, then to record the nodes. body.go finds the catoms of a
// body, catom.go reads one, value.go and template.go decode its values. lines.go and experiment.go read experiments.
// catomforms.go and payload.go export tables, points and cubes; view.go, world.go and series.go build scenes.
//
// Each value of a state is a node, except after the first 64 KiB of a catom, where the numbers of one code are a single
// array named after the first: a catom may have 2^32 bytes, and its nodes are in memory together.
//
// Module states are decoded by their templates: c C W n N v V s S l L i I q Q j J f d F a A Z U x, counts, "*",
// "[count]", "!", "<" and ">". Not supported are groups, "/", positions ("@", ".", "X"), bit, hex and uuencoded
// strings, BER numbers, long doubles, pointers, and "x!" after values of differing sizes: a template is decoded up to
// the first of those, and the remaining bytes are displayed raw. "x*" is no byte, as perl packs it. Unlike perl, the
// package does not read all data as UTF-8 if a template begins with "U".
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

// worldForms are the forms of a whole world.
var worldForms = []model.Form{{Name: "csv", Extension: ".csv", MediaType: "text/csv"},
	{Name: "ply", Extension: ".ply", MediaType: "model/ply"},
	{Name: "glb", Extension: ".glb", MediaType: "model/gltf-binary"}}

// Formats returns the formats that this package reads. Other programs also use the extensions of worlds and states.
func Formats() []decode.Format {
	return []decode.Format{
		{Name: format, Sniff: SniffState, Open: Open, Page: fields.Page, FileType: model.FileType{
			MIME: "application/x-dprsim-state", Title: "DPRSim world or state", Icon: "world", Picture: worldIcon,
			Shared: []string{"*.world", "*.state"}, Scene: true,
			Magic: []model.Magic{{Bytes: []byte("CLAY\x01")}}},
			Forms: map[string][]model.Form{".world": worldForms, ".state": worldForms}},
		{Name: format, Sniff: SniffExperiment, Open: Open, Page: fields.Page, FileType: model.FileType{
			MIME: "text/x-dprsim-experiment", Title: "DPRSim experiment", Icon: "experiment", Picture: experimentIcon,
			Globs: []string{"*.experiment"}, Parent: "text/plain",
			Magic: []model.Magic{{Bytes: []byte("WORLD="), To: 1024,
				And: []model.Magic{{Bytes: []byte("TIMESTEPS="), To: 1024}}}}}},
	}
}

// Open reads a world, a state or an experiment. Native pack codes are read as little-endian; the document's Switches
// change that. An error is from src or ctx; anything wrong with the content is a problem of the document.
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

// headOf returns the first bytes of a file, which identify it.
func headOf(src *model.Source) ([]byte, error) {
	head := make([]byte, min(src.Size(), 64<<10))
	if n, err := src.ReadAt(head, 0); n < len(head) {
		return nil, err
	}
	return head, nil
}

func describe(n *model.Node) (model.Item, bool) {
	if n.Type != "Catom" {
		return model.Item{}, false
	}
	return model.Item{Kind: "catom", Uniform: true,
		IsLocation: func(leaf *model.Node) bool { return leaf.Role == model.RolePlace }}, true
}

//go:embed fields.md
var fieldsText string

// fields documents the fields of worlds, states and experiments.
var fields = &decode.Glossary{Name: format, Text: fieldsText, Subject: subject,
	Values: map[string]model.Choices{"Chunk.id": chunkNames}}

// subject returns the type and field that document a value whose meaning depends on its entry, module or object.
func subject(n *model.Node) (typ, field string, ok bool) {
	switch p := n.Parent; {
	case p.Type == "Entry" && n.Name == "value":
		key, _, _ := strings.Cut(p.Key, "#")
		return "KEY", key, true
	case p.Type == "ModuleState" && p.Key == simulator:
		return simulator, n.Name, true
	case p.Type == "Object":
		shape, _ := p.Child(0).Value.(string)
		if mass := p.ChildNamed("mass"); mass != nil && n.Index > mass.Index {
			return shape, n.Name, true
		}
	}
	return "", "", false
}

// validate reports missing required parts of a state, and undocumented parts with the assumption made.
func (r *chunkReader) validate() {
	root, span := r.c.Node(), model.Span{Offset: r.c.Pos()}
	if len(r.bodies) == 0 {
		root.Warnf(model.Error, span, "the file has no body chunk, so there are no catoms")
	}
	if len(r.modules) == 0 {
		root.Warnf(model.Error, span, "no module list, so catom values cannot be decoded")
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
			b.content.Warnf(model.Warning, span,
				"body %d of %d: the specification allows one; reading the catoms of all with the same modules", i+1,
				len(r.bodies))
		}
		for k, m := range r.modules {
			if r.listingOf(k).Offset > b.span.Offset {
				b.content.Warnf(model.Warning, span,
					"the body precedes the listing of module %s; reading its catoms with all modules of the file",
					m.title())
				break
			}
		}
	}
}

// validateSimulator remarks unless there is one module _sim, of version 1.
func (r *chunkReader) validateSimulator() {
	found, complete := 0, true
	for i, m := range r.modules {
		complete = complete && m.complete
		if m.name != simulator {
			continue
		}
		if found++; found > 1 {
			n := r.listingOf(i)
			n.Warnf(model.Warning, n.Span, "module _sim is listed %d times; positions are taken from the first",
				found)
		}
		if m.complete && m.version != 1 {
			n := r.listingOf(i)
			n.Warnf(model.Warning, n.Span,
				"unknown version %d of module _sim; decoded using its own types and names", m.version)
		}
	}
	if found == 0 && complete {
		r.c.Node().Warnf(model.Warning, model.Span{Offset: r.c.Pos()},
			"no module _sim, so catom positions are unknown; catoms are listed but not drawn")
	}
}
