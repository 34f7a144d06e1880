package properties_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"assay/formats/gpb/properties"
)

func TestNumbers(t *testing.T) {
	for value, want := range map[string][]float32{
		"":                         nil,
		"up":                       nil,
		"-1":                       {-1},
		"1, 2,3":                   {1, 2, 3},
		"1 , 2":                    {1},
		"0.5f, 1.f":                {.5},
		"0x10":                     {0},
		"1e3, -2.5E-1, .5":         {1000, -.25, .5},
		"10 // meters, not feet":   {10},
		"1, 0, 0, 90 // a quarter": {1, 0, 0, 90},
		"1, two, 3":                {1},
		"1,":                       {1},
		"1e":                       {1},
		"1em":                      {1},
		"60e":                      {60},
		"1e+":                      {1},
		"1-2":                      {1},
		"1.5.2":                    {1.5},
		"1.5.2, 3":                 {1.5},
		"-.5e-1em, 3":              {-.05},
		"-":                        nil,
		".":                        nil,
		"1e38":                     nil,
		"90deg":                    {90},
	} {
		assert.Equal(t, want, properties.Numbers(value), "%q", value)
	}
	assert.Len(t, properties.Numbers(strings.Repeat("1,", 40)), 16)
}

func TestNumbersOfProperties(t *testing.T) {
	file := read(t, "a\n{\n color = 1, 2, 3, 4\n far = 7 // meters\n name = x\n}\n")
	s := file.Space(file.Spaces[0])
	assert.Equal(t, []float32{1, 2, 3}, s.Vector("color", 3), "more numbers than are needed")
	assert.Nil(t, s.Vector("color", 5))
	assert.Equal(t, float32(7), s.Number("far", 1))
	assert.Equal(t, float32(1), s.Number("name", 1))
	assert.Equal(t, float32(1), s.Number("near", 1))
}
