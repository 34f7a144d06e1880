package assets_test

import (
	"bytes"
	"context"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/assets"
	"assay/formats"
	"assay/formats/gpb"
	"assay/model"
)

var update = flag.Bool("update", false, "write the samples anew")

func writeBundle(t *testing.T, f *gpb.File, v gpb.Version) []byte {
	var b bytes.Buffer
	require.NoError(t, gpb.Write(&b, f, v, gpb.ByID))
	return b.Bytes()
}

// TestSamples holds the files in samples to the code that writes them.
func TestSamples(t *testing.T) {
	for name, make := range map[string]func(t *testing.T) []byte{
		"duck.gpb":      func(t *testing.T) []byte { return writeBundle(t, duck(), gpb.V14) },
		"goregular.gpb": func(t *testing.T) []byte { return writeBundle(t, goRegular(t), gpb.V15) },
	} {
		t.Run(name, func(t *testing.T) {
			file, want := filepath.Join("samples", name), make(t)
			if *update {
				require.NoError(t, os.WriteFile(file, want, 0o644))
			}
			got, err := os.ReadFile(file)
			require.NoError(t, err)
			assert.True(t, bytes.Equal(want, got), "%s is not what the code writes: go generate ./assets", file)
		})
	}
}

// TestSamplesAreSound opens every sample as the program does.
func TestSamplesAreSound(t *testing.T) {
	for _, s := range assets.Samples() {
		t.Run(s.Name, func(t *testing.T) {
			assert.Less(t, len(s.Bytes), 60<<10)
			assert.NotEmpty(t, s.Title)
			d, err := formats.Open(context.Background(), model.NewSource(s.Name, bytes.NewReader(s.Bytes), int64(len(s.Bytes))))
			require.NoError(t, err)
			report, err := d.Check(context.Background(), nil)
			require.NoError(t, err)
			assert.Empty(t, report.Problems)
			assert.EqualValues(t, len(s.Bytes), report.Accounted)
		})
	}
}
