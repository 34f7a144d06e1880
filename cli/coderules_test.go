package cli

import (
	"cmp"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/formats"
)

// sources parses the files of the program below a folder, without tests and packages for tests. It returns them by
// path.
func sources(t *testing.T, folder string) map[string]*ast.File {
	t.Helper()
	all := make(map[string]*ast.File)
	require.NoError(t, filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && forTests(path) {
			return fs.SkipDir
		}
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		all[filepath.ToSlash(path)], err = parser.ParseFile(token.NewFileSet(), path, nil, 0)
		return err
	}))
	require.NotEmpty(t, all)
	return all
}

// forTests reports whether a folder contains a package for tests, or data for tests.
func forTests(path string) bool {
	return strings.HasSuffix(path, "test") || filepath.Base(path) == "testdata"
}

// TestFormatsAreInTheTableOnly tests that a format is one folder and one line: the table imports every folder, or the
// package in it that connects the others, and nothing in model or ui contains the name of a format.
func TestFormatsAreInTheTableOnly(t *testing.T) {
	folders, err := os.ReadDir("formats")
	require.NoError(t, err)
	var imported []string
	for path, f := range sources(t, "formats") {
		for _, i := range f.Imports {
			below, ok := strings.CutPrefix(strings.Trim(i.Path.Value, `"`), "assay/formats/")
			if ok && !strings.HasSuffix(path, "_test.go") {
				folder, _, _ := strings.Cut(below, "/")
				imported = append(imported, folder)
			}
		}
	}
	for _, f := range folders {
		if f.IsDir() && !forTests(f.Name()) {
			assert.Contains(t, imported, f.Name())
		}
	}
	var names []string
	for _, f := range formats.All() {
		names = append(names, f.Name, f.MIME)
	}
	word := func(r rune) bool { return !strings.ContainsRune("abcdefghijklmnopqrstuvwxyz-/", r) }
	for _, folder := range []string{"model", "ui"} {
		for path, f := range sources(t, folder) {
			ast.Inspect(f, func(n ast.Node) bool {
				if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING {
					for _, w := range strings.FieldsFunc(l.Value, word) {
						assert.False(t, slices.Contains(names, w), "%s says %s", path, l.Value)
					}
				}
				return true
			})
		}
	}
}

// TestFilesAreSharedWhileTheyAreOpen tests that code for Windows calls model.OpenShared: with os.Open, other programs
// could not rename or remove the file.
func TestFilesAreSharedWhileTheyAreOpen(t *testing.T) {
	windows := build.Default
	windows.GOOS, windows.GOARCH, windows.CgoEnabled = "windows", "amd64", true
	for _, folder := range []string{"model", "formats", "ui"} {
		for path, f := range sources(t, folder) {
			runs, err := windows.MatchFile(filepath.Split(path))
			require.NoError(t, err)
			if !runs {
				continue
			}
			ast.Inspect(f, func(n ast.Node) bool {
				if s, ok := n.(*ast.SelectorExpr); ok {
					if of, ok := s.X.(*ast.Ident); ok && of.Name == "os" {
						assert.NotContains(t, []string{"Open", "ReadFile"}, s.Sel.Name, path)
					}
				}
				return true
			})
		}
	}
}

// TestOnlyModelUIAndTheCommandLineStartGoroutines tests that goroutines start only where each has an owner and a
// context.
func TestOnlyModelUIAndTheCommandLineStartGoroutines(t *testing.T) {
	for _, folder := range []string{"assets", "formats", "packaging"} {
		for path, f := range sources(t, folder) {
			ast.Inspect(f, func(n ast.Node) bool {
				_, starts := n.(*ast.GoStmt)
				assert.False(t, starts, "%s starts a goroutine", path)
				if s, ok := n.(*ast.SelectorExpr); ok {
					assert.NotEqual(t, "Go", s.Sel.Name, "%s starts a goroutine", path)
				}
				return true
			})
		}
	}
}

// quoted matches a string literal, which cannot be wrapped.
var quoted = regexp.MustCompile("\"(?:\\\\.|[^\"\\\\])*\"|`[^`]*`")

// TestLinesFit tests that lines have at most 120 columns, with tabs of four, unless a string literal is longer.
func TestLinesFit(t *testing.T) {
	const most = 120
	require.NoError(t, filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil || path == "build":
			return cmp.Or(err, fs.SkipDir)
		case d.IsDir() || !strings.HasSuffix(path, ".go"):
			return nil
		}
		content, err := os.ReadFile(path)
		raw := false
		for i, line := range strings.Split(string(content), "\n") {
			begins := strings.Count(line, "`")%2 == 1
			if inside := raw || begins; !inside {
				rest := quoted.ReplaceAllString(strings.ReplaceAll(line, "\t", "    "), "")
				assert.LessOrEqual(t, utf8.RuneCountInString(rest), most, "%s:%d", path, i+1)
			}
			raw = raw != begins
		}
		return err
	}))
}
