package formatstest

import (
	"bytes"
	"context"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
)

var update = flag.Bool("update", false, "write the golden files anew")

// Golden holds the whole dump of a document to testdata/golden/NAME.json; go test -update writes that file.
func Golden(t *testing.T, name string, d *model.Document) {
	t.Helper()
	report, err := d.Check(context.Background(), nil)
	require.NoError(t, err)
	var got bytes.Buffer
	require.NoError(t, d.Dump(context.Background(), &got, report))
	golden := filepath.Join("testdata", "golden", strings.ReplaceAll(name, " ", "-")+".json")
	if *update {
		require.NoError(t, os.MkdirAll(filepath.Dir(golden), 0o755))
		require.NoError(t, os.WriteFile(golden, got.Bytes(), 0o644))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err, "go test -update writes it")
	assert.Equal(t, string(want), got.String())
}
