package window

import (
	"assay/ui/notice"
)

// about says what the program is.
func (w *Window) about() {
	text := "Assay " + w.options.Version + ": a browser for game and simulation asset files. It never writes to a file that it shows."
	w.Notify(notice.Notice{ID: "about", Text: text})
}
