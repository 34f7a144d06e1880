// Package dprsim reads the files of DPRSim, a simulator of claytronic atoms (catoms): worlds and states, version 1
// of the binary state format, and experiments, version 2 of the text format. They are published as "DPRSim file
// formats"; where that page contradicts itself, the comments here say how a file is decided. The files of the package
// in its order:
//
//	state.go        STATE FORMAT: magic, version, chunks
//	modulechunk.go  MODULE: where the chunk ends, and the listings in it
//	module.go       one listing: name, version, strings, and which of these is which
//	template.go     the data types of a module, in perl's pack notation
//	body.go         BODY: the catoms one after the other
//	catom.go        one catom: id, total_length, the states of the modules
//	value.go        the values of a state, by the codes of the module's template
//	experiment.go   EXPERIMENT FILE FORMAT
//	keyvalue.go     where its lines and their keys and values are
//	entry.go        one line as the tree shows it
//	object.go       the value of an OBJECT
//	fields.go       what each field means, by the words of fields.md
//
// A catom is followed from its bytes to its values in catom.go, value.go and template.go, an entry of an experiment in
// keyvalue.go, entry.go and object.go. The rest is made of what these read: index.go finds where the catoms begin, and
// visit.go goes through them; validate.go and byteorder.go remark on what is doubtful, describe.go says what a catom is
// to people. row.go reads the same values of many catoms, and columns.go says which there are, for package catoms,
// which makes tables, points and cubes of them. payload.go lists the tables and the files that leave, of which json.go
// writes an experiment; view.go, scene.go and world.go give worlds and experiments to package worldscene, which draws
// them.
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
