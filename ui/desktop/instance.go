package desktop

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/adrg/xdg"
)

const (
	// requestMax bounds what another start may send: a command line of file names.
	requestMax = 4 << 20
	// startMax is how long a later start waits for the first to listen; it then opens a window of its own.
	startMax = 3 * time.Second
	// talkMax bounds one exchange, so that nobody who connects and says nothing keeps the instance waiting.
	talkMax = 5 * time.Second
)

// Request is what a later start asks of the running instance.
type Request struct {
	Files   []string `json:"files"`             // absolute paths, to be opened in tabs
	Compare bool     `json:"compare,omitempty"` // the two files are to be compared
}

// Instance is the first start of a user: it holds a lock for as long as it runs, and listens for later starts.
type Instance struct {
	lock     *os.File
	listener net.Listener
	handlers sync.WaitGroup
}

// Start makes this process the running instance of this user, or hands the request to the one there is. dir is a
// folder for the lock and the socket, only for this application; it is made if it is not there, and must belong to
// this user alone. With handed true the request was taken and this process has nothing left to do. With an error the
// process should go on alone: a broken first instance is no reason to open nothing.
//
// The lock ends with the process that holds it, however it ends, so a crashed instance is no obstacle; the socket it
// left behind is removed under the lock.
func Start(ctx context.Context, dir string, r Request) (instance *Instance, handed bool, err error) {
	if err := private(dir); err != nil {
		return nil, false, err
	}
	socket := filepath.Join(dir, "socket")
	deadline := time.Now().Add(startMax)
	for {
		lock, err := tryLock(filepath.Join(dir, "lock"))
		if err != nil {
			return nil, false, err
		}
		if lock != nil {
			i, err := listen(lock, socket)
			return i, false, err
		}
		// Somebody runs, but may not listen yet.
		if err = handOver(ctx, socket, r); err == nil {
			return nil, true, nil
		}
		if time.Now().After(deadline) || errors.Is(err, errRefused) {
			return nil, false, fmt.Errorf("the running Assay does not answer: %w", err)
		}
		select {
		case <-ctx.Done():
			return nil, false, ctx.Err()
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// RuntimeFolder is the folder for Start: in the user's runtime folder or, where a system has none, in that for
// temporary files.
func RuntimeFolder() string {
	if info, err := os.Stat(xdg.RuntimeDir); err == nil && info.IsDir() {
		return filepath.Join(xdg.RuntimeDir, "assay")
	}
	return filepath.Join(os.TempDir(), fmt.Sprintf("assay-%d", os.Getuid()))
}

func listen(lock *os.File, socket string) (*Instance, error) {
	if err := os.Remove(socket); err != nil && !errors.Is(err, os.ErrNotExist) {
		lock.Close()
		return nil, err
	}
	l, err := net.Listen("unix", socket)
	if err == nil {
		err = os.Chmod(socket, 0o600)
	}
	if err != nil {
		lock.Close()
		return nil, err
	}
	return &Instance{lock: lock, listener: l}, nil
}

// Serve takes the requests of later starts and gives them to handle, one at a time, until Close.
func (i *Instance) Serve(handle func(Request)) {
	var one sync.Mutex
	for {
		c, err := i.listener.Accept()
		if err != nil {
			if errors.Is(err, net.ErrClosed) {
				return
			}
			continue
		}
		i.handlers.Go(func() {
			defer c.Close()
			r, err := receive(c)
			if err != nil {
				return
			}
			one.Lock()
			defer one.Unlock()
			handle(r)
		})
	}
}

// Close ends Serve, waits for requests that are being taken, and lets the next start be the first.
func (i *Instance) Close() error {
	err := i.listener.Close()
	i.handlers.Wait()
	return errors.Join(err, i.lock.Close())
}

var errRefused = errors.New("the request was not understood")

// receive reads one request and answers.
func receive(c net.Conn) (Request, error) {
	var r Request
	if err := c.SetDeadline(time.Now().Add(talkMax)); err != nil {
		return r, err
	}
	if err := sameUser(c); err != nil {
		return r, err
	}
	err := json.NewDecoder(&limited{c, requestMax}).Decode(&r)
	answer := "ok\n"
	if err != nil {
		answer = "no\n"
	}
	if _, werr := c.Write([]byte(answer)); err == nil {
		err = werr
	}
	return r, err
}

func handOver(ctx context.Context, socket string, r Request) error {
	d := net.Dialer{Timeout: talkMax}
	c, err := d.DialContext(ctx, "unix", socket)
	if err != nil {
		return err
	}
	defer c.Close()
	if err := c.SetDeadline(time.Now().Add(talkMax)); err != nil {
		return err
	}
	if err := sameUser(c); err != nil {
		return err
	}
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

// limited reads at most n bytes of a connection and fails beyond.
type limited struct {
	c net.Conn
	n int
}

func (l *limited) Read(p []byte) (int, error) {
	if l.n <= 0 {
		return 0, errors.New("the request is too long")
	}
	n, err := l.c.Read(p[:min(len(p), l.n)])
	l.n -= n
	return n, err
}

// private makes dir if it is not there and checks that it is this user's alone.
func private(dir string) error {
	if err := os.MkdirAll(filepath.Dir(dir), 0o700); err != nil {
		return err
	}
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, os.ErrExist) {
		return err
	}
	info, err := os.Lstat(dir)
	if err != nil {
		return err
	}
	if !info.IsDir() || info.Mode().Perm()&0o077 != 0 || !mine(info) {
		return fmt.Errorf("%s is not a folder of this user alone: a running Assay is not looked for there", filepath.Base(dir))
	}
	return nil
}
