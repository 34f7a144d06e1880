package model

import (
	"net/url"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// nameShown is how many characters of a file's name are shown: file systems permit no longer ones.
const nameShown = 255

// FileName returns the name of the file at a path as it is shown, in the window and in every report: its base name,
// with what OneLine escapes. A byte that is not UTF-8 is shown as \x83.
func FileName(path string) string { return OneLine(filepath.Base(path), nameShown) }

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

// FoldName returns what two paths have in common that are one file on Windows or macOS: case and the composition of
// letters make no difference there.
func FoldName(s string) string {
	if plainASCII(s) {
		return strings.ToLower(s)
	}
	return norm.NFC.String(strings.ToLower(strings.ToUpper(norm.NFD.String(s))))
}

func plainASCII(s string) bool {
	for i := range len(s) {
		if s[i] < 0x20 || s[i] >= 0x7F {
			return false
		}
	}
	return true
}
