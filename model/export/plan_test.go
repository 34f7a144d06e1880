package export_test

import (
	"context"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/model/export"
)

// many is a list of assets that are described in bulk.
type many struct {
	n    int
	each int // calls of At
}

func (m *many) Len() int { return m.n }

func (m *many) At(i int) *model.Payload {
	m.each++
	return m.payload(i)
}

func (m *many) payload(i int) *model.Payload {
	return &model.Payload{Key: fmt.Sprint(i), Name: fmt.Sprintf("n%d.txt", i), Size: 1,
		Open: func(context.Context) (io.ReadCloser, error) { return io.NopCloser(strings.NewReader("x")), nil }}
}

func (m *many) DescribeEach(ctx context.Context, from, to int, each func(i int, p *model.Payload) bool) error {
	for i := from; i < to && each(i, m.payload(i)); i++ {
	}
	return ctx.Err()
}

func TestPlanReportsItsProgress(t *testing.T) {
	from := &many{n: 5000}
	var picks []export.Pick
	for i := range from.n {
		picks = export.AddPick(picks, export.Pick{From: from, Index: i})
	}
	require.Len(t, picks, 1, "adjacent assets are one pick")
	picks = append(picks, export.Pick{From: from, Index: 7}, export.Pick{From: from, Index: 6})
	var reported []export.Progress
	plan, err := export.NewPlan(t.Context(), export.DiscardFolder{}, picks,
		export.Options{Progress: func(p export.Progress) { reported = append(reported, p) }})
	require.NoError(t, err)
	require.Equal(t, from.n+2, plan.Len())
	assert.Equal(t, "n4999.txt", plan.Item(4999).Target)
	assert.Equal(t, "n6 (2).txt", plan.Item(5001).Target)
	assert.Equal(t, 2, from.each, "the assets of one pick are described in bulk")
	require.NotEmpty(t, reported)
	assert.True(t, reported[0].Planning)
	assert.Equal(t, from.n+2, reported[0].Items)

	ctx, stop := context.WithCancel(t.Context())
	done := 0
	_, err = export.NewPlan(ctx, export.DiscardFolder{}, picks, export.Options{Progress: func(p export.Progress) {
		done = p.Done
		stop()
	}})
	assert.ErrorIs(t, err, context.Canceled)
	assert.Less(t, done, from.n)
}

// stored returns n assets of 8 MiB, each step bytes after the previous one.
func stored(n int, step int64) model.PayloadList {
	var list model.PayloadList
	for i := range n {
		list = append(list, &model.Payload{Key: "k", Name: "n", Size: 8 << 20,
			Stored: model.Span{Offset: int64(i) * step, Size: 8 << 20}})
	}
	return list
}

func TestAssetsThatShareTheirBytesAreExcessive(t *testing.T) {
	for name, c := range map[string]struct {
		all    model.PayloadList
		excess bool
	}{
		"all the same":       {stored(1000, 0), true},
		"one after another":  {stored(1000, 8<<20), false},
		"each a little more": {stored(1000, 1000), true},
		"halves":             {stored(1000, 4<<20), false},
		"few":                {stored(100, 0), false},
	} {
		t.Run(name, func(t *testing.T) {
			all := []export.Pick{{From: c.all, Count: len(c.all)}}
			x, is, err := export.FindExcess(t.Context(), all, int64(len(c.all))*8<<20)
			require.NoError(t, err)
			assert.Equal(t, c.excess, is)
			if name == "all the same" {
				assert.EqualError(t, x, "exporting 1,000 assets would write at least 8.4 GB, 1,000 times the 8.4 MB "+
					"stored. The assets share stored bytes or are a decompression bomb")
			}
		})
	}
}

// bombs returns compressed assets of these sizes, which are not recorded.
func bombs(bytes ...int64) (all []*model.Payload) {
	for i, n := range bytes {
		all = append(all, &model.Payload{Key: "k", Name: string(rune('a' + i)), Size: -1, Codec: "zlib",
			Stored: model.Span{Offset: int64(i) * 1000, Size: 1000},
			Open: func(context.Context) (io.ReadCloser, error) {
				return io.NopCloser(io.LimitReader(endless{}, n)), nil
			}})
	}
	return all
}

func TestExcessiveExportIsRefused(t *testing.T) {
	all := bombs(1<<20, 2<<30, 1<<20)
	r := run(t, export.DiscardFolder{}, export.Options{Workers: 1}, all...)
	assert.Equal(t, 1, r.Exported)
	assert.Equal(t, 2, r.Failed)
	assert.Contains(t, r.Row(1).Problem, "exporting 3 assets would write at least 1.1 GB")

	asked := 0
	r = run(t, export.DiscardFolder{}, export.Options{Excess: func(_ context.Context, x export.Excess) bool {
		asked++
		assert.EqualValues(t, 3000, x.Stored)
		return true
	}}, all...)
	assert.Equal(t, 3, r.Exported)
	assert.Equal(t, 1, asked)

	plan, err := export.NewPlan(t.Context(), export.DiscardFolder{}, picks(all...), export.Options{})
	require.NoError(t, err)
	_, is, err := plan.Excess(t.Context())
	require.NoError(t, err)
	assert.False(t, is, "the plan does not know the sizes")
	plan.Allow()
	assert.Equal(t, 3, plan.Run(t.Context()).Exported)
}
