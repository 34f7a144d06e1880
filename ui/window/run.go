package window

import (
	"context"
	"fmt"
	"log"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/app"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"assay/ui"
	"assay/ui/control"
	"assay/ui/desktop"
	"assay/ui/display"
	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/work"
)

// Run displays the window until it is closed.
func Run(ctx context.Context, o ui.Options) error {
	gcPercent := debug.SetGCPercent(-1) // the data of the first frame is not garbage
	group := work.New(ctx)
	group.Run(func(context.Context) { paint.FindSystemFonts() })
	scheme := display.AskScheme(ctx)
	if dir, err := os.UserCacheDir(); err == nil {
		_ = os.MkdirAll(dir, 0o700) // a new account has no such folder, and the toolkit only reports that
	}
	if err := display.Choose(); err != nil {
		return err
	}
	toolkitLog := display.NewToolkitLog(log.Writer())
	log.SetOutput(toolkitLog)
	a := newApp(scheme())
	if len(o.Icon) > 0 {
		a.SetIcon(fyne.NewStaticResource("icon.png", o.Icon))
	}
	w := newWindow(a, group, o)
	w.style.Atlas.UseSystemFonts(func(find func() bool) {
		group.Go(func(context.Context) func() {
			if !find() {
				return nil
			}
			return func() { w.win.Content().Refresh() }
		})
	})
	stop := context.AfterFunc(ctx, func() {
		work.Do(w.close)
		w.notifyEnded(nil) // the toolkit handles signals too, and may have ended before
	})
	defer stop()
	w.watching.Start(w.changedOnDisk)
	w.watchDescriptions()
	w.begin()
	if o.OnRequests != nil {
		w.group.Run(w.handleRequests)
	}
	display.Identify()
	display.OnEnd(w.abandon)
	display.OnNothingDropped(func() {
		w.Notify(host.Notice{Level: host.Warning, Text: "The dropped item is not a file."})
	})
	w.win.Show()
	debug.SetGCPercent(gcPercent)
	boundMemory()
	if !display.IsOpen(w.win) {
		w.end()
		return notOpenedError(toolkitLog.Cause())
	}
	toolkitLog.Release()
	display.OnScale(w.win, w.applyLook)
	if o.Token != "" {
		display.Raise(w.win, w.group, o.Token)
	}
	work.Run(a.Run)
	w.end() // a signal ends the program without notifying the window
	w.group.WaitForWrites()
	return w.failure
}

// handleRequests opens the files of later starts of the program. It reads a request after the previous one was handled.
func (w *Window) handleRequests(ctx context.Context) {
	w.options.OnRequests(func(r desktop.Request) {
		opened := make(chan struct{})
		w.group.Do(ctx, func() {
			defer close(opened)
			w.openRequested(r)
		})
		select {
		case <-opened:
		case <-ctx.Done():
		}
	})
}

// notOpenedError returns the error for a window that the toolkit could not open. cause may be empty.
func notOpenedError(cause string) error {
	if cause != "" {
		cause = " (" + cause + ")"
	}
	return fmt.Errorf("cannot open the window%s: OpenGL 2.1 is required. Install or update the graphics "+
		"driver, or use a command such as tree or verify", cause)
}

// newApp creates the toolkit's application with a color scheme: "light", "dark", or the toolkit's default if empty. The
// toolkit reads the scheme from the desktop only after the first frame, which would have the wrong colors.
func newApp(scheme string) fyne.App {
	const variable = "FYNE_THEME" // read when the application is created
	if scheme != "" && os.Getenv(variable) == "" && os.Setenv(variable, scheme) == nil {
		defer os.Unsetenv(variable)
	}
	return app.NewWithID(desktop.AppID)
}

// showAbout displays the version and the libraries.
func (w *Window) showAbout() {
	title := widget.NewLabelWithStyle("Assay "+w.options.Version, fyne.TextAlignLeading, fyne.TextStyle{Bold: true})
	text := widget.NewLabel("A browser for game and simulation asset files. It never modifies the files you open.\n" +
		"Free software under the MIT license. Built with " + runtime.Version() + " for " + runtime.GOOS + "/" +
		runtime.GOARCH + " and these libraries (licenses included):")
	text.Wrapping = fyne.TextWrapWord
	names := libraries()
	list := widget.NewLabel(strings.Join(names, "\n"))
	copyAll := control.NewButton(w.Key, "Copy", nil, func() {
		w.Copy("Assay " + w.options.Version + "\n" + runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH +
			"\n" + strings.Join(names, "\n"))
	})
	w.ask.ShowContent("About Assay", container.NewBorder(container.NewVBox(title, text), container.NewHBox(copyAll), nil, nil,
		container.NewVScroll(list)), fyne.NewSize(640, 520))
}

// libraries returns the modules of the program.
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

// applyLook applies the chosen color scheme and text size.
func (w *Window) applyLook() {
	w.style.TextSize = w.prefs.textSize()
	setTheme := func() { w.app.Settings().SetTheme(paint.NewTheme(w.prefs.mode(), w.prefs.textSize())) }
	if w.tabs == nil {
		setTheme() // before the window is built
		return
	}
	w.tabs.withHiddenTabs(setTheme)
	if w.win != nil {
		w.win.Content().Refresh() // the heights of the strips depend on the text size
	}
}

func (w *Window) setMode(m paint.Mode) {
	w.prefs.setMode(m)
	w.applyLook()
	w.Changed()
}

// resizeText changes the text size by steps; 0 restores the default.
func (w *Window) resizeText(steps float32) {
	size := float32(paint.DefaultTextSize)
	if steps != 0 {
		size = w.prefs.textSize() + steps
	}
	w.prefs.setTextSize(min(max(size, paint.SmallestText), paint.LargestText))
	w.applyLook()
	w.ShowHint(fmt.Sprintf("Text size %.0f", w.prefs.textSize()))
}

// showInFolder displays a file in the system's file manager.
func (w *Window) showInFolder(path string) {
	w.group.Go(func(ctx context.Context) func() {
		err := desktop.ShowInFolder(ctx, path)
		return func() {
			if err != nil {
				w.Notify(host.Notice{Level: host.Error, Text: host.Sentence(err)})
			}
		}
	})
}

// setDefault makes Assay the default app for its file types.
func (w *Window) setDefault() {
	const id = "default"
	if w.options.SetDefault == nil {
		w.Notify(host.Notice{ID: id, Text: "Set default apps in the system settings."})
		return
	}
	w.group.Write(func(ctx context.Context) func() {
		err := w.options.SetDefault(ctx)
		return func() {
			if err != nil {
				w.Notify(host.Notice{ID: id, Level: host.Error,
					Text: host.SentenceOf("Could not set Assay as the default app: " + err.Error())})
				return
			}
			w.Notify(host.Notice{ID: id,
				Text: "Assay is now the default app for its file types. To undo this, run “assay unregister”."})
		}
	})
}

// minMemoryLimit is the memory limit of the window while the live heap is below nine tenths of it, in bytes.
const minMemoryLimit = 256 << 20

// boundMemory sets a soft memory limit that follows the live heap. Without a limit, garbage grows to the size of the
// live heap. A fixed limit would make the collector run continuously once the live heap exceeds it.
func boundMemory() { setMemoryLimit(struct{}{}) }

// setMemoryLimit sets the memory limit now and after each collection.
func setMemoryLimit(struct{}) {
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	debug.SetMemoryLimit(memoryLimit(int64(live[0].Value.Uint64())))
	type cycle struct{ _ [4]*byte } // becomes garbage at once
	runtime.AddCleanup(new(cycle), setMemoryLimit, struct{}{})
}

// memoryLimit returns the memory limit for a live heap, in bytes.
func memoryLimit(live int64) int64 {
	if live < minMemoryLimit/10*9 {
		return minMemoryLimit
	}
	return live + live/2
}

const (
	// forgetAfter is the time after which the toolkit forgets the objects of a closed tab, with a margin: it keeps
	// painted objects for a minute.
	forgetAfter = 65 * time.Second
	// collectAfter is the time from the next paint to the garbage collection.
	collectAfter = time.Second
)

// release frees the memory of closed tabs. The toolkit forgets their objects, and with them the documents, only while
// it paints: an idle window would keep them. So the window is painted once more, forgetAfter after the last tab was
// closed.
func (w *Window) release() {
	w.releasing.Go(func(ctx context.Context) func() {
		if !w.group.Tick(ctx, forgetAfter) {
			return nil
		}
		return func() {
			w.register() // displayed objects must stay registered
			w.win.Content().Refresh()
			w.releasing.Go(func(ctx context.Context) func() {
				if w.group.Tick(ctx, collectAfter) {
					debug.FreeOSMemory()
				}
				return nil
			})
		}
	})
}
