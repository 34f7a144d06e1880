package formatstest

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// Golden holds how a file was made, and the whole dump of its document, to testdata/golden/NAME.json; go test -update
// writes that file.
func Golden(t *testing.T, name, made string, d *model.Document) {
	t.Helper()
	report, err := d.Check(context.Background(), nil)
	require.NoError(t, err)
	origin, err := json.Marshal(made)
	require.NoError(t, err)
	got := bytes.NewBufferString(`{"made":` + string(origin) + ",\n\"dump\":")
	require.NoError(t, d.Dump(context.Background(), got, report))
	got.WriteString("}\n")
	checkGolden(t, name+".json", got.String())
}

// Damaged is the document of a damaged file, and how the file was made.
type Damaged struct {
	Name, Made string
	Document   *model.Document
}

// GoldenProblems compares the problems of damaged files with testdata/golden/NAME.txt: how each file was made, its
// variant, its accounted bytes, and every problem. go test -update writes that file.
func GoldenProblems(t *testing.T, name string, files []Damaged) {
	t.Helper()
	var got strings.Builder
	for _, f := range files {
		d := f.Document
		report, err := d.Check(context.Background(), nil)
		require.NoError(t, err, f.Name)
		fmt.Fprintf(&got, "%s\n    made: %s\n    read as: %s", f.Name, f.Made, d.Variant)
		if d.Why != "" {
			got.WriteString(": " + d.Why)
		}
		fmt.Fprintf(&got, "\n    accounted: %d of %d bytes\n", report.Accounted, d.Source.Size())
		for _, p := range report.Problems {
			fmt.Fprintf(&got, "    %s: %s %s: %s\n", p.Severity, p.Path, p.Span, p.Message)
		}
		if report.Omitted > 0 {
			fmt.Fprintf(&got, "    and %d more\n", report.Omitted)
		}
		got.WriteString("\n")
	}
	checkGolden(t, name+".txt", got.String())
}

// checkGolden compares a text with a golden file, or writes that.
func checkGolden(t *testing.T, name, got string) {
	t.Helper()
	golden := filepath.Join("testdata", "golden", strings.ReplaceAll(name, " ", "-"))
	if *update {
		require.NoError(t, os.MkdirAll(filepath.Dir(golden), 0o755))
		require.NoError(t, os.WriteFile(golden, []byte(got), 0o644))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err, "go test -update writes it")
	assert.Equal(t, string(want), got)
}
