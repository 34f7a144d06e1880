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

func TestKeysAreOrderedByTheirHexDigits(t *testing.T) {
	names := []string{"t10", "0100-0002-000000A0", "0100-0002-00000010.png", "0100-0002-0000000A", "9", "face 7",
		"0100-0002-0000000a.png", "0100-000A-00000001", "00ff00ff00ff00ff", "0100-0002-00000010"}
	slices.SortFunc(names, model.CompareNames)
	assert.Equal(t, []string{"00ff00ff00ff00ff", "0100-0002-0000000A", "0100-0002-0000000a.png", "0100-0002-00000010",
		"0100-0002-00000010.png", "0100-0002-000000A0", "0100-000A-00000001", "9", "face 7", "t10"}, names)
}

func BenchmarkCompareNames(b *testing.B) {
	for b.Loop() {
		model.CompareNames("objects/Character_Left_Hand_0012", "objects/character_left_hand_0013")
	}
}
