package display

import (
	"io"
	"strings"
	"sync"
)

// Complaints is where the toolkit's log goes. The toolkit writes a complaint as several lines: what is wrong, its
// cause, and a place in its source. Until the window is there they are held back, as they say why it is not.
type Complaints struct {
	out io.Writer

	mu       sync.Mutex
	held     []string
	released bool            // complaints are written at once
	muted    bool            // the lines that follow belong to one of those that are reworded
	said     map[string]bool // sentences that were said instead: once is enough
}

// forgotten says that nothing can be written where settings are kept, of which the toolkit complains many times.
const forgotten = "assay: cannot save settings in the home folder; changes are lost when the window closes. " +
	"closes.\n"

// reworded are complaints that are not for people, and the sentences that they get instead.
var reworded = map[string]string{
	// The toolkit reads its preferences again whenever their file changes, also half-way through a write of its own or
	// of another window, and finds that the file ends early. It then keeps what it knows, which needs no word.
	"Preferences load error:": "",
	// There is no session bus, or no desktop on it.
	"failed to watch theme settings": "assay: no session bus; the window will not follow changes of the system theme. " +
		"changes of the desktop's colors.\n",

	"Unable to create settings storage:": forgotten,
	"Failed to create app storage space": forgotten,
	"Failed on saving preferences":       forgotten,
	"Failed on force saving preferences": forgotten,
	"Settings watch error:":              "", // of the toolkit's own settings, which Assay has none of
	"Failed to create fyne cache space":  "", // the toolkit keeps nothing there that is missed
	"Failed to create app cache space":   "",
}

// NewComplaints returns a log that holds complaints back until Release, and then writes them to out.
func NewComplaints(out io.Writer) *Complaints { return &Complaints{out: out, said: map[string]bool{}} }

// Write takes one line of the log.
func (c *Complaints) Write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	line := string(p)
	if _, complaint, ok := strings.Cut(line, "Fyne error: "); ok {
		var instead string
		if instead, c.muted = reworded[strings.TrimSpace(complaint)]; c.muted && !c.said[instead] {
			c.said[instead] = true
			c.put(instead)
		}
	}
	if !c.muted {
		c.put(line)
	}
	return len(p), nil
}

// put writes a line, or holds it back.
func (c *Complaints) put(line string) {
	if c.released {
		_, _ = io.WriteString(c.out, line) // there is no other place to complain
	} else {
		c.held = append(c.held, line)
	}
}

// Release writes what was held back, and everything from now on.
func (c *Complaints) Release() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.released = true
	c.put(strings.Join(c.held, ""))
	c.held = nil
}

// Cause returns the last cause that was given; empty if there is none.
func (c *Complaints) Cause() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i := len(c.held) - 1; i >= 0; i-- {
		if _, cause, ok := strings.Cut(c.held[i], "Cause: "); ok {
			return strings.TrimSpace(cause)
		}
	}
	return ""
}
