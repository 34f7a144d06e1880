package gpb_test

import (
	"bytes"
	"context"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/formats/gpb/gpbtest"
)

var update = flag.Bool("update", false, "write the golden files anew")

// TestGoldenDumps holds the whole dump of small files, written here, to the files in testdata.
func TestGoldenDumps(t *testing.T) {
	for name, v := range map[string]gpbtest.Version{"small-1.0a": gpbtest.V10a, "small-1.2": gpbtest.V12, "small-1.5": gpbtest.V15} {
		t.Run(name, func(t *testing.T) {
			d, report := open(t, write(t, small(), v, gpbtest.ByID))
			var got bytes.Buffer
			require.NoError(t, d.Dump(context.Background(), &got, report))
			golden := filepath.Join("testdata", name+".json")
			if *update {
				require.NoError(t, os.WriteFile(golden, got.Bytes(), 0o644))
			}
			want, err := os.ReadFile(golden)
			require.NoError(t, err)
			assert.Equal(t, string(want), got.String())
		})
	}
}
