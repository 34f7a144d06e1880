package gpb

import "assay/model"

// latest is the latest key time that is taken for milliseconds: eleven days. A float read as an integer is beyond.
const latest = 1_000_000_000

// animations: animations Animation[].
func (r *reader) animations() {
	r.begin(TypeAnimations)
	r.c.List("animations", "Animation", model.U32, 4, func(int) {
		r.file.Animations = append(r.file.Animations, r.animation(false))
	})
}

// animation: id, channels AnimationChannel[]. A bare one, of October 2011, has its id in the reference table only.
func (r *reader) animation(bare bool) *Animation {
	c := r.c
	a := &Animation{ID: r.begin(TypeAnimation)}
	if !bare {
		a.ID = c.Prefixed("id", model.U32)
		if c.Node().Key == "" {
			c.Key(a.ID)
		}
	}
	c.List("channels", "AnimationChannel", model.U32, 28, func(int) { a.Channels = append(a.Channels, r.channel()) })
	return a
}

// channel: targetId, targetAttribute, keyTimes, values, tangents_in, tangents_out, interpolation.
func (r *reader) channel() Channel {
	c := r.c
	var ch Channel
	r.begin(TypeAnimationChannel)
	ch.Target = c.Prefixed("targetId", model.U32)
	if ch.Target != "" {
		r.linkTo(r.link("", ch.Target))
	}
	attribute, _ := c.Enum("targetAttribute", "uint", model.U32, targetAttributes)
	ch.Attribute = uint32(attribute)
	if r.layout.floatTimes {
		ch.Times = c.Counted("keyTimes", "float[]", model.U32, model.F32)
	} else {
		ch.Times = c.Counted("keyTimes", "uint[]", model.U32, model.U32)
		if r.minor == 0 {
			r.judgeTimes(ch.Times)
		}
	}
	ch.Values = c.Counted("values", "float[]", model.U32, model.F32)
	c.Counted("tangents_in", "float[]", model.U32, model.F32)
	c.Counted("tangents_out", "float[]", model.U32, model.F32)
	ch.Interpolation = c.Counted("interpolation", "uint[]", model.U32, model.U32)
	if c.Err() == nil && ch.Interpolation.Count > 0 {
		c.Last().Symbol = interpolationName(ch.Interpolation)
	}
	return ch
}

// judgeTimes, for version 1.0, whose layouts differ in the form of key times, doubts the layout when the last key time is nothing that could be milliseconds.
func (r *reader) judgeTimes(times model.Numbers) {
	if r.c.Err() != nil || times.Count == 0 {
		return
	}
	last, err := times.Slice(times.Count-1, 1)
	if err != nil || len(last) == 0 {
		return
	}
	if t, _ := last[0].(uint64); t > latest {
		r.doubts++
	}
}

// interpolationName is the name of the only interpolation of a channel; channels with one for each key have no name.
func interpolationName(a model.Numbers) string {
	if a.Count != 1 {
		return ""
	}
	v, err := a.Slice(0, 1)
	if err != nil {
		return ""
	}
	n, _ := v[0].(uint64)
	return interpolations[n]
}
