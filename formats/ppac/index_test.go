package ppac

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/formats/decode"
	"assay/formats/ppac/ppactest"
	"assay/model"
)

// fileIn reads a container as Open does.
func fileIn(ctx context.Context, src *model.Source) (*File, error) {
	c := decode.New(ctx, src, "Ppac", order, &types)
	head, err := readHead(c)
	if err != nil {
		return nil, err
	}
	f, _, err := read(ctx, c, head)
	return f, err
}

// fileOf opens a container as Open does.
func fileOf(t *testing.T, path string) *File {
	src, err := model.OpenFile(path)
	require.NoError(t, err)
	t.Cleanup(func() { src.Close() })
	f, err := fileIn(t.Context(), src)
	require.NoError(t, err)
	return f
}

func TestEntriesAreFoundInTheOrderOfTheFile(t *testing.T) {
	for _, mixed := range []bool{false, true} {
		f := fileOf(t, writeMany(t, 500, ppactest.Layout{SizeWidth: 4, PositionWidth: 4}, mixed))
		require.Equal(t, mixed, f.assets.order != nil)
		entries := f.EntriesInOrder(f.assets.order)
		steps := []int{499, 0, 1, 2, 3, 250, 251, 249, 100}
		for k := range f.assets.count {
			steps = append(steps, k)
		}
		for _, k := range steps {
			require.Equal(t, f.entries.entry(f.assets.recordOf(k)), *entries.At(k), "asset %d", k)
		}
	}
}

func TestDuplicateTPUsAreFound(t *testing.T) {
	for name, test := range map[string]struct {
		tpus  []TPU
		twice []TPU
	}{
		"none":              {},
		"rising":            {tpus: []TPU{{1, 1, 5}, {1, 2, 1}, {2, 1, 1}}},
		"rising unique ids": {tpus: []TPU{{2, 1, 1}, {1, 1, 2}, {1, 1, 3}}},
		"neither, distinct": {tpus: []TPU{{2, 1, 1}, {1, 1, 2}, {1, 1, 1}}},
		"one after another": {tpus: []TPU{{1, 1, 1}, {1, 1, 1}}, twice: []TPU{{1, 1, 1}}},
		"far from each other": {tpus: []TPU{{1, 1, 3}, {2, 0, 1}, {1, 1, 3}, {2, 0, 1}, {2, 0, 1}},
			twice: []TPU{{1, 1, 3}, {2, 0, 1}}},
	} {
		t.Run(name, func(t *testing.T) {
			var l tpuList
			for _, tpu := range test.tpus {
				l.add(tpu)
			}
			var twice []uint64
			for _, tpu := range test.twice {
				twice = append(twice, tpu.Bits())
			}
			assert.Equal(t, twice, l.duplicates())
		})
	}
}
