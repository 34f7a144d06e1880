package assets_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/formats"
)

// TestReadmeTable holds the table of the readme to the table of formats: a row for each, with its extensions.
func TestReadmeTable(t *testing.T) {
	readme, err := os.ReadFile(filepath.Join("..", "README.md"))
	require.NoError(t, err)
	_, rows, found := strings.Cut(string(readme), "|---|---|\n")
	require.True(t, found)
	rows, _, _ = strings.Cut(rows, "\n\n")
	lines := strings.Split(rows, "\n")
	all := formats.FileTypes()
	require.Len(t, lines, len(all))
	for i, typ := range all {
		cells := strings.Split(lines[i], "|")
		require.Len(t, cells, 4, lines[i])
		assert.Equal(t, typ.Title, strings.TrimSpace(cells[1]))
		assert.Equal(t, typ.Extensions(), extensionsIn(cells[2]), lines[i])
	}
}

// extensionsIn returns the extensions that a cell of the table names.
func extensionsIn(cell string) []string {
	var all []string
	for i, part := range strings.Split(cell, "`") {
		if i%2 == 1 {
			all = append(all, part)
		}
	}
	return all
}
