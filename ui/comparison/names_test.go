package comparison

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestNamesAreOrderedByTheirNumbers(t *testing.T) {
	names := []string{"t10.state", "t9.state", "t009.state", "a", "t10", "", "t1a2", "t1a10"}
	slices.SortFunc(names, ByName)
	assert.Equal(t, []string{"", "a", "t1a2", "t1a10", "t009.state", "t9.state", "t10", "t10.state"}, names)
}
