package gpb

import (
	"math"

	"assay/formats/decode"
	"assay/model"
)

// animations: animations Animation[].
func (r *reader) animations(c *decode.Cursor) *Animations {
	o := r.begin(c, TypeAnimations)
	a := &Animations{ID: o.id}
	a.List = long(c, "animations", "Animation", 8, func(c *decode.Cursor) *Animation { return r.animation(c, false) })
	r.finish(c, o)
	return a
}

// animation: id, channels AnimationChannel[]. A bare one, of October 2011, has its id in the reference table only.
func (r *reader) animation(c *decode.Cursor, bare bool) *Animation {
	o := r.begin(c, TypeAnimation)
	a := &Animation{ID: o.id}
	if !bare {
		a.Name = c.Prefixed("id", model.U32)
		if a.ID == "" {
			c.Key(a.Name)
		}
	}
	a.Channels = long(c, "channels", "AnimationChannel", 28, r.channel)
	a.span = r.finish(c, o)
	return a
}

// channel: targetId, targetAttribute, keyTimes, values, tangents_in, tangents_out, interpolation.
func (r *reader) channel(c *decode.Cursor) *Channel {
	o := r.begin(c, TypeAnimationChannel)
	ch := &Channel{ID: o.id}
	ch.Target = c.Prefixed("targetId", model.U32)
	r.follow(c, "#"+ch.Target, TypeNode)
	attribute, known := c.Enum("targetAttribute", "uint", model.U32, targetAttributes)
	ch.Attribute = uint32(attribute)
	if !known {
		c.Note("%d is not an attribute that animations are known to have", attribute)
	}
	if r.layout.floatTimes {
		ch.Times = c.Counted("keyTimes", "float[]", model.U32, model.F32)
	} else {
		ch.Times = c.Counted("keyTimes", "uint[]", model.U32, model.U32)
		if r.minor == 0 && c == r.c {
			r.judgeTimes(ch.Times)
		}
	}
	if c != r.c { // what is tried may not be times
		judgeOrder(c, ch.Times)
	}
	ch.Values = c.Counted("values", "float[]", model.U32, model.F32)
	// One value a key is also what 18 to 20 had when they were angles.
	keys, each := ch.Times.Count, int64(len(components[ch.Attribute]))
	if each > 0 && ch.Values.Count != keys*each && ch.Values.Count != keys {
		c.Note("%d keys need %d values, there are %d", keys, keys*each, ch.Values.Count)
	}
	ch.TangentsIn = c.Counted("tangents_in", "float[]", model.U32, model.F32)
	ch.TangentsOut = c.Counted("tangents_out", "float[]", model.U32, model.F32)
	ch.Interpolation = interpolation(c)
	if c.Keyed() && ch.ID == "" {
		c.Key(ch.Target + " " + targetAttributes[attribute])
	}
	ch.span = r.finish(c, o)
	return ch
}

// interpolation: uint[], with the name of the only one; a channel with one for each key has no name.
func interpolation(c *decode.Cursor) model.Numbers {
	name := ""
	if b := c.Peek(8); b != nil && order.Uint32(b) == 1 {
		name = interpolations[uint64(order.Uint32(b[4:]))]
	}
	a := c.Counted("interpolation", "uint[]", model.U32, model.U32)
	c.Symbol(name)
	return a
}

// judgeTimes, for version 1.0, whose layouts differ in the form of key times, doubts the layout if the last key time is
// a plausible number of milliseconds as a float and none as an integer.
func (r *reader) judgeTimes(times model.Numbers) {
	if r.c.Err() != nil || times.Count == 0 {
		return
	}
	last, err := times.Slice(times.Count-1, 1)
	if err != nil || len(last) == 0 {
		return
	}
	t, _ := last[0].(uint64)
	if f := math.Float32frombits(uint32(t)); t > 1e9 && f > 0.0078 && f < 1e9 {
		r.doubts++
	}
}
