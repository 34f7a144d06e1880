package export

import (
	"path"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/zeebo/xxh3"

	"assay/model"
)

const (
	nameMax  = 255 // bytes of one name: ext4, APFS and NTFS all take it
	extMax   = 32  // an extension longer than that is no extension
	depthMax = 32  // names in one path; who asks for more gets the outermost and the last ones
)

// SafePath makes a relative path of any text: one that every file system takes and that stays where it is put. Both
// kinds of slashes separate. What is safe already is not changed.
func SafePath(p string) string {
	if harmless(p) {
		return p
	}
	parts := strings.FieldsFunc(p, func(r rune) bool { return r == '/' || r == '\\' })
	kept := parts[:0]
	for _, s := range parts {
		if s == "." || s == ".." {
			continue
		}
		kept = append(kept, SafeName(s))
	}
	if len(kept) == 0 {
		return SafeName("")
	}
	if len(kept) > depthMax {
		kept = append(kept[:depthMax-1], kept[len(kept)-1])
	}
	return strings.Join(kept, "/")
}

// harmless reports the names that most files have, which SafePath leaves as they are.
func harmless(p string) bool {
	if p == "" || len(p) > nameMax || p[0] == '.' || p[len(p)-1] == '.' || reserved(p) {
		return false
	}
	for i := range len(p) {
		if c := p[i]; !(c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c == '.' || c == '-' ||
			c == '_') {
			return false
		}
	}
	return true
}

// SafeName makes one name of any text, without separators.
func SafeName(s string) string {
	s = strings.Map(safeRune, s) // invalid UTF-8 arrives as U+FFFD
	s = trimName(s)
	if reserved(s) {
		s = "_" + s
	}
	s = cutName(s, nameMax)
	if s == "" {
		return "unnamed"
	}
	return s
}

// safeRune keeps the joiners that scripts and emoji need, and no other character that is not seen.
func safeRune(r rune) rune {
	switch {
	case strings.ContainsRune(`/\<>:"|?*`, r), r == utf8.RuneError, unicode.IsControl(r), r == '\u2028', r == '\u2029':
		return '_'
	case unicode.Is(unicode.Cf, r) && r != '\u200c' && r != '\u200d':
		return '_'
	}
	return r
}

// trimName takes off what Windows drops silently, so that two names that differ only in it become one here as well,
// where they are told apart.
func trimName(s string) string {
	s = strings.TrimLeftFunc(s, unicode.IsSpace)
	return strings.TrimRightFunc(s, func(r rune) bool { return r == '.' || unicode.IsSpace(r) })
}

// reserved reports the names that are devices on Windows, with whatever extension.
func reserved(s string) bool {
	stem, _, _ := strings.Cut(s, ".")
	stem = strings.ToUpper(strings.TrimRight(stem, " "))
	switch stem {
	case "CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$", "CLOCK$":
		return true
	}
	if !strings.HasPrefix(stem, "COM") && !strings.HasPrefix(stem, "LPT") {
		return false
	}
	r := []rune(stem[3:])
	return len(r) == 1 && strings.ContainsRune("0123456789¹²³", r[0])
}

// cutName shortens a name to limit bytes: its stem between two characters, its extension not at all.
func cutName(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	stem, ext := splitExt(s)
	n := limit - len(ext)
	for n > 0 && !utf8.RuneStart(stem[n]) {
		n--
	}
	return trimName(stem[:n]) + ext
}

// splitExt cuts a name before its extension; a name that only begins with a dot has none.
func splitExt(name string) (stem, ext string) {
	ext = path.Ext(name)
	if len(ext) > extMax || len(ext) <= 1 || len(ext) == len(name) {
		return name, ""
	}
	return name[:len(name)-len(ext)], ext
}

// numbered is a path with a number before its extension: "rock (2).png".
func numbered(p string, n int) string {
	dir, name := path.Split(p)
	stem, ext := splitExt(name)
	mark := " (" + strconv.Itoa(n) + ")"
	return dir + cutName(stem, nameMax-len(mark)-len(ext)) + mark + ext
}

// taken is the set of paths that a plan has given away. A million of them are kept as 64-bit hashes of their folded
// text: two that share one by chance only cost one of them a number.
type taken struct {
	files   hashes
	numbers map[uint64]int32  // of a file that others wanted: the number that was tried last for the next of its name
	folders map[string]string // folded path of a folder: the spelling it got first
}

func newTaken(n int) *taken {
	return &taken{files: newHashes(n), numbers: map[uint64]int32{},
		folders: map[string]string{"": ""}}
}

// try returns the path under which p is known here, and reports whether it was free; then it is kept from others.
// Folders that differ in case only become one.
func (t *taken) try(p string) (spelled string, free bool) {
	p = t.spelled(p)
	key := model.FoldName(p)
	return p, !t.isFolder(key) && t.files.add(xxh3.HashString(key))
}

// spelled is a path with its folder as that was spelled first.
func (t *taken) spelled(p string) string {
	if dir, name := path.Split(p); dir != "" {
		return path.Join(t.folder(strings.TrimSuffix(dir, "/")), name)
	}
	return p
}

// take returns the path under which p is free, with a number if need be, and keeps it from others.
func (t *taken) take(p string) string {
	p, free := t.try(p)
	if free {
		return p
	}
	hash := xxh3.HashString(model.FoldName(p))
	n := int(t.numbers[hash])
	for {
		n = max(n+1, 2)
		q := numbered(p, n)
		k := model.FoldName(q)
		if !t.isFolder(k) && t.files.add(xxh3.HashString(k)) {
			t.numbers[hash] = int32(n)
			return q
		}
	}
}

func (t *taken) isFolder(key string) bool {
	if len(t.folders) == 1 && key != "" {
		return false
	}
	_, ok := t.folders[key]
	return ok
}

func (t *taken) free(key string) bool {
	return !t.files.has(xxh3.HashString(key)) && !t.isFolder(key)
}

// folder returns the folder that dir is in this plan. Where a file has the name already, the folder gets a number.
func (t *taken) folder(dir string) string {
	if got, ok := t.folders[model.FoldName(dir)]; ok {
		return got
	}
	above, name := path.Split(dir)
	want := path.Join(t.folder(strings.TrimSuffix(above, "/")), name)
	if got, ok := t.folders[model.FoldName(want)]; ok {
		t.folders[model.FoldName(dir)] = got
		return got
	}
	got := want
	for n := 2; !t.free(model.FoldName(got)); n++ {
		got = want + " (" + strconv.Itoa(n) + ")"
	}
	t.folders[model.FoldName(dir)], t.folders[model.FoldName(got)] = got, got
	return got
}
