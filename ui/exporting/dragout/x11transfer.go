//go:build linux || freebsd || netbsd || openbsd || dragonfly

package dragout

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"time"

	"github.com/jezek/xgb/xproto"
)

// property is the answer to one question for a selection.
type property struct {
	typ   xproto.Atom
	words []uint32 // if it is of 32-bit values
	bytes []byte   // else
}

// partKey names a property that is sent in parts.
type partKey struct {
	window   xproto.Window
	property xproto.Atom
}

// parts is a property on its way (INCR): each time the receiver deletes one part, the next is written, the last one
// empty.
type parts struct {
	typ  xproto.Atom
	rest []byte
	drag *drag // nil for the clipboard
	sent time.Time
}

// request answers a question for a selection that is ours.
func (s *session) request(e xproto.SelectionRequestEvent) {
	if e.Property == 0 {
		e.Property = e.Target // a requestor from before 1989
	}
	d, c := s.asked(e)
	if d == nil && c == nil {
		s.answer(e, false)
		return
	}
	if d != nil && e.Target == s.con.atom.XdndDirectSave0 {
		s.directSave(d, e)
		return
	}
	if d != nil && s.defers(d, e) {
		return
	}
	s.reply(d, c, e)
}

// reply answers a question now.
func (s *session) reply(d *drag, c *clip, e xproto.SelectionRequestEvent) {
	if e.Target == s.con.atom.MULTIPLE {
		s.answer(e, s.multiple(d, c, e))
		return
	}
	s.answer(e, s.put(d, c, e.Requestor, e.Property, e.Target))
}

// defers reports whether a question is kept until the files are ready. It begins to write them, as a program
// wants them. Mutter asks for its native windows, and takes a refusal for the last word.
func (s *session) defers(d *drag, e xproto.SelectionRequestEvent) bool {
	if d.batch != nil || d.isOver || len(d.deferred) >= deferredMax || !s.asksForFiles(e) {
		return false
	}
	d.deferred = append(d.deferred, e)
	if d.written == nil {
		s.prepare(d)
	}
	return true
}

// asksForFiles reports whether the answer to a question names the files.
func (s *session) asksForFiles(e xproto.SelectionRequestEvent) bool {
	named := s.namingTypes()
	if e.Target != s.con.atom.MULTIPLE {
		return slices.Contains(named, uint32(e.Target))
	}
	pairs := s.con.words(e.Requestor, e.Property, s.con.atom.Pair)
	for i := 0; i+1 < len(pairs); i += 2 {
		if slices.Contains(named, pairs[i]) {
			return true
		}
	}
	return false
}

// answerDeferred answers the questions that came before the files were ready, or will never be.
func (s *session) answerDeferred(d *drag) {
	deferred := d.deferred
	d.deferred = nil
	for _, e := range deferred {
		if d.batch == nil {
			s.answer(e, false)
		} else {
			s.reply(d, nil, e)
		}
	}
}

// asked finds what a question is about. A drop that is not finished is told from a later drag by its time.
func (s *session) asked(e xproto.SelectionRequestEvent) (*drag, *clip) {
	switch e.Selection {
	case s.con.atom.CLIPBOARD:
		if s.clip != nil && s.clip.window == e.Owner {
			return nil, s.clip
		}
	case s.con.atom.XdndSelection:
		all := slices.Clone(s.ending)
		if s.drag != nil {
			all = append(all, s.drag)
		}
		for _, d := range slices.Backward(all) {
			if d.since != 0 && (e.Time == 0 && d.offered != nil || e.Time != 0 && int32(e.Time-d.since) >= 0) {
				d.active = time.Now()
				return d, nil
			}
		}
		if e.Time == 0 && s.drag != nil && s.drag.since != 0 {
			return s.drag, nil // mutter asks before it is told of anything
		}
	}
	return nil, nil
}

// answer tells the requestor that the property is there, or that it will not be.
func (s *session) answer(e xproto.SelectionRequestEvent, ok bool) {
	n := xproto.SelectionNotifyEvent{Time: e.Time, Requestor: e.Requestor, Selection: e.Selection, Target: e.Target,
		Property: e.Property}
	if !ok {
		n.Property = 0
	}
	xproto.SendEvent(s.con.x, false, e.Requestor, xproto.EventMaskNoEvent, string(n.Bytes()))
}

// put writes one property for a requestor.
func (s *session) put(d *drag, c *clip, w xproto.Window, name, typ xproto.Atom) bool {
	p, ok := s.content(d, c, typ)
	if !ok {
		return false
	}
	if p.words != nil {
		s.con.setWords(w, name, p.typ, p.words...)
		return true
	}
	if len(p.bytes) <= s.con.part {
		s.con.setBytes(w, name, p.typ, p.bytes)
		return true
	}
	s.con.watch(w, watched)
	s.parts[partKey{w, name}] = &parts{typ: p.typ, rest: p.bytes, drag: d, sent: time.Now()}
	s.con.setWords(w, name, s.con.atom.INCR, uint32(len(p.bytes)))
	return true
}

// content is what a question is answered with.
func (s *session) content(d *drag, c *clip, typ xproto.Atom) (property, bool) {
	a := &s.con.atom
	var b *batch
	var since xproto.Timestamp
	var types []uint32
	if c != nil {
		b, since = c.batch, c.since
		types = append(s.namingTypes(), uint32(a.Copied), uint32(a.UTF8))
	} else {
		// Mutter asks once, when the selection is taken: so all types whose content will come are listed.
		b, since, types = d.batch, d.since, s.namingTypes()
	}
	switch typ {
	case a.TARGETS:
		return property{typ: xproto.AtomAtom,
			words: append(types, uint32(a.TARGETS), uint32(a.TIMESTAMP), uint32(a.MULTIPLE))}, true
	case a.TIMESTAMP:
		return property{typ: xproto.AtomInteger, words: []uint32{uint32(since)}}, true
	}
	if b == nil {
		return property{}, false
	}
	switch typ {
	case a.URIList:
		if d != nil {
			d.served = true
		}
		return property{typ: typ, bytes: b.uriList()}, true
	case a.Plain, a.PlainUTF8, a.UTF8:
		return property{typ: typ, bytes: b.plain()}, true
	case a.Copied:
		return property{typ: typ, bytes: b.copied()}, c != nil
	case a.Portal:
		if d != nil {
			d.served = b.key != ""
		}
		return property{typ: typ, bytes: []byte(b.key)}, b.key != ""
	}
	return property{}, false
}

// multiple answers several questions at once; those that have no answer are crossed out.
func (s *session) multiple(d *drag, c *clip, e xproto.SelectionRequestEvent) bool {
	pairs := s.con.words(e.Requestor, e.Property, s.con.atom.Pair)
	if len(pairs)%2 != 0 || len(pairs) == 0 {
		return false
	}
	for i := 0; i < len(pairs); i += 2 {
		typ, name := xproto.Atom(pairs[i]), xproto.Atom(pairs[i+1])
		if name == 0 || typ == s.con.atom.MULTIPLE || !s.put(d, c, e.Requestor, name, typ) {
			pairs[i+1] = 0
		}
	}
	s.con.setWords(e.Requestor, e.Property, s.con.atom.Pair, pairs...)
	return true
}

// nextPart goes on with a property that the receiver has read so far.
func (s *session) nextPart(k partKey) {
	p := s.parts[k]
	if p == nil {
		return
	}
	n := min(len(p.rest), s.con.part)
	s.con.setBytes(k.window, k.property, p.typ, p.rest[:n])
	p.rest, p.sent = p.rest[n:], time.Now()
	if p.drag != nil {
		p.drag.active = p.sent
	}
	if n == 0 {
		delete(s.parts, k)
	}
}

// directSave writes the file where the target wants it, then answers.
func (s *session) directSave(d *drag, e xproto.SelectionRequestEvent) {
	if len(d.items) != 1 || d.saving || s.drag == d {
		s.answer(e, false)
		return
	}
	uri := s.con.text(d.window, s.con.atom.XdndDirectSave0)
	d.saving = true
	item := d.items[0]
	before, stopped := d.written, d.batch == nil
	ctx := d.ctx
	if stopped {
		// The copy in the private folder is not needed any more.
		d.stop()
		ctx, d.stop = context.WithCancel(s.ctx)
	}
	s.work.Go(func() {
		if stopped && before != nil {
			<-before
		}
		d.progress.done.Store(0)
		path, err := save(ctx, uri, &item, &d.progress)
		s.do(func() { s.wrote(d, e, path, err) })
	})
}

// wrote answers a direct save.
func (s *session) wrote(d *drag, e xproto.SelectionRequestEvent, path string, err error) {
	d.saving, d.active = false, time.Now()
	result := byte(saveDone)
	switch {
	case errors.Is(err, errForeign):
		result, d.failure = saveForeign, err
	case err != nil:
		result, d.failure = saveFailed, err
	default:
		d.saved = filepath.Base(path)
	}
	s.con.setBytes(e.Requestor, e.Property, xproto.AtomString, []byte{result})
	s.answer(e, true)
	if d.alone {
		s.finished(d, true)
	}
}
