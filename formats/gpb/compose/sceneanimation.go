package compose

import (
	"slices"
	"strconv"
	"strings"

	"assay/formats/gpb"
	"assay/formats/gpb/properties"
	"assay/model/scene"
)

// animations adds the animations of a .scene, which moves one node each: those that its namespaces animations name in
// files (SceneLoader::createAnimations).
func (c *composer) animations(s *properties.Space) {
	for _, all := range s.Spaces() {
		if all.Name != "animations" {
			continue
		}
		for _, entry := range all.Spaces() {
			if entry.Name == "animation" && c.ctx.Err() == nil {
				c.animation(entry)
			}
		}
	}
}

// animation adds the animation that an entry names, of the node that it names.
func (c *composer) animation(entry *properties.Space) {
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
	out := c.assignment.Scene
	a := &scene.Animation{Name: id, Channels: []*scene.Channel{&channel}}
	out.Animations = append(out.Animations, a)
	if s.First("clip") != nil {
		of := from.timed
		of.Animation = a
		addClipsTo(c.resources, &of, s, reference, &c.clips)
	}
}

// described is the animation that a namespace describes, for any node.
type described struct {
	space   *properties.Space
	channel *scene.Channel // nil if it lacks something
	timed   timed          // without the animation
}

// describedAnimation returns the animation that a reference means; nil, with a note, if there is none. Its keys are
// read once, for any number of entries.
func (c *composer) describedAnimation(reference string) *described {
	if known, ok := c.described[reference]; ok {
		return known
	}
	var made *described
	if s, _ := c.referenced(reference); s != nil {
		made = &described{space: s, channel: describedChannel(s)}
		if made.channel != nil {
			only := timed{Animation: &scene.Animation{Channels: []*scene.Channel{made.channel}}}
			only.span()
			made.timed = only
		}
	}
	c.described[reference] = made
	return made
}

// describedChannel returns the channel that a namespace animation describes, without its target; nil if it lacks
// something that the engine needs (AnimationTarget::createAnimation). The first of its times, which are in
// milliseconds, is its beginning.
func describedChannel(s *properties.Space) *scene.Channel {
	attribute, ok := strings.CutPrefix(s.Get("property"), "ANIMATE_")
	components := gpb.ComponentsOf(attribute)
	times, values := list(s.Get("keyTimes")), list(s.Get("keyValues"))
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
		times, values = stepped(times, values, len(components))
	}
	return &scene.Channel{Components: components,
		Read: func() ([]float32, []float32, error) { return slices.Clone(times), slices.Clone(values), nil }}
}

// list returns the numbers of a list with blanks between them. What is not a number is 0.
func list(value string) []float32 {
	parts := strings.FieldsFunc(value, func(r rune) bool { return strings.ContainsRune(" \t,", r) })
	all := make([]float32, len(parts))
	for i, part := range parts {
		if f, err := strconv.ParseFloat(part, 32); err == nil {
			all[i] = float32(f)
		}
	}
	return all
}

// stepLength is how long, in seconds, a step from one key to the next takes.
const stepLength = 1e-4

// stepped returns keys, each of so many values, that stay as they are until just before the next.
func stepped(times, values []float32, each int) (outTimes, outValues []float32) {
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
