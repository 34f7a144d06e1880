package export

import (
	"fmt"
	"math/bits"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/zeebo/xxh3"

	"assay/model"
	"assay/model/archive"
)

const (
	maxNameBytes = 255 // bytes of one name: ext4, APFS and NTFS all take it
	maxExtension = 32  // a longer extension belongs to the name
	maxDepth     = 32  // names in one path; a longer one is reduced to the outermost and the last ones
)

// SafePath makes a relative path of any text: one that is valid on every file system and stays below its folder. Both
// kinds of slashes separate. A safe path is not changed.
func SafePath(p string) string {
	if isSafe(p) {
		return p
	}
	parts := strings.FieldsFunc(p, func(r rune) bool { return r == '/' || r == '\\' })
	clean := parts[:0]
	for _, s := range parts {
		if s == "." || s == ".." {
			continue
		}
		clean = append(clean, SafeName(s))
	}
	if len(clean) == 0 {
		return SafeName("")
	}
	if len(clean) > maxDepth {
		clean = append(clean[:maxDepth-1], clean[len(clean)-1])
	}
	return strings.Join(clean, "/")
}

// isSafe reports the names that most files have, which SafePath does not change.
func isSafe(p string) bool {
	if p == "" || len(p) > maxNameBytes || p[0] == '.' || p[len(p)-1] == '.' || isReserved(p) {
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
	if isReserved(s) {
		s = "_" + s
	}
	s = cutName(s, maxNameBytes)
	if s == "" {
		return "unnamed"
	}
	return s
}

// safeRune keeps the joiners that scripts and emoji need, and no other invisible character.
func safeRune(r rune) rune {
	switch {
	case strings.ContainsRune(`/\<>:"|?*`, r), r == utf8.RuneError, unicode.IsControl(r), r == '\u2028', r == '\u2029':
		return '_'
	case unicode.Is(unicode.Cf, r) && r != '\u200c' && r != '\u200d':
		return '_'
	}
	return r
}

// trimName removes the characters that Windows drops silently, so that two names that differ only in them are equal
// here as well, and one gets a number.
func trimName(s string) string {
	s = strings.TrimLeftFunc(s, unicode.IsSpace)
	return strings.TrimRightFunc(s, func(r rune) bool { return r == '.' || unicode.IsSpace(r) })
}

// isReserved reports the names that are devices on Windows, with any extension.
func isReserved(s string) bool {
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

// splitExt splits a name before its extension; a name that only begins with a dot has no extension.
func splitExt(name string) (stem, ext string) {
	ext = path.Ext(name)
	if len(ext) > maxExtension || len(ext) <= 1 || len(ext) == len(name) {
		return name, ""
	}
	return name[:len(name)-len(ext)], ext
}

// numberedPath returns a path with a number before its extension: "rock (2).png".
func numberedPath(p string, n int) string {
	dir, name := path.Split(p)
	stem, ext := splitExt(name)
	suffix := " (" + strconv.Itoa(n) + ")"
	return dir + cutName(stem, maxNameBytes-len(suffix)-len(ext)) + suffix + ext
}

// pathSet is the set of paths that a plan has given away. A million of them are kept as 64-bit hashes of their folded
// text: two that share one by chance only cost one of them a number.
type pathSet struct {
	files   hashes
	numbers map[uint64]int32  // of a file that others wanted: the number that was tried last for the next of its name
	folders map[string]string // folded path of a folder: the spelling it got first
}

func newPathSet(n int) *pathSet {
	return &pathSet{files: newHashes(n), numbers: map[uint64]int32{},
		folders: map[string]string{"": ""}}
}

// try returns the path with the spelling of existing folders, and reports whether it was free; then it is reserved.
// Folders that differ only in case become one.
func (s *pathSet) try(p string) (spelled string, free bool) {
	p = s.firstSpelling(p)
	key := model.FoldName(p)
	return p, !s.isFolder(key) && s.files.add(xxh3.HashString(key))
}

// firstSpelling returns p with the first spelling of its folder.
func (s *pathSet) firstSpelling(p string) string {
	if dir, name := path.Split(p); dir != "" {
		return path.Join(s.folder(strings.TrimSuffix(dir, "/")), name)
	}
	return p
}

// reserve returns the path under which p is free, with a number if need be, and keeps it from others.
func (s *pathSet) reserve(p string) string {
	p, free := s.try(p)
	if free {
		return p
	}
	hash := xxh3.HashString(model.FoldName(p))
	n := int(s.numbers[hash])
	for {
		n = max(n+1, 2)
		q := numberedPath(p, n)
		k := model.FoldName(q)
		if !s.isFolder(k) && s.files.add(xxh3.HashString(k)) {
			s.numbers[hash] = int32(n)
			return q
		}
	}
}

func (s *pathSet) isFolder(key string) bool {
	if len(s.folders) == 1 && key != "" {
		return false
	}
	_, ok := s.folders[key]
	return ok
}

func (s *pathSet) isFree(key string) bool {
	return !s.files.has(xxh3.HashString(key)) && !s.isFolder(key)
}

// folder returns the folder that dir is in this plan. Where a file has the name already, the folder gets a number.
func (s *pathSet) folder(dir string) string {
	if spelled, ok := s.folders[model.FoldName(dir)]; ok {
		return spelled
	}
	parent, name := path.Split(dir)
	target := path.Join(s.folder(strings.TrimSuffix(parent, "/")), name)
	if got, ok := s.folders[model.FoldName(target)]; ok {
		s.folders[model.FoldName(dir)] = got
		return got
	}
	spelled := target
	for n := 2; !s.isFree(model.FoldName(spelled)); n++ {
		spelled = target + " (" + strconv.Itoa(n) + ")"
	}
	s.folders[model.FoldName(dir)], s.folders[model.FoldName(spelled)] = spelled, spelled
	return spelled
}

// hashes is a set of hashes, in eleven bytes each: a map takes twice as much.
type hashes struct {
	slots []uint64 // each hash at its slot or after it; 0 is a free one
	n     int
}

func newHashes(n int) hashes { return hashes{slots: make([]uint64, max(16, n+n/3))} }

// add adds a hash, and reports whether it was not there.
func (h *hashes) add(hash uint64) bool {
	index := h.find(hash)
	if h.slots[index] != 0 {
		return false
	}
	if h.slots[index] = nonZero(hash); h.n >= len(h.slots)*3/4 {
		h.grow()
	}
	h.n++
	return true
}

func (h *hashes) has(hash uint64) bool { return h.slots[h.find(hash)] != 0 }

// find returns the slot of a hash, or the free slot for it.
func (h *hashes) find(hash uint64) int {
	hash = nonZero(hash)
	high, _ := bits.Mul64(hash, uint64(len(h.slots)))
	index := int(high)
	for h.slots[index] != hash && h.slots[index] != 0 {
		if index++; index == len(h.slots) {
			index = 0
		}
	}
	return index
}

func (h *hashes) grow() {
	old := h.slots
	h.slots = make([]uint64, 2*len(old))
	for _, hash := range old {
		if hash != 0 {
			h.slots[h.find(hash)] = hash
		}
	}
}

// nonZero replaces the hash 0, which marks a free slot.
func nonZero(hash uint64) uint64 { return max(1, hash) }

// Template makes file names of assets: text with fields in braces, {dir}, {name}, {ext}, {key}, {type}, {index} and
// {file}. Its result is made safe afterwards.
type Template struct {
	text           string
	parts          []part
	skipsOwnFolder bool // assets that are files themselves get no folder
}

type part struct {
	text  string
	field bool
}

// Keep is the template that keeps each asset's own name and folder.
const Keep = "{dir}{name}{ext}"

// Flat is the template that keeps each asset's own name and puts all into one folder.
const Flat = "{name}{ext}"

// PerFile is the template that keeps each asset's own name and folder, in a folder with the name of its file.
const PerFile = "{file}/" + Keep

var fields = []string{"dir", "name", "ext", "key", "type", "index", "file"}

// ParseTemplate reads a template. Empty means Keep. One without {ext} gets it at its end.
func ParseTemplate(text string) (Template, error) {
	if text == "" {
		text = Keep
	}
	t := Template{text: text}
	hasExt := false
	for rest := text; rest != ""; {
		open := strings.IndexAny(rest, "{}")
		if open < 0 {
			t.parts = append(t.parts, part{text: rest})
			break
		}
		end := strings.IndexByte(rest[open:], '}')
		if rest[open] == '}' || end < 0 {
			return Template{}, fmt.Errorf("the name template %q has an unmatched brace", text)
		}
		if open > 0 {
			t.parts = append(t.parts, part{text: rest[:open]})
		}
		name := rest[open+1 : open+end]
		if !slices.Contains(fields, name) {
			return Template{}, fmt.Errorf("unknown field {%s}; available fields are {%s}", name, strings.Join(fields, "}, {"))
		}
		hasExt = hasExt || name == "ext"
		t.parts = append(t.parts, part{name, true})
		rest = rest[open+end+1:]
	}
	if !hasExt {
		t.parts = append(t.parts, part{"ext", true})
	}
	return t, nil
}

// ForFiles returns the template for the assets of some files: PerFile instead of Keep if there are several, unless all
// are layers of a stack. A file that is an asset itself, such as a picture, gets no folder.
func (t Template) ForFiles(files []*model.Document) Template {
	isAlone := func(d *model.Document) bool { return !d.IsLayered }
	if t.text != Keep || len(files) < 2 || !slices.ContainsFunc(files, isAlone) {
		return t
	}
	perFile, _ := ParseTemplate(PerFile)
	perFile.skipsOwnFolder = true
	return perFile
}

// HasFolders reports whether the template keeps folders.
func (t Template) HasFolders() bool { return slices.Contains(t.parts, part{"dir", true}) }

// String returns the template's text.
func (t Template) String() string { return t.text }

// Name returns the path of an asset by the template, before it is made safe. number counts the exported assets from 1;
// file is the name of the asset's file.
func (t Template) Name(p *model.Payload, form model.Form, number int, file string) string {
	dir, stem, ext := nameParts(p, form)
	if t.skipsOwnFolder && p.Name == file {
		return stem + ext
	}
	var b strings.Builder
	for _, s := range t.parts {
		if !s.field {
			b.WriteString(s.text)
			continue
		}
		switch s.text {
		case "dir":
			b.WriteString(dir)
		case "name":
			b.WriteString(stem)
		case "ext":
			b.WriteString(ext)
		case "key":
			b.WriteString(SafeName(p.Key))
		case "type":
			b.WriteString(SafeName(archive.TypeOf(p)))
		case "index":
			b.WriteString(strconv.Itoa(number))
		case "file":
			b.WriteString(SafeName(file))
		}
	}
	return b.String()
}

// nameParts cuts the name of an asset into its folder with a slash, its name, and the extension of its form.
func nameParts(p *model.Payload, form model.Form) (dir, stem, ext string) {
	name := p.Name
	if name == "" {
		name = SafeName(p.Key)
	}
	name = strings.ReplaceAll(name, `\`, "/")
	dir, name = path.Split(name)
	stem, ext = splitExt(name)
	if form.Extension != "" {
		ext = form.Extension
	}
	return dir, stem, ext
}
