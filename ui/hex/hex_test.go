package hex

import (
	"bytes"
	"errors"
	"image/color"
	"io"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/uitest"
	"assay/ui/work"
)

// memory is data in memory.
type memory struct{ *bytes.Reader }

func (memory) InMemory() bool { return true }

func fromBytes(b []byte) Source { return memory{bytes.NewReader(b)} }

// counting is data of any length: the byte at an offset is the offset's low byte.
type counting struct{ size int64 }

func (c counting) Size() int64    { return c.size }
func (c counting) InMemory() bool { return true }
func (c counting) ReadAt(p []byte, at int64) (int, error) {
	for i := range p {
		if at+int64(i) >= c.size {
			return i, io.EOF
		}
		p[i] = byte(at + int64(i))
	}
	return len(p), nil
}

// slow is data that is read in the background. The bytes [bad, badEnd) cannot be read.
type slow struct {
	counting
	bad, badEnd int64
}

func (slow) InMemory() bool { return false }

func (s slow) ReadAt(p []byte, at int64) (int, error) {
	if at < s.badEnd && at+int64(len(p)) > s.bad {
		n, _ := s.counting.ReadAt(p[:max(0, s.bad-at)], at)
		return n, errors.New("bad sector")
	}
	return s.counting.ReadAt(p, at)
}

// spoiled is data in memory with unreadable bytes.
type spoiled struct{ slow }

func (spoiled) InMemory() bool { return true }

func show(t testing.TB, data Source, width, height float32) (*Hex, fyne.Window) {
	t.Helper()
	test.NewTempApp(t)
	h := New(host.None{}, paint.NewStyle(), work.New(t.Context()), data)
	w := test.NewTempWindow(t, h)
	w.SetPadded(false)
	w.Resize(fyne.NewSize(width, height))
	return h, w
}

// painted paints a page and returns its text as lines.
func painted(t testing.TB, h *Hex) []string {
	t.Helper()
	h.Refresh()
	return uitest.Lines(t, h.style, h)
}

func keys(h *Hex, names ...fyne.KeyName) {
	for _, n := range names {
		h.rows.TypedKey(&fyne.KeyEvent{Name: n})
	}
}

func shifted(h *Hex, names ...fyne.KeyName) {
	h.rows.KeyDown(&fyne.KeyEvent{Name: desktop.KeyShiftLeft})
	keys(h, names...)
	h.rows.KeyUp(&fyne.KeyEvent{Name: desktop.KeyShiftLeft})
}

func control(h *Hex, k fyne.KeyName) {
	h.rows.TypedShortcut(&desktop.CustomShortcut{KeyName: k, Modifier: fyne.KeyModifierShortcutDefault})
}

// over returns the position of a byte in the window.
func over(h *Hex, offset int64, text bool) fyne.PointEvent {
	row := offset/int64(h.bytesPerRow) - h.rows.First()
	i := int(offset % int64(h.bytesPerRow))
	x := h.metrics.byteX(i) + 2
	if text {
		x = h.metrics.textX(i) + 2
	}
	p := fyne.NewPos(float32(x), float32(23+row*20+5))
	return fyne.PointEvent{Position: p, AbsolutePosition: p}
}

func click(h *Hex, offset int64, text bool, button desktop.MouseButton) {
	ev := &desktop.MouseEvent{PointEvent: over(h, offset, text), Button: button}
	h.rows.MouseDown(ev)
	h.rows.MouseUp(ev)
}

func TestColumnsAdaptToWidth(t *testing.T) {
	h, w := show(t, counting{10_000_000_000}, 700, 600)
	for _, tt := range []struct {
		width float32
		want  int
	}{{100, 8}, {460, 8}, {700, 16}, {960, 24}, {1220, 32}, {4000, 32}} {
		h.rows.SetFirst(0)
		w.Resize(fyne.NewSize(700, 600))
		h.rows.SetFirst(5_000_000_000 / int64(h.bytesPerRow))
		w.Resize(fyne.NewSize(tt.width, 600))
		painted(t, h)
		assert.Equal(t, tt.want, h.bytesPerRow, "width %v", tt.width)
		top, length := h.VisibleRange()
		assert.InDelta(t, 5_000_000_000, top, 32)
		assert.Positive(t, length)
	}
	h.SetBytesPerRow(12)
	painted(t, h)
	assert.Equal(t, 12, h.bytesPerRow)
}

func TestKeysMoveTheCaret(t *testing.T) {
	h, _ := show(t, counting{1000}, 700, 23+10*20)
	var selected []int64
	h.OnSelect = func(o int64) { selected = append(selected, o) }
	painted(t, h)
	keys(h, fyne.KeyRight, fyne.KeyRight, fyne.KeyDown, fyne.KeyLeft, fyne.KeyUp, fyne.KeyEnd, fyne.KeyHome,
		fyne.KeyPageDown)
	assert.Equal(t, []int64{1, 2, 18, 17, 1, 15, 0, 144}, selected)
	control(h, fyne.KeyEnd)
	assert.EqualValues(t, 999, h.Caret())
	keys(h, fyne.KeyDown, fyne.KeyRight)
	assert.EqualValues(t, 999, h.Caret())
	keys(h, fyne.KeyUp, fyne.KeyEnd, fyne.KeyDown) // the last row ends at column 7
	assert.EqualValues(t, 991, h.Caret())
	control(h, fyne.KeyHome)
	keys(h, fyne.KeyUp, fyne.KeyLeft)
	assert.Zero(t, h.Caret())
}

func TestTenGigabytesAreExact(t *testing.T) {
	const size = 10_000_000_007
	h, _ := show(t, counting{size}, 700, 23+10*20)
	painted(t, h)
	control(h, fyne.KeyEnd)
	painted(t, h)
	assert.EqualValues(t, size-1, h.Caret())
	top, _ := h.VisibleRange()
	assert.EqualValues(t, (size-1)/16*16-9*16, top)
	click(h, size-5, false, desktop.MouseButtonPrimary)
	assert.EqualValues(t, size-5, h.Caret())
	h.ScrollTo(10_000_000_000)
	lines := painted(t, h)
	assert.Equal(t, "2540be400  00 01 02 03 04 05 06                          .......", lines[len(lines)-1])
	keys(h, fyne.KeyUp)
	assert.EqualValues(t, size-5-16, h.Caret())
}

func TestMouseSelectsBytesAndRanges(t *testing.T) {
	h, _ := show(t, counting{1000}, 700, 23+10*20)
	var ranges [][2]int64
	var menu []int64
	h.OnRange = func(o, n int64) { ranges = append(ranges, [2]int64{o, n}) }
	h.OnMenu = func(o int64, _ fyne.Position) { menu = append(menu, o) }
	painted(t, h)
	click(h, 37, false, desktop.MouseButtonPrimary)
	assert.EqualValues(t, 37, h.Caret())
	click(h, 40, true, desktop.MouseButtonPrimary)
	assert.EqualValues(t, 40, h.Caret())
	assert.True(t, h.caretInText)
	assert.Empty(t, ranges)

	ev := &desktop.MouseEvent{PointEvent: over(h, 20, false), Button: desktop.MouseButtonPrimary}
	h.rows.MouseDown(ev)
	h.rows.Dragged(&fyne.DragEvent{PointEvent: over(h, 25, false)})
	h.rows.Dragged(&fyne.DragEvent{PointEvent: over(h, 66, false)})
	h.rows.MouseUp(ev)
	h.rows.DragEnd()
	assert.Equal(t, [][2]int64{{20, 6}, {20, 47}}, ranges)
	click(h, 30, false, desktop.MouseButtonSecondary)
	offset, length := h.Range()
	assert.Equal(t, []int64{20, 47}, []int64{offset, length}, "a menu keeps the range")
	click(h, 100, false, desktop.MouseButtonSecondary)
	_, length = h.Range()
	assert.Zero(t, length)
	assert.Equal(t, []int64{66, 100}, menu)
	assert.True(t, h.Focused())
}

func TestDragBeyondTheEdgeScrolls(t *testing.T) {
	h, _ := show(t, counting{100_000}, 700, 23+10*20)
	painted(t, h)
	h.rows.MouseDown(&desktop.MouseEvent{PointEvent: over(h, 3, false), Button: desktop.MouseButtonPrimary})
	for range 20 {
		h.rows.Dragged(&fyne.DragEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(200, 400)}})
	}
	offset, length := h.Range()
	assert.EqualValues(t, 3, offset)
	assert.Greater(t, length, int64(1000))
	assert.Positive(t, h.rows.First())
}

func TestShiftExtendsTheRange(t *testing.T) {
	h, _ := show(t, counting{100}, 700, 23+10*20)
	painted(t, h)
	keys(h, fyne.KeyDown)
	shifted(h, fyne.KeyRight, fyne.KeyDown)
	offset, length := h.Range()
	assert.Equal(t, []int64{16, 18}, []int64{offset, length})
	shifted(h, fyne.KeyUp, fyne.KeyUp)
	offset, length = h.Range()
	assert.Equal(t, []int64{1, 16}, []int64{offset, length})
	keys(h, fyne.KeyEscape)
	_, length = h.Range()
	assert.Zero(t, length)
	h.rows.TypedShortcut(&fyne.ShortcutSelectAll{})
	offset, length = h.Range()
	assert.Equal(t, []int64{0, 100}, []int64{offset, length})
}

func TestPendingBytesAreDotsAndUnreadableOnesQuestionMarks(t *testing.T) {
	h, _ := show(t, nil, 700, 23+10*20)
	done := make(chan func(), 10)
	h.runOnUI = func(f func()) { done <- f }
	h.SetData(slow{counting{100_000}, 40, 60})
	assert.Equal(t, "00000000  ·· ·· ·· ·· ·· ·· ·· ·· ·· ·· ·· ·· ·· ·· ·· ·· ················", painted(t, h)[1])
	(<-done)()
	assert.Equal(t, "00000020  20 21 22 23 24 25 26 27 ?? ?? ?? ?? ?? ?? ?? ?? !\"#$%&'????????", painted(t, h)[3])
}

func TestUnreadableBlockKeepsItsNeighbors(t *testing.T) {
	p := newPages(work.New(t.Context()), slow{counting{100_000}, 1000, 1010}, nil)
	g := p.read(0)
	var b [2000]byte
	var s [2000]state
	g.copy(b[:], s[:], 0)
	assert.Equal(t, []state{loaded, unreadable, unreadable, loaded}, []state{s[999], s[1000], s[1023], s[1024]})
}

func TestReplacedDataDoesNotRepaint(t *testing.T) {
	h, _ := show(t, nil, 700, 300)
	done := make(chan func(), 10)
	h.runOnUI = func(f func()) { done <- f }
	h.SetData(slow{counting: counting{5000}})
	painted(t, h)
	f := <-done
	h.SetData(fromBytes([]byte("other")))
	f()
	assert.Equal(t, "00000000  6f 74 68 65 72                                other", painted(t, h)[1])
	h.Close()
	assert.Len(t, painted(t, h), 1, "only the titles")
}

func TestRangeHitHighlightAndFieldsAreLayers(t *testing.T) {
	h, _ := show(t, counting{1000}, 700, 23+10*20)
	h.Marks = func(offset, length int64) []Mark {
		assert.Zero(t, offset)
		return []Mark{{Offset: 4, Length: 4, Kind: Hit}, {Offset: 0, Length: 8, Kind: Field},
			{Offset: 8, Length: 1 << 62, Kind: Field, Tint: 7}}
	}
	h.Highlight(2, 4)
	h.SetRange(7, 2)
	assert.Equal(t, []string{"a", "a", "lit", "lit", "hit", "hit", "hit", "range", "range", "b"}, grounds(t, h)[:10])
	h.Highlight(5, 1<<63-1)
	assert.Equal(t, "lit", grounds(t, h)[100])
}

// Noted bytes are tinted; where a highlight or another note covers the tint, they are underlined.
func TestNotesAreTintedOrUnderlinedBelowOthers(t *testing.T) {
	h, _ := show(t, counting{1000}, 700, 23+10*20)
	h.Marks = func(int64, int64) []Mark {
		return []Mark{{Offset: 0, Length: 16, Kind: Field}, {Offset: 0, Length: 6, Kind: Noted, Tone: paint.Red},
			{Offset: 4, Length: 4, Kind: Noted, Tone: paint.Blue}}
	}
	h.Highlight(7, 3)
	assert.Equal(t, []string{"red", "red", "red", "red", "blue", "blue", "blue", "lit", "lit", "lit", "a"},
		grounds(t, h)[:11])
	c := paint.ThemeColors(h)
	assert.Equal(t, []paint.Color{c.ForTone(paint.Red), c.ForTone(paint.Blue)},
		[]paint.Color{lineBelow(t, h, 4), lineBelow(t, h, 7)}, "below what lies over them")
	assert.NotEqual(t, c.ForTone(paint.Red), lineBelow(t, h, 1))
}

// lineBelow returns the color at the lower edge of a byte of the first row.
func lineBelow(t *testing.T, h *Hex, i int) paint.Color {
	t.Helper()
	raster := test.WidgetRenderer(h.rows).Objects()[0].(*canvas.Raster)
	img := raster.Generator(700, 23+10*20)
	return color.NRGBAModel.Convert(img.At(h.metrics.byteX(i)+2, 23+20-1)).(paint.Color)
}

func TestBytesAreLegibleOnEachMark(t *testing.T) {
	h, _ := show(t, spoiled{slow{counting{500}, 60, 64}}, 700, 23+20*20)
	h.Marks = func(int64, int64) (all []Mark) {
		for k := Field; k <= CurrentHit; k++ {
			all = append(all, Mark{Offset: 20 * int64(k), Length: 16, Kind: k})
		}
		return all
	}
	h.Highlight(300, 20)
	h.SetRange(400, 20)
	h.SetCaret(120)
	painted(t, h)
	uitest.Legible(t, h.style, h)
}

// grounds returns the name of the background of each byte of a page.
func grounds(t *testing.T, h *Hex) []string {
	t.Helper()
	h.Refresh()
	c := paint.ThemeColors(h)
	names := map[paint.Color]string{c.Tints[0]: "a", c.Tints[1]: "b", c.Highlight: "lit", c.Hit: "hit", c.Range: "range",
		paint.Mix(c.ForTone(paint.Red), c.Background, 0.30): "red", paint.Mix(c.ForTone(paint.Blue), c.Background, 0.30): "blue"}
	var all []string
	frame := uitest.Frame(t, h.style, h)
	for i, ink := range frame.Inks {
		if x := ink.Box.Min.X; ink.Box.Min.Y > 23 && x >= h.metrics.bytes && x < h.metrics.text {
			all = append(all, names[frame.Background(i)])
		}
	}
	return all
}

func TestScrollToSpanShowsItsStart(t *testing.T) {
	h, _ := show(t, counting{100_000}, 700, 23+10*20)
	painted(t, h)
	for _, tt := range []struct{ offset, length int64 }{{0, 10}, {50_000, 64}, {150, 30}, {99_000, 5000},
		{60_000, 40_000}} {
		h.ScrollToSpan(tt.offset, tt.length)
		top, n := h.VisibleRange()
		assert.LessOrEqual(t, top, tt.offset)
		assert.Greater(t, top+n, tt.offset)
	}
}

func TestCopyHasEachForm(t *testing.T) {
	h, _ := show(t, fromBytes([]byte("GPB\x00\xff\nabcdefghijkl")), 700, 300)
	painted(t, h)
	h.SetRange(0, 18)
	for form, want := range map[Form]string{
		AsHex:    "47 50 42 00 ff 0a 61 62 63 64 65 66 67 68 69 6a\n6b 6c",
		AsText:   "GPB\ufffd\ufffd\nabcdefghijkl",
		AsBase64: "R1BCAP8KYWJjZGVmZ2hpamts",
		AsCArray: "const unsigned char data[18] = {\n    0x47, 0x50, 0x42, 0x00, 0xff, 0x0a, 0x61, 0x62, 0x63, 0x64, 0x65, 0x66,\n    0x67, 0x68, 0x69, 0x6a, 0x6b, 0x6c\n};\n",
	} {
		got, err := h.Copy(form)
		require.NoError(t, err)
		assert.Equal(t, want, got, form.String())
	}
	h.SetCaret(1)
	got, err := h.Copy(AsText)
	require.NoError(t, err)
	assert.Equal(t, "P", got)

	clip := test.NewClipboard()
	h.rows.TypedShortcut(&fyne.ShortcutCopy{Clipboard: clip})
	assert.Equal(t, "50", clip.Content())
}

func TestCopyRefusesInvalidRanges(t *testing.T) {
	for _, tt := range []struct {
		data           Source
		offset, length int64
		want           string
	}{
		{counting{1 << 40}, 0, MaxCopy + 1, "at most 16777216"},
		{counting{100}, 0, 0, "select bytes first"},
		{counting{100}, 90, 20, "cannot read bytes from offset 0x64"},
		{slow{counting{100}, 40, 60}, 30, 20, "cannot read bytes from offset 0x28: bad sector"},
	} {
		_, err := Format(tt.data, tt.offset, tt.length, AsHex)
		assert.ErrorContains(t, err, tt.want)
	}
	h, _ := show(t, nil, 300, 300)
	var failed error
	h.OnError = func(err error) { failed = err }
	h.rows.TypedShortcut(&fyne.ShortcutCopy{})
	assert.ErrorContains(t, failed, "select bytes first")
}

func TestKeysAreHarmlessInEmptyData(t *testing.T) {
	for _, data := range []Source{nil, fromBytes(nil), fromBytes([]byte{7})} {
		h, _ := show(t, data, 700, 300)
		painted(t, h)
		keys(h, fyne.KeyDown, fyne.KeyEnd, fyne.KeyPageDown, fyne.KeyUp, fyne.KeyHome)
		control(h, fyne.KeyEnd)
		h.rows.TypedShortcut(&fyne.ShortcutSelectAll{})
		h.ScrollTo(100)
		h.SetRange(5, 5)
		assert.Zero(t, max(0, h.Caret()))
		click(h, 0, false, desktop.MouseButtonPrimary)
		painted(t, h)
	}
}

func TestSavedPositionIsRestored(t *testing.T) {
	h, _ := show(t, counting{10_000_000_000}, 700, 300)
	painted(t, h)
	h.SetCaret(5_000_000_000)
	h.ScrollTo(5_000_000_000)
	saved := h.Saved()
	h.SetData(counting{10_000_000_000})
	assert.Zero(t, h.Saved().Top)
	h.Restore(saved)
	assert.Equal(t, saved, h.Saved())
	assert.Equal(t, "Hex Text C array Base64",
		strings.Join([]string{Forms()[0].String(), Forms()[1].String(), Forms()[2].String(), Forms()[3].String()}, " "))
}

func BenchmarkPage(b *testing.B) {
	h, _ := show(b, counting{10_000_000_000}, 700, 45*20+23)
	h.SetBytesPerRow(16)
	h.Marks = func(offset, length int64) []Mark {
		var marks []Mark
		for at := offset / 8 * 8; at < offset+length; at += 8 {
			marks = append(marks, Mark{Offset: at, Length: 8, Tint: int(at / 8)})
		}
		return marks
	}
	h.Highlight(5_000_000_100, 300)
	painted(b, h)
	raster := test.WidgetRenderer(h.rows).Objects()[0].(*canvas.Raster)
	b.ReportAllocs()
	at := int64(5_000_000_000)
	for b.Loop() {
		at += 16
		h.rows.SetFirst(at / 16)
		raster.Generator(700, 45*20+23)
	}
}
