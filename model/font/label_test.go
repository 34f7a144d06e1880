package font_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/image/font"

	label "assay/model/font"
)

func TestLabelsFit(t *testing.T) {
	l, err := label.NewLabel(12)
	require.NoError(t, err)
	assert.Equal(t, "short.png", l.Fit("short.png", 200))
	assert.Equal(t, "of two lines", l.Fit("of two\nlines", 200))
	cut := l.Fit("textures/of/a/long/way/to/rock_diffuse.png", 100)
	assert.True(t, strings.HasPrefix(cut, "textures/") && strings.HasSuffix(cut, ".png"), cut)
	assert.Equal(t, 1, strings.Count(cut, "…"))
	assert.LessOrEqual(t, font.MeasureString(l, cut).Ceil(), 100)
	huge := l.Fit(strings.Repeat("ü", 1<<20), 100)
	assert.LessOrEqual(t, font.MeasureString(l, huge).Ceil(), 100)
	assert.True(t, l.Has("Größe"))
	assert.False(t, l.Has("岩"))
}
