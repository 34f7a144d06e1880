package window

import (
	"context"
	"fmt"
	"log"
	"os"
	"runtime/debug"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/app"

	"assay/ui"
	"assay/ui/desktop"
	"assay/ui/display"
	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/work"
)

// Run shows the window until it is closed.
func Run(ctx context.Context, o ui.Options) error {
	collect := debug.SetGCPercent(-1) // what a first frame is made of is not garbage
	group := work.New(ctx)
	group.Go(func(context.Context) func() {
		paint.FindSystemFonts()
		return nil
	})
	scheme := display.AskScheme(ctx)
	if dir, err := os.UserCacheDir(); err == nil {
		_ = os.MkdirAll(dir, 0o700) // a new account has none; the toolkit makes folders in it only, and complains
	}
	if err := display.Choose(); err != nil {
		return err
	}
	said := display.NewComplaints(log.Writer())
	log.SetOutput(said)
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
		fyne.Do(w.leave)
		w.ended(nil) // the toolkit hears of signals, too, and may have ended before that
	})
	defer stop()
	w.watching.Start(w.changedOnDisk)
	w.watchDescriptions()
	w.begin()
	if o.Later != nil {
		w.group.Go(func(ctx context.Context) func() {
			o.Later(func(r desktop.Request) { // no more requests are read than are opened
				opened := make(chan struct{})
				w.group.Show(ctx, func() {
					defer close(opened)
					w.openLater(r)
				})
				select {
				case <-opened:
				case <-ctx.Done():
				}
			})
			return nil
		})
	}
	display.Identify()
	display.OnEnd(w.abandon)
	display.OnNothingDropped(func() {
		w.Notify(host.Notice{Level: host.Warning, Text: "The dropped item is not a file."})
	})
	w.win.Show()
	debug.SetGCPercent(collect)
	boundMemory()
	if !display.IsOpen(w.win) {
		w.end()
		cause := said.Cause()
		if cause != "" {
			cause = " (" + cause + ")"
		}
		return fmt.Errorf("cannot open the window%s: OpenGL 2.1 is required. Install or update the graphics "+
			"driver, or use a command such as tree or verify", cause)
	}
	said.Release()
	display.OnScale(w.win, w.applyLook)
	if o.Token != "" {
		display.Raise(w.win, w.group, o.Token)
	}
	a.Run()
	w.end() // a signal ends the program without a word to the window
	w.group.Written()
	return w.failure
}

// newApp makes the toolkit's application, in a scheme: light, dark or, if it is empty, the toolkit's own. The toolkit
// asks the desktop for it only after the first frame, which would be seen in the wrong colours.
func newApp(scheme string) fyne.App {
	const variable = "FYNE_THEME" // read while the application is made
	if scheme != "" && os.Getenv(variable) == "" && os.Setenv(variable, scheme) == nil {
		defer os.Unsetenv(variable)
	}
	return app.NewWithID(desktop.AppID)
}
