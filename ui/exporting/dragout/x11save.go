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

	"assay/model"
)

// The answers of a direct save.
const (
	saveDone    = 'S'
	saveForeign = 'F' // not a place that this process can write to: the target may try another way
	saveFailed  = 'E'
)

var errForeign = errors.New("the program asked to save in a place that is not on this machine")

// save writes an item to where a target wants it: under a temporary name in the same folder until it is complete, and
// never over a file that is there.
func save(ctx context.Context, uri string, it *Item, p *progress) (path string, err error) {
	path, err = localPath(uri)
	if err != nil {
		return "", err
	}
	if _, err := os.Lstat(path); err == nil {
		return path, errTaken(path)
	}
	temporary := filepath.Join(filepath.Dir(path), ".assay-"+strconv.FormatUint(rand.Uint64(), 36)+".part")
	if err := writeFile(ctx, temporary, it, p); err != nil {
		return path, err
	}
	if err := publish(temporary, path); err != nil {
		os.Remove(temporary)
		return path, err
	}
	return path, nil
}

// publish returns the file its name. A link fails where the name is taken, a rename would replace.
func publish(temporary, path string) error {
	err := os.Link(temporary, path)
	switch {
	case err == nil:
		return os.Remove(temporary)
	case errors.Is(err, fs.ErrExist):
		return errTaken(path)
	}
	// This file system has no links.
	if _, err := os.Lstat(path); err == nil {
		return errTaken(path)
	}
	return os.Rename(temporary, path)
}

func errTaken(path string) error {
	return fmt.Errorf("%s already exists in that folder", model.FileName(path))
}

// localPath is the path of a file URI on this machine.
func localPath(uri string) (string, error) {
	u, err := url.Parse(strings.TrimRight(uri, "\x00\r\n"))
	if err != nil || u.Scheme != "file" || u.Opaque != "" {
		return "", errForeign
	}
	if host, _ := os.Hostname(); u.Host != "" && u.Host != "localhost" && !strings.EqualFold(u.Host, host) {
		return "", errForeign
	}
	if !filepath.IsAbs(u.Path) || strings.HasSuffix(u.Path, "/") || strings.ContainsRune(u.Path, 0) {
		return "", errForeign
	}
	return filepath.Clean(u.Path), nil
}
