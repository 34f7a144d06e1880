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
	p := &Previews{host: h, style: style, group: group, caption: widget.NewLabel(""), stage: container.NewStack(),
		blinkLane: group.Lane()}
	p.caption.Truncation = fyne.TextTruncateEllipsis
	p.caption.Hide()
	for i := range p.sides {
		p.finders[i] = &content.ViewFinder{Open: open}
		pane := preview.New(h, style, group, thumbnail.Options{Open: open})
		pane.OnAsset = func(d *model.Document, n *model.Node) { p.OnReveal(d, n) }
		pane.OnView = func(view model.View) { p.onView(i, view) }
		p.sides[i] = pane
	}
	p.mixer = newMixer(h.Key)
	p.scenes = newScenes(p)
	p.images = newImages(p)
	p.mixer.onShare = func(share float64) {
		p.images.combined.SetShare(share)
		p.scenes.mix()
	}
	p.mixer.onGain = func() {
		p.images.recompare()
		p.scenes.mix()
	}
	p.texts = lines
	p.mode = control.NewSelect(h.Key, []string{string(control.SideBySide)}, func(string) {
		if !p.isSetting {
			p.arrange()
		}
	})
	p.isSetting = true
	p.mode.SetSelectedIndex(0)
	p.isSetting = false
	tools := container.NewHBox(p.mode, p.mixer.tools, p.scenes.tools)
	bottom := container.NewVBox(p.scenes.playerBox, container.NewBorder(nil, nil, tools, nil, p.caption))
	for i, name := range sideNames {
		p.labels[i] = widget.NewLabelWithStyle(name, fyne.TextAlignLeading, fyne.TextStyle{Bold: true})
		p.labels[i].SizeName = theme.SizeNameCaptionText
	}
	p.namesRow = container.NewGridWithColumns(2, p.labels[0], p.labels[1])
	p.Content = container.NewBorder(p.namesRow, bottom, nil, nil, p.stage)
	p.arrange()
	return p
}

// chosenMode returns the view mode that the user chose.
func (p *Previews) chosenMode() control.ViewMode { return control.ViewMode(p.mode.Selected) }

// kind returns the kind of view of both sides. It returns false if the kinds differ or are not known yet, and for
// scenes in files of different formats, which are not compared.
func (p *Previews) kind() (k model.ViewKind, ok bool) {
	if p.views[0] == nil || p.views[1] == nil {
		return 0, false
	}
	k = p.views[0].ViewKind()
	return k, k == p.views[1].ViewKind() && !(k == model.SceneView && p.result.BytesOnly)
}

// onView is called with the view of a side.
func (p *Previews) onView(side int, view model.View) {
	p.views[side] = view
	options := []string{string(control.SideBySide)}
	if k, ok := p.kind(); ok && (k == model.SceneView || k == model.PictureView) {
		options = control.ViewModeNames()
	}
	if !slices.Equal(options, p.mode.Options) {
		previous := p.mode.Selected
		p.isSetting = true
		p.mode.SetOptions(options)
		if !slices.Contains(options, previous) {
			p.mode.SetSelectedIndex(0)
		}
		p.isSetting = false
	}
	paint.SetVisible(p.mode, len(options) > 1)
	p.arrange()
	p.OnKind()
}

// HasView reports whether a side has a view other than its bytes.
func (p *Previews) HasView() bool {
	return slices.ContainsFunc(p.views[:], func(view model.View) bool {
		return view != nil && view.ViewKind() != model.BytesView
	})
}

// arrange arranges the previews for the view mode.
func (p *Previews) arrange() {
	k, ok := p.kind()
	if !ok {
		k = model.BytesView
	}
	mode := p.chosenMode()
	if current := (captionState{k, mode}); current != p.captionFor {
		p.captionFor = current
		p.setCaption("") // the caption was for other views
	}
	p.mixer.arrange(k, mode)
	p.scenes.arrange(k == model.SceneView)
	p.images.arrange(k == model.PictureView)
	if k == model.TextView {
		p.texts.Show(p.views[0].(*text.Text), p.views[1].(*text.Text), p.setCaption)
	} else {
		p.texts.Clear()
	}
	mode, inOne := stageModeFor(k, mode)
	for _, side := range p.sides {
		side.Viewport().SetPaused(mode == oneSceneMode)
	}
	p.showNames(mode, inOne)
	if mode == p.stageMode {
		return
	}
	p.stageMode = mode
	p.blinkLane.Stop()
	if p.stage.Objects = p.stageObjects(mode); mode == control.Blink {
		p.blink()
	}
	p.stage.Refresh()
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
func (p *Previews) stageObjects(mode control.ViewMode) []fyne.CanvasObject {
	a, b := p.sides[0].Content(), p.sides[1].Content()
	a.Show()
	b.Show()
	switch mode {
	case control.Blink:
		return []fyne.CanvasObject{a, b}
	case onePictureMode:
		return []fyne.CanvasObject{p.images.combined.Content()}
	case oneSceneMode:
		return []fyne.CanvasObject{p.scenes.combined.Content()}
	case linesMode:
		return []fyne.CanvasObject{p.texts.Content()}
	case wavesMode:
		return []fyne.CanvasObject{container.NewVSplit(p.withName(0, a), p.withName(1, b))}
	}
	return []fyne.CanvasObject{container.NewHSplit(a, b)}
}

var sideNames = [2]string{"Old", "New"}

// showNames sets the names of the sides: the old one on the left. In one view, the new one is on the right end of the
// line or the slider. In blink mode the name changes with the side.
func (p *Previews) showNames(mode control.ViewMode, inOne bool) {
	paint.SetVisible(p.namesRow, mode != linesMode && mode != wavesMode)
	paint.SetVisible(p.labels[1], mode != control.Blink)
	p.labels[1].Alignment = fyne.TextAlignLeading
	if inOne {
		p.labels[1].Alignment = fyne.TextAlignTrailing
	}
	p.labels[1].Refresh()
	if mode != control.Blink {
		p.labels[0].SetText(sideNames[0])
	}
}

// withName returns a side with its name above it.
func (p *Previews) withName(side int, object fyne.CanvasObject) fyne.CanvasObject {
	label := widget.NewLabelWithStyle(sideNames[side], fyne.TextAlignLeading, fyne.TextStyle{Bold: true})
	label.SizeName = theme.SizeNameCaptionText
	return container.NewBorder(label, nil, nil, nil, object)
}

// Steps returns the stepper of the displayed view and the noun for its changes, or nil: a scene of one part, such as
// the catoms of a world, has nothing to step through.
func (p *Previews) Steps() (noun string, step func(delta int, wrap bool) bool) {
	switch k, _ := p.kind(); {
	case p.views[0] == nil || p.views[1] == nil:
	case k == model.PictureView:
		return "region that differs", p.images.step
	case k == model.SceneView && p.scenes.hasParts():
		return "changed part", p.scenes.step
	case k == model.TextView:
		return "changed line", p.texts.Step
	}
	return "", nil
}

// setCaption sets the caption, and hides it if it is empty.
func (p *Previews) setCaption(text string) {
	p.caption.SetText(text)
	paint.SetVisible(p.caption, text != "")
}

// blink displays the sides in turn.
func (p *Previews) blink() {
	p.blinkLane.Go(func(ctx context.Context) func() {
		for side := 0; ctx.Err() == nil; side = 1 - side {
			p.group.Do(ctx, func() {
				if ctx.Err() != nil {
					return
				}
				p.sides[1-side].Content().Hide()
				p.sides[side].Content().Show()
				p.labels[0].SetText(sideNames[side])
			})
			if !p.group.Tick(ctx, blinkInterval) {
				return nil
			}
		}
		return nil
	})
}

// SetVisible sets whether the previews are visible.
func (p *Previews) SetVisible(visible bool) {
	p.Visible = visible
	if !visible {
		p.blinkLane.Stop()
		p.stageMode = ""
		return
	}
	p.arrange()
	p.load()
}

// Set replaces the comparison. No pair of it is selected yet.
func (p *Previews) Set(c *compare.Comparison) {
	p.result, p.pair = c, nil
	p.scenes.selection.Store(nil)
	p.scenes.found.Store(nil)
}

// Close closes the files of the scenes.
func (p *Previews) Close() { p.scenes.close() }

// SelectPair shows another pair.
func (p *Previews) SelectPair(pair *compare.Pair) {
	p.pair = pair
	p.load()
}

// load loads the pair if the panel is visible. A missing side shows the parent.
func (p *Previews) load() {
	if !p.Visible || p.pair == nil {
		return
	}
	pair := nodePairOf(p.result, p.pair)
	p.scenes.selection.Store(pair)
	p.scenes.outlinePair(pair)
	for i, d := range []*model.Document{pair.c.Old, pair.c.New} {
		p.sides[i].Select(doc.Selection{Document: d, Node: pair.nodes[i]})
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
