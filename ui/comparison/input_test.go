package comparison

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"assay/model"
	"assay/model/compare"
)

// The running comparison keeps the rules that it was started with.
func TestSwappingLeavesTheRulesOfARunningComparison(t *testing.T) {
	c, _, _ := boxes(t)
	pair := compare.Match{Old: model.Path{0, 0}, New: model.Path{0, 1}}
	c.input.changeRules(func(o *compare.Options) { o.Pairs = []compare.Match{pair} })
	running := c.input.options
	c.Swap()
	assert.Equal(t, []compare.Match{pair}, running.Pairs)
	assert.Equal(t, []compare.Match{{Old: pair.New, New: pair.Old}}, c.input.options.Pairs)
}
