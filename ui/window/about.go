package window

import (
	"runtime"
	"runtime/debug"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"assay/ui/control"
)

// about says what the program is, and what it is made of.
func (w *Window) about() {
	title := widget.NewLabelWithStyle("Assay "+w.options.Version, fyne.TextAlignLeading, fyne.TextStyle{Bold: true})
	text := widget.NewLabel("A browser for game and simulation asset files. It never modifies the files you open.\n" +
		"Free software under the MIT licence. Built with " + runtime.Version() + " for " + runtime.GOOS + "/" +
		runtime.GOARCH + ", and these libraries, " +
		"whose licences come with each of them:")
	text.Wrapping = fyne.TextWrapWord
	names := libraries()
	list := widget.NewLabel(strings.Join(names, "\n"))
	copyAll := control.NewButton(w.Key, "Copy", nil, func() {
		w.Copy("Assay " + w.options.Version + "\n" + runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH +
			"\n" + strings.Join(names, "\n"))
	})
	w.ask.Tell("About Assay", container.NewBorder(container.NewVBox(title, text), container.NewHBox(copyAll), nil, nil,
		container.NewVScroll(list)), fyne.NewSize(640, 520))
}

// libraries lists the modules that the program is built from.
func libraries() []string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return nil
	}
	var names []string
	for _, m := range info.Deps {
		names = append(names, m.Path+" "+m.Version)
	}
	return names
}
