package cli

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/dustin/go-humanize"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const securityFile = "docs/SECURITY.md"

// limitName matches the names of constants that are limits.
var limitName = regexp.MustCompile(`^([Mm]ax|[Mm]ost)[A-Z]|(Max|Most|Limit)$|^(Most|Max)$`)

// constants maps the folder and name of package-level constants, such as model.ExpandLimit, to their values.
type constants map[string]ast.Expr

// readConstants parses the files of the program for all systems.
func readConstants(t *testing.T) constants {
	t.Helper()
	all := make(constants)
	for _, top := range []string{"cli", "formats", "model", "ui"} {
		require.NoError(t, filepath.WalkDir(top, func(file string, d fs.DirEntry, err error) error {
			if err == nil && d.IsDir() && forTests(file) {
				return fs.SkipDir
			}
			if err != nil || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
				return err
			}
			f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			all.add(path.Dir(filepath.ToSlash(file)), f)
			return nil
		}))
	}
	return all
}

// add adds the constants of a file.
func (c constants) add(folder string, f *ast.File) {
	for _, d := range f.Decls {
		d, ok := d.(*ast.GenDecl)
		if !ok || d.Tok != token.CONST {
			continue
		}
		for _, s := range d.Specs {
			s := s.(*ast.ValueSpec)
			for i, name := range s.Names {
				if i < len(s.Values) {
					c[folder+"."+name.Name] = s.Values[i]
				}
			}
		}
	}
}

// importedConstants are the constants of other modules in the values of limits.
var importedConstants = map[string]int64{"time.Second": int64(time.Second), "time.Minute": int64(time.Minute),
	"time.Millisecond": int64(time.Millisecond), "utf8.UTFMax": utf8.UTFMax}

// value evaluates an expression in a folder.
func (c constants) value(folder string, e ast.Expr) constant.Value {
	switch e := e.(type) {
	case *ast.BasicLit:
		return constant.MakeFromLiteral(e.Value, e.Kind, 0)
	case *ast.ParenExpr:
		return c.value(folder, e.X)
	case *ast.BinaryExpr:
		x, y := c.value(folder, e.X), c.value(folder, e.Y)
		switch e.Op {
		case token.SHL:
			n, _ := constant.Uint64Val(y)
			return constant.Shift(x, e.Op, uint(n))
		case token.QUO:
			if x.Kind() == constant.Int && y.Kind() == constant.Int {
				return constant.BinaryOp(x, token.QUO_ASSIGN, y) // of integers
			}
		}
		return constant.BinaryOp(x, e.Op, y)
	case *ast.Ident:
		return c.value(folder, c[folder+"."+e.Name])
	case *ast.SelectorExpr:
		name := e.X.(*ast.Ident).Name + "." + e.Sel.Name
		if v, ok := importedConstants[name]; ok {
			return constant.MakeInt64(v)
		}
		return c.value("model", c[name])
	case *ast.CallExpr: // a conversion
		return c.value(folder, e.Args[0])
	}
	return constant.MakeUnknown()
}

// isTime reports whether the value of a constant is a time.
func isTime(e ast.Expr) (found bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		x, ok := n.(*ast.Ident)
		found = found || ok && x.Name == "time"
		return true
	})
	return found
}

// limit returns the value of a constant as a number and, if it is a multiple of 1 Ki, with a unit. A fraction, such as
// the limit of a share, has no unit.
func (c constants) limit(t *testing.T, name string) (number, bytes string) {
	t.Helper()
	e := c[name]
	require.NotNil(t, e, "%s has no constant %s", securityFile, name)
	value := c.value(name[:strings.LastIndex(name, ".")], e)
	n, ok := constant.Int64Val(constant.ToInt(value))
	if value.Kind() == constant.Float && !ok {
		return value.String(), ""
	}
	require.True(t, ok, "the value of %s is unknown", name)
	if isTime(e) {
		return time.Duration(n).String(), ""
	}
	for i, unit := range []string{"Gi", "Mi", "Ki"} {
		if size := int64(1) << (30 - 10*i); n >= size && n%size == 0 {
			return humanize.Comma(n), humanize.Comma(n/size) + " " + unit
		}
	}
	return humanize.Comma(n), ""
}

// TestDocumentsListTheLimits compares the tables of limits with the constants of the program, and writes the list of
// all limits.
func TestDocumentsListTheLimits(t *testing.T) {
	all := readConstants(t)
	content, err := os.ReadFile(securityFile)
	require.NoError(t, err)
	row := regexp.MustCompile("(?m)^\\| .* \\| (.*) \\| `(.*)` \\|$")
	rows := row.FindAllStringSubmatch(string(content), -1)
	require.NotEmpty(t, rows)
	for _, row := range rows {
		number, bytes := all.limit(t, row[2])
		assert.Contains(t, []string{number, bytes + "B"}, row[1], row[2])
	}

	byFile := make(map[string][]string)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		i := strings.LastIndex(name, ".")
		if folder, short := name[:i], name[i+1:]; limitName.MatchString(short) {
			number, bytes := all.limit(t, name)
			if strings.HasSuffix(bytes, "Mi") || strings.HasSuffix(bytes, "Gi") {
				number = bytes
			}
			byFile[folder] = append(byFile[folder], short+" "+number)
		}
	}
	var list strings.Builder
	for _, folder := range slices.Sorted(maps.Keys(byFile)) {
		fmt.Fprintf(&list, "- `%s`: %s\n", folder, strings.Join(byFile[folder], ", "))
	}
	checkList(t, securityFile, "limits", list.String())
}

// TestDocumentsHaveTheVersion compares the version of a program that was built without make with that of the documents.
func TestDocumentsHaveTheVersion(t *testing.T) {
	for file, line := range map[string]string{"FyneApp.toml": `(?m)^Version = "(.*)"$`,
		"main.go": `(?m)^var version = "(.*)"$`} {
		content, err := os.ReadFile(file)
		require.NoError(t, err)
		version := regexp.MustCompile(line).FindStringSubmatch(string(content))
		require.NotNil(t, version, file)
		changes, err := os.ReadFile("CHANGELOG.md")
		require.NoError(t, err)
		assert.Contains(t, string(changes), "\n## "+version[1]+"\n", file)
	}
}

// checkList compares the part of a document between two comments with want or, with -update, writes it.
func checkList(t *testing.T, file, name, want string) {
	t.Helper()
	content, err := os.ReadFile(file)
	require.NoError(t, err)
	part := regexp.MustCompile(`(?s)<!-- ` + name + ` -->.*<!-- end of the ` + name + ` -->`)
	want = fmt.Sprintf("<!-- %s -->\n\n%s\n<!-- end of the %s -->", name, want, name)
	if *update {
		require.NoError(t, os.WriteFile(file, part.ReplaceAllLiteral(content, []byte(want)), 0o644))
		return
	}
	assert.Equal(t, want, string(part.Find(content)), "write it again: go test -tags migrated_fynedo -run 'Documents|Architecture' ./cli -update")
}
