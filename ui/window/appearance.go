package window

import (
	"fmt"

	"assay/ui/paint"
)

// applyLook takes the chosen mode and text size.
func (w *Window) applyLook() {
	w.style.TextSize = w.prefs.textSize()
	w.app.Settings().SetTheme(paint.New(w.prefs.mode(), w.prefs.textSize()))
	if w.win != nil {
		w.win.Content().Refresh() // the strips' heights go with the text
	}
}

func (w *Window) setMode(m paint.Mode) {
	w.prefs.setMode(m)
	w.applyLook()
	w.Changed()
}

// resizeText makes the text larger or smaller by steps; 0 is the default size.
func (w *Window) resizeText(steps float32) {
	size := float32(paint.DefaultText)
	if steps != 0 {
		size = w.prefs.textSize() + steps
	}
	w.prefs.setTextSize(min(max(size, paint.SmallestText), paint.LargestText))
	w.applyLook()
	w.Tell(fmt.Sprintf("Text size %.0f", w.prefs.textSize()))
}
