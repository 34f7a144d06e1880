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

// Data is the data of a hex view.
type Data interface {
	io.ReaderAt
	Size() int64
}

// Instant is Data that does not block (memory). It is read while it is painted.
type Instant interface {
	Instant() bool
}

// Mapped is Data that consists of pieces of a file with gaps between them: one of two files that are aligned with each
// other.
type Mapped interface {
	Data
	// Place returns the offset in the file of the byte at an offset of the view, and the number of bytes until the
	// piece or gap ends; there is false in a gap.
	Place(offset int64) (at, length int64, exists bool)
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
	known
	unreadable
	absent
)

// page is one page of the data; good holds the number of readable bytes of each block.
type page struct {
	bytes    []byte
	readable [pageSize / blockSize]int16
	used     uint64
}

// pages reads data in the background and caches it.
type pages struct {
	group   *work.Group
	data    Data
	instant bool
	arrived func() // called on the reading goroutine

	lock      sync.Mutex
	pages     map[int64]*page
	requested []int64
	current   int64 // being read now
	clock     uint64
	reading   bool
	closed    bool
}

func newPages(group *work.Group, data Data, arrived func()) *pages {
	i, ok := data.(Instant)
	return &pages{group: group, data: data, arrived: arrived, pages: map[int64]*page{},
		instant: group.IsInline() || ok && i.Instant()}
}

// close stops reading after the current page.
func (p *pages) close() {
	p.lock.Lock()
	p.closed, p.requested = true, nil
	p.lock.Unlock()
}

// fill copies the cached bytes at an offset and requests the others. It cancels the requests of the previous call.
func (p *pages) fill(offset int64, bytes []byte, states []state) {
	p.lock.Lock()
	defer p.lock.Unlock()
	p.requested = p.requested[:0]
	p.clock++
	for done := 0; done < len(bytes); {
		at := offset + int64(done)
		number := at / pageSize
		skip := int(at % pageSize)
		n := min(len(bytes)-done, pageSize-skip)
		page := p.pages[number]
		if page == nil && p.instant {
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
			page.used = p.clock
			page.copy(bytes[done:done+n], states[done:done+n], skip)
		}
		done += n
	}
	if len(p.requested) > 0 && !p.reading {
		p.reading = true
		p.group.Go(p.run)
	}
}

func (g *page) copy(bytes []byte, states []state, skip int) {
	for i := range bytes {
		at := skip + i
		if at%blockSize < int(g.readable[at/blockSize]) {
			bytes[i], states[i] = g.bytes[at], known
		} else {
			bytes[i], states[i] = 0, unreadable
		}
	}
}

// run reads the requested pages.
func (p *pages) run(context.Context) func() {
	for {
		p.lock.Lock()
		if len(p.requested) == 0 || p.closed {
			p.reading = false
			p.lock.Unlock()
			return nil
		}
		number := p.requested[0]
		p.current = number
		p.requested = slices.Delete(p.requested, 0, 1)
		p.lock.Unlock()
		g := p.read(number)
		p.lock.Lock()
		p.store(number, g)
		last := len(p.requested) == 0
		p.lock.Unlock()
		if last {
			p.arrived()
		}
	}
}

func (p *pages) store(number int64, g *page) {
	if len(p.pages) >= maxPages {
		oldest, at := uint64(1<<64-1), int64(-1)
		for n, h := range p.pages {
			if h.used < oldest {
				oldest, at = h.used, n
			}
		}
		delete(p.pages, at)
	}
	g.used = p.clock
	p.pages[number] = g
}

func (p *pages) read(number int64) *page {
	start := number * pageSize
	size := int(max(0, min(pageSize, p.data.Size()-start)))
	g := &page{bytes: make([]byte, size)}
	n, err := p.data.ReadAt(g.bytes, start)
	if n == size && (err == nil || errors.Is(err, io.EOF)) {
		for i := 0; i*blockSize < size; i++ {
			g.readable[i] = int16(min(blockSize, size-i*blockSize))
		}
		return g
	}
	for i := 0; i*blockSize < size; i++ {
		block := g.bytes[i*blockSize : min(size, (i+1)*blockSize)]
		n, _ := p.data.ReadAt(block, start+int64(i*blockSize))
		g.readable[i] = int16(n)
	}
	return g
}

// key moves the caret; with shift it extends the range from where the caret was.
func (h *Hex) key(ev *fyne.KeyEvent, shift bool) bool {
	if ev.Name == fyne.KeyEscape {
		if h.to <= h.from {
			return false
		}
		h.setRange(0, 0)
		h.rows.Refresh()
		return true
	}
	return h.command(h.host.Keys().At(command.List, command.Typed(ev, shift)), shift)
}

// command runs a command of the view, and reports whether id is one.
func (h *Hex) command(id command.ID, shift bool) bool {
	n := int64(h.columns)
	page := n * max(1, h.rows.Page()-1)
	to := h.caret
	switch id {
	case "list.to-left":
		to--
	case "list.to-right":
		to++
	case "list.to-previous":
		to = h.vertical(-n)
	case "list.to-next":
		to = h.vertical(n)
	case "list.to-previous-page":
		to = h.vertical(-page)
		h.rows.SetFirst(h.rows.First() - page/n)
	case "list.to-next-page":
		to = h.vertical(page)
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
	h.moveTo(to, shift)
	return true
}

// vertical moves by whole rows and stays in the caret's column.
func (h *Hex) vertical(step int64) int64 {
	n := int64(h.columns)
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

// shortcut handles a keyboard shortcut.
func (h *Hex) shortcut(s fyne.Shortcut) bool {
	if s, ok := s.(*fyne.ShortcutCopy); ok {
		return h.copyShortcut(s)
	}
	key := command.Shortcut(s)
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
	if h.inText {
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

// moveTo moves the caret for the user.
func (h *Hex) moveTo(to int64, extend bool) {
	if h.size == 0 {
		return
	}
	to = max(0, min(to, h.size-1))
	moved := to != h.caret
	h.caret = to
	if moved && h.OnSelect != nil {
		h.OnSelect(to) // before the range, which is selected in the end
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
	if from == h.from && to == h.to {
		return
	}
	hadRange := h.to > h.from
	h.from, h.to = from, to
	if h.OnRange != nil && (hadRange || to > from) {
		h.OnRange(from, max(0, to-from))
	}
}

func (h *Hex) press(p rows.Pointer) rows.PressResult {
	offset, text := h.offsetAt(p)
	if offset < 0 || h.size == 0 {
		return rows.Handled
	}
	h.inText = text
	switch {
	case p.Button == desktop.MouseButtonSecondary && (offset < h.from || offset >= h.to): // outside the range
		h.moveCaret(offset)
		return rows.Handled
	case p.Button != desktop.MouseButtonPrimary:
		return rows.Handled
	case p.Modifier&fyne.KeyModifierShift != 0:
		h.moveTo(offset, true)
	default:
		h.moveCaret(offset)
	}
	h.pulling = true
	return rows.Pull
}

// moveCaret moves the caret to the clicked byte, which is in view. A click on the caret's byte selects it again,
// because the owner may display something else.
func (h *Hex) moveCaret(offset int64) {
	h.anchor, h.caret = offset, offset
	h.setRange(0, 0)
	h.rows.Refresh()
	if h.OnSelect != nil {
		h.OnSelect(offset)
	}
}

func (h *Hex) pull(p rows.Pointer) {
	if !h.pulling || h.size == 0 {
		return
	}
	offset := h.nearest(p)
	h.caret = offset
	if offset == h.anchor && h.to <= h.from {
		return
	}
	h.setRange(min(h.anchor, offset), max(h.anchor, offset)+1)
	h.rows.Refresh()
}

func (h *Hex) release() { h.pulling = false }

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
	h.menu(0, pos.Add(h.rows.RowPosition(h.caret/int64(h.columns))))
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
