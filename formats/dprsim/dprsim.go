// Package dprsim reads the files of DPRSim, a simulator of claytronic atoms (catoms): worlds and states, version 1
// of the binary state format, and experiments, version 2 of the text format. They are published as "DPRSim file
// formats"; where that page contradicts itself, the comments here say how a file is decided.
//
// Module states are decoded by their templates in perl's pack notation: c C W n N v V s S l L i I q Q j J f d F a A Z
// U x, counts, "*", "[count]", "!", "<" and ">". Not read are groups, "/", positions ("@", "."), bit and hex strings
// and BER numbers: a template is followed up to the first of those, and the bytes after are shown as they are.
package dprsim

import (
	"context"
	"path/filepath"
	"strings"

	"assay/formats/decode"
	"assay/model"
)

// format is the system's short name.
const format = "dprsim"

// experimentExtension is what makes a text an experiment that does not look like one.
const experimentExtension = ".experiment"

// options are what a state does not say of itself.
type options struct {
	bigEndian bool // native pack codes were written by a big-endian machine
}

// Open reads a state, a world or an experiment.
func Open(ctx context.Context, src *model.Source) (*model.Document, error) {
	return openWith(ctx, src, options{})
}

// openWith is Open with what the file does not say.
func openWith(ctx context.Context, src *model.Source, o options) (*model.Document, error) {
	head, err := headOf(src)
	if err != nil {
		return nil, err
	}
	named := strings.EqualFold(filepath.Ext(src.Name()), experimentExtension)
	if SniffState(head, src.Size()) == decode.No &&
		(named || SniffExperiment(head, src.Size()) > decode.No && len(head) > 0) {
		return openExperiment(ctx, src)
	}
	return openState(ctx, src, o)
}

// headOf returns the first bytes of a file, by which it is recognised.
func headOf(src *model.Source) ([]byte, error) {
	head := make([]byte, min(src.Size(), 64<<10))
	if n, err := src.ReadAt(head, 0); n < len(head) {
		return nil, err
	}
	return head, nil
}
