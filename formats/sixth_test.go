package formats

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/formats/formatstest/riff"
	"assay/model/verbs"
)

// TestOneLineAddsAFormat adds the example's line to the table and runs the verbs on a file of the format.
func TestOneLineAddsAFormat(t *testing.T) {
	before := table
	t.Cleanup(func() { table = before })
	table = append(All(), riff.Formats()...)

	path := filepath.Join(t.TempDir(), "a.wav")
	require.NoError(t, os.WriteFile(path, []byte("RIFF\x0e\x00\x00\x00WAVEdata\x02\x00\x00\x00\x01\x02"), 0o644))
	var out, talk bytes.Buffer
	r := &verbs.Runner{Open: OpenFile, OpenSource: Open, Out: &out, Err: &talk}
	ctx := context.Background()
	assert.Equal(t, verbs.Fine, r.Verify(ctx, []string{path}, verbs.VerifyOptions{}))
	assert.Equal(t, verbs.Fine, r.Tree(ctx, path, verbs.TreeOptions{Depth: 4}))
	assert.Contains(t, out.String(), "riff 1.0, 22 bytes, 100 % accounted")
	assert.Contains(t, out.String(), "data [BYTE[]]")
	assert.Empty(t, talk.String())
	d, err := OpenFile(ctx, path)
	require.NoError(t, err)
	defer d.Source.Close()
	assert.Equal(t, "audio/x-wav", Recognise(d.Source).MIME)
}
