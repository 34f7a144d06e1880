package preview_test

import (
	"bytes"
	"errors"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/model/content"
	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/preview"
)

func TestBytesAreDescribed(t *testing.T) {
	test.NewTempApp(t)
	said := ""
	v := preview.NewProfile(host.None{}, paint.NewStyle(), func(s string) { said = s })
	var went []int64
	v.OnOffset = func(offset int64) { went = append(went, offset) }
	w := test.NewTempWindow(t, v.Content())
	w.Resize(fyne.NewSize(300, 300))
	b := append(make([]byte, 5000), "some words"...)
	look, err := content.ReadBytes(t.Context(), model.NewSource("x", bytes.NewReader(b), int64(len(b))),
		model.Span{Size: int64(len(b))})
	require.NoError(t, err)
	v.Show(look)
	assert.Contains(t, said, "5,010 bytes · entropy 0.03 of 8 bits per byte: mostly one value · 1 string")
	w.Canvas().Capture()
	head := v.Content().(*fyne.Container).Objects[1].(*fyne.Container)
	chart := head.Objects[1].(fyne.Tappable)
	chart.Tapped(&fyne.PointEvent{Position: fyne.NewPos(6, 30)})
	chart.Tapped(&fyne.PointEvent{Position: fyne.NewPos(2000, 30)})
	assert.Equal(t, []int64{0, 5009}, went)
	look.Broken = errors.New("the picture ends early")
	v.Show(look)
	why := head.Objects[0].(*widget.Label)
	assert.True(t, why.Visible())
	assert.Equal(t, "The picture ends early.", why.Text)
	assert.Contains(t, said, "5,010 bytes")
	v.Show(&content.Bytes{})
	assert.Equal(t, "Empty", why.Text)
	assert.False(t, head.Objects[1].Visible())
	look.Broken = nil
	v.Show(look)
	assert.False(t, why.Visible())
	assert.True(t, head.Objects[1].Visible())
	v.Clear()
	w.Canvas().Capture()
}
