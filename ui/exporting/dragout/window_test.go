//go:build linux || freebsd || netbsd || openbsd || dragonfly

package dragout

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"image/color"
	"io"
	"os"
	"sync/atomic"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/app"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"
)

// windowMode is the variable that makes this program a window. It has the path of a JSON file: a list of names and
// contents.
const windowMode = "ASSAY_DRAGOUT_WINDOW"

const windowTitle = "Drag out of here"

// fileOf is a file to drag. With Never, the copy in the private folder is never complete; Delay is the number of
// milliseconds that it takes.
type fileOf struct {
	Name, Content string
	Never         bool
	Delay         int
}

// handle is a widget from which files are dragged. A widget needs no more than this.
type handle struct {
	widget.BaseWidget
	source *Source
	items  []Item
	active bool
}

var (
	_ fyne.Draggable    = (*handle)(nil)
	_ desktop.Hoverable = (*handle)(nil)
	_ desktop.Mouseable = (*handle)(nil)
	_ fyne.Tappable     = (*handle)(nil)
)

func (h *handle) CreateRenderer() fyne.WidgetRenderer {
	return widget.NewSimpleRenderer(canvas.NewRectangle(color.NRGBA{R: 0x40, G: 0x70, B: 0xb0, A: 0xff}))
}

func (h *handle) Dragged(*fyne.DragEvent) {
	if !h.active {
		h.active = true
		fmt.Println("drag")
		if err := h.source.Start(h.items); err != nil {
			fmt.Println("failed", err)
		}
	}
	h.source.Move(false)
}

// The test continues after the report of the pointer, because Fyne merges simultaneous events.
func (h *handle) MouseIn(*desktop.MouseEvent)    { fmt.Println("in") }
func (h *handle) MouseMoved(*desktop.MouseEvent) {}
func (h *handle) MouseOut()                      {}
func (h *handle) MouseDown(*desktop.MouseEvent)  { fmt.Println("down") }
func (h *handle) MouseUp(*desktop.MouseEvent)    {}

func (h *handle) Tapped(*fyne.PointEvent) { fmt.Println("tapped") }

func (h *handle) DragEnd() {
	h.active = false
	h.source.End()
}

// runWindow runs one Fyne window. It writes the events of the source, copies the files at each line of its standard
// input, and ends the process with it.
func runWindow() {
	var files []fileOf
	list, err := os.ReadFile(os.Getenv(windowMode))
	if err == nil {
		err = json.Unmarshal(list, &files)
	}
	if err != nil {
		panic(err)
	}
	a := app.NewWithID("dragout.test")
	w := a.NewWindow(windowTitle)
	h := &handle{}
	for _, f := range files {
		var calls atomic.Int32
		h.items = append(h.items, Item{Name: f.Name, Size: int64(len(f.Content)),
			Write: func(ctx context.Context, out io.Writer) error {
				if calls.Add(1) == 1 && f.Never {
					fmt.Println("writing")
					<-ctx.Done()
					return ctx.Err()
				}
				select {
				case <-ctx.Done():
					return ctx.Err()
				case <-time.After(time.Duration(f.Delay) * time.Millisecond):
				}
				_, err := io.WriteString(out, f.Content)
				return err
			}})
	}
	h.ExtendBaseWidget(h)
	w.SetContent(h)
	w.SetOnDropped(func(_ fyne.Position, uris []fyne.URI) { fmt.Println("landed", uris) })
	w.Resize(fyne.NewSize(300, 200))
	a.Lifecycle().SetOnStarted(func() {
		o := Options{Scale: w.Canvas().Scale(), OnState: func(e Event) { fmt.Println(e.State, e.Text) }}
		w.(driver.NativeWindow).RunNative(o.SetNative)
		h.source = Open(o)
		_, why := h.source.Available()
		fmt.Println("open", o.Window, o.Surface, why)
	})
	go func() {
		for s := bufio.NewScanner(os.Stdin); s.Scan(); {
			fyne.Do(func() {
				if err := h.source.CopyFiles(context.Background(), h.items); err != nil {
					fmt.Println("failed", err)
				}
			})
		}
		fyne.DoAndWait(func() {
			if err := h.source.Close(); err != nil {
				fmt.Println("failed", err)
			}
		})
		os.Exit(0) // the end of the toolkit may block: see ui.Options.Ended
	}()
	w.ShowAndRun()
}
