package paint

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
)

// ReadFonts has the toolkit read the fonts of labels and of buttons, beside whatever else the start has to do. No text
// may be measured until the function that it returns has come back.
func ReadFonts() (wait func()) {
	read, size := make(chan struct{}), theme.TextSize()
	go func() {
		defer close(read)
		for _, bold := range []bool{false, true} {
			fyne.MeasureText("", size, fyne.TextStyle{Bold: bold})
		}
	}()
	return func() { <-read }
}
