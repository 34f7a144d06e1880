package cli

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const messagesFile = "cli/testdata/messages.txt"

// sentence matches a text for people: two consecutive words.
var sentence = regexp.MustCompile(`\pL{2,}[,.:;)"']? [("']?\pL{2,}`)

// TestMessages keeps a list of all texts in the source that a person may read, so that they can be read in one sitting
// and stay consistent. Parts that are inserted at run time are replaced by "…".
func TestMessages(t *testing.T) {
	found := make(map[string]bool)
	require.NoError(t, filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && path != "." && (strings.HasPrefix(d.Name(), ".") || strings.HasSuffix(d.Name(), "test") ||
			slices.Contains([]string{"build", "packaging", "testdata"}, d.Name())) {
			return fs.SkipDir
		}
		if d.IsDir() || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		messagesIn(file, found)
		return nil
	}))
	var all []string
	for text := range found {
		all = append(all, text)
	}
	slices.SortFunc(all, func(a, b string) int {
		return strings.Compare(strings.ToLower(a)+a, strings.ToLower(b)+b)
	})
	want := strings.Join(all, "\n") + "\n"
	if *update {
		require.NoError(t, os.MkdirAll(filepath.Dir(messagesFile), 0o755))
		require.NoError(t, os.WriteFile(messagesFile, []byte(want), 0o644))
		return
	}
	kept, err := os.ReadFile(messagesFile)
	require.NoError(t, err)
	before := strings.Split(strings.TrimSuffix(string(kept), "\n"), "\n")
	const advice = "Read it once more (is it plain English?), then write the list again:\n" +
		"    go test -tags migrated_fynedo -run TestMessages ./cli -update"
	for _, text := range all {
		assert.True(t, slices.Contains(before, text), "a new text that people read: %q. %s", text, advice)
	}
	for _, text := range before {
		assert.True(t, slices.Contains(all, text), "a text that people read is gone: %q. %s", text, advice)
	}
}

// messagesIn adds the texts of a file to found.
func messagesIn(file *ast.File, found map[string]bool) {
	add := func(text string) {
		for line := range strings.SplitSeq(text, "\n") {
			if line = strings.TrimSpace(line); sentence.MatchString(line) {
				found[line] = true
			}
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.Field:
			if n.Tag != nil {
				tag, _ := strconv.Unquote(n.Tag.Value)
				add(reflect.StructTag(tag).Get("help"))
				n.Tag = nil
			}
		case *ast.BinaryExpr:
			if text, ok := joinedText(n); ok {
				add(text)
				return false
			}
		case *ast.BasicLit:
			if n.Kind == token.STRING {
				text, _ := strconv.Unquote(n.Value)
				add(text)
			}
		}
		return true
	})
}

// joinedText returns the value of a concatenation with at least one text.
func joinedText(e ast.Expr) (text string, ok bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		if e.Kind == token.STRING {
			text, _ = strconv.Unquote(e.Value)
			return text, true
		}
	case *ast.BinaryExpr:
		if e.Op == token.ADD {
			a, one := joinedText(e.X)
			b, other := joinedText(e.Y)
			return a + b, one || other
		}
	}
	return "…", false
}
