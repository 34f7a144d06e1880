package model_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"assay/model"
)

func TestNamesAreOrderedByTheirNumbers(t *testing.T) {
	names := []string{"t10.state", "t9.state", "T2", "t009.state", "a", "t10", "B", "", "t1a2", "b", "t1a10", "9", "10"}
	slices.SortFunc(names, model.CompareNames)
	assert.Equal(t, []string{"", "9", "10", "a", "B", "b", "t1a2", "t1a10", "T2", "t009.state", "t9.state", "t10",
		"t10.state"}, names)
}

func BenchmarkCompareNames(b *testing.B) {
	for b.Loop() {
		model.CompareNames("objects/Character_Left_Hand_0012", "objects/character_left_hand_0013")
	}
}
