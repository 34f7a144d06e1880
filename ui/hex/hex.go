// Package hex displays the bytes of a file of any length: offset, bytes and text.
//
// Pages are read off the UI thread and cached. Pending bytes are painted as dots, unreadable ones as ??. See pages.go
// for the sizes.
package hex

import (
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"

	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/rows"
	"assay/ui/work"
)

// MarkKind is the kind of a mark.
type MarkKind uint8

// The kinds of marks. Later kinds are painted over earlier ones.
const (
	Field MarkKind = iota // in the color of the mark's Tint
	Noted                 // in the color of the mark's Tone; also a line below the bytes that another mark covers
	Added
	Removed
	Changed
	Problem
	Hit
	CurrentHit
)

// Mark is a marked span of bytes.
type Mark struct {
	Offset, Length int64
	Kind           MarkKind
	Tone           paint.Tone // tone of a Noted mark
	Tint           int        // tint of a Field mark: the index among its siblings
}

// Events are the callbacks of a view, called on the UI thread. Any may be nil.
type Events struct {
	// Marks returns the marks in a range; later ones are painted over earlier ones. It is called for every frame.
	Marks func(offset, length int64) []Mark

	OnSelect   func(offset int64)                    // the user moved the caret
	OnRange    func(offset, length int64)            // the user changed the selected range; length 0: it is empty
	OnActivate func(offset int64)                    // Enter or double click
	OnMenu     func(offset int64, pos fyne.Position) // secondary click or menu key
	OnHover    func(offset int64)                    // the pointer moved to another byte; -1: it left
	OnError    func(err error)                       // a shortcut failed
	OnScroll   func()                                // the view was scrolled
}

// Saved is the state of a view that is stored between sessions.
type Saved struct {
	Top, Caret  int64
	BytesPerRow int `json:"Columns"` // 0: as many as fit
}

// Hex is the view.
type Hex struct {
	widget.BaseWidget
	Events

	host   host.Host
	group  *work.Group
	rows   *rows.Rows
	style  *paint.Style
	data   Source
	mapped Mapped // the data, if it consists of pieces
	size   int64
	pages  *pages

	chosenBytesPerRow int // 0: as many as fit
	bytesPerRow       int

	caret                        int64
	caretInText                  bool
	anchor                       int64
	rangeStart, rangeEnd         int64 // the user's range
	highlightStart, highlightEnd int64
	isDragging                   bool
	hover                        int64
	metrics                      metrics
	// Of the painted page; bytes, states and layers have one element a byte.
	bytes  []byte
	states []state
	marks  []Mark
	layers []int32 // see paint.go

	pageOffset int64 // offset of bytes[0]
	runOnUI    func(func())
}

var _ fyne.Widget = (*Hex)(nil)

// New returns a view of data, which may be nil. The group reads it.
func New(owner host.Host, style *paint.Style, group *work.Group, data Source) *Hex {
	h := &Hex{host: owner, group: group, style: style, bytesPerRow: 16, runOnUI: fyne.Do, hover: -1}
	h.rows = rows.New(owner, style, (*source)(h), rows.Options{Header: true, Plain: true, MinSize: fyne.NewSize(120,
		60)})
	h.rows.Events = rows.Events{
		BeforeKey:      h.handleKey,
		BeforeShortcut: h.handleShortcut,
		OnPress:        h.press,
		OnPull:         h.pull,
		OnRelease:      h.release,
		OnActivate:     func(int64) { h.activate() },
		OnMenu:         h.menu,
		OnHover: func(row int64) {
			if row < 0 {
				h.setHover(-1)
			}
		},
		OnMove: h.move,
		OnScroll: func() {
			if h.OnScroll != nil {
				h.OnScroll()
			}
		},
	}
	h.ExtendBaseWidget(h)
	h.SetData(data)
	return h
}

// SetData displays other data from its first byte. It moves the caret to 0 and removes the range and the highlight.
func (h *Hex) SetData(data Source) {
	h.data, h.size = data, 0
	h.mapped, _ = data.(Mapped)
	h.caret, h.anchor, h.rangeStart, h.rangeEnd, h.highlightStart, h.highlightEnd = 0, 0, 0, 0, 0, 0
	h.caretInText = false
	h.Reload()
	h.rows.SetSource((*source)(h))
}

// Reload reads the size and the bytes again, after the file changed.
func (h *Hex) Reload() {
	if h.pages != nil {
		h.pages.close()
	}
	h.pages = nil
	if h.data != nil {
		h.size = h.data.Size()
		var p *pages
		p = newPages(h.group, h.data, func() {
			h.runOnUI(func() {
				if h.pages == p { // else the data was replaced
					h.rows.Refresh()
				}
			})
		})
		h.pages = p
	}
	h.caret = max(0, min(h.caret, h.size-1))
	h.rangeStart, h.rangeEnd = min(h.rangeStart, h.size), min(h.rangeEnd, h.size)
	h.rows.Refresh()
}

// Close stops reading in the background and clears the view.
func (h *Hex) Close() { h.SetData(nil) }

// CreateRenderer implements fyne.Widget.
func (h *Hex) CreateRenderer() fyne.WidgetRenderer { return widget.NewSimpleRenderer(h.rows) }

// MinSize implements fyne.CanvasObject.
func (h *Hex) MinSize() fyne.Size { return h.rows.MinSize() }

// Refresh implements fyne.CanvasObject.
func (h *Hex) Refresh() { h.rows.Refresh() }

// Focus gives the keyboard focus to the view.
func (h *Hex) Focus() { h.rows.Focus() }

// Focused reports whether the view has the keyboard focus.
func (h *Hex) Focused() bool { return h.rows.Focused() }

// SetBytesPerRow sets the number of bytes in a row; 0 means as many as fit: 8, 16, 24, 32 and so on.
func (h *Hex) SetBytesPerRow(n int) {
	h.chosenBytesPerRow = max(0, min(n, maxBytesPerRow))
	h.rows.Refresh()
}

// Highlight highlights the span of the selected node; length 0 removes the highlight. It does not scroll.
func (h *Hex) Highlight(offset, length int64) {
	h.highlightStart, h.highlightEnd = offset, offset+max(0, min(length, 1<<63-1-max(0, offset)))
	h.rows.Refresh()
}

// SetTip displays a tooltip at the byte under the pointer, if its offset is offset, until the pointer moves on.
func (h *Hex) SetTip(offset int64, text string) {
	if offset == h.hover {
		h.rows.SetTip(offset/int64(h.bytesPerRow), text)
	}
}

// Caret returns the offset of the caret.
func (h *Hex) Caret() int64 { return h.caret }

// SetCaret moves the caret and ends the range. It calls no event and does not scroll.
func (h *Hex) SetCaret(offset int64) {
	h.caret = max(0, min(offset, h.size-1))
	h.anchor, h.rangeStart, h.rangeEnd = h.caret, 0, 0
	h.rows.Refresh()
}

// Range returns the range that the user selected. Without one, the length is 0.
func (h *Hex) Range() (offset, length int64) {
	if h.rangeEnd <= h.rangeStart {
		return h.caret, 0
	}
	return h.rangeStart, h.rangeEnd - h.rangeStart
}

// SetRange selects a range and puts the caret at its start. It calls no event and does not scroll.
func (h *Hex) SetRange(offset, length int64) {
	h.SetCaret(offset)
	offset = max(0, min(offset, h.size))
	h.rangeStart, h.rangeEnd = offset, offset+max(0, min(length, h.size-offset))
	h.rows.Refresh()
}

// ScrollTo brings a byte into view.
func (h *Hex) ScrollTo(offset int64) {
	h.rows.ScrollTo(max(0, min(offset, h.size-1)) / int64(h.bytesPerRow))
}

// ScrollToSpan brings a span into view: its start, and as much of it as fits, with some rows around it if there is
// space.
func (h *Hex) ScrollToSpan(offset, length int64) {
	columns, page := int64(h.bytesPerRow), h.rows.Page()
	end := offset + max(0, min(length, columns*(page-1))-1)
	margin := columns * max(0, min(spanMargin, (page-1-(end-offset)/columns)/2))
	h.ScrollTo(end + margin)
	h.ScrollTo(offset - margin)
	h.ScrollTo(offset)
}

// spanMargin is the number of rows above and below a span that are brought into view with it.
const spanMargin = 3

// Follow scrolls to the position of another view, without an event. Both must have the same size and columns.
func (h *Hex) Follow(o *Hex) { h.rows.Follow(o.rows) }

// VisibleRange returns the range of bytes in view.
func (h *Hex) VisibleRange() (offset, length int64) {
	offset = h.rows.First() * int64(h.bytesPerRow)
	return offset, max(0, min(h.size-offset, (h.rows.Page()+1)*int64(h.bytesPerRow)))
}

// Copy returns the selected range, or the byte at the caret, as text. It reads the data, which may block; off the
// UI thread, call Format.
func (h *Hex) Copy(form Form) (string, error) {
	offset, length := h.Range()
	if length == 0 && h.size > 0 {
		length = 1
	}
	return Format(h.data, offset, length, form)
}

// Saved returns the state to store between sessions.
func (h *Hex) Saved() Saved {
	return Saved{Top: h.rows.First() * int64(h.bytesPerRow), Caret: h.caret, BytesPerRow: h.chosenBytesPerRow}
}

// Restore restores a state.
func (h *Hex) Restore(s Saved) {
	h.SetBytesPerRow(s.BytesPerRow)
	h.SetCaret(s.Caret)
	h.rows.SetFirst(max(0, s.Top) / int64(h.bytesPerRow))
}

// Form is a form in which bytes are copied as text.
type Form uint8

// The text forms of bytes.
const (
	AsHex Form = iota
	AsText
	AsCArray
	AsBase64
)

// String returns the name of a form for a menu.
func (f Form) String() string {
	return [...]string{AsHex: "Hex", AsText: "Text", AsCArray: "C array", AsBase64: "Base64"}[f]
}

// Forms returns all forms in the order of a menu.
func Forms() []Form { return []Form{AsHex, AsText, AsCArray, AsBase64} }

// MaxCopy is the maximum number of bytes that are copied.
const MaxCopy = 16 << 20

// Format reads a range and writes it as text. It is safe to call off the UI thread.
func Format(data io.ReaderAt, offset, length int64, form Form) (string, error) {
	switch {
	case length <= 0:
		return "", errors.New("select bytes first")
	case length > MaxCopy:
		return "", fmt.Errorf("the selection is %d bytes; at most %d can be copied. Export it as a file instead",
			length, MaxCopy)
	}
	bytes := make([]byte, length)
	if n, err := data.ReadAt(bytes, offset); n < len(bytes) {
		if err == nil || errors.Is(err, io.EOF) {
			err = errors.New("the file ends there")
		}
		return "", fmt.Errorf("cannot read bytes from offset %#x: %w", offset+int64(n), err)
	}
	if m, ok := data.(Mapped); ok {
		bytes = withoutGaps(m, offset, bytes)
	}
	switch form {
	case AsText:
		return text(bytes), nil
	case AsCArray:
		return cArray(bytes), nil
	case AsBase64:
		return base64.StdEncoding.EncodeToString(bytes), nil
	}
	return hexLines(bytes), nil
}

// withoutGaps removes the bytes in gaps from bytes, which were read at offset.
func withoutGaps(m Mapped, offset int64, bytes []byte) []byte {
	existing := bytes[:0]
	for i := int64(0); i < int64(len(bytes)); {
		_, n, exists := m.FileOffset(offset + i)
		to := min(int64(len(bytes)), i+max(1, n))
		if exists {
			existing = append(existing, bytes[i:to]...)
		}
		i = to
	}
	return existing
}

// hexLines returns bytes as hexadecimal digits, 16 bytes in a line.
func hexLines(bytes []byte) string {
	var b strings.Builder
	b.Grow(3 * len(bytes))
	for line := range slices.Chunk(bytes, 16) {
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "% x", line)
	}
	return b.String()
}

// text converts bytes to UTF-8. Control characters and invalid bytes become the replacement character: a NUL would end
// the text on the clipboard.
func text(bytes []byte) string {
	var b strings.Builder
	b.Grow(len(bytes))
	for len(bytes) > 0 {
		r, n := utf8.DecodeRune(bytes)
		if r < ' ' && r != '\n' && r != '\t' && r != '\r' {
			r = utf8.RuneError
		}
		b.WriteRune(r)
		bytes = bytes[n:]
	}
	return b.String()
}

func cArray(bytes []byte) string {
	var b strings.Builder
	b.Grow(6*len(bytes) + 64)
	fmt.Fprintf(&b, "const unsigned char data[%d] = {", len(bytes))
	for i, v := range bytes {
		if i%12 == 0 {
			b.WriteString("\n    ")
		} else {
			b.WriteByte(' ')
		}
		b.WriteString("0x")
		b.WriteByte(digits[v>>4])
		b.WriteByte(digits[v&15])
		if i < len(bytes)-1 {
			b.WriteByte(',')
		}
	}
	b.WriteString("\n};\n")
	return b.String()
}
