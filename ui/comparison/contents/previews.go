// Package contents displays the contents of the selected pair on both sides: pictures, scenes and sounds side by side
// or in one view, texts line by line, and lists as one table.
package contents

import (
	"context"
	"slices"
	"strconv"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"assay/model"
	"assay/model/compare"
	"assay/model/compare/changes"
	"assay/model/content"
	"assay/model/text"
	"assay/ui/control"
	"assay/ui/doc"
	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/preview"
	"assay/ui/thumbnail"
	"assay/ui/work"
)

// gains are the factors by which differences are amplified.
var gains = []string{"× 1", "× 4", "× 16", "× 64"}

// mixer sets how two contents are displayed in one view: the position of the line between them, the opacity of each,
// and the gain of their differences.
type mixer struct {
	onShare func(share float64)
	onGain  func()

	slider    *control.Slider
	sliderBox *fyne.Container // the slider with a fixed width
	gains     *control.Select
	tools     *fyne.Container
	isSetting bool
}

func newMixer(keys control.Keys) *mixer {
	m := &mixer{slider: control.NewSlider(keys, 0, 1)}
	m.slider.Step = .01
	m.slider.Value = .5
	m.slider.OnChanged = func(share float64) {
		if !m.isSetting {
			m.onShare(share)
		}
	}
	m.gains = control.NewSelect(keys, gains, func(string) { m.onGain() })
	m.gains.Selected = gains[1]
	m.sliderBox = container.NewGridWrap(fyne.NewSize(140, m.slider.MinSize().Height), m.slider)
	m.tools = container.NewHBox(m.sliderBox, m.gains)
	return m
}

func (m *mixer) arrange(k model.ViewKind, mode control.ViewMode) {
	colored := mode == control.Difference && (k == model.PictureView || k == model.SceneView)
	mixed := k == model.PictureView && (mode == control.Swipe || mode == control.Overlay) ||
		k == model.SceneView && mode == control.Swipe
	paint.SetVisible(m.sliderBox, mixed)
	paint.SetVisible(m.gains, colored)
	paint.SetVisible(m.tools, mixed || colored)
}

// share returns the position of the line, or the opacity of the second content.
func (m *mixer) share() float64 { return m.slider.Value }

// setShare moves the slider to where the line was dragged.
func (m *mixer) setShare(share float64) {
	m.isSetting = true
	m.slider.SetValue(share)
	m.isSetting = false
}

// gain returns the factor by which differences are amplified.
func (m *mixer) gain() int {
	if m.gains.Selected == "" {
		return 1
	}
	gain, _ := strconv.Atoi(m.gains.Selected[len("× "):])
	return gain
}

const blinkInterval = 600 * time.Millisecond

// Previews previews the selected pair on both sides: scenes with one camera, pictures with their difference, texts
// line by line, sounds as waveforms.
type Previews struct {
	host    host.Host
	style   *paint.Style
	group   *work.Group
	result  *compare.Comparison
	sides   [2]*preview.Preview
	scenes  *sceneViews
	images  *images
	mixer   *mixer
	texts   Lines
	finders [2]*content.ViewFinder

	mode     *control.Select
	labels   [2]*widget.Label // the names of the sides
	namesRow *fyne.Container
	caption  *widget.Label
	stage    *fyne.Container
	Content  fyne.CanvasObject

	Visible    bool
	pair       *compare.Pair
	views      [2]model.View    // the displayed views
	stageMode  control.ViewMode // mode of the objects on the stage
	captionFor captionState     // what the caption describes
	isSetting  bool
	blinkLane  *work.Lane

	OnReveal func(d *model.Document, n *model.Node) // the user selected a node in a picture
	OnKind   func()                                 // called when the kind of view is determined
}

// Lines displays two texts instead of the previews of both sides.
type Lines interface {
	// Show compares two texts; onSummary is called with the number of lines that differ.
	Show(old, new *text.Text, onSummary func(summary string))
	Step(step int, wrap bool) bool
	Clear()
	Content() fyne.CanvasObject
}

// captionState is the kind of both sides and the view mode that a caption describes.
type captionState struct {
	kind model.ViewKind
	mode control.ViewMode
}

// NewPreviews returns a view that opens files inside of files with open, and shows texts with lines.
func NewPreviews(h host.Host, style *paint.Style, group *work.Group, open model.Opener,
	lines Lines) *Previews {
	v := &Previews{host: h, style: style, group: group, caption: widget.NewLabel(""), stage: container.NewStack(),
		blinkLane: group.Lane()}
	v.caption.Truncation = fyne.TextTruncateEllipsis
	v.caption.Hide()
	for i := range v.sides {
		v.finders[i] = &content.ViewFinder{Open: open}
		p := preview.New(h, style, group, thumbnail.Options{Open: open})
		p.OnAsset = func(d *model.Document, n *model.Node) { v.OnReveal(d, n) }
		p.OnView = func(view model.View) { v.onView(i, view) }
		v.sides[i] = p
	}
	v.mixer = newMixer(h.Key)
	v.scenes = newScenes(v)
	v.images = newImages(v)
	v.mixer.onShare = func(share float64) {
		v.images.combined.SetShare(share)
		v.scenes.mix()
	}
	v.mixer.onGain = func() {
		v.images.recompare()
		v.scenes.mix()
	}
	v.texts = lines
	v.mode = control.NewSelect(h.Key, []string{string(control.SideBySide)}, func(string) {
		if !v.isSetting {
			v.arrange()
		}
	})
	v.isSetting = true
	v.mode.SetSelectedIndex(0)
	v.isSetting = false
	tools := container.NewHBox(v.mode, v.mixer.tools, v.scenes.tools)
	bottom := container.NewVBox(v.scenes.playerBox, container.NewBorder(nil, nil, tools, nil, v.caption))
	for i, name := range sideNames {
		v.labels[i] = widget.NewLabelWithStyle(name, fyne.TextAlignLeading, fyne.TextStyle{Bold: true})
		v.labels[i].SizeName = theme.SizeNameCaptionText
	}
	v.namesRow = container.NewGridWithColumns(2, v.labels[0], v.labels[1])
	v.Content = container.NewBorder(v.namesRow, bottom, nil, nil, v.stage)
	v.arrange()
	return v
}

// chosenMode returns the view mode that the user chose.
func (v *Previews) chosenMode() control.ViewMode { return control.ViewMode(v.mode.Selected) }

// kind returns the kind of view of both sides. It returns false if the kinds differ or are not known yet, and for
// scenes in files of different formats, which are not compared.
func (v *Previews) kind() (k model.ViewKind, ok bool) {
	if v.views[0] == nil || v.views[1] == nil {
		return 0, false
	}
	k = v.views[0].ViewKind()
	return k, k == v.views[1].ViewKind() && !(k == model.SceneView && v.result.BytesOnly)
}

// onView is called with the view of a side.
func (v *Previews) onView(side int, view model.View) {
	v.views[side] = view
	options := []string{string(control.SideBySide)}
	if k, ok := v.kind(); ok && (k == model.SceneView || k == model.PictureView) {
		options = control.ViewModeNames()
	}
	if !slices.Equal(options, v.mode.Options) {
		previous := v.mode.Selected
		v.isSetting = true
		v.mode.SetOptions(options)
		if !slices.Contains(options, previous) {
			v.mode.SetSelectedIndex(0)
		}
		v.isSetting = false
	}
	paint.SetVisible(v.mode, len(options) > 1)
	v.arrange()
	v.OnKind()
}

// HasView reports whether a side has a view other than its bytes.
func (v *Previews) HasView() bool {
	return slices.ContainsFunc(v.views[:], func(view model.View) bool {
		return view != nil && view.ViewKind() != model.BytesView
	})
}

// arrange arranges the previews for the view mode.
func (v *Previews) arrange() {
	k, ok := v.kind()
	if !ok {
		k = model.BytesView
	}
	mode := v.chosenMode()
	if current := (captionState{k, mode}); current != v.captionFor {
		v.captionFor = current
		v.setCaption("") // the caption was for other views
	}
	v.mixer.arrange(k, mode)
	v.scenes.arrange(k == model.SceneView)
	v.images.arrange(k == model.PictureView)
	if k == model.TextView {
		v.texts.Show(v.views[0].(*text.Text), v.views[1].(*text.Text), v.setCaption)
	} else {
		v.texts.Clear()
	}
	mode, inOne := stageModeFor(k, mode)
	for _, side := range v.sides {
		side.Viewport().SetPaused(mode == oneSceneMode)
	}
	v.showNames(mode, inOne)
	if mode == v.stageMode {
		return
	}
	v.stageMode = mode
	v.blinkLane.Stop()
	if v.stage.Objects = v.stageObjects(mode); mode == control.Blink {
		v.blink()
	}
	v.stage.Refresh()
}

// Modes of the stage that the user does not choose by name.
const (
	linesMode      control.ViewMode = "lines"
	wavesMode      control.ViewMode = "waves"
	onePictureMode control.ViewMode = "one picture"
	oneSceneMode   control.ViewMode = "one scene"
)

// stageModeFor returns the mode of the stage for a kind of view, and whether both sides are in one view.
func stageModeFor(k model.ViewKind, chosen control.ViewMode) (mode control.ViewMode, inOne bool) {
	switch {
	case k == model.TextView:
		return linesMode, true
	case k == model.SoundView:
		return wavesMode, true
	case chosen == control.SideBySide || chosen == control.Blink:
		return chosen, false
	case k == model.PictureView:
		return onePictureMode, true
	case k == model.SceneView:
		return oneSceneMode, true
	}
	return chosen, true
}

// stageObjects returns the objects on the stage in a mode. In blink mode they are over each other.
func (v *Previews) stageObjects(mode control.ViewMode) []fyne.CanvasObject {
	a, b := v.sides[0].Content(), v.sides[1].Content()
	a.Show()
	b.Show()
	switch mode {
	case control.Blink:
		return []fyne.CanvasObject{a, b}
	case onePictureMode:
		return []fyne.CanvasObject{v.images.combined.Content()}
	case oneSceneMode:
		return []fyne.CanvasObject{v.scenes.combined.Content()}
	case linesMode:
		return []fyne.CanvasObject{v.texts.Content()}
	case wavesMode:
		return []fyne.CanvasObject{container.NewVSplit(v.withName(0, a), v.withName(1, b))}
	}
	return []fyne.CanvasObject{container.NewHSplit(a, b)}
}

var sideNames = [2]string{"Old", "New"}

// showNames sets the names of the sides: the old one on the left. In one view, the new one is on the right end of the
// line or the slider. In blink mode the name changes with the side.
func (v *Previews) showNames(mode control.ViewMode, inOne bool) {
	paint.SetVisible(v.namesRow, mode != linesMode && mode != wavesMode)
	paint.SetVisible(v.labels[1], mode != control.Blink)
	v.labels[1].Alignment = fyne.TextAlignLeading
	if inOne {
		v.labels[1].Alignment = fyne.TextAlignTrailing
	}
	v.labels[1].Refresh()
	if mode != control.Blink {
		v.labels[0].SetText(sideNames[0])
	}
}

// withName returns a side with its name above it.
func (v *Previews) withName(side int, content fyne.CanvasObject) fyne.CanvasObject {
	label := widget.NewLabelWithStyle(sideNames[side], fyne.TextAlignLeading, fyne.TextStyle{Bold: true})
	label.SizeName = theme.SizeNameCaptionText
	return container.NewBorder(label, nil, nil, nil, content)
}

// Steps returns the stepper of the displayed view and the noun for its changes, or nil: a scene of one part, such as
// the catoms of a world, has nothing to step through.
func (v *Previews) Steps() (noun string, step func(delta int, wrap bool) bool) {
	switch k, _ := v.kind(); {
	case v.views[0] == nil || v.views[1] == nil:
	case k == model.PictureView:
		return "region that differs", v.images.step
	case k == model.SceneView && v.scenes.hasParts():
		return "changed part", v.scenes.step
	case k == model.TextView:
		return "changed line", v.texts.Step
	}
	return "", nil
}

// setCaption sets the caption, and hides it if it is empty.
func (v *Previews) setCaption(text string) {
	v.caption.SetText(text)
	paint.SetVisible(v.caption, text != "")
}

// blink displays the sides in turn.
func (v *Previews) blink() {
	v.blinkLane.Go(func(ctx context.Context) func() {
		for side := 0; ctx.Err() == nil; side = 1 - side {
			v.group.Do(ctx, func() {
				if ctx.Err() != nil {
					return
				}
				v.sides[1-side].Content().Hide()
				v.sides[side].Content().Show()
				v.labels[0].SetText(sideNames[side])
			})
			if !v.group.Tick(ctx, blinkInterval) {
				return nil
			}
		}
		return nil
	})
}

// SetVisible sets whether the previews are visible.
func (v *Previews) SetVisible(visible bool) {
	v.Visible = visible
	if !visible {
		v.blinkLane.Stop()
		v.stageMode = ""
		return
	}
	v.arrange()
	v.load()
}

// Set replaces the comparison. No pair of it is selected yet.
func (v *Previews) Set(c *compare.Comparison) {
	v.result, v.pair = c, nil
	v.scenes.selection.Store(nil)
	v.scenes.found.Store(nil)
}

// Close closes the files of the scenes.
func (v *Previews) Close() { v.scenes.close() }

// SelectPair shows another pair.
func (v *Previews) SelectPair(p *compare.Pair) {
	v.pair = p
	v.load()
}

// load loads the pair if the panel is visible. A missing side shows the parent.
func (v *Previews) load() {
	if !v.Visible || v.pair == nil {
		return
	}
	pair := nodePairOf(v.result, v.pair)
	v.scenes.selection.Store(pair)
	v.scenes.outlinePair(pair)
	for i, d := range []*model.Document{pair.c.Old, pair.c.New} {
		v.sides[i].Select(doc.Selection{Document: d, Node: pair.nodes[i]})
	}
}

// nodePair is the previewed pair of nodes. A missing side is previewed with its parent.
type nodePair struct {
	c      *compare.Comparison
	nodes  [2]*model.Node
	onlyIn int         // the only side with a node; -1: both have one
	parent *model.Node // the counterpart of the parent of the other node
}

func nodePairOf(c *compare.Comparison, p *compare.Pair) *nodePair {
	pair := &nodePair{c: c, nodes: [2]*model.Node{p.Old, p.New}, onlyIn: -1}
	if c.BytesOnly && p.Old != nil && p.New != nil {
		pair.nodes[0], pair.nodes[1] = changes.Representatives(c)
		return pair
	}
	for ancestor := p; ancestor != nil && (pair.nodes[0] == nil || pair.nodes[1] == nil); ancestor = ancestor.Parent() {
		if ancestor.Old == nil || ancestor.New == nil {
			continue
		}
		if pair.nodes[0] == nil {
			pair.nodes[0], pair.onlyIn, pair.parent = ancestor.Old, 1, ancestor.New
		} else {
			pair.nodes[1], pair.onlyIn, pair.parent = ancestor.New, 0, ancestor.Old
		}
	}
	return pair
}

// HasViews reports whether both files of a comparison have views.
func HasViews(c *compare.Comparison) bool {
	hasView := func(d *model.Document) bool {
		if d.Format == model.UnknownFormat {
			return content.KindOf(d.Source).IsKnown()
		}
		return d.View != nil || d.Payloads != nil && d.Payloads.Len() > 0
	}
	return hasView(c.Old) && hasView(c.New)
}
