package properties

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	"assay/formats/decode"
	"assay/model"
)

// maxParents is the maximum length of a chain of inheritance, including the heir.
const maxParents = 64

// heritage returns the namespace and its ancestors, the nearest first. They are on its level; the engine would also
// find ancestors below others of the level.
func (n *Namespace) heritage() (spaces []*Namespace) {
	for space := n; space != nil && len(spaces) < maxParents && !slices.Contains(spaces, space); space = space.parent {
		spaces = append(spaces, space)
	}
	return spaces
}

// parentProblem returns the error of the parent of a namespace: it does not exist, or the chain of parents is a cycle
// or too long. It returns "" if there is no error.
func (n *Namespace) parentProblem() string {
	if n.Parent == "" {
		return ""
	}
	chain := n.heritage()
	next := chain[len(chain)-1].parent
	switch {
	case n.parent == nil:
		return fmt.Sprintf("there is no %s at this level; the parent is ignored",
			model.OneLine(strings.ToValidUTF8(n.Parent, "\uFFFD"), 60))
	case next == nil:
		return ""
	case slices.Contains(chain, next):
		return fmt.Sprintf("%s inherits from itself through its parents; the cycle is ignored",
			model.OneLine(n.Key(), 60))
	}
	return fmt.Sprintf("%s has more than %d levels of parents; the rest is ignored",
		model.OneLine(n.Key(), 60), maxParents-1)
}

// Sniff judges the first bytes of a text. No mark identifies the format with certainty: the text has no control
// characters, begins with a comment, a property or a namespace, and contains a namespace.
func Sniff(head []byte, _ int64) decode.Confidence {
	for _, b := range head {
		if b < ' ' && !strings.ContainsRune(lineBlanks+"\r\n", rune(b)) || b == 0x7f || b == 0 {
			return decode.No
		}
	}
	head = trimBlanks(bytes.TrimPrefix(head, byteOrderMark))
	for first := oneLineComment(head); len(first) > 0; first = oneLineComment(head) {
		head = trimBlanks(head[len(first):]) // the engine does not end it there, and the document has a remark
	}
	if len(head) == 0 || !isWord(head[0]) && head[0] != '/' && head[0] != '$' {
		return decode.No
	}
	src := model.NewSource("", bytes.NewReader(head), int64(len(head)))
	file, err := Read(context.Background(), src)
	if err != nil || len(file.Spaces) == 0 {
		return decode.No
	}
	for _, n := range file.Spaces {
		for i := range n.Name {
			if !isWord(n.Name[i]) {
				return decode.No
			}
		}
	}
	return decode.Maybe
}

// oneLineComment returns the first line of a text if it looks like a complete comment, or nil.
func oneLineComment(text []byte) []byte {
	first, _, _ := bytes.Cut(text, []byte("\n"))
	if bytes.HasPrefix(first, []byte("/*")) && bytes.HasSuffix(bytes.TrimSpace(first), []byte("*/")) {
		return first
	}
	return nil
}

// Magic returns patterns for the start of texts of properties, for desktops: a namespace of the published documents
// with its brace, or a comment before one.
func Magic() []model.Magic {
	brace := []model.Magic{{Bytes: []byte("{"), From: 1, To: 128}}
	var magics, lines []model.Magic
	for _, named := range []string{"material ", "animation ", "collisionObject ", "rigidBody ", "rigidbody ",
		"ghostObject ", "character ", "vehicle ", "vehicleWheel ", "terrain ", "particle "} {
		magics = append(magics, model.Magic{Bytes: []byte(named), And: brace})
		lines = append(lines, model.Magic{Bytes: []byte("\n" + named), From: 1, To: 1024})
	}
	for _, plain := range []string{"scene", "terrain", "window", "graphics", "gamepad"} {
		for _, end := range []string{"\n{", "\r\n{", " {", "{", "\t{", " \n{", " \r\n{"} {
			magics = append(magics, model.Magic{Bytes: []byte(plain + end)})
		}
		lines = append(lines, model.Magic{Bytes: []byte("\n" + plain + "\n{"), From: 1, To: 1024})
	}
	for _, comment := range []string{"//", "/*"} {
		magics = append(magics, model.Magic{Bytes: []byte(comment), And: lines})
	}
	return magics
}
