package scene

import (
	"fmt"
	"io"
	"slices"
)

// track is one property of a channel, and has a sampler in glTF.
type track struct {
	path       string
	components []Component
}

var tracks = []track{{"scale", Scale}, {"rotation", Rotate}, {"translation", Translate}}

// addAnimations writes the animations. glTF animates whole properties: a channel of one number sets the other numbers
// to the values of the node.
func (b *glb) addAnimations() error {
	b.animated = make(map[int]bool)
	for _, a := range b.scene.Animations {
		moves, err := b.addAnimation(a, a.Name, nil)
		if err != nil {
			return err
		}
		if !moves {
			b.report.add("animations that move nothing are not exported", a.Name)
			continue
		}
		b.report.quiet = true // the losses of a clip were reported for the whole
		for _, clip := range a.Clips {
			if _, err := b.addAnimation(a, clip.Name, clip); err != nil {
				return err
			}
		}
		b.report.quiet = false
	}
	return nil
}

// addAnimation writes an animation, or one of its clips at its speed, from time 0 on. It reports whether any channel
// was written.
func (b *glb) addAnimation(a *Animation, name string, clip *Clip) (bool, error) {
	g := gltfAnimation{Name: name}
	targets := make(map[gltfTarget]bool)
	channels, last := mergeChannels(a.Channels), make(map[string]*Channel)
	key := func(c *Channel) string { return fmt.Sprintf("%p %v", c.Target, c.Components) }
	for _, c := range channels {
		last[key(c)] = c
	}
	for _, c := range channels {
		if err := b.ctx.Err(); err != nil {
			return false, err
		}
		if c.isUsable() && last[key(c)] != c { // a later one overrides it
			continue
		}
		if err := b.addChannel(&g, c, clip, targets); err != nil {
			return false, fmt.Errorf("animation %q: %w", name, err)
		}
	}
	if len(g.Channels) > 0 {
		b.doc.Animations = append(b.doc.Animations, g)
	}
	return len(g.Channels) > 0, nil
}

func (b *glb) addChannel(g *gltfAnimation, c *Channel, clip *Clip, written map[gltfTarget]bool) error {
	node, ok := b.numberOf[c.Target]
	if !ok {
		b.report.add("channels of nodes that do not exist are not exported", c.TargetName)
		return nil
	}
	keys, err := b.keysOf(c, clip)
	if err != nil {
		return err
	}
	if len(keys.Times) == 0 {
		b.report.add("channels without keys, or of unknown properties, are not exported", c.TargetName)
		return nil
	}
	input, animated := -1, false
	for _, t := range tracks {
		target := gltfTarget{node, t.path}
		values := b.propertyValues(c, t, keys)
		if values == nil {
			continue
		}
		animated = true
		if written[target] {
			b.report.add("duplicate channels are not exported", c.TargetName)
			continue
		}
		written[target] = true
		b.animated[node] = true
		if input < 0 {
			input = b.addFloats(keys.Times, 1, func() ([]float32, error) {
				reread, err := b.keysOf(c, clip)
				return reread.Times, err
			})
			a := &b.doc.Accessors[input]
			a.Min, a.Max = []float64{float64(keys.Times[0])}, []float64{float64(keys.Times[len(keys.Times)-1])}
		}
		output := b.addFloats(values, len(t.components), func() ([]float32, error) {
			reread, err := b.keysOf(c, clip)
			if err != nil {
				return nil, err
			}
			return b.propertyValues(c, t, reread), nil
		})
		g.Channels = append(g.Channels, gltfChannel{len(g.Samplers), target})
		g.Samplers = append(g.Samplers, gltfSampler{input, "LINEAR", output})
	}
	if !animated {
		b.report.add("channels without keys, or of unknown properties, are not exported", c.TargetName)
	}
	return nil
}

// addFloats adds an accessor for numbers, which reread reads again during writing.
func (b *glb) addFloats(values []float32, perKey int, reread func() ([]float32, error)) int {
	a := gltfAccessor{Component: gltfFloat, Count: len(values) / perKey, Type: gltfTypes[perKey]}
	return b.addAccessor(a, 0, func(w io.Writer) error {
		v, err := reread()
		if err != nil {
			return err
		}
		for len(v) > 0 {
			n := min(len(v), 16)
			if err := writeFloats(w, v[:n]...); err != nil {
				return err
			}
			v = v[n:]
		}
		return nil
	})
}

// keysOf reads a channel. It omits keys with times that do not increase, which glTF forbids.
func (b *glb) keysOf(c *Channel, clip *Clip) (*Curve, error) {
	times, values, err := c.Read()
	perKey := len(c.Components)
	if err != nil || perKey == 0 {
		return &Curve{}, err
	}
	if len(times) != len(values)/perKey || len(values)%perKey != 0 {
		b.report.add("channels with different numbers of keys and values are cut to the shorter", c.TargetName)
	}
	k, skipped := c.usableKeys(times, values, 0)
	b.report.addN("keys that are not later than the previous key are not exported", c.TargetName, skipped)
	if clip != nil && len(k.Times) > 0 {
		k = k.clipped(clip)
	}
	return k, nil
}

// clipped returns the keys of a clip, with time 0 at its start, and a key at each of its ends.
func (k *Curve) clipped(clip *Clip) *Curve {
	out := &Curve{Components: k.Components}
	speed := max(clip.Speed, -clip.Speed)
	if !(speed > 0) {
		speed = 1
	}
	add := func(t float32, values []float32) {
		if t = (t - clip.Start) / speed; len(out.Times) == 0 || t > out.Times[len(out.Times)-1] {
			out.Times, out.Values = append(out.Times, t), append(out.Values, values...)
		}
	}
	add(clip.Start, k.At(clip.Start))
	for i, t := range k.Times {
		if t > clip.Start && t < clip.End {
			add(t, k.valuesOf(k.Values, i))
		}
	}
	add(clip.End, k.At(clip.End))
	if clip.Speed < 0 {
		return out.reversed()
	}
	return out
}

// reversed returns the keys from the last, at time 0, to the first.
func (k *Curve) reversed() *Curve {
	out := &Curve{Components: k.Components}
	for i, t := range slices.Backward(k.Times) {
		out.Times = append(out.Times, k.Times[len(k.Times)-1]-t)
		out.Values = append(out.Values, k.valuesOf(k.Values, i)...)
	}
	return out
}

// propertyValues returns the values of one property for all keys, or nil if the channel does not move it.
func (b *glb) propertyValues(c *Channel, t track, k *Curve) []float32 {
	from := make([]int, len(t.components))
	some, all := false, true
	for i, component := range t.components {
		from[i] = slices.Index(c.Components, component)
		some, all = some || from[i] >= 0, all && from[i] >= 0
	}
	if !some {
		return nil
	}
	rotation := len(t.components) == 4
	if rotation && !all {
		b.report.add("rotations that are not a whole quaternion are not exported", c.TargetName)
		return nil
	}
	parts, _ := c.Target.Transform.Parts()
	defaults := slices.Concat(parts.Scale[:], parts.Rotation[:], parts.Translation[:]) // by component
	out := make([]float32, 0, len(k.Times)*len(t.components))
	for key := range k.Times {
		var v [4]float32
		for i, want := range t.components {
			v[i] = defaults[want]
			if from[i] >= 0 {
				v[i] = k.valuesOf(k.Values, key)[from[i]]
			}
			if !finite(v[i]) {
				b.report.add("invalid key values are replaced by the node's own", c.TargetName)
				v[i] = defaults[want]
			}
		}
		if rotation {
			v = b.normalizeRotation(v, c.TargetName)
		}
		out = append(out, v[:len(t.components)]...)
	}
	return out
}

// normalizeRotation normalizes v to a unit quaternion, and reports it if it is not one.
func (b *glb) normalizeRotation(v [4]float32, name string) [4]float32 {
	var sum float64
	for _, f := range v {
		sum += float64(f) * float64(f)
	}
	if !(sum > 1e-20) {
		b.report.add("zero-length rotations are replaced by no rotation", name)
		return [4]float32{3: 1}
	}
	if sum < 0.98 || sum > 1.02 {
		b.report.add("rotations that are not unit quaternions are normalized", name)
	}
	return normalize(v)
}

// mergeChannels merges channels that animate different numbers of one property of a node: glTF animates properties as a
// whole, and would lose all but one.
func mergeChannels(channels []*Channel) (merged []*Channel) {
	indexes := make(map[*Node][]int) // the channels of each node in merged
	for _, c := range channels {
		i := slices.IndexFunc(indexes[c.Target], func(i int) bool { return merged[i].completes(c) })
		if !c.isUsable() || i < 0 {
			indexes[c.Target] = append(indexes[c.Target], len(merged))
			merged = append(merged, c)
			continue
		}
		i = indexes[c.Target][i]
		merged[i] = merged[i].merge(c)
	}
	return merged
}

// completes reports whether the other channel moves numbers of a property that this one moves, and both have no number
// in common.
func (c *Channel) completes(other *Channel) bool {
	property := false
	for _, t := range tracks {
		moves := func(k Component) bool { return slices.Contains(t.components, k) }
		property = property || slices.ContainsFunc(c.Components, moves) && slices.ContainsFunc(other.Components, moves)
	}
	return property &&
		!slices.ContainsFunc(other.Components, func(k Component) bool { return slices.Contains(c.Components, k) })
}

// merge returns a channel that animates the components of both, with the keys of both.
func (c *Channel) merge(other *Channel) *Channel {
	components := slices.Concat(c.Components, other.Components)
	return &Channel{Target: c.Target, TargetName: c.TargetName, Components: components,
		Read: func() (times, values []float32, err error) {
			var curves [2]*Curve
			for i, channel := range []*Channel{c, other} {
				if curves[i], err = channel.readCurve(newReport()); err != nil || len(curves[i].Times) == 0 {
					return nil, nil, err
				}
			}
			times = slices.Concat(curves[0].Times, curves[1].Times)
			slices.Sort(times)
			times = slices.Compact(times)
			for _, t := range times {
				values = append(append(values, curves[0].At(t)...), curves[1].At(t)...)
			}
			return times, values, nil
		}}
}
