package kaitai

import (
	"reflect"
	"regexp"
	"slices"
	"strings"
)

// maxCompletions is the maximum number of completions, which are listed in a menu.
const maxCompletions = 40

// Complete returns what may follow in a line of a description that is being written, sorted: keys, or after a key its
// words, the types, or the IDs. line counts from 0, and before is that line up to the caret, which ends in a part of
// the word.
func Complete(text string, line int, before string) []string {
	word := wordBefore.FindString(before)
	before = strings.TrimRight(before[:len(before)-len(word)], " ")
	lines := strings.Split(text, "\n")
	var names []string
	key := keyBefore.FindStringSubmatch(before)
	switch {
	case before == "" || before == "-" || strings.HasSuffix(before, "{") || strings.HasSuffix(before, ","):
		names = keysIn(lines[:min(line, len(lines))], before, indentOf(before, word, lines, line))
	case key != nil && key[1] == "type":
		names = append(namesBelow(lines, "types"), builtInTypes...)
	case key != nil && valueWords[key[1]] != nil:
		names = valueWords[key[1]]
	default:
		names = append(idsIn(text), namesBelow(lines, "instances")...)
	}
	names = slices.DeleteFunc(slices.Clone(names), func(s string) bool {
		return s == word || !strings.HasPrefix(s, word)
	})
	slices.Sort(names)
	names = slices.Compact(names)
	return names[:min(len(names), maxCompletions)]
}

var (
	wordBefore = regexp.MustCompile(`[A-Za-z0-9_-]*$`)
	keyBefore  = regexp.MustCompile(`([a-z-]+):$`)
	idOf       = regexp.MustCompile(`\bid:\s*([a-z][a-z0-9_]*)`)
	blockKey   = regexp.MustCompile(`^(\s*(?:- )?)([A-Za-z0-9_-]+):\s*(.*)$`)
)

var builtInTypes = []string{"u1", "u2", "u4", "u8", "s1", "s2", "s4", "s8", "f4", "f8", "u2le", "u4le", "u8le", "u2be",
	"u4be", "u8be", "s2le", "s4le", "s2be", "s4be", "f4le", "f8le", "f4be", "f8be", "b1", "str", "strz"}

var valueWords = map[string][]string{
	"repeat": {"expr", "eos", "until"}, "endian": {"le", "be"}, "bit-endian": {"le", "be"},
	"size-eos": {"true"}, "process": {"zlib", "xor(", "rol(", "ror("},
	"encoding": {"ASCII", "UTF-8", "UTF-16LE", "UTF-16BE", "ISO-8859-1", "windows-1252", "shift_jis", "IBM437"},
	"to":       {toOffset, toIndex, toName, toFile},
}

// keyed has for each key the struct with the keys of its value.
var keyed = map[string]any{"meta": meta{}, "seq": attribute{}, "instances": attribute{}, "params": parameter{},
	"types": objectType{}, "valid": constraint{}, "-assay-view": objectView{}, "picture": pictureView{}, "mesh": meshView{},
	"scene": sceneView{}, "sound": soundView{}, "text": textView{}, "checksum": checksumView{}, "link": linkView{}}

// indentOf returns the number of characters before the key that is being written.
func indentOf(before, word string, lines []string, line int) int {
	if line < len(lines) && (before == "" || before == "-") {
		if i := strings.Index(lines[line], word); word != "" && i >= 0 {
			return i
		}
		return len(lines[line])
	}
	return len(before)
}

// keysIn returns the keys that may be at an indentation after some lines, or in the braces that before opens.
func keysIn(lines []string, before string, indent int) []string {
	if open := strings.LastIndex(before, "{"); open >= 0 {
		before = strings.TrimRight(before[:open], " ")
		if key := keyBefore.FindStringSubmatch(before); key != nil && keyed[key[1]] != nil {
			return keysOf(keyed[key[1]])
		}
		indent = len(before)
	}
	for _, l := range slices.Backward(lines) {
		match := blockKey.FindStringSubmatch(l)
		if match == nil || len(match[1]) >= indent {
			continue
		}
		if value := keyed[match[2]]; value != nil && match[3] == "" {
			return keysOf(value)
		}
		indent = len(match[1])
	}
	return keysOf(objectType{})
}

// keysOf returns the keys that a struct has fields for.
func keysOf(value any) (names []string) {
	for _, k := range (&yamlReader{knownKeys: map[reflect.Type][]knownKey{}}).fieldsOf(reflect.TypeOf(value)) {
		names = append(names, k.name+":")
	}
	return names
}

func idsIn(text string) (names []string) {
	for _, m := range idOf.FindAllStringSubmatch(text, -1) {
		names = append(names, m[1])
	}
	return names
}

// namesBelow returns the keys directly below each key with a name, such as the types in `types`.
func namesBelow(lines []string, name string) (names []string) {
	outer, inner := -1, -1
	for _, l := range lines {
		match := blockKey.FindStringSubmatch(l)
		if match == nil {
			continue
		}
		indent := len(match[1])
		switch {
		case match[2] == name:
			outer, inner = indent, -1
		case outer < 0:
		case indent <= outer:
			outer = -1
		default:
			if inner < 0 {
				inner = indent
			}
			if indent == inner {
				names = append(names, match[2])
			}
		}
	}
	return names
}
