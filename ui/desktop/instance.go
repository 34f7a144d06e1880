package desktop

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"

	"assay/model"
	"assay/model/userdata"
)

const (
	// maxRequest is the maximum size of a request of another start, in bytes: a command line of file names.
	maxRequest = 4 << 20
	// maxExchange is the maximum time of one exchange, so that an idle client does not block the instance.
	maxExchange = 30 * time.Second
	// maxOpening is the maximum time that a start waits until its files are open.
	maxOpening = 3 * time.Second
	// maxSilence is the maximum time until a client has sent the first byte. A start sends it at once, and tries again
	// if it was too slow.
	maxSilence = 200 * time.Millisecond
	// maxConnections is the maximum number of connections. With maxSilence, 1,000 clients that send nothing delay a
	// start by less than a second. Further ones wait in the system, where they take no memory.
	maxConnections = 256
	// maxPending is the maximum number of requests that are read or pending, which may each be as large as maxRequest.
	maxPending = 16
	// minAcceptDelay and maxAcceptDelay are the first and the longest delay after a failed accept, as happens while too
	// many files are open.
	minAcceptDelay, maxAcceptDelay = 5 * time.Millisecond, time.Second
)

// Request is a request of a later start to the running instance.
type Request struct {
	Files   []string `json:"files"`             // absolute paths, to be opened in tabs
	Sample  bool     `json:"sample,omitempty"`  // the first built-in sample is to be opened
	Compare bool     `json:"compare,omitempty"` // the files are to be compared
	Token   string   `json:"token,omitempty"`   // token for raising the window; see TakeToken

	// Opened is called when the compared files are open: the start that requested the comparison then ends, and its
	// caller may remove the files.
	Opened func() `json:"-"`
}

// Instance is the running instance of a user. It holds the lock and listens for later starts.
type Instance struct {
	listener  net.Listener
	release   func() error // releases the lock
	connected *semaphore.Weighted
	pending   *semaphore.Weighted
	closed    context.Context
	close     context.CancelFunc
}

func newInstance(l net.Listener, release func() error) *Instance {
	i := &Instance{listener: l, release: release, connected: semaphore.NewWeighted(maxConnections),
		pending: semaphore.NewWeighted(maxPending)}
	i.closed, i.close = context.WithCancel(context.Background())
	return i
}

// Start makes this process the running instance of this user, or sends the request to the existing one. dir identifies
// the application: a folder for the lock and the socket, on systems with sockets in the file system. Start creates it
// if it is missing. It must belong to this user alone. If accepted is true, the running instance took the request, and
// this process can end. If the running instance does not answer, Start retries until ctx ends. On error the process
// should continue without an instance, so that a hanging instance does not prevent opening files.
func Start(ctx context.Context, dir string, r Request) (instance *Instance, accepted bool, err error) {
	for {
		i, err := claim(dir)
		if i != nil || err != nil {
			return i, false, err
		}
		// Another instance runs, but may not listen yet.
		if err = handOver(ctx, dir, r); err == nil {
			return nil, true, nil
		}
		if errors.Is(err, errRefused) {
			return nil, false, err
		}
		select {
		case <-ctx.Done():
			return nil, false, fmt.Errorf("the running Assay is not responding: %w", err)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// RuntimeFolder returns the folder for Start, in the user's runtime folder or, on systems without one, in the folder
// for temporary files.
func RuntimeFolder() string {
	runtime := userdata.Runtime()
	if id := os.Getenv("FLATPAK_ID"); id != "" {
		runtime = filepath.Join(runtime, "app", id) // the part that all sandboxes of a program share
	}
	if info, err := os.Stat(runtime); err == nil && info.IsDir() {
		return filepath.Join(runtime, "assay")
	}
	return filepath.Join(os.TempDir(), fmt.Sprintf("assay-%d", os.Getuid()))
}

// Serve receives the requests of later starts and calls handle for each, one at a time, until Close. A request is
// pending until handle has returned.
func (i *Instance) Serve(handle func(Request)) { i.serve(handle, i.sleep) }

// sleep waits for a duration, or until Close.
func (i *Instance) sleep(d time.Duration) {
	select {
	case <-time.After(d):
	case <-i.closed.Done():
	}
}

func (i *Instance) serve(handle func(Request), sleep func(d time.Duration)) {
	var serving sync.Mutex
	wait := minAcceptDelay
	for i.connected.Acquire(i.closed, 1) == nil {
		c, err := i.listener.Accept()
		if err != nil {
			i.connected.Release(1)
			if errors.Is(err, net.ErrClosed) {
				return
			}
			sleep(wait)
			wait = min(2*wait, maxAcceptDelay)
			continue
		}
		wait = minAcceptDelay
		go func() {
			defer i.connected.Release(1)
			i.serveConn(c, func(r Request) {
				serving.Lock()
				defer serving.Unlock()
				handle(r)
			})
		}()
	}
}

// serveConn reads a request from a connection, handles it, and answers.
func (i *Instance) serveConn(c net.Conn, handle func(Request)) {
	defer c.Close()
	reader := bufio.NewReaderSize(c, readAhead)
	if !awaitByte(c, reader) || i.pending.Acquire(i.closed, 1) != nil {
		return
	}
	defer i.pending.Release(1)
	r, err := receive(c, reader)
	if err != nil {
		_, _ = c.Write([]byte("no\n")) // the sender may have ended
		return
	}
	accepted := make(chan struct{})
	r.Opened = sync.OnceFunc(func() { close(accepted) })
	if !r.Compare {
		r.Opened()
	}
	handled := make(chan struct{})
	go func() {
		defer close(handled)
		handle(r)
	}()
	select {
	case <-accepted:
	case <-time.After(maxOpening):
	}
	_, _ = c.Write([]byte("ok\n"))
	c.Close()
	<-handled
}

// Close ends Serve, waits for current requests, and permits the next start to become the running instance.
func (i *Instance) Close() error {
	i.close()
	err := i.listener.Close()
	_ = i.connected.Acquire(context.Background(), maxConnections) // fails only if the context ends
	return errors.Join(err, i.release())
}

var errRefused = errors.New("the running Assay did not accept the request")

// readAhead is the size of the buffer of a connection, in bytes.
const readAhead = 512

// awaitByte waits for the first byte of a request, and reports whether it came in time.
func awaitByte(c net.Conn, reader *bufio.Reader) bool {
	if c.SetReadDeadline(time.Now().Add(maxSilence)) != nil {
		return false
	}
	_, err := reader.Peek(1)
	return err == nil
}

// receive reads one request from a connection and its buffer.
func receive(c net.Conn, reader *bufio.Reader) (Request, error) {
	var r Request
	if err := c.SetDeadline(time.Now().Add(maxExchange)); err != nil {
		return r, err
	}
	if err := checkSameUser(c); err != nil {
		return r, err
	}
	err := json.NewDecoder(io.LimitReader(reader, maxRequest)).Decode(&r)
	r.Files = convertPaths(r.Files, model.DecodePath)
	return r, err
}

func handOver(ctx context.Context, dir string, r Request) error {
	ctx, cancel := context.WithTimeout(ctx, maxExchange)
	defer cancel()
	c, err := dial(ctx, dir)
	if err != nil {
		return err
	}
	defer c.Close()
	end, _ := ctx.Deadline()
	if err := c.SetDeadline(end); err != nil {
		return err
	}
	if err := checkSameUser(c); err != nil {
		return err
	}
	r.Files = convertPaths(r.Files, model.EncodePath)
	if err := json.NewEncoder(c).Encode(r); err != nil {
		return err
	}
	answer, err := bufio.NewReader(c).ReadString('\n')
	if err != nil {
		return err
	}
	if answer != "ok\n" {
		return errRefused
	}
	return nil
}
