package details_test

import (
	"encoding/binary"
	"math"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"github.com/stretchr/testify/assert"

	"assay/ui/details"
	"assay/ui/paint"
	"assay/ui/rows"
	"assay/ui/uitest"
)

func find(lines []details.Value, name string) details.Value {
	for _, l := range lines {
		if l.Name == name {
			return l
		}
	}
	return details.Value{}
}

func TestReadings(t *testing.T) {
	le := binary.LittleEndian
	filetime := le.AppendUint64(nil, 132537600000000000) // 2020-12-30
	for _, tt := range []struct {
		name, little, big string
		bytes             []byte
	}{
		{"binary", "1010 0101", "", []byte{0xa5}},
		{"u8", "255", "", []byte{255}},
		{"s8", "-1", "", []byte{255}},
		{"u16", "513", "258", []byte{1, 2}},
		{"s16", "-2", "-257", []byte{0xfe, 0xff}},
		{"u32", "67305985", "16909060", []byte{1, 2, 3, 4}},
		{"s64", "-1", "-1", []byte{255, 255, 255, 255, 255, 255, 255, 255}},
		{"u64", "18446744073709551615", "18446744073709551615", []byte{255, 255, 255, 255, 255, 255, 255, 255}},
		{"f16", "1", "3.5763e-06", []byte{0x00, 0x3c}[0:2]},
		{"f32", "1.5", "6.8965e-41", le.AppendUint32(nil, math.Float32bits(1.5))},
		{"f64", "-2.25", "", le.AppendUint64(nil, math.Float64bits(-2.25))},
		{"Unix time (s), 32-bit", "2001-09-09 01:46:40", "", le.AppendUint32(nil, 1_000_000_000)},
		{"Unix time (ms)", "2001-09-09 01:46:40.123", "", le.AppendUint64(nil, 1_000_000_000_123)},
		{"FILETIME", "2020-12-30 00:00:00", "", filetime},
		{"UUID", "03020100-0504-0706-0809-0a0b0c0d0e0f", "00010203-0405-0607-0809-0a0b0c0d0e0f",
			[]byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}},
		{"RGBA8", "#ff800a00  (255, 128, 10, 0)", "", []byte{255, 128, 10, 0}},
		{"UTF-8", "größe", "", []byte("größe\x00rest")},
		{"UTF-16", "ab", "", []byte{'a', 0, 'b', 0, 0, 0}},
		{"u32", "", "", []byte{1, 2, 3}},
		{"UUID", "", "", []byte{1, 2, 3}},
	} {
		got := find(details.Read(tt.bytes), tt.name)
		assert.Equal(t, tt.little, got.Little, tt.name)
		if tt.big != "" {
			assert.Equal(t, tt.big, got.Big, tt.name)
		}
	}
}

func TestHalfFloats(t *testing.T) {
	for bits, want := range map[uint16]string{0x0000: "0", 0x8000: "-0", 0x7c00: "+Inf", 0xfc00: "-Inf", 0x7e00: "NaN",
		0x0001: "5.9605e-08", 0xc000: "-2", 0x7bff: "65504"} {
		assert.Equal(t, want, find(details.Read(binary.LittleEndian.AppendUint16(nil, bits)), "f16").Little)
	}
}

func TestLongValuesAreWhole(t *testing.T) {
	test.NewTempApp(t)
	var log uitest.Log
	style := paint.NewStyle()
	p := details.NewInspector(&log, style)
	w := test.NewTempWindow(t, p.Content())
	w.SetPadded(false)
	w.Resize(fyne.NewSize(290, 700))
	bytes := binary.LittleEndian.AppendUint64(nil, 132537600000000000)
	p.Show(binary.BigEndian.AppendUint64(bytes, math.MaxUint64/3))
	uitest.Golden(t, "values", style, p.Content())
	r := test.WidgetRenderer(p.Content().(fyne.Widget)).Objects()[0].(*rows.Rows)
	r.SetCurrent(7)
	r.TypedShortcut(&fyne.ShortcutCopy{})
	r.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	assert.Equal(t, []string{"copy 132537600000000000", "copy 132537600000000000"}, log.Take())
}

func TestTitlesFit(t *testing.T) {
	test.NewTempApp(t)
	style := paint.NewStyle()
	p := details.NewInspector(&uitest.Log{}, style)
	w := test.NewTempWindow(t, p.Content())
	w.SetPadded(false)
	for width, want := range map[float32]string{236: "LE BE", 400: "Little endian Big endian"} {
		w.Resize(fyne.NewSize(width, 200))
		title := uitest.Lines(t, style, p.Content())[0]
		assert.Equal(t, "Interpret as "+want, strings.Join(strings.Fields(title), " "))
	}
}
