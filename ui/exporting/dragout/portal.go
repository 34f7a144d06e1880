//go:build linux || freebsd || netbsd || openbsd || dragonfly

package dragout

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/godbus/dbus/v5"
)

// portalType is the type of files for sandboxed programs, which cannot access them by name: a key from the document
// portal (org.freedesktop.portal.FileTransfer).
const portalType = "application/vnd.portal.filetransfer"

const (
	portalName      = "org.freedesktop.portal.Documents"
	portalPath      = "/org/freedesktop/portal/documents"
	portalTransfer  = "org.freedesktop.portal.FileTransfer"
	portalTimeout   = time.Second // maximum wait for an answer, which usually takes milliseconds
	filesPerMessage = 16          // maximum number of files in one message of the bus
)

// portal is the connection to the document portal, once found. The files passed to it are available until the
// connection closes.
type portal struct {
	reachable atomic.Bool

	mu   sync.Mutex
	conn *dbus.Conn
}

// find connects to the document portal of this session, if there is one. The connection closes with the context.
func (p *portal) find(ctx context.Context) {
	address := os.Getenv("DBUS_SESSION_BUS_ADDRESS")
	if address == "" {
		// Without an address the library would start a bus of its own.
		address = "unix:path=" + filepath.Join(os.Getenv("XDG_RUNTIME_DIR"), "bus")
	}
	conn, err := dbus.Connect(address, dbus.WithContext(ctx))
	if err != nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, portalTimeout)
	defer cancel()
	var names []string
	var owned bool
	err = conn.BusObject().CallWithContext(ctx, "org.freedesktop.DBus.ListActivatableNames", 0).Store(&names)
	if err == nil {
		err = conn.BusObject().CallWithContext(ctx, "org.freedesktop.DBus.NameHasOwner", 0, portalName).Store(&owned)
	}
	if err != nil || !owned && !slices.Contains(names, portalName) || !conn.SupportsUnixFDs() {
		conn.Close()
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.conn = conn
	p.reachable.Store(true)
}

// available reports whether the portal was found.
func (p *portal) available() bool { return p.reachable.Load() }

// offer passes files to the portal, and returns the key for them, or "" on failure.
func (p *portal) offer(ctx context.Context, paths []string) string {
	if !p.available() {
		return ""
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	ctx, cancel := context.WithTimeout(ctx, portalTimeout)
	defer cancel()
	object := p.conn.Object(portalName, portalPath)
	var key string
	options := map[string]dbus.Variant{"writable": dbus.MakeVariant(false), "autostop": dbus.MakeVariant(false)}
	err := object.CallWithContext(ctx, portalTransfer+".StartTransfer", 0, options).Store(&key)
	for part := range slices.Chunk(paths, filesPerMessage) {
		if err == nil {
			err = addFiles(ctx, object, key, part)
		}
	}
	if err != nil {
		if ctx.Err() == context.DeadlineExceeded {
			p.reachable.Store(false) // later drags do not wait for it
		}
		return ""
	}
	return key
}

func addFiles(ctx context.Context, object dbus.BusObject, key string, paths []string) error {
	fds := make([]dbus.UnixFD, len(paths))
	for i, path := range paths {
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		fds[i] = dbus.UnixFD(f.Fd())
	}
	return object.CallWithContext(ctx, portalTransfer+".AddFiles", 0, key, fds, map[string]dbus.Variant{}).Err
}
