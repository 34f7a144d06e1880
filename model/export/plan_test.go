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

// many are assets that are described in bulk.
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

func TestPlanOfManyTellsHowFarItIs(t *testing.T) {
	from := &many{n: 5000}
	var picks []export.Pick
	for i := range from.n {
		picks = export.AddPick(picks, export.Pick{From: from, Index: i})
	}
	require.Len(t, picks, 1, "those that follow each other are one pick")
	picks = append(picks, export.Pick{From: from, Index: 7}, export.Pick{From: from, Index: 6})
	var told []export.Progress
	plan, err := export.NewPlan(t.Context(), export.Nowhere{}, picks,
		export.Options{Progress: func(p export.Progress) { told = append(told, p) }})
	require.NoError(t, err)
	require.Equal(t, from.n+2, plan.Len())
	assert.Equal(t, "n4999.txt", plan.Item(4999).Target)
	assert.Equal(t, "n6 (2).txt", plan.Item(5001).Target)
	assert.Equal(t, 2, from.each, "those of one pick are described in bulk")
	require.NotEmpty(t, told)
	assert.True(t, told[0].Planning)
	assert.Equal(t, from.n+2, told[0].Items)

	ctx, stop := context.WithCancel(t.Context())
	done := 0
	_, err = export.NewPlan(ctx, export.Nowhere{}, picks, export.Options{Progress: func(p export.Progress) {
		done = p.Done
		stop()
	}})
	assert.ErrorIs(t, err, context.Canceled)
	assert.Less(t, done, from.n)
}
