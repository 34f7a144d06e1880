package window

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"fyne.io/fyne/v2"

	"assay/model"
	"assay/ui/doc"
	"assay/ui/host"
	"assay/ui/paint"
)

// preferences holds the settings that the window saves between sessions.
type preferences struct{ fyne.Preferences }

// The first window is large enough for three columns, and fits on a small screen.
const (
	defaultWidth  = 1360
	defaultHeight = 830
	minWidth      = 480
	minHeight     = 320
	// No screen is larger than 8K, and displays refuse windows of invalid sizes.
	maxWidth  = 7680
	maxHeight = 4320
)

func (p preferences) size() fyne.Size {
	w, h := p.FloatWithFallback("window.width", defaultWidth), p.FloatWithFallback("window.height", defaultHeight)
	return fyne.NewSize(float32(min(max(w, minWidth), maxWidth)), float32(min(max(h, minHeight), maxHeight)))
}

// setSize saves the width and the height in one step. The toolkit writes the first change at once but later ones after
// a delay, which is too late if the display ended.
func (p preferences) setSize(s fyne.Size) {
	width, height := float64(s.Width), float64(s.Height)
	if writer, ok := p.Preferences.(interface{ WriteValues(func(map[string]any)) }); ok {
		writer.WriteValues(func(values map[string]any) { values["window.width"], values["window.height"] = width, height })
		return
	}
	p.SetFloat("window.width", width)
	p.SetFloat("window.height", height)
}

func (p preferences) mode() paint.Mode {
	switch m := paint.Mode(p.String("look.mode")); m {
	case paint.Light, paint.Dark:
		return m
	}
	return paint.System
}

func (p preferences) setMode(m paint.Mode) { p.SetString("look.mode", string(m)) }

func (p preferences) textSize() float32 {
	size := p.FloatWithFallback("look.text", paint.DefaultTextSize)
	return float32(min(max(size, paint.SmallestText), paint.LargestText))
}

func (p preferences) setTextSize(s float32) { p.SetFloat("look.text", float64(s)) }

// layout returns the saved layout of a document tab, or nil.
func (p preferences) layout() *doc.Layout {
	var l *doc.Layout
	layoutSetting.Load(&l)
	return l
}

// layoutSetting is the layout of document tabs.
const layoutSetting = host.Setting[*doc.Layout]("document.layout")

func (p preferences) setLayout(l doc.Layout) { layoutSetting.Save(&l) }

// enlargedKey returns the key of the setting whether views of a kind are enlarged.
func enlargedKey(k model.ViewKind) string { return fmt.Sprintf("preview.large.%d", k) }

// enlarges reports whether the preview of a file is enlarged if its first view is of kind k. The default is true for
// scenes, images and sounds.
func (p preferences) enlarges(k model.ViewKind) bool {
	return p.BoolWithFallback(enlargedKey(k), k == model.SceneView || k == model.PictureView || k == model.SoundView)
}

func (p preferences) setEnlarges(k model.ViewKind, large bool) {
	if large != p.enlarges(k) {
		p.SetBool(enlargedKey(k), large)
	}
}

// separator returns the separator of thousands.
func (p preferences) separator() string { return p.StringWithFallback("look.separator", ",") }

func (p preferences) setSeparator(s string) {
	p.SetString("look.separator", s)
	model.SetSeparator(s)
}

// forget removes the settings whose keys begin with one of the prefixes. The size of the window stays.
func (p preferences) forget(prefixes ...string) {
	writer, ok := p.Preferences.(interface{ WriteValues(func(map[string]any)) })
	if !ok {
		return
	}
	writer.WriteValues(func(values map[string]any) {
		maps.DeleteFunc(values, func(key string, _ any) bool {
			return !strings.HasPrefix(key, "window.") && slices.ContainsFunc(prefixes,
				func(prefix string) bool { return strings.HasPrefix(key, prefix) })
		})
	})
}

// reopens reports whether the tabs of the last session are restored.
func (p preferences) reopens() bool     { return p.BoolWithFallback("open.tabs", true) }
func (p preferences) setReopens(b bool) { p.SetBool("open.tabs", b) }

// listsOthers reports whether folders also list files of unknown formats.
func (p preferences) listsOthers() bool     { return p.BoolWithFallback("folder.others", true) }
func (p preferences) setListsOthers(b bool) { p.SetBool("folder.others", b) }

func (p preferences) folder() string     { return p.String("open.folder") }
func (p preferences) setFolder(f string) { p.SetString("open.folder", f) }
