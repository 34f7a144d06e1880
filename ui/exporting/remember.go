package exporting

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"assay/model"
	"assay/ui/notice"
	"assay/ui/wording"
	"assay/ui/work"
)

// remembered is the list as it is kept from one start of the program to the next.
type remembered struct {
	Files []rememberedFile `json:"files"`
	Rows  []rememberedRows `json:"rows"`
}

type rememberedFile struct {
	Path   string `json:"path"`
	Size   int64  `json:"size"`
	Assets int    `json:"assets"` // that it has
}

// rememberedRows is rows that follow each other: assets by their positions, or one that is made.
type rememberedRows struct {
	File  int         `json:"file"`
	From  int         `json:"from,omitempty"`
	Count int         `json:"count"`
	Form  string      `json:"form,omitempty"`
	Node  string      `json:"node,omitempty"` // the path of the node that it is made of
	Bytes *model.Span `json:"bytes,omitempty"`
}

// Limits of what is remembered: runs of rows, and the file that they are written to.
const (
	rememberRows = 20_000
	rememberSize = 8 << 20
	rememberWait = 300 * time.Millisecond // after the last change
)

// keeper keeps the list in a file.
type keeper struct {
	p       *Panel
	path    string // empty keeps nothing
	lane    *work.Lane
	latest  atomic.Pointer[remembered] // what is to be written
	writing sync.Mutex
	known   bool                     // what was kept last time has been asked for
	back    map[*model.Document]bool // documents that were opened for the list alone
}

// keep remembers the list as it is.
func (k *keeper) keep() {
	if k.path == "" || !k.known {
		return
	}
	k.lane.Go(func(ctx context.Context) func() {
		if !k.p.group.Pause(ctx, rememberWait) {
			return nil
		}
		return func() {
			k.latest.Store(k.now())
			k.p.group.Go(func(context.Context) func() {
				err := k.write()
				return func() { k.p.complain(err) }
			})
		}
	})
}

// now is the list as it is remembered: what is in files that can be opened again.
func (k *keeper) now() *remembered {
	now, files := new(remembered), map[*model.Document]int{}
	for _, it := range k.p.basket.items {
		d := it.from.doc
		if d.Source.Path() == "" || len(now.Rows) == rememberRows {
			continue
		}
		at, ok := files[d]
		if !ok {
			at = len(now.Files)
			files[d] = at
			f := rememberedFile{Path: model.EncodePath(d.Source.Path()), Size: d.Source.Size()}
			if d.Payloads != nil {
				f.Assets = d.Payloads.Len()
			}
			now.Files = append(now.Files, f)
		}
		r := rememberedRows{File: at, From: int(it.index), Count: 1, Form: it.form()}
		if it.from.made {
			r.From = 0
			if a := it.payload(); a.Node != nil {
				r.Node = a.Key
			} else {
				r.Bytes = &a.Stored
			}
		} else if n := len(now.Rows); n > 0 && now.Rows[n-1].before(r) {
			now.Rows[n-1].Count++
			continue
		}
		now.Rows = append(now.Rows, r)
	}
	return now
}

// before reports whether the next row follows.
func (r *rememberedRows) before(next rememberedRows) bool {
	return r.File == next.File && r.Form == next.Form && r.From+r.Count == next.From && r.Node == "" && r.Bytes == nil
}

// write writes the latest list: one that came before it never takes its place.
func (k *keeper) write() error {
	k.writing.Lock()
	defer k.writing.Unlock()
	b, err := json.Marshal(k.latest.Load())
	if err != nil {
		return err
	}
	err = os.MkdirAll(filepath.Dir(k.path), 0o700)
	if err == nil {
		err = model.ReplaceFile(k.path, b, 0o600)
	}
	if err != nil {
		return fmt.Errorf("the export list cannot be remembered: %w", err)
	}
	return nil
}

// end remembers the list of a window that closes.
func (k *keeper) end() {
	if k.path != "" && k.known {
		k.lane.Stop()
		k.latest.Store(k.now())
		_ = k.write() // there is no one left to tell
	}
}

// read reads what was kept; nothing if there is nothing, or it makes no sense.
func (k *keeper) read() (last remembered) {
	info, err := os.Stat(k.path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > rememberSize {
		return last
	}
	b, err := model.ReadShared(k.path)
	if err != nil || json.Unmarshal(b, &last) != nil {
		return remembered{}
	}
	return last
}

// Remember keeps the list at a path from now on. open opens the files of the list that was kept last time, which comes
// back; nil leaves that out.
func (p *Panel) Remember(path string, open func(ctx context.Context, path string) (*model.Document, error)) {
	k := p.keeper
	if k.path = path; open == nil {
		k.known = true
		return
	}
	p.group.Go(func(ctx context.Context) func() {
		last := k.read()
		docs := make([]*model.Document, len(last.Files))
		for i, f := range last.Files {
			if d, err := open(ctx, model.DecodePath(f.Path)); err == nil {
				if docs[i] = d; !f.is(d) {
					docs[i] = nil
					d.Source.Close()
				}
			}
		}
		made := make([]*model.Payload, len(last.Rows))
		for i, r := range last.Rows {
			if r.File >= 0 && r.File < len(docs) && docs[r.File] != nil {
				made[i] = r.make(docs[r.File])
			}
		}
		return func() {
			k.known = true
			k.restore(last, docs, made)
		}
	})
}

// is reports whether a document is that of the file as it was.
func (f *rememberedFile) is(d *model.Document) bool {
	n := 0
	if d.Payloads != nil {
		n = d.Payloads.Len()
	}
	return d.Source.Size() == f.Size && n == f.Assets
}

// make makes the asset of a row that is made; nil if it is none, or cannot be made.
func (r *rememberedRows) make(d *model.Document) *model.Payload {
	switch {
	case r.Bytes != nil && r.Bytes.Within(d.Source.Size()):
		return model.SpanPayload(d, *r.Bytes)
	case r.Node != "":
		if n, err := d.Find(r.Node); err == nil {
			return model.NodePayload(d, n)
		}
	}
	return nil
}

// restore puts the rows of last time into the list. The documents are let go if it holds nothing of them.
func (k *keeper) restore(last remembered, docs []*model.Document, made []*model.Payload) {
	b, lost := k.p.basket, 0
	for i, r := range last.Rows {
		n := len(b.items)
		switch {
		case r.File < 0 || r.File >= len(docs) || docs[r.File] == nil:
		case made[i] != nil:
			b.addMade(docs[r.File], model.PayloadList{made[i]})
		case r.Node == "" && r.Bytes == nil && r.From >= 0 && r.Count > 0 &&
			r.Count <= last.Files[r.File].Assets-r.From:
			b.add(docs[r.File], positions(r.From, r.Count))
		}
		for j := range b.items[n:] {
			b.items[n+j].setForm(r.Form)
		}
		lost += max(0, r.Count-(len(b.items)-n))
	}
	for _, d := range docs {
		if d != nil {
			k.back[d] = true
			d.Source.Close()
		}
	}
	if lost > 0 {
		k.p.Notify(notice.Notice{ID: "export list", Level: notice.Warning,
			Text: fmt.Sprintf("%s of the export list of last time %s not where they were: their files have changed.",
				wording.Count(lost, "asset"), isAre(lost))})
	}
	if len(b.items) > 0 {
		k.p.changed()
	}
}

// Opened goes on with the document of a tab instead of that of the same file which was opened for the list alone.
func (p *Panel) Opened(d *model.Document) {
	for old := range p.keeper.back {
		if old.Source.Path() == d.Source.Path() && d.Source.Path() != "" {
			delete(p.keeper.back, old)
			p.goOn(old, d, true)
		}
	}
}
