package contents

import (
	"cmp"
	"context"
	"fmt"
	"image/color"
	"sync"
	"sync/atomic"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"assay/model"
	"assay/model/compare"
	"assay/model/compare/contents"
	"assay/model/content"
	"assay/model/render"
	"assay/model/scene"
	"assay/ui/control"
	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/viewport"
	"assay/ui/work"
)

// sceneViews displays two scenes colored by their changes, with one camera: side by side or in one view.
type sceneViews struct {
	v                *Previews
	combined         *viewport.Viewport
	highlightChanges *control.Check
	legend           *legend
	tools            *fyne.Container
	playerBox        *fyne.Container // holds the player of both

	selection   atomic.Pointer[nodePair]        // the selection
	plainColors atomic.Bool                     // draw the colors of the materials
	found       atomic.Pointer[contents.Marked] // the displayed scenes; nil: not two scenes

	mu   sync.Mutex // while scenes are compared
	last struct {
		pair   *nodePair
		views  [3]content.FoundView
		scenes [2]*scene.Scene
		found  *contents.Marked // nil: not two scenes
	}
	changes       atomic.Pointer[viewport.Changes] // changes of the found pair; nil: nothing changed
	framedChanges *viewport.Changes                // the changes that were framed last
	currentPart   int                              // the part of steppedScenes that was stepped to
	steppedScenes *contents.Marked

	joinLane *work.Lane
	joined   joined // the scenes displayed in one view
}

// joined is two scenes in one picture.
type joined struct {
	overlayOptions
	new *scene.Scene
	old *scene.Scene // nil if it is in new
}

// overlayOptions are the scenes to join, and how.
type overlayOptions struct {
	found *contents.Marked
	mode  control.ViewMode
	plain bool // scenes have the materials of the files; a difference has only the changed parts
}

func newScenes(v *Previews) *sceneViews {
	s := &sceneViews{v: v, joinLane: v.group.Lane(), legend: &legend{content: container.NewHBox()}}
	s.combined = viewport.New(v.host, v.style, v.group, func(string) {})
	s.combined.OnSelect = s.onSelect
	s.combined.OnShare = v.mixer.setShare
	viewports := []*viewport.Viewport{v.sides[0].Viewport(), v.sides[1].Viewport(), s.combined}
	viewport.Sync(viewports...)
	s.playerBox = container.NewStack(s.combined.TakeBar())
	for i, current := range viewports {
		current.Keep = true
		current.OnPose = func(p viewport.Pose) {
			for k, o := range viewports {
				if k != i {
					o.SetPose(p)
				}
			}
		}
	}
	s.connect(viewports[:2])
	s.highlightChanges = control.NewCheck(v.host.Key, "Highlight changes", func(checked bool) {
		s.plainColors.Store(!checked)
		for _, p := range v.sides {
			p.Reload()
		}
		v.arrange()
	})
	s.highlightChanges.Checked = true
	s.tools = container.NewHBox(s.highlightChanges, s.legend.content)
	return s
}

// connect connects the viewports of both sides with the comparison.
func (s *sceneViews) connect(sides []*viewport.Viewport) {
	for i := range sides {
		sides[i].HasSelection = func() bool {
			pair := s.selection.Load()
			return pair == nil || pair.onlyIn < 0 || pair.onlyIn == i
		}
		sides[i].OnModel = func() {
			if s.found.Load() == nil {
				return
			}
			sides[0].FrameWith(sides[1])
			sides[1].FrameWith(sides[0])
			s.frameChanges(sides)
		}
		s.v.sides[i].Empty = func() string {
			if pair := s.selection.Load(); pair != nil && pair.onlyIn == 1-i {
				return "Not in the " + []string{"old", "new"}[i] + " file."
			}
			return ""
		}
		s.v.sides[i].Substitute = func(ctx context.Context, _ *model.Node, view model.View) model.View {
			return s.replacement(ctx, i, view)
		}
	}
}

// frameChanges sets the changes of both viewports and, if they are new, frames them: they may be a small part of the
// scenes.
func (s *sceneViews) frameChanges(sides []*viewport.Viewport) {
	changes := s.changes.Load()
	if s.found.Load().Counts.Same == 0 {
		changes = nil // the changes are all of the scenes
	}
	for _, v := range sides {
		v.SetChanges(changes)
	}
	if sides[0].Model() == nil || sides[1].Model() == nil {
		return
	}
	if s.framedChanges != changes {
		s.framedChanges = changes
		sides[0].FrameChanges()
		return
	}
	for _, v := range sides {
		v.FrameAs(v)
	}
}

// replacement returns a scene colored by changes. A side without the node shows nothing, unless both sides have the
// scene that contains it.
func (s *sceneViews) replacement(ctx context.Context, side int, view model.View) model.View {
	pair := s.selection.Load()
	if pair == nil {
		return view
	}
	absent := pair.onlyIn >= 0 && pair.onlyIn != side
	if sheet, ok := view.(*content.Sheet); ok && !absent &&
		(sheet.Document == pair.c.Old || sheet.Document == pair.c.New) {
		if marked, err := contents.MarkSheet(ctx, pair.c, sheet); err == nil {
			return marked
		}
	}
	var found *contents.Marked
	if _, ok := view.(*scene.Scene); ok && !pair.c.BytesOnly {
		found = s.compare(ctx, pair)
	}
	switch {
	case found == nil && absent:
		return nil
	case found == nil || found.Counts.Differences() == 0 || s.plainColors.Load():
		return view
	case side == 0:
		return found.Old
	}
	return found.New
}

// compare compares the scenes of two nodes, once for both sides; nil if they are not two scenes.
func (s *sceneViews) compare(ctx context.Context, pair *nodePair) *contents.Marked {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.last.pair != pair {
		if !s.loadScenes(ctx, pair) {
			return nil
		}
		s.last.pair = pair
	}
	if s.selection.Load() == pair { // else another pair was selected meanwhile
		s.found.Store(s.last.found)
	}
	return s.last.found
}

// loadScenes finds the scenes of two nodes and compares them. It returns false if ctx was canceled. The scenes may read
// files of their own, which stay open until others are displayed.
func (s *sceneViews) loadScenes(ctx context.Context, pair *nodePair) bool {
	var views [3]content.FoundView // views of both nodes, and of the parent of a missing node
	views[0], views[1] = s.findView(ctx, 0, pair, pair.nodes[0]), s.findView(ctx, 1, pair, pair.nodes[1])
	if pair.onlyIn >= 0 {
		views[2] = s.findView(ctx, pair.onlyIn, pair, pair.parent)
	}
	old, _ := views[0].View.(*scene.Scene)
	new, _ := views[1].View.(*scene.Scene)
	scenes := [2]*scene.Scene{old, new}
	var found *contents.Marked
	switch {
	case old == nil || new == nil || pair.onlyIn >= 0 && views[2].View != views[pair.onlyIn].View:
		scenes = [2]*scene.Scene{}
	case s.last.scenes == scenes:
		found = s.last.found
	default:
		var err error
		if found, err = contents.CompareScenes(ctx, pair.c, old, new); err != nil {
			scenes = [2]*scene.Scene{}
		}
	}
	if ctx.Err() != nil {
		closeViews(&views)
		return false
	}
	if found != s.last.found {
		s.changes.Store(changesOf(ctx, found))
	}
	closeViews(&s.last.views)
	s.last.views, s.last.scenes, s.last.found = views, scenes, found
	return true
}

// hasParts reports whether several parts differ.
func (s *sceneViews) hasParts() bool {
	found := s.found.Load()
	return found != nil && len(found.Parts) > 1
}

// step moves to the next or previous part that changed. With wrap it starts at the other end. It returns false at the
// end.
func (s *sceneViews) step(delta int, wrap bool) bool {
	found, changes := s.found.Load(), s.changes.Load()
	if found == nil || changes == nil {
		return false
	}
	if s.steppedScenes != found {
		s.steppedScenes, s.currentPart = found, -1
	}
	to, ok := stepFrom(s.currentPart, delta, len(found.Parts), wrap)
	if !ok {
		return false
	}
	s.currentPart = to
	p := &found.Parts[to]
	for i, marked := range []*scene.Scene{found.Old, found.New} {
		v, n := s.v.sides[i].Viewport(), p.Nodes[i]
		if v.Scene() == marked {
			n = p.Marked[i]
		}
		v.RevealChange(n, changes, p.InChange[:])
	}
	s.combined.RevealChange(nil, changes, p.InChange[:])
	s.v.host.ShowHint(fmt.Sprintf("Part %d of %d: %s %s", to+1, len(found.Parts),
		cmp.Or(model.OneLine(p.Name(), 200), "unnamed"), p.Status))
	return true
}

// changesOf returns the changed parts of two scenes; nil if there are none.
func changesOf(ctx context.Context, found *contents.Marked) *viewport.Changes {
	if found == nil || found.Changes == nil {
		return nil
	}
	m, err := render.Load(ctx, found.Changes)
	if err != nil || m.Empty() {
		return nil
	}
	return viewport.NewChanges(m)
}

func (s *sceneViews) findView(ctx context.Context, side int, pair *nodePair, n *model.Node) content.FoundView {
	if n == nil {
		return content.FoundView{}
	}
	found, err := s.v.finders[side].Find(ctx, []*model.Document{pair.c.Old, pair.c.New}[side], n)
	if err != nil {
		found.Close()
		return content.FoundView{}
	}
	return found
}

func closeViews(all *[3]content.FoundView) {
	for i := range all {
		all[i].Close()
	}
}

func (s *sceneViews) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	closeViews(&s.last.views)
}

// arrange shows the tools for two scenes, and joins the scenes in modes with one view.
func (s *sceneViews) arrange(areScenes bool) {
	mode := s.v.chosenMode()
	paint.SetVisible(s.playerBox, areScenes)
	if !areScenes {
		s.tools.Hide()
		return
	}
	s.tools.Show()
	// An overlay has colors, a difference uses the materials.
	paint.SetVisible(s.highlightChanges, mode != control.Overlay && mode != control.Difference)
	found := s.found.Load()
	paint.SetVisible(s.legend.content, mode != control.Difference)
	s.legend.set(found)
	if found == nil || mode == control.SideBySide || mode == control.Blink {
		return
	}
	plain := mode == control.Difference || mode == control.Swipe && s.plainColors.Load()
	if next := (overlayOptions{found, mode, plain}); s.joined.overlayOptions != next {
		s.joined = joined{overlayOptions: next}
		s.join(s.joined)
	}
}

// join shows both scenes in one picture.
func (s *sceneViews) join(next joined) {
	s.joinLane.Go(func(ctx context.Context) func() {
		switch {
		case next.mode == control.Overlay:
			next.new = next.found.Both
		case next.mode == control.Difference:
			next.old, next.new = next.found.Apart[0], next.found.Apart[1]
		case next.plain:
			s.mu.Lock()
			next.old, next.new = s.last.scenes[0], s.last.scenes[1]
			s.mu.Unlock()
		default:
			next.old, next.new = next.found.Old, next.found.New
		}
		if next.new == nil { // other scenes are displayed by now
			return nil
		}
		m, err := render.Load(ctx, next.new)
		if err != nil {
			return nil
		}
		var secondModel *render.Model
		if next.old != nil {
			if secondModel, err = render.Load(ctx, next.old); err != nil {
				return nil
			}
			m.FrameWith(secondModel)
			secondModel.FrameWith(m)
		}
		return func() {
			secondView := s.v.sides[1].Viewport()
			pose := secondView.Pose()
			if s.joined = next; secondModel != nil {
				mode, share, gain := s.blendSettings()
				s.combined.SetModels(m, secondModel, mode, share, gain)
			} else {
				s.combined.SetModel(m)
			}
			s.combined.FrameAs(secondView)
			s.combined.SetPose(pose)
			s.combined.PlayAs(secondView)
			s.outlinePair(s.selection.Load())
		}
	})
}

// blendSettings returns the settings of two scenes in one view.
func (s *sceneViews) blendSettings() (mode control.ViewMode, share float64, gain int) {
	return s.joined.mode, s.v.mixer.share(), s.v.mixer.gain()
}

// mix applies the settings of the tools to two scenes in one view.
func (s *sceneViews) mix() { s.combined.SetSecond(s.blendSettings()) }

// outlinePair outlines the selected pair in the picture of both scenes.
func (s *sceneViews) outlinePair(pair *nodePair) {
	if s.joined.new == nil || pair == nil {
		return
	}
	if s.joined.old != nil {
		s.combined.Select(s.nodeOf(s.joined.new, pair, 1))
		s.combined.SelectSecond(s.nodeOf(s.joined.old, pair, 0))
		return
	}
	found := s.nodeOf(s.joined.new, pair, 1)
	if found == nil {
		found = s.nodeOf(s.joined.new, pair, 0)
	}
	s.combined.Select(found)
}

// nodeOf returns the node of a scene for a side of the selection, or nil.
func (s *sceneViews) nodeOf(inScene *scene.Scene, pair *nodePair, side int) (found *scene.Node) {
	if pair.onlyIn == 1-side {
		return nil
	}
	inScene.Walk(func(n *scene.Node, _ scene.Matrix) {
		if n.Offset == 0 || found != nil || s.joined.old == nil && s.joined.found.FromOld(n) != (side == 0) {
			return
		}
		for node := pair.nodes[side]; node != nil; node = node.Parent {
			if node.Offset == n.Offset && node.Key == n.Name && node.Key != "" {
				found = n
				return
			}
		}
	})
	return found
}

// onSelect selects the pair of a node of the picture of both scenes.
func (s *sceneViews) onSelect(n *scene.Node) {
	if n == nil || n.Offset == 0 || s.joined.found == nil || s.v.result == nil {
		return
	}
	d := s.v.result.New
	if s.fromOld(n) {
		d = s.v.result.Old
	}
	for node := d.Owner(n.Offset); node != nil; node = node.Parent {
		if node.Offset == n.Offset && node.Key == n.Name {
			s.v.OnReveal(d, node)
			return
		}
	}
}

// fromOld reports whether a node of the picture of both scenes belongs to the old scene.
func (s *sceneViews) fromOld(n *scene.Node) (ok bool) {
	if s.joined.old == nil {
		return s.joined.found.FromOld(n)
	}
	s.joined.old.Walk(func(o *scene.Node, _ scene.Matrix) { ok = ok || o == n })
	return ok
}

// legend explains the colors of compared scenes.
type legend struct {
	content *fyne.Container
	marked  *contents.Marked
}

// set displays the legend of two scenes; nil hides it.
func (l *legend) set(s *contents.Marked) {
	if s == l.marked {
		return
	}
	l.marked = s
	l.content.RemoveAll()
	if s == nil {
		return
	}
	for status, n := range s.Counts.Each() {
		l.add(colorSquare(status.Color(compare.OnScene)), host.Count(n, "part")+" "+status.String())
	}
	if s.MovedVertices > 0 {
		ramp := canvas.NewRasterWithPixels(func(x, _, w, _ int) color.Color {
			return contents.DistanceColor(float64(x) / float64(max(1, w-1)))
		})
		ramp.SetMinSize(fyne.NewSize(60, 11))
		l.add(ramp, fmt.Sprintf("%s moved, by up to %.3g", host.Count(s.MovedVertices, "position"), s.MaxDistance))
	}
	for _, task := range s.OtherChanges {
		l.add(colorSquare(compare.Changed.Color(compare.OnScene)), task+" changed")
	}
	if s.Counts.Differences() == 0 && len(s.OtherChanges) == 0 {
		l.add(colorSquare(compare.Same.Color(compare.OnScene)), "no visible changes")
	}
}

func colorSquare(c color.Color) fyne.CanvasObject {
	r := canvas.NewRectangle(c)
	r.CornerRadius = 2
	r.SetMinSize(fyne.NewSize(11, 11))
	return r
}

func (l *legend) add(sign fyne.CanvasObject, text string) {
	label := widget.NewLabel(text) // it follows the theme, which may change while it is visible
	label.SizeName = theme.SizeNameCaptionText
	l.content.Add(container.NewHBox(container.NewCenter(sign), label))
}
