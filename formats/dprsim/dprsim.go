// Package dprsim reads the files of DPRSim, a simulator of claytronic atoms (catoms): worlds and states, version 1 of
// the binary state format, and experiments, version 2 of the text format. They are published as "DPRSim file formats".
// Where that page contradicts itself, the comments of this package explain the decision.
//
// state.go reads a state twice: quietly to collect the modules (module.go), then to record the nodes. It also looks
// for missing parts. body.go finds the catoms of a body and reads each; value.go and template.go decode its values.
// experiment.go reads experiments. column.go reads values of all catoms, which payload.go exports as tables, points and
// cubes (also experiments, as JSON); view.go and scene.go build scenes, and find other files for them.
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
	return src.Bytes(model.Span{Size: min(src.Size(), 64<<10)})
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
var fields = &decode.Glossary{Name: format, Text: fieldsText, FieldOf: documentedField,
	Values: map[string]model.Choices{"Chunk.id": chunkNames}}

// documentedField returns the type and field that document a value whose meaning depends on its entry, module or
// object.
func documentedField(n *model.Node) (typ, field string, ok bool) {
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
