package window

import (
	"context"

	"assay/ui/desktop"
	"assay/ui/host"
)

// showInFolder shows a file in the system's file manager.
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

// setDefault makes the program the one that the desktop opens its files with.
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
