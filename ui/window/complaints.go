package window

import (
	"bytes"
	"io"
	"strings"
	"sync"
)

// complaints is where the toolkit's log goes. The toolkit writes a complaint as several lines: what is wrong, its
// cause, and a place in its source. Until the window is there they are held back, as they say why it is not.
//
// It reads its preferences again whenever their file changes, also half-way through a write of its own or of another
// window, and complains that the file ends early. It then keeps what it knows, so that needs no word.
type complaints struct {
	out io.Writer

	mu      sync.Mutex
	held    []string
	release bool // complaints are written at once
	muted   bool // the lines that follow belong to one that is not needed
}

const preferencesComplaint = "Fyne error:  Preferences load error:"

// Write takes one line of the log.
func (c *complaints) Write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if bytes.Contains(p, []byte("Fyne error:")) {
		c.muted = bytes.Contains(p, []byte(preferencesComplaint))
	}
	switch {
	case c.muted:
	case c.release:
		return c.out.Write(p)
	default:
		c.held = append(c.held, string(p))
	}
	return len(p), nil
}

// pass writes what was held back, and everything from now on.
func (c *complaints) pass() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.release = true
	_, _ = io.WriteString(c.out, strings.Join(c.held, "")) // there is no other place to complain
	c.held = nil
}

// cause returns the last cause that was given; empty if there is none.
func (c *complaints) cause() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i := len(c.held) - 1; i >= 0; i-- {
		if _, cause, ok := strings.Cut(c.held[i], "Cause: "); ok {
			return strings.TrimSpace(cause)
		}
	}
	return ""
}
