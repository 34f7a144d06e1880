package compose

import (
	"cmp"

	"assay/formats/gpb"
	"assay/model"
	"assay/model/scene"
)

// Animation returns an animation whose channels have no nodes, only their names.
func Animation(a *gpb.Animation) *scene.Animation { return animation(a, nil) }

// animation returns an animation of nodes with ids, whose channels are linear from key to key, whatever interpolation
// they name, as in the engine. Channels without an attribute have no components: the engine skips them. It also
// stretches each channel to the length of the animation; here all keys are at their times.
func animation(a *gpb.Animation, nodes map[string]*scene.Node) *scene.Animation {
	out := &scene.Animation{Name: cmp.Or(a.Name, a.ID), Offset: a.Span.Offset}
	for _, ch := range a.Channels {
		out.Channels = append(out.Channels,
			&scene.Channel{Target: nodes[ch.Target], TargetName: ch.Target, Components: ch.Components(),
				Offset: ch.Span.Offset,
				Read:   func() (times, values []float32, err error) { return keys(ch) },
				KeyAt:  func(offset int64) (float32, bool) { return keyAt(ch, offset) }})
	}
	return out
}

// keys returns the times of a channel in seconds, and its values, which may be more or fewer than the keys need.
func keys(c *gpb.Channel) (times, values []float32, err error) {
	all, err := c.Times.Slice(0, c.Times.Count)
	if err != nil {
		return nil, nil, err
	}
	times, values = make([]float32, len(all)), make([]float32, c.Values.Count)
	for i, t := range all {
		times[i], _ = gpb.Seconds(t)
	}
	if len(values) == 0 {
		return times, nil, nil
	}
	return times, values, stored(c.Values).Read(0, values)
}

// keyAt returns the time, in seconds, of the key whose time or value has the byte at an offset.
func keyAt(c *gpb.Channel, offset int64) (float32, bool) {
	key := int64(-1)
	for _, a := range []struct {
		model.Numbers
		each int64
	}{{c.Times, 1}, {c.Values, int64(len(c.Components()))}} {
		if at := offset - a.Offset; a.Source != nil && a.each > 0 && at >= 0 && at < a.Count*a.Form.Size() {
			key = at / a.Form.Size() / a.each
		}
	}
	if key < 0 || key >= c.Times.Count {
		return 0, false
	}
	v, err := c.Times.Slice(key, 1)
	if err != nil || len(v) == 0 {
		return 0, false
	}
	return gpb.Seconds(v[0])
}
