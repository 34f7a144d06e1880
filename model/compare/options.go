package compare

import (
	"slices"
	"strings"

	"assay/model"
)

// Reading selects the contents with recorded checksums that are read.
type Reading uint8

// Automatic reads contents up to 128 MiB and uses the recorded checksum and size beyond; Recorded never reads contents,
// Full always does.
const (
	Automatic Reading = iota
	Recorded
	Full
)

// maxAutomatic is the maximum number of bytes of contents with recorded checksums that are read unless Full is set.
const maxAutomatic = 128 << 20

// Options select the differences that a comparison ignores. The zero value is the default of assay diff.
type Options struct {
	Contents Reading

	// Tolerance is the ignored difference of two floats, absolute or as a share of the larger one.
	Tolerance float64
	// Times ignores values that are points in time.
	Times bool
	// Names are fields that are ignored wherever they are, with all that is below them.
	Names []string
	// Layout counts offsets, sizes and counts of the file's own layout as values; normally they follow from others.
	Layout bool
	// Texts has the rules for comparing the lines of texts.
	Texts TextRules
	// Pairs are nodes that the user paired.
	Pairs []Match
}

// TextRules select the differences to ignore in texts that are compared line by line.
type TextRules struct {
	Indentation bool // blanks and tabs at the beginning and the end of a line
	BlankLines  bool // empty lines
	LineEnds    bool // LF, CR LF
	Comments    bool // of the languages that the program knows
	Order       bool // of the properties of a namespace
}

// Any reports whether any difference is ignored.
func (r TextRules) Any() bool { return r != TextRules{} }

// spacing reports whether everything between the fields of a text is ignored.
func (r TextRules) spacing() bool { return r.Indentation && r.BlankLines && r.LineEnds }

// countedSpacing returns the part of the spacing between fields that counts.
func (r TextRules) countedSpacing(s string) string {
	if r.LineEnds {
		s = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(s)
	}
	if r.BlankLines {
		lines := strings.SplitAfter(s, "\n")
		inner := lines[min(1, len(lines)-1) : len(lines)-1] // between the first line end and the last one
		isBlank := func(line string) bool { return strings.TrimSpace(line) == "" }
		s = lines[0] + strings.Join(slices.DeleteFunc(slices.Clone(inner), isBlank), "")
		if len(lines) > 1 {
			s += lines[len(lines)-1]
		}
	}
	if r.Indentation {
		s = strings.NewReplacer(" ", "", "\t", "").Replace(s)
	}
	return s
}

// Match is a node of the old document and one of the new.
type Match struct {
	Old, New model.Path
}

func (o *Options) ignores(n *model.Node) bool {
	if slices.Contains(o.Names, n.Name) {
		return true
	}
	switch n.Role {
	case model.RoleTime:
		return o.Times
	case model.RoleComment:
		return o.Texts.Comments
	case model.RoleSpacing:
		s, _ := n.Value.(string)
		return o.Texts.spacing() || o.Texts.countedSpacing(s) == ""
	}
	return false
}
