package export

import (
	"path"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
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
