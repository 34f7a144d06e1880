package compare

import "assay/model"

// Reading says how far contents are read that the file records checksums of.
type Reading uint8

// Automatic reads contents up to 128 MiB and goes by recorded checksum and size beyond; Recorded never reads them,
// Full always does.
const (
	Automatic Reading = iota
	Recorded
	Full
)

// automaticMax is how many bytes of contents with recorded checksums are read unless Full asks for it.
const automaticMax = 128 << 20

// Options say what a comparison takes for the same. The zero value is what assay diff uses.
type Options struct {
	Contents Reading

	// Tolerance is how far two floats may be apart, absolute or as a share of the larger one.
	Tolerance float64
	// Times ignores values that are points in time.
	Times bool
	// Names are fields that are ignored wherever they are, with all that is below them.
	Names []string
	// Layout counts offsets, sizes and counts of the file's own layout as values; normally they follow from others.
	Layout bool
	// Texts are the rules by which lines of texts are compared.
	Texts TextRules
	// Pairs are nodes that belong together because a person says so.
	Pairs []Match
}

// TextRules say what does not count in texts that are compared line by line.
type TextRules struct {
	Indentation bool // blanks and tabs at the beginning and the end of a line
	BlankLines  bool // lines with nothing on them
	LineEnds    bool // LF, CR LF
	Comments    bool // of the languages that the program knows
	Order       bool // of the properties of a namespace
}

// Any reports whether there is something that does not count.
func (r TextRules) Any() bool { return r != TextRules{} }

// spacing reports whether nothing counts that may be between the fields of a text.
func (r TextRules) spacing() bool { return r.Indentation && r.BlankLines && r.LineEnds }

// Match is a node of the old document and one of the new.
type Match struct {
	Old, New model.Path
}

// ignores reports whether a node is not to be compared.
func (o *Options) ignores(n *model.Node) bool {
	for _, name := range o.Names {
		if n.Name == name {
			return true
		}
	}
	switch n.Role {
	case model.RoleTime:
		return o.Times
	case model.RoleSpacing:
		return o.Texts.spacing()
	}
	return false
}
