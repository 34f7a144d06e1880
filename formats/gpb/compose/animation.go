package compose

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"assay/formats/gpb"
	"assay/formats/gpb/material"
	"assay/formats/gpb/properties"
	"assay/model/scene"
)

// addClips adds the named ranges of .animation files beside the bundle to its animations with their ids, or to its only
// animation.
func addClips(r *material.Resources, out *scene.Scene) {
	if len(out.Animations) == 0 {
		return
	}
	c := fileClips{clipAdder: clipAdder{resources: r}, single: out.Animations[0],
		byName: make(map[string]*timedAnimation)}
	for _, a := range out.Animations {
		c.byName[a.Name] = &timedAnimation{Animation: a} // of several with one name the last
	}
	if len(out.Animations) > 1 {
		c.single = nil
	}
	for _, inRoot := range firstTexts(r, ".animation") {
		if file := r.Load(inRoot); file != nil {
			c.addFrom(file, inRoot)
		}
	}
}

// maxClips is the maximum number of clips of a scene. Each is a line of a menu.
const maxClips = 10_000

// clipAdder adds clips to the animations of a scene, up to maxClips.
type clipAdder struct {
	resources *material.Resources
	added     int // the number of clips
}

// fileClips adds the clips of .animation files.
type fileClips struct {
	clipAdder
	single *scene.Animation // nil if there are several
	byName map[string]*timedAnimation
}

// timedAnimation is an animation with the times of its first and its last key, which are read once: any number of
// namespaces may have clips of it.
type timedAnimation struct {
	*scene.Animation
	hasTimes    bool
	first, last float32
}

// span returns the times of the first and the last key.
func (t *timedAnimation) span() (first, last float32) {
	if !t.hasTimes {
		t.first, t.last = t.Span()
		t.hasTimes = true
	}
	return t.first, t.last
}

// addFrom adds the clips of a text.
func (c *fileClips) addFrom(file *properties.Namespace, inRoot string) {
	for _, n := range file.Children {
		if n.Name != "animation" || c.resources.Canceled() {
			continue
		}
		s := c.resources.Space(file, n)
		if s.Get("property") != "" || s.First("clip") == nil {
			continue // it has keys of its own
		}
		timed := c.byName[s.ID]
		if c.single != nil {
			timed = c.byName[c.single.Name]
		}
		if timed == nil {
			c.resources.Notef("the clips in %s do not name their animation", inRoot)
			continue
		}
		c.addTo(timed, s, inRoot)
	}
}

// addTo adds the clips in a namespace of a file to an animation. The duration of the animation, from its first key
// to its last, corresponds to the number of frames in the namespace (Animation::createClips). Repeat counts are
// ignored.
func (a *clipAdder) addTo(to *timedAnimation, s *properties.Space, inRoot string) {
	frames := integerOf(s, "frameCount")
	if !(frames > 0) {
		a.resources.Notef("the clips of %s cannot be placed: its frameCount is not a number of frames", inRoot)
		return
	}
	first, last := to.span()
	each := (last - first) / frames
	for _, c := range s.Spaces() {
		if c.Name != "clip" {
			continue
		}
		begin, end := integerOf(c, "begin"), integerOf(c, "end")
		if !(begin >= 0 && end >= begin && end <= frames) {
			a.resources.Notef("the clip %s of %s is not a range of its %.0f frames", c.ID, inRoot, frames)
			continue
		}
		if a.added++; a.added > maxClips {
			a.resources.Notef("there are more than %d clips; the rest is ignored", maxClips)
			return
		}
		to.Clips = append(to.Clips, &scene.Clip{Name: c.ID, Start: first + begin*each, End: first + end*each,
			Speed: speedOf(c)})
	}
}

// integerOf returns the value of a property without its fraction, or 0 if it is absent.
func integerOf(s *properties.Space, name string) float32 {
	return float32(math.Trunc(float64(s.Number(name, 0))))
}

// speedOf returns the speed of a clip relative to the recording; it is negative for playing backwards. 0 becomes 1, and
// a value beyond ±1e6 becomes 1 or -1.
func speedOf(c *properties.Space) float32 {
	f := c.Number("speed", 1)
	if f == 0 || !(max(f, -f) < 1e6) {
		return float32(math.Copysign(1, float64(f)))
	}
	return f
}

// addAnimations adds the animations of a .scene, each for one node: from the files that its namespaces animations name
// (SceneLoader::createAnimations).
func (c *composer) addAnimations(s *properties.Space) {
	for _, space := range s.Spaces() {
		if space.Name != "animations" {
			continue
		}
		for _, entry := range space.Spaces() {
			if entry.Name == "animation" && c.ctx.Err() == nil {
				c.addAnimation(entry)
			}
		}
	}
}

// addAnimation adds the animation that an entry names, for the node that it names.
func (c *composer) addAnimation(entry *properties.Space) {
	id, target, reference := entry.ID, entry.Get("target"), entry.Get("url")
	if id == "" || target == "" || reference == "" {
		c.resources.Notef("the animation %s does not play: it needs an id, a target and a url", id)
		return
	}
	node := c.nodes.find(target)
	if node == nil {
		c.resources.Notef("the animation %s does not play: there is no node %s", id, target)
		return
	}
	from := c.describedAnimation(reference)
	if from == nil {
		return
	}
	if from.channel == nil {
		c.resources.Notef("the animation %s does not play: %s needs a property to move, keyCount, keyTimes, keyValues "+
			"and curve", id, reference)
		return
	}
	s, channel := from.space, *from.channel
	channel.Target, channel.TargetName = node, target
	if curve := s.Get("curve"); curve != "LINEAR" && curve != "STEP" {
		c.resources.Notef("the animation %s is played with linear interpolation instead of %s", id, curve)
	}
	out := c.assigner.Scene
	a := &scene.Animation{Name: id, Channels: []*scene.Channel{&channel}}
	out.Animations = append(out.Animations, a)
	if s.First("clip") != nil {
		timed := from.timed
		timed.Animation = a
		c.clips.addTo(&timed, s, reference)
	}
}

// sceneAnimation is the animation of a namespace, for any node.
type sceneAnimation struct {
	space   *properties.Space
	channel *scene.Channel // nil if a required property is missing
	timed   timedAnimation // without the animation
}

// describedAnimation returns the animation of a reference, or nil, with a note. Its keys are read once, for any number
// of entries.
func (c *composer) describedAnimation(reference string) *sceneAnimation {
	if made, ok := c.animations[reference]; ok {
		return made
	}
	var animation *sceneAnimation
	if s, _ := c.namespaceOf(reference); s != nil {
		animation = &sceneAnimation{space: s, channel: describedChannel(s)}
		if animation.channel != nil {
			only := timedAnimation{Animation: &scene.Animation{Channels: []*scene.Channel{animation.channel}}}
			only.span()
			animation.timed = only
		}
	}
	c.animations[reference] = animation
	return animation
}

// describedChannel returns the channel that a namespace animation describes, without its target. It returns nil if a
// property is missing that the engine needs (AnimationTarget::createAnimation). Times are in milliseconds and relative
// to the first one.
func describedChannel(s *properties.Space) *scene.Channel {
	attribute, ok := strings.CutPrefix(s.Get("property"), "ANIMATE_")
	components := gpb.ComponentsOf(attribute)
	times, values := numbersOf(s.Get("keyTimes")), numbersOf(s.Get("keyValues"))
	count := int(s.Number("keyCount", 0))
	if s.Name != "animation" || !ok || components == nil || count <= 0 || len(times) == 0 || len(values) == 0 ||
		s.Get("curve") == "" {
		return nil
	}
	times = times[:min(count, len(times))]
	first := times[0]
	for i := range times {
		times[i] = (times[i] - first) / 1000
	}
	values = values[:min(len(times)*len(components), len(values))]
	if s.Get("curve") == "STEP" {
		times, values = stepKeys(times, values, len(components))
	}
	return &scene.Channel{Components: components,
		Read: func() ([]float32, []float32, error) { return slices.Clone(times), slices.Clone(values), nil }}
}

// numbersOf returns the numbers of a list, which blanks or commas separate. Invalid numbers are 0.
func numbersOf(value string) []float32 {
	parts := strings.FieldsFunc(value, func(r rune) bool { return strings.ContainsRune(" \t,", r) })
	values := make([]float32, len(parts))
	for i, part := range parts {
		if f, err := strconv.ParseFloat(part, 32); err == nil {
			values[i] = float32(f)
		}
	}
	return values
}

// stepLength is the duration of a step from one key to the next, in seconds.
const stepLength = 1e-4

// stepKeys returns keys with constant values until just before the next key.
func stepKeys(times, values []float32, each int) (outTimes, outValues []float32) {
	for i := range min(len(times), len(values)/each) {
		if i > 0 && times[i]-stepLength > times[i-1] {
			outTimes = append(outTimes, times[i]-stepLength)
			outValues = append(outValues, values[(i-1)*each:i*each]...)
		}
		outTimes = append(outTimes, times[i])
		outValues = append(outValues, values[i*each:(i+1)*each]...)
	}
	return outTimes, outValues
}
