package display

import (
	"io"
	"strings"
	"sync"
)

// ToolkitLog receives the toolkit's log. The toolkit logs an error as several lines: the error, its cause and a
// position in its source. They are held back until the window is open, because they contain the reason if it cannot be
// opened.
type ToolkitLog struct {
	out io.Writer

	mu       sync.Mutex
	lines    []string
	released bool            // lines are written at once
	muted    bool            // the following lines belong to a replaced error
	printed  map[string]bool // replacements already printed, each once
}

// unsavedSettings is printed if the settings cannot be saved, which the toolkit logs many times.
const unsavedSettings = "assay: cannot save settings in the home folder; changes are lost when the window closes\n"

// replacements maps errors of the toolkit to messages for users, or to "" if they are harmless.
var replacements = map[string]string{
	// The toolkit reloads its preferences whenever their file changes, even during a write of its own or of another
	// window, and then finds an incomplete file. It keeps its current values, so this is harmless.
	"Preferences load error:": "",
	// There is no session bus, or no desktop on it.
	"failed to watch theme settings": "assay: no session bus; the window will not follow changes of the system theme\n",

	"Unable to create settings storage:": unsavedSettings,
	"Failed to create app storage space": unsavedSettings,
	"Failed on saving preferences":       unsavedSettings,
	"Failed on force saving preferences": unsavedSettings,
	"Settings watch error:":              "", // of the toolkit's own settings, which Assay does not use
	"Failed to create fyne cache space":  "", // the toolkit stores nothing important there
	"Failed to create app cache space":   "",
}

// NewToolkitLog returns a log that holds complaints back until Release, and then writes them to out.
func NewToolkitLog(out io.Writer) *ToolkitLog {
	return &ToolkitLog{out: out, printed: map[string]bool{}}
}

// Write takes one line of the log.
func (c *ToolkitLog) Write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	line := string(p)
	if _, complaint, ok := strings.Cut(line, "Fyne error: "); ok {
		var replacement string
		if replacement, c.muted = replacements[strings.TrimSpace(complaint)]; c.muted && !c.printed[replacement] {
			c.printed[replacement] = true
			c.write(replacement)
		}
	}
	if !c.muted {
		c.write(line)
	}
	return len(p), nil
}

// write writes a line, or holds it back.
func (c *ToolkitLog) write(line string) {
	if c.released {
		_, _ = io.WriteString(c.out, line) // an error here cannot be reported
	} else {
		c.lines = append(c.lines, line)
	}
}

// Release writes the held lines, and writes all later ones immediately.
func (c *ToolkitLog) Release() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.released = true
	c.write(strings.Join(c.lines, ""))
	c.lines = nil
}

// Cause returns the last logged cause, or "".
func (c *ToolkitLog) Cause() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i := len(c.lines) - 1; i >= 0; i-- {
		if _, cause, ok := strings.Cut(c.lines[i], "Cause: "); ok {
			return strings.TrimSpace(cause)
		}
	}
	return ""
}
