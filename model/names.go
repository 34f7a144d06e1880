package model

import (
	"cmp"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/agnivade/levenshtein"
	"golang.org/x/text/unicode/norm"
)

// maxNameLength is the maximum number of characters displayed of a file's name: file systems permit no longer names.
const maxNameLength = 255

// FileName returns the display name of the file at a path, for the window and every report: its base name, escaped by
// OneLine. A byte that is not UTF-8 becomes \x83.
func FileName(path string) string { return OneLine(filepath.Base(path), maxNameLength) }

const fileScheme = "file"

// EncodePath returns a path as text that JSON can keep: the path itself, or if it is not UTF-8 a file:// URI.
func EncodePath(path string) string {
	if utf8.ValidString(path) {
		return path
	}
	path = filepath.ToSlash(path)
	if filepath.VolumeName(path) != "" {
		path = "/" + path // file:///C:/x
	}
	return (&url.URL{Scheme: fileScheme, Path: path}).String()
}

// DecodePath returns the path that EncodePath made a text of.
func DecodePath(text string) string {
	if !strings.HasPrefix(text, fileScheme+"://") {
		return text
	}
	u, err := url.Parse(text)
	if err != nil {
		return text
	}
	return PathOf(u)
}

// PathOf returns the path that a file:// URI names.
func PathOf(u *url.URL) string {
	path := filepath.FromSlash(u.Path)
	if path != "" && filepath.VolumeName(path[1:]) != "" {
		return path[1:] // file:///C:/x
	}
	return path
}

// FoldName returns a form of a path that is equal for two paths of one file on Windows or macOS: case and the
// composition of letters make no difference there.
func FoldName(s string) string {
	if isPlainASCII(s) {
		return strings.ToLower(s)
	}
	return norm.NFC.String(strings.ToLower(strings.ToUpper(norm.NFD.String(s))))
}

func isPlainASCII(s string) bool {
	for i := range len(s) {
		if s[i] < 0x20 || s[i] >= 0x7F {
			return false
		}
	}
	return true
}

// CompareNames orders names naturally: without case, and numbers in them by their value, so that t2 comes before T10.
// Keys of hex digits at the start of names, such as UUIDs, come first and by their digits: 0000000A before 00000010.
func CompareNames(a, b string) int {
	aKey, bKey := hexKey(a), hexKey(b)
	if aKey == 0 || bKey == 0 {
		if aKey != bKey {
			return cmp.Compare(bKey, aKey)
		}
	} else if c := compareLower(a[:aKey], b[:bKey]); c != 0 {
		return c
	}
	aRest, bRest := a[aKey:], b[bKey:]
	for aRest != "" && bRest != "" {
		aDigits, bDigits := countDigits(aRest), countDigits(bRest)
		if aDigits > 0 && bDigits > 0 {
			p, q := strings.TrimLeft(aRest[:aDigits], "0"), strings.TrimLeft(bRest[:bDigits], "0")
			if c := cmp.Or(cmp.Compare(len(p), len(q)), cmp.Compare(p, q)); c != 0 {
				return c
			}
			aRest, bRest = aRest[aDigits:], bRest[bDigits:]
			continue
		}
		if c := cmp.Compare(lower(aRest[0]), lower(bRest[0])); c != 0 {
			return c
		}
		aRest, bRest = aRest[1:], bRest[1:]
	}
	return cmp.Or(cmp.Compare(len(aRest), len(bRest)), cmp.Compare(a, b))
}

// compareLower orders texts byte by byte, without case.
func compareLower(a, b string) int {
	for i := range min(len(a), len(b)) {
		if c := cmp.Compare(lower(a[i]), lower(b[i])); c != 0 {
			return c
		}
	}
	return cmp.Compare(len(a), len(b))
}

// minHex is the minimum number of hex digits of a key: fewer may be a word or a number.
const minHex = 16

// hexKey returns the length of the key at the start of a name, of hex digits and hyphens, or 0.
func hexKey(s string) int {
	n, digits := 0, 0
	for n < len(s) && (s[n] == '-' || s[n] >= '0' && s[n] <= '9' || lower(s[n]) >= 'a' && lower(s[n]) <= 'f') {
		if s[n] != '-' {
			digits++
		}
		n++
	}
	if digits < minHex {
		return 0
	}
	return n
}

// countDigits returns the number of digits that a text begins with.
func countDigits(s string) int {
	n := 0
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	return n
}

func lower(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c | 0x20
	}
	return c
}

// maxNamesCompared is the number of names of a folder that are compared with the name of a missing file.
const maxNamesCompared = 4096

// maxSuggestions is the number of similar names offered for a missing one.
const maxSuggestions = 3

// maxPathLength is the maximum number of characters displayed of a folder's path.
const maxPathLength = 1000

// explainMissing returns the reason why path does not exist, and similar names.
func explainMissing(path string) string {
	if path == "" {
		return "no file name given"
	}
	name, folder := filepath.Clean(path), filepath.Dir(path)
	problem := "no such file"
	for {
		info, err := os.Stat(folder)
		if err == nil && !info.IsDir() {
			return OneLine(folder, maxPathLength) + " is a file, not a folder"
		}
		if parent := filepath.Dir(folder); err == nil || parent == folder {
			break
		}
		name, folder = folder, filepath.Dir(folder)
		problem = "there is no folder " + OneLine(name, maxPathLength)
	}
	similar := SimilarNames(filepath.Base(name), namesIn(folder))
	if len(similar) == 0 {
		return problem + "; check the path"
	}
	for i := range similar {
		similar[i] = OneLine(similar[i], maxNameLength)
	}
	return problem + "; did you mean " + strings.Join(similar, " or ") + "?"
}

func namesIn(folder string) []string {
	f, err := OpenShared(folder)
	if err != nil {
		return nil
	}
	defer f.Close()
	names, _ := f.Readdirnames(maxNamesCompared) // the names read before a failure are good enough to offer
	return names
}

// SimilarNames returns the names that may be meant by a mistyped one, the most similar first.
func SimilarNames(mistyped string, names []string) []string {
	type candidate struct {
		name     string
		distance int
	}
	var candidates []candidate
	typed := strings.ToLower(mistyped)
	length := utf8.RuneCountInString(typed)
	limit := max(1, min(length/3, 4))
	for _, name := range names {
		lower := strings.ToLower(name)
		distance := limit + 1
		if longer := utf8.RuneCountInString(lower) - length; max(longer, -longer) <= limit {
			distance = levenshtein.ComputeDistance(typed, lower)
		}
		if distance > limit && differInExtension(typed, lower) {
			distance = limit
		}
		if distance <= limit {
			candidates = append(candidates, candidate{name, distance})
		}
	}
	slices.SortFunc(candidates, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.distance, b.distance), strings.Compare(a.name, b.name))
	})
	var similar []string
	for _, c := range candidates[:min(len(candidates), maxSuggestions)] {
		if c.distance <= 2*candidates[0].distance {
			similar = append(similar, c.name)
		}
	}
	return similar
}

// differInExtension reports whether two names differ only in their extensions; one name may have none.
func differInExtension(a, b string) bool {
	stem := func(name string) string { return strings.TrimSuffix(name, filepath.Ext(name)) }
	return stem(a) != "" && stem(a) == stem(b)
}

// DisplayName returns the display name of the node regardless of its position: the label that its decoder set, else its
// key, or "".
func (n *Node) DisplayName() string {
	return cmp.Or(n.Label(), n.Key)
}

// Title returns the title of a node in lists, tabs and files: its name, followed by its label or key if it has one: "0
// VisualSceneNode". The root has no title of its own: use Document.Title.
func (n *Node) Title() string {
	name := n.DisplayName()
	switch {
	case name == "" || name == n.Name:
		return n.Name
	case n.Name == "":
		return name
	}
	return n.Name + " " + name
}

// IsElement reports whether the node is an element of a list, which has its index for a name.
func (n *Node) IsElement() bool { return isIndex(n.Name) }

func isIndex(name string) bool { return name != "" && countDigits(name) == len(name) }

// Title returns the title of a node of the document, or the name of the file for the root.
func (d *Document) Title(n *Node) string {
	if n == nil || n.Parent == nil {
		return d.Source.Name()
	}
	return n.Title()
}

// TitlePath returns the titles from the root's child down to the node, for display; of a deep node only the last few.
func (n *Node) TitlePath() string {
	const limit = 12
	var titles []string
	for p := n; p.Parent != nil; p = p.Parent {
		if len(titles) == limit {
			titles = append(titles, "…")
			break
		}
		titles = append(titles, p.Title())
	}
	slices.Reverse(titles)
	return strings.Join(titles, " / ")
}
