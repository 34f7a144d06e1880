package outline_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/ui/outline"
)

// shown is a level with the indexes of its displayed children, in order.
type shown []int

func (s shown) Len() int          { return len(s) }
func (s shown) Index(pos int) int { return s[pos] }
func (s shown) Position(index int) (int, bool) {
	pos := slices.Index(s, index)
	return pos, pos >= 0
}

// made returns an outline in which every node displays its children 2 and 0, down to a depth of 3.
func made() *outline.Outline[shown] {
	return outline.New(shown{0}, func(p outline.RowPos[shown]) shown {
		if p.Depth() == 3 {
			return nil
		}
		return shown{2, 0}
	})
}

func paths(o *outline.Outline[shown]) []string {
	var all []string
	for row := range o.Len() {
		all = append(all, fmt.Sprint([]int(o.At(row).Path())))
	}
	return all
}

func TestRowsAreTheExpandedPart(t *testing.T) {
	o := made()
	assert.Equal(t, []string{"[]"}, paths(o))
	_, n := o.Expand(o.Root())
	assert.EqualValues(t, 2, n)
	assert.Equal(t, []string{"[]", "[2]", "[0]"}, paths(o))
	o.Expand(o.At(1))
	b, n := o.Expand(o.At(4))
	require.NotNil(t, b)
	assert.EqualValues(t, 2, n)
	assert.Equal(t, []string{"[]", "[2]", "[2 2]", "[2 0]", "[0]", "[0 2]", "[0 0]"}, paths(o))
	assert.EqualValues(t, 6, o.At(0).Open.Rows())
	_, n = o.Expand(o.At(4))
	assert.Zero(t, n, "it is open")
	assert.EqualValues(t, 2, o.Collapse(o.At(1)))
	assert.Zero(t, o.Collapse(o.At(1)), "it is closed")
	assert.Equal(t, []string{"[]", "[2]", "[0]", "[0 2]", "[0 0]"}, paths(o))
	assert.EqualValues(t, 4, o.Collapse(o.At(0)))
	assert.Equal(t, []string{"[]"}, paths(o))
}

func TestRowsAreFoundFromBothSides(t *testing.T) {
	o := made()
	for _, path := range []model.Path{{2, 2, 0}, {0, 0}, {0, 2}} {
		p, ok := o.Find(path)
		require.True(t, ok)
		assert.Equal(t, path, p.Path())
		o.Expand(p)
	}
	require.EqualValues(t, 13, o.Len())
	for row := o.Len() - 1; row >= 0; row-- { // in the slow order
		p := o.At(row)
		assert.Equal(t, row, o.RowOf(p))
		assert.Equal(t, p, o.At(row), "asked again")
		if up, ok := p.Up(); ok {
			assert.Equal(t, p.Path()[:p.Depth()-1], up.Path())
		} else {
			assert.True(t, p.IsRoot())
		}
	}
}

func TestHiddenNodesAreNotFound(t *testing.T) {
	o := made()
	for _, path := range []model.Path{{1}, {2, 1}, {2, 2, 2, 2}, {-1}} {
		_, ok := o.Find(path)
		assert.False(t, ok, path)
	}
	b, n := o.Expand(o.At(3))
	assert.Nil(t, b, "nothing is below it")
	assert.Zero(t, n)

	empty := outline.New(nil, func(outline.RowPos[shown]) shown { return shown{0} })
	assert.Zero(t, empty.Len())
	_, ok := empty.Find(model.Path{})
	assert.False(t, ok)
}

func TestReopenExpandsPaths(t *testing.T) {
	o := made()
	o.Find(model.Path{2, 0, 0})
	o.Find(model.Path{0, 2})
	opened := o.Expanded()
	assert.Equal(t, []model.Path{{}, {2}, {2, 0}, {0}}, opened, "parents first")
	again := made()
	again.Reopen(append(opened, model.Path{1, 1}))
	assert.Equal(t, paths(o), paths(again))
}

func TestMillionChildrenTakeNoMemory(t *testing.T) {
	wide := make(shown, 1_000_000)
	for i := range wide {
		wide[i] = i
	}
	o := outline.New(shown{0}, func(p outline.RowPos[shown]) shown {
		if p.Depth() < 2 {
			return wide
		}
		return nil
	})
	o.Expand(o.Root())
	for _, row := range []int64{900_000, 1_000, 500} {
		o.Expand(o.At(row))
	}
	require.EqualValues(t, 4_000_001, o.Len())
	assert.Equal(t, model.Path{499, 0}, o.At(501).Path())
	assert.Equal(t, model.Path{999_999}, o.At(o.Len()-1).Path())
	assert.LessOrEqual(t, testing.AllocsPerRun(10, func() { o.At(2_345_678) }), 0.0)
}
