package cli

import (
	"cmp"
	"fmt"
	"go/doc"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const minPackageLines = 250 // packages with fewer lines must be in smallPackages

// smallPackages has the reasons for packages with fewer than minPackageLines lines that are not for tests.
var smallPackages = map[string]string{
	".":                   "main",
	"assets":              "what is embedded, without imports",
	"model/checksum":      "assembly of its own",
	"model/thumbs":        "kept pictures, which other programs share",
	"ui":                  "what the command line gives to the window",
	"ui/work":             "goroutines with an owner, for all parts",
	"ui/thumbnail":        "loads for lists of any kind",
	"ui/window/locale":    "runs before the toolkit does",
	"ui/window/stack":     "knows no document",
	"packaging/bundle":    "a program",
	"packaging/resources": "a program",
}

// goPackage is a package of the program, or a package for tests.
type goPackage struct {
	imports  []string // of this project, without tests
	synopsis string
	lines    int
}

// goPackages returns the packages of the project by folder, with the files for all systems.
func goPackages(t *testing.T) map[string]*goPackage {
	t.Helper()
	all := make(map[string]*goPackage)
	require.NoError(t, filepath.WalkDir(".", func(file string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (file == "build" || strings.HasPrefix(file, ".") && file != "." || d.Name() == "testdata"):
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go"):
			return nil
		}
		content, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, content, parser.ParseComments|parser.ImportsOnly)
		if err != nil {
			return err
		}
		folder := path.Dir(filepath.ToSlash(file))
		p := all[folder]
		if p == nil {
			p = &goPackage{}
			all[folder] = p
		}
		p.lines += strings.Count(string(content), "\n")
		if f.Doc != nil {
			p.synopsis = new(doc.Package).Synopsis(f.Doc.Text())
		}
		for _, i := range f.Imports {
			to, ours := strings.CutPrefix(strings.Trim(i.Path.Value, `"`), "assay/")
			if ours && !slices.Contains(p.imports, to) {
				p.imports = append(p.imports, to)
			}
		}
		return nil
	}))
	return all
}

// layers are the top-level folders, lowest first.
var layers = []string{"assets", "model", "formats", "ui", "packaging", "cli", "."}

func layerOf(folder string) string { return strings.Split(folder, "/")[0] }

// importOrder sorts packages so that each imports only packages before it: by layer, and then by name where possible.
func importOrder(t *testing.T, all map[string]*goPackage) (order []string) {
	t.Helper()
	remaining := slices.SortedFunc(maps.Keys(all), func(a, b string) int {
		return cmp.Or(slices.Index(layers, layerOf(a))-slices.Index(layers, layerOf(b)), strings.Compare(a, b))
	})
	for len(remaining) > 0 {
		i := slices.IndexFunc(remaining, func(p string) bool {
			return !slices.ContainsFunc(all[p].imports, func(to string) bool { return slices.Contains(remaining, to) })
		})
		require.GreaterOrEqual(t, i, 0, "packages that import each other: %v", remaining)
		order = append(order, remaining[i])
		remaining = slices.Delete(remaining, i, i+1)
	}
	return order
}

// TestArchitecture tests the list of packages in docs/ARCHITECTURE.md, in the order of their imports, or writes it with
// -update.
func TestArchitecture(t *testing.T) {
	all := goPackages(t)
	var b strings.Builder
	tests, under := "", ""
	for _, p := range importOrder(t, all) {
		name := cmp.Or(strings.TrimPrefix(p, "."), "main")
		about := strings.TrimPrefix(all[p].synopsis, "Package "+path.Base(name)+" ")
		line := fmt.Sprintf("- `%s` %s\n", name, about)
		assert.NotEmpty(t, all[p].synopsis, "%s has no doc", p)
		if forTests(p) || strings.Contains(p, "test/") {
			tests += line
			continue
		}
		if f := layerOf(p); f != under {
			if under != "" {
				b.WriteString("\n")
			}
			under = f
			fmt.Fprintf(&b, "### %s\n\n", cmp.Or(strings.TrimPrefix(f, "."), "main"))
		}
		b.WriteString(line)
	}
	b.WriteString("\n### For tests\n\n" + tests)
	checkList(t, "docs/ARCHITECTURE.md", "packages", b.String())
}

// isWithin reports whether a package is in a folder or below it.
func isWithin(p, folder string) bool { return p == folder || strings.HasPrefix(p, folder+"/") }

// TestImportsFollowTheArchitecture tests that packages import only what docs/ARCHITECTURE.md permits.
func TestImportsFollowTheArchitecture(t *testing.T) {
	all := goPackages(t)
	for from, p := range all {
		for _, to := range p.imports {
			assert.True(t, mayImport(from, to), "%s imports %s", from, to)
		}
		if p.lines < minPackageLines && !forTests(from) && !strings.Contains(from, "test/") {
			assert.Contains(t, smallPackages, from, "%s has %d lines: it needs a reason to be a package", from, p.lines)
		}
	}
	for _, never := range []struct{ from, to string }{
		{"formats/ppac", "formats/ppac/write"}, {"formats/ppac", "formats/ppac/packing"},
		{"formats/ppac/write", "formats/ppac"}, {"formats/ppac/write", "formats/ppac/packing"},
		{"model/compare/align", "model/compare"}, {"model/compare", "model/compare/contents"},
		{"model/compare/contents", "model/compare/changes"}, {"model/compare/changes", "model/compare/merge"},
		{"model/compare/changes", "model/compare/report"}, {"model/compare/merge", "model/compare/report"},
		{"model/compare/report", "model/compare/merge"},
	} {
		require.Contains(t, all, never.from)
		require.Contains(t, all, never.to)
		assert.NotContains(t, all[never.from].imports, never.to, "%s imports %s", never.from, never.to)
	}
	const comparison = "ui/comparison"
	for from, p := range all {
		for _, to := range p.imports {
			switch {
			case from == comparison || !isWithin(to, comparison):
			case isWithin(from, comparison):
				assert.Equal(t, comparison+"/compared", to, "%s imports %s", from, to)
			case to == comparison || to == comparison+"/three":
				assert.Contains(t, []string{"ui/window", "ui/opening"}, from, "%s imports %s", from, to)
			}
		}
	}
}

// mayImport reports whether a package may import another, by their layers.
func mayImport(from, to string) bool {
	switch f := layerOf(from); f {
	case ".":
		return to == "cli"
	case "cli":
		return true
	case "assets":
		return false
	case "model":
		return isWithin(to, "model")
	case "ui":
		return isWithin(to, "model") || isWithin(to, "ui")
	case "packaging":
		return isWithin(to, "assets") || isWithin(to, "formats") || isWithin(to, "model") || to == "ui/desktop"
	default: // the table of formats imports every format, and a format model, decode and its own packages
		if isWithin(to, "model") || to == "formats/decode" || from == "formats" {
			return isWithin(to, "model") || isWithin(to, "formats")
		}
		format := strings.Join(strings.SplitN(from, "/", 3)[:2], "/")
		return isWithin(to, format) || forTests(from) && (isWithin(to, "formats") || to == "assets")
	}
}

// TestNoWindowNeedsNoToolkit tests that a build without a window does not link Fyne.
func TestNoWindowNeedsNoToolkit(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("SKIPPED: no go command")
	}
	list := exec.Command("go", "list", "-deps", "-tags", "migrated_fynedo", ".")
	list.Env = append(os.Environ(), "CGO_ENABLED=0")
	out, err := list.Output()
	require.NoError(t, err)
	assert.Contains(t, string(out), "assay/cli")
	assert.NotContains(t, string(out), "fyne.io/")
}
