//go:build linux || freebsd || netbsd || openbsd || dragonfly

package dragout

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jezek/xgb/xproto"

	"assay/model"
)

// property is the answer to a request for a selection.
type property struct {
	typ   xproto.Atom
	words []uint32 // 32-bit values; may be nil
	bytes []byte   // otherwise
}

// partKey identifies a property that is sent in parts.
type partKey struct {
	window   xproto.Window
	property xproto.Atom
}

// transfer is an incremental transfer of a property (INCR). Each time the receiver deletes a part, the next part is
// written, and at the end an empty one.
type transfer struct {
	typ    xproto.Atom
	unsent []byte
	drag   *drag // nil for the clipboard
	sent   time.Time
}

// onRequest handles a request for a selection that this session owns.
func (s *session) onRequest(e xproto.SelectionRequestEvent) {
	if e.Property == 0 {
		e.Property = e.Target // an obsolete requestor, from before 1989
	}
	d, c := s.contentFor(e)
	if d == nil && c == nil {
		s.notifyRequestor(e, false)
		return
	}
	if d != nil && e.Target == s.con.atom.XdndDirectSave0 {
		s.directSave(d, e)
		return
	}
	if d != nil && s.deferUntilReady(d, e) {
		return
	}
	s.reply(d, c, e)
}

// reply answers a request now.
func (s *session) reply(d *drag, c *clip, e xproto.SelectionRequestEvent) {
	if e.Target == s.con.atom.MULTIPLE {
		s.notifyRequestor(e, s.answerMultiple(d, c, e))
		return
	}
	s.notifyRequestor(e, s.writeProperty(d, c, e.Requestor, e.Property, e.Target))
}

// deferUntilReady queues a request until the files are ready, and starts writing them. It returns false if the request
// need not or cannot wait. Mutter requests files for its native windows, and treats a refusal as final.
func (s *session) deferUntilReady(d *drag, e xproto.SelectionRequestEvent) bool {
	if d.batch != nil || d.isOver || len(d.deferred) >= maxDeferred || !s.asksForFiles(e) {
		return false
	}
	d.deferred = append(d.deferred, e)
	if d.writerEnded == nil {
		s.startWriting(d)
	}
	return true
}

// asksForFiles reports whether the answer to a request contains the names of the files.
func (s *session) asksForFiles(e xproto.SelectionRequestEvent) bool {
	named := s.namingTypes()
	if e.Target != s.con.atom.MULTIPLE {
		return slices.Contains(named, uint32(e.Target))
	}
	pairs := s.con.getWords(e.Requestor, e.Property, s.con.atom.Pair)
	for i := 0; i+1 < len(pairs); i += 2 {
		if slices.Contains(named, pairs[i]) {
			return true
		}
	}
	return false
}

// answerDeferred answers the requests that arrived before the files were ready or failed.
func (s *session) answerDeferred(d *drag) {
	deferred := d.deferred
	d.deferred = nil
	for _, e := range deferred {
		if d.batch == nil {
			s.notifyRequestor(e, false)
		} else {
			s.reply(d, nil, e)
		}
	}
}

// contentFor finds the drag or the clipboard content for a request. The time distinguishes an unfinished drop from a
// later drag.
func (s *session) contentFor(e xproto.SelectionRequestEvent) (*drag, *clip) {
	switch e.Selection {
	case s.con.atom.CLIPBOARD:
		if s.clip != nil && s.clip.window == e.Owner {
			return nil, s.clip
		}
	case s.con.atom.XdndSelection:
		drags := slices.Clone(s.dropped)
		if s.drag != nil {
			drags = append(drags, s.drag)
		}
		for _, d := range slices.Backward(drags) {
			if d.ownedSince != 0 && (e.Time == 0 && d.announcedTypes != nil || e.Time != 0 &&
				int32(e.Time-d.ownedSince) >= 0) {
				d.lastActive = time.Now()
				return d, nil
			}
		}
		if e.Time == 0 && s.drag != nil && s.drag.ownedSince != 0 {
			return s.drag, nil // mutter requests data before any announcement
		}
	}
	return nil, nil
}

// notifyRequestor notifies the requestor that the property is set, or that it will not be.
func (s *session) notifyRequestor(e xproto.SelectionRequestEvent, ok bool) {
	n := xproto.SelectionNotifyEvent{Time: e.Time, Requestor: e.Requestor, Selection: e.Selection, Target: e.Target,
		Property: e.Property}
	if !ok {
		n.Property = 0
	}
	xproto.SendEvent(s.con.x, false, e.Requestor, xproto.EventMaskNoEvent, string(n.Bytes()))
}

// writeProperty writes one property for a requestor.
func (s *session) writeProperty(d *drag, c *clip, w xproto.Window, name, typ xproto.Atom) bool {
	p, ok := s.answerTo(d, c, typ)
	if !ok {
		return false
	}
	if p.words != nil {
		s.con.setWords(w, name, p.typ, p.words...)
		return true
	}
	if len(p.bytes) <= s.con.maxPart {
		s.con.setBytes(w, name, p.typ, p.bytes)
		return true
	}
	s.con.watch(w, watchedEvents)
	s.transfers[partKey{w, name}] = &transfer{typ: p.typ, unsent: p.bytes, drag: d, sent: time.Now()}
	s.con.setWords(w, name, s.con.atom.INCR, uint32(len(p.bytes)))
	return true
}

// answerTo returns the answer to a request for a type; false if the type is not offered, or its files are not ready. It
// records that the target received the names of the files.
func (s *session) answerTo(d *drag, c *clip, typ xproto.Atom) (property, bool) {
	a := &s.con.atom
	var b *batch
	var ownedSince xproto.Timestamp
	var types []uint32
	if c != nil {
		b, ownedSince = c.batch, c.ownedSince
		types = append(s.namingTypes(), uint32(a.Copied), uint32(a.UTF8))
	} else {
		// Mutter requests the types once, when the selection is taken: so the list includes the types with content
		// still to come.
		b, ownedSince, types = d.batch, d.ownedSince, s.namingTypes()
	}
	switch typ {
	case a.TARGETS:
		return property{typ: xproto.AtomAtom,
			words: append(types, uint32(a.TARGETS), uint32(a.TIMESTAMP), uint32(a.MULTIPLE))}, true
	case a.TIMESTAMP:
		return property{typ: xproto.AtomInteger, words: []uint32{uint32(ownedSince)}}, true
	}
	if b == nil {
		return property{}, false
	}
	switch typ {
	case a.URIList:
		if d != nil {
			d.namesSent = true
		}
		return property{typ: typ, bytes: b.uriList()}, true
	case a.Plain, a.PlainUTF8, a.UTF8:
		return property{typ: typ, bytes: b.pathLines()}, true
	case a.Copied:
		return property{typ: typ, bytes: b.gnomeCopied()}, c != nil
	case a.Portal:
		if d != nil {
			d.namesSent = b.key != ""
		}
		return property{typ: typ, bytes: []byte(b.key)}, b.key != ""
	}
	return property{}, false
}

// answerMultiple answers several requests at once, and marks those without an answer.
func (s *session) answerMultiple(d *drag, c *clip, e xproto.SelectionRequestEvent) bool {
	pairs := s.con.getWords(e.Requestor, e.Property, s.con.atom.Pair)
	if len(pairs)%2 != 0 || len(pairs) == 0 {
		return false
	}
	for i := 0; i < len(pairs); i += 2 {
		typ, name := xproto.Atom(pairs[i]), xproto.Atom(pairs[i+1])
		if name == 0 || typ == s.con.atom.MULTIPLE || !s.writeProperty(d, c, e.Requestor, name, typ) {
			pairs[i+1] = 0
		}
	}
	s.con.setWords(e.Requestor, e.Property, s.con.atom.Pair, pairs...)
	return true
}

// nextPart sends the next part of a property after the receiver has read the previous one.
func (s *session) nextPart(k partKey) {
	p := s.transfers[k]
	if p == nil {
		return
	}
	n := min(len(p.unsent), s.con.maxPart)
	s.con.setBytes(k.window, k.property, p.typ, p.unsent[:n])
	p.unsent, p.sent = p.unsent[n:], time.Now()
	if p.drag != nil {
		p.drag.lastActive = p.sent
	}
	if n == 0 {
		delete(s.transfers, k)
	}
}

// directSave writes the file to the destination of the target, then answers.
func (s *session) directSave(d *drag, e xproto.SelectionRequestEvent) {
	if !d.isSingleFile() || d.isSaving || s.drag == d {
		s.notifyRequestor(e, false)
		return
	}
	uri := s.con.getText(d.window, s.con.atom.XdndDirectSave0)
	d.isSaving = true
	item := d.items[0]
	written, stopped := d.writerEnded, d.batch == nil
	ctx := d.ctx
	if stopped {
		// the copy in the private folder is no longer needed
		d.stop()
		ctx, d.stop = context.WithCancel(s.ctx)
	}
	s.workers.Go(func() {
		if stopped && written != nil {
			<-written
		}
		d.progress.done.Store(0)
		path, err := save(ctx, uri, &item, &d.progress)
		s.enqueue(func() { s.onSaved(d, e, path, err) })
	})
}

// onSaved answers a direct save.
func (s *session) onSaved(d *drag, e xproto.SelectionRequestEvent, path string, err error) {
	d.isSaving, d.lastActive = false, time.Now()
	result := byte(saveDone)
	switch {
	case errors.Is(err, errUnsupportedDestination):
		result, d.failure = saveUnsupported, err
	case err != nil:
		result, d.failure = saveFailed, err
	default:
		d.savedFile = filepath.Base(path)
	}
	s.con.setBytes(e.Requestor, e.Property, xproto.AtomString, []byte{result})
	s.notifyRequestor(e, true)
	if d.targetGone {
		s.onFinished(d, true)
	}
}

// The answers of a direct save.
const (
	saveDone        = 'S'
	saveUnsupported = 'F' // this process cannot write to the destination: the target may try another method
	saveFailed      = 'E'
)

var errUnsupportedDestination = errors.New("the other app asked to save to an unsupported location")

// save writes an item to the destination of a target, under a temporary name in the same folder until it is complete.
// It never replaces an existing file.
func save(ctx context.Context, uri string, item *Item, p *progress) (path string, err error) {
	path, err = localPath(uri)
	if err != nil {
		return "", err
	}
	if _, err := os.Lstat(path); err == nil {
		return path, errExists(path)
	}
	temporary := filepath.Join(filepath.Dir(path), unsavedName())
	if err := writeFile(ctx, temporary, item, p); err != nil {
		return path, err
	}
	if err := publish(temporary, path); err != nil {
		os.Remove(temporary)
		return path, err
	}
	return path, nil
}

// unsavedName returns a new name for a file that is not complete. It does not have the form of an export's .part files,
// because those without a lock are removed as abandoned.
func unsavedName() string { return ".assay-" + strconv.FormatUint(rand.Uint64(), 36) + ".save" }

// publish gives the file its final name. A link fails if the name exists, while a rename would replace that file.
func publish(temporary, path string) error {
	err := os.Link(temporary, path)
	switch {
	case err == nil:
		return os.Remove(temporary)
	case errors.Is(err, fs.ErrExist):
		return errExists(path)
	}
	// this file system has no links
	if _, err := os.Lstat(path); err == nil {
		return errExists(path)
	}
	return os.Rename(temporary, path)
}

func errExists(path string) error {
	return fmt.Errorf("%s already exists in that folder", model.FileName(path))
}

// localPath returns the path of a file URI on this computer.
func localPath(uri string) (string, error) {
	u, err := url.Parse(strings.TrimRight(uri, "\x00\r\n"))
	if err != nil || u.Scheme != "file" || u.Opaque != "" {
		return "", errUnsupportedDestination
	}
	if host, _ := os.Hostname(); u.Host != "" && u.Host != "localhost" && !strings.EqualFold(u.Host, host) {
		return "", errUnsupportedDestination
	}
	if !filepath.IsAbs(u.Path) || strings.HasSuffix(u.Path, "/") || strings.ContainsRune(u.Path, 0) {
		return "", errUnsupportedDestination
	}
	return filepath.Clean(u.Path), nil
}
