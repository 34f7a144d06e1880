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

// NewToolkitLog returns a log that holds errors back until Release, and then writes them to out.
func NewToolkitLog(out io.Writer) *ToolkitLog {
	return &ToolkitLog{out: out, printed: map[string]bool{}}
}

// Write takes one line of the log.
func (l *ToolkitLog) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	line := string(p)
	if _, complaint, ok := strings.Cut(line, "Fyne error: "); ok {
		var replacement string
		if replacement, l.muted = replacements[strings.TrimSpace(complaint)]; l.muted && !l.printed[replacement] {
			l.printed[replacement] = true
			l.write(replacement)
		}
	}
	if !l.muted {
		l.write(line)
	}
	return len(p), nil
}

// write writes a line, or holds it back.
func (l *ToolkitLog) write(line string) {
	if l.released {
		_, _ = io.WriteString(l.out, line) // an error here cannot be reported
	} else {
		l.lines = append(l.lines, line)
	}
}

// Release writes the held lines, and writes all later ones immediately.
func (l *ToolkitLog) Release() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.released = true
	l.write(strings.Join(l.lines, ""))
	l.lines = nil
}

// Cause returns the last logged cause, or "".
func (l *ToolkitLog) Cause() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	for i := len(l.lines) - 1; i >= 0; i-- {
		if _, cause, ok := strings.Cut(l.lines[i], "Cause: "); ok {
			return strings.TrimSpace(cause)
		}
	}
	return ""
}
