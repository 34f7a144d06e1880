package gpb_test

import (
	"context"
	"go/parser"
	"go/token"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/formats/formatstest"
	"assay/formats/gpb"
	"assay/formats/gpb/gpbtest"
	"assay/model"
)

var infinity = float32(math.Inf(1))

func open(t testing.TB, b []byte) (*model.Document, *model.Report) {
	t.Helper()
	opened, err := gpb.Open(context.Background(), gpbtest.Source(b))
	require.NoError(t, err)
	report, err := opened.Document.Check(context.Background(), nil)
	require.NoError(t, err)
	return opened.Document, report
}

func read(t testing.TB, b []byte) *gpb.File {
	t.Helper()
	f, err := gpb.Read(context.Background(), gpbtest.Source(b))
	require.NoError(t, err)
	return f
}

// requireSound opens b and requires that all bytes are explained without a problem.
func requireSound(t testing.TB, b []byte) *model.Document {
	t.Helper()
	d, report := open(t, b)
	formatstest.Sound(t, d, report)
	return d
}

// value returns the value at a path.
func value(t testing.TB, d *model.Document, path string) any {
	t.Helper()
	n, err := d.Find(path)
	require.NoError(t, err)
	if a, ok := n.Value.(model.Array); ok {
		all, err := a.Slice(0, a.Len())
		require.NoError(t, err)
		return all
	}
	return n.Value
}

// TestDecoderImportsNoPackageBelow tests that the decoder does not import the packages in its folder.
func TestDecoderImportsNoPackageBelow(t *testing.T) {
	files, err := filepath.Glob("*.go")
	require.NoError(t, err)
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		require.NoError(t, err)
		for _, i := range f.Imports {
			assert.NotContains(t, i.Path.Value, "assay/formats/gpb/", name)
		}
	}
}
