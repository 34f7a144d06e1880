package properties

import (
	"bytes"
	"context"
	"strings"

	"assay/formats/decode"
	"assay/model"
)

// Sniff judges the first bytes of a text. Nothing in it says for certain that it is of this form: it has no byte that
// texts do not have, begins with a comment, a property or a namespace, and has a namespace.
func Sniff(head []byte, _ int64) decode.Confidence {
	for _, b := range head {
		if b < ' ' && !strings.ContainsRune(lineBlanks+"\r\n", rune(b)) || b == 0x7f || b == 0 {
			return decode.No
		}
	}
	head = trimBlanks(bytes.TrimPrefix(head, byteOrderMark))
	for first := oneLineComment(head); len(first) > 0; first = oneLineComment(head) {
		head = trimBlanks(head[len(first):]) // for the engine it does not end there: the document says so
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

// oneLineComment returns the first line of a text if it is all of a comment to people; else nil.
func oneLineComment(text []byte) []byte {
	first, _, _ := bytes.Cut(text, []byte("\n"))
	if bytes.HasPrefix(first, []byte("/*")) && bytes.HasSuffix(bytes.TrimSpace(first), []byte("*/")) {
		return first
	}
	return nil
}

// Magic returns how texts of properties begin, for desktops: with a namespace of the published documents and its brace,
// or with a comment before one.
func Magic() []model.Magic {
	brace := []model.Magic{{Bytes: []byte("{"), From: 1, To: 128}}
	var all, lines []model.Magic
	for _, named := range []string{"material ", "animation ", "collisionObject ", "rigidBody ", "rigidbody ",
		"ghostObject ", "character ", "vehicle ", "vehicleWheel ", "terrain ", "particle "} {
		all = append(all, model.Magic{Bytes: []byte(named), And: brace})
		lines = append(lines, model.Magic{Bytes: []byte("\n" + named), From: 1, To: 1024})
	}
	for _, plain := range []string{"scene", "terrain", "window", "graphics", "gamepad"} {
		for _, end := range []string{"\n{", "\r\n{", " {", "{", "\t{", " \n{", " \r\n{"} {
			all = append(all, model.Magic{Bytes: []byte(plain + end)})
		}
		lines = append(lines, model.Magic{Bytes: []byte("\n" + plain + "\n{"), From: 1, To: 1024})
	}
	for _, comment := range []string{"//", "/*"} {
		all = append(all, model.Magic{Bytes: []byte(comment), And: lines})
	}
	return all
}
