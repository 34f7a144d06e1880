package hex

import (
	"context"
	"errors"
	"io"
	"slices"
	"sync"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"assay/ui/command"
	"assay/ui/rows"
	"assay/ui/work"
)

// Source is the data of a hex view.
type Source interface {
	io.ReaderAt
	Size() int64
}

// MemorySource is a Source that reports whether its bytes are in memory. If so, they are read while they are painted.
type MemorySource interface {
	InMemory() bool
}

// Mapped is a Source that consists of pieces of a file with gaps between them: one of two files that are aligned with
// each other.
type Mapped interface {
	Source
	// FileOffset returns the offset in the file of the byte at an offset of the view, and the number of bytes until the
	// piece or gap ends. exists is false in a gap.
	FileOffset(offset int64) (fileOffset, length int64, exists bool)
	// End returns the offset in the file of the end of the last piece.
	End() int64
}

// A page is the unit of reading. After an error it is read again in blocks, so that a bad block does not hide the bytes
// around it.
const (
	pageSize  = 16 << 10
	blockSize = 512
	maxPages  = 256
)

// state is the state of one byte.
type state uint8

const (
	pending state = iota
	loaded
	unreadable
	absent
)

// page is one page of the data; readable holds the number of readable bytes of each block.
type page struct {
	bytes    []byte
	readable [pageSize / blockSize]int16
	lastFill uint64
}

// pages reads data in the background and caches it.
type pages struct {
	group       *work.Group
	data        Source
	readsAtOnce bool
	onRead      func() // called on the reading goroutine after pages were read

	mu        sync.Mutex
	pages     map[int64]*page
	requested []int64
	current   int64 // number of the page that is being read
	fills     uint64
	reading   bool
	closed    bool
}

func newPages(group *work.Group, data Source, onRead func()) *pages {
	i, ok := data.(MemorySource)
	return &pages{group: group, data: data, onRead: onRead, pages: map[int64]*page{},
		readsAtOnce: group.IsInline() || ok && i.InMemory()}
}

// close stops reading after the current page.
func (p *pages) close() {
	p.mu.Lock()
	p.closed, p.requested = true, nil
	p.mu.Unlock()
}

// fill copies the cached bytes at an offset and requests the others. It cancels the requests of the previous call.
func (p *pages) fill(offset int64, bytes []byte, states []state) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.requested = p.requested[:0]
	p.fills++
	for done := 0; done < len(bytes); {
		at := offset + int64(done)
		number := at / pageSize
		skip := int(at % pageSize)
		n := min(len(bytes)-done, pageSize-skip)
		page := p.pages[number]
		if page == nil && p.readsAtOnce {
			page = p.read(number)
			p.store(number, page)
		}
		if page == nil {
			clear(bytes[done : done+n])
			clear(states[done : done+n])
			if !p.closed && !(p.reading && p.current == number) {
				p.requested = append(p.requested, number)
			}
		} else {
			page.lastFill = p.fills
			page.copy(bytes[done:done+n], states[done:done+n], skip)
		}
		done += n
	}
	if len(p.requested) > 0 && !p.reading {
		p.reading = true
		p.group.Go(p.readRequested)
	}
}

func (p *page) copy(bytes []byte, states []state, skip int) {
	for i := range bytes {
		at := skip + i
		if at%blockSize < int(p.readable[at/blockSize]) {
			bytes[i], states[i] = p.bytes[at], loaded
		} else {
			bytes[i], states[i] = 0, unreadable
		}
	}
}

// readRequested reads the requested pages.
func (p *pages) readRequested(context.Context) func() {
	for {
		p.mu.Lock()
		if len(p.requested) == 0 || p.closed {
			p.reading = false
			p.mu.Unlock()
			return nil
		}
		number := p.requested[0]
		p.current = number
		p.requested = slices.Delete(p.requested, 0, 1)
		p.mu.Unlock()
		read := p.read(number)
		p.mu.Lock()
		p.store(number, read)
		last := len(p.requested) == 0
		p.mu.Unlock()
		if last {
			p.onRead()
		}
	}
}

func (p *pages) store(number int64, added *page) {
	if len(p.pages) >= maxPages {
		oldest, oldestNumber := uint64(1<<64-1), int64(-1)
		for n, cached := range p.pages {
			if cached.lastFill < oldest {
				oldest, oldestNumber = cached.lastFill, n
			}
		}
		delete(p.pages, oldestNumber)
	}
	added.lastFill = p.fills
	p.pages[number] = added
}

func (p *pages) read(number int64) *page {
	start := number * pageSize
	size := int(max(0, min(pageSize, p.data.Size()-start)))
	result := &page{bytes: make([]byte, size)}
	n, err := p.data.ReadAt(result.bytes, start)
	if n == size && (err == nil || errors.Is(err, io.EOF)) {
		for i := 0; i*blockSize < size; i++ {
			result.readable[i] = int16(min(blockSize, size-i*blockSize))
		}
		return result
	}
	for i := 0; i*blockSize < size; i++ {
		block := result.bytes[i*blockSize : min(size, (i+1)*blockSize)]
		n, _ := p.data.ReadAt(block, start+int64(i*blockSize))
		result.readable[i] = int16(n)
	}
	return result
}

// handleKey handles Escape and the keys of commands. With shift, moving the caret extends the range.
func (h *Hex) handleKey(ev *fyne.KeyEvent, shift bool) bool {
	if ev.Name == fyne.KeyEscape {
		if h.rangeEnd <= h.rangeStart {
			return false
		}
		h.setRange(0, 0)
		h.rows.Refresh()
		return true
	}
	return h.command(h.host.Keys().At(command.List, command.KeyOf(ev, shift)), shift)
}

// command runs a command of the view, and reports whether id is one.
func (h *Hex) command(id command.ID, shift bool) bool {
	n := int64(h.bytesPerRow)
	page := n * max(1, h.rows.Page()-1)
	to := h.caret
	switch id {
	case "list.to-left":
		to--
	case "list.to-right":
		to++
	case "list.to-previous":
		to = h.caretAfterRows(-n)
	case "list.to-next":
		to = h.caretAfterRows(n)
	case "list.to-previous-page":
		to = h.caretAfterRows(-page)
		h.rows.SetFirst(h.rows.First() - page/n)
	case "list.to-next-page":
		to = h.caretAfterRows(page)
		h.rows.SetFirst(h.rows.First() + page/n)
	case "list.to-home":
		to -= to % n
	case "list.to-end":
		to += n - 1 - to%n
	case "list.to-first":
		to = 0
	case "list.to-last":
		to = h.size - 1
	case "list.activate":
		h.activate()
		return true
	case "list.menu":
		h.menuKey()
		return true
	case "list.select-all":
		h.selectAll()
		return true
	default:
		return false
	}
	h.moveCaretTo(to, shift)
	return true
}

// caretAfterRows returns the offset step bytes, a number of whole rows, from the caret. It stays in the caret's column.
func (h *Hex) caretAfterRows(step int64) int64 {
	n := int64(h.bytesPerRow)
	switch to := h.caret + step; {
	case to < 0:
		return h.caret % n
	case to >= h.size:
		last := (h.size-1)/n*n + h.caret%n
		if last >= h.size && step <= n { // no byte below
			return h.caret
		}
		return min(last, h.size-1)
	default:
		return to
	}
}

// handleShortcut handles a keyboard shortcut.
func (h *Hex) handleShortcut(s fyne.Shortcut) bool {
	if s, ok := s.(*fyne.ShortcutCopy); ok {
		return h.copyShortcut(s)
	}
	key := command.KeyOfShortcut(s)
	return h.command(h.host.Keys().At(command.List, key), key.Modifier&fyne.KeyModifierShift != 0)
}

func (h *Hex) selectAll() {
	if h.size > 0 {
		h.anchor = 0
		h.setRange(0, h.size)
		h.rows.Refresh()
	}
}

// copyShortcut copies in the form of the column of the caret, unless the owner handles the shortcut.
func (h *Hex) copyShortcut(s *fyne.ShortcutCopy) bool {
	if h.host.Shortcut(s) {
		return true
	}
	form := AsHex
	if h.caretInText {
		form = AsText
	}
	text, err := h.Copy(form)
	if err != nil {
		if h.OnError != nil {
			h.OnError(err)
		}
		return true
	}
	if s.Clipboard != nil {
		s.Clipboard.SetContent(text)
	}
	return true
}

// moveCaretTo moves the caret after a key or a drag, and calls the events. extend extends the range.
func (h *Hex) moveCaretTo(to int64, extend bool) {
	if h.size == 0 {
		return
	}
	to = max(0, min(to, h.size-1))
	moved := to != h.caret
	h.caret = to
	if moved && h.OnSelect != nil {
		h.OnSelect(to) // before setRange, because the owner may clear the range
	}
	if extend {
		h.setRange(min(h.anchor, to), max(h.anchor, to)+1)
	} else {
		h.anchor = to
		h.setRange(0, 0)
	}
	h.rows.Refresh()
	h.ScrollTo(to)
}

func (h *Hex) setRange(from, to int64) {
	if from == h.rangeStart && to == h.rangeEnd {
		return
	}
	hadRange := h.rangeEnd > h.rangeStart
	h.rangeStart, h.rangeEnd = from, to
	if h.OnRange != nil && (hadRange || to > from) {
		h.OnRange(from, max(0, to-from))
	}
}

func (h *Hex) press(p rows.Pointer) rows.PressResult {
	offset, text := h.offsetAt(p)
	if offset < 0 || h.size == 0 {
		return rows.Handled
	}
	h.caretInText = text
	switch {
	case p.Button == desktop.MouseButtonSecondary && (offset < h.rangeStart || offset >= h.rangeEnd):
		h.clickCaret(offset)
		return rows.Handled
	case p.Button != desktop.MouseButtonPrimary:
		return rows.Handled
	case p.Modifier&fyne.KeyModifierShift != 0:
		h.moveCaretTo(offset, true)
	default:
		h.clickCaret(offset)
	}
	h.isDragging = true
	return rows.Pull
}

// clickCaret moves the caret to the clicked byte, which is in view. A click on the caret's byte selects it again,
// because the owner may display something else.
func (h *Hex) clickCaret(offset int64) {
	h.anchor, h.caret = offset, offset
	h.setRange(0, 0)
	h.rows.Refresh()
	if h.OnSelect != nil {
		h.OnSelect(offset)
	}
}

func (h *Hex) pull(p rows.Pointer) {
	if !h.isDragging || h.size == 0 {
		return
	}
	offset := h.nearestOffset(p)
	h.caret = offset
	if offset == h.anchor && h.rangeEnd <= h.rangeStart {
		return
	}
	h.setRange(min(h.anchor, offset), max(h.anchor, offset)+1)
	h.rows.Refresh()
}

func (h *Hex) release() { h.isDragging = false }

func (h *Hex) activate() {
	if h.OnActivate != nil && h.size > 0 {
		h.OnActivate(h.caret)
	}
}

func (h *Hex) menu(_ int64, pos fyne.Position) {
	if h.OnMenu != nil && h.size > 0 {
		h.OnMenu(h.caret, pos)
	}
}

func (h *Hex) menuKey() {
	pos := fyne.CurrentApp().Driver().AbsolutePositionForObject(h.rows)
	h.ScrollTo(h.caret)
	h.menu(0, pos.Add(h.rows.RowPosition(h.caret/int64(h.bytesPerRow))))
}

func (h *Hex) move(p rows.Pointer) {
	offset, _ := h.offsetAt(p)
	h.setHover(offset)
}

func (h *Hex) setHover(offset int64) {
	if offset == h.hover {
		return
	}
	h.hover = offset
	h.rows.HideTip()
	h.rows.Refresh()
	if h.OnHover != nil {
		h.OnHover(offset)
	}
}
