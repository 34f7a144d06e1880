package ppac

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/formats/ppac/ppactest"
	"assay/model"
)

// timed is a container of assets that all were changed at a time, with metadata of the file.
func timed(time int64, pair string, contents map[uint32]string) ppactest.Archive {
	a := ppactest.Archive{Created: 1, Modified: time, Metadata: ppactest.Pairs("of", pair)}
	for unique := range uint32(4) {
		if text, ok := contents[unique]; ok {
			a.Assets = append(a.Assets, ppactest.Asset{TPU: ppactest.NewTPU(0x100, 0, unique), Created: 1,
				Modified: time, Content: []byte(text), Metadata: ppactest.Pairs("filename", "a.txt")})
		}
	}
	return a
}

// Assets that are packed again have other times. Beside a change of the content, or the same one, that is none.
func TestTimesAreNoConflict(t *testing.T) {
	docs := func(all ...ppactest.Archive) (out []*model.Document) {
		for _, a := range all {
			out = append(out, opened(t, written(t, a)))
		}
		return out
	}
	d := docs(timed(5, "base", map[uint32]string{0: "same", 1: "old", 2: "old", 3: "gone"}),
		timed(6, "base", map[uint32]string{0: "same", 1: "new", 2: "old"}),
		timed(7, "theirs", map[uint32]string{0: "same", 1: "old", 2: "other", 3: "gone"}))
	m, err := merge(t.Context(), d[0], d[1], d[2])
	require.NoError(t, err)
	require.Len(t, m.Assets, 4)
	assert.True(t, m.Assets[0].Alike)
	assert.Equal(t, [3]bool{false, true, false}, m.Assets[1].Changed)
	assert.Equal(t, [3]bool{false, false, true}, m.Assets[2].Changed)
	assert.Equal(t, -1, m.Assets[3].At[model.Mine])
	assert.True(t, m.Assets[1].MetadataAlike)

	p, err := m.Packing(t.Context(), []model.Pick{{Version: model.Mine}, {Version: model.Mine}, {Version: model.Theirs},
		{Version: model.Mine}})
	require.NoError(t, err)
	var out bytes.Buffer
	require.NoError(t, p.Write(t.Context(), &out))
	merged := opened(t, out.Bytes())
	assert.Equal(t, 3, merged.Payloads.Len(), "mine has no fourth")
	f, err := openedFile(merged)
	require.NoError(t, err)
	pairs, err := f.pairs()
	require.NoError(t, err)
	assert.Equal(t, ppactest.Pairs("of", "theirs"), pairs, "only theirs changed those of the file")
	assert.EqualValues(t, 7, f.header.Modified)
}
