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
	"strconv"
	"strings"
	"time"

	"github.com/jezek/xgb/xproto"

	"assay/model"
)

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
