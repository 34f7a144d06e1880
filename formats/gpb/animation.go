package gpb

import (
	"math"
	"sync"

	"assay/formats/decode"
	"assay/model"
	"assay/model/scene"
)

// animations: animations Animation[].
func (r *reader) animations(c *decode.Cursor) *Animations {
	o := r.beginObject(c, TypeAnimations)
	a := &Animations{ID: o.id}
	a.List = countedList(c, "animations", "Animation", minAnimationSize, r.animation)
	r.endObject(c, o)
	return a
}

// animation: id, channels AnimationChannel[].
func (r *reader) animation(c *decode.Cursor) *Animation {
	o := r.beginObject(c, TypeAnimation)
	name := c.Prefixed("id", model.U32)
	if o.id == "" {
		c.Key(name)
	}
	return r.channels(c, o, name)
}

// bareAnimation reads an animation of October 2011, which has its id in the reference table only.
func (r *reader) bareAnimation(c *decode.Cursor) *Animation {
	return r.channels(c, r.beginObject(c, TypeAnimation), "")
}

// channels reads the channels of an animation, and completes it.
func (r *reader) channels(c *decode.Cursor, o openObject, name string) *Animation {
	a := &Animation{ID: o.id, Name: name}
	a.Channels = countedList(c, "channels", "AnimationChannel", minChannelSize, r.channel)
	a.Span = r.endObject(c, o)
	return a
}

// channel: targetId, targetAttribute, keyTimes, values, tangents_in, tangents_out, interpolation.
func (r *reader) channel(c *decode.Cursor) *Channel {
	o := r.beginObject(c, TypeAnimationChannel)
	ch := &Channel{ID: o.id}
	ch.Target = c.Prefixed("targetId", model.U32)
	r.linkXref(c, "#"+ch.Target, TypeNode)
	attribute, known := c.Enum("targetAttribute", "uint", model.U32, targetAttributes)
	ch.Attribute = uint32(attribute)
	if !known {
		c.Notef("unknown animation target attribute %d", attribute)
	}
	if r.layout.floatTimes {
		ch.Times = r.readCounted(c, "keyTimes", "float[]", model.F32)
	} else {
		ch.Times = r.readCounted(c, "keyTimes", "uint[]", model.U32)
		if r.minor == 0 {
			r.checkTimes(c, ch.Times)
		}
	}
	if !r.isProbing(c) { // a rejected layout may not read times here
		if key := firstUnordered(ch.Times); key >= 0 {
			c.Notef("the time of key %d is not after that of the one before: the key does not play", key)
		}
	}
	ch.Values = r.readCounted(c, "values", "float[]", model.F32)
	keys, perKey := ch.Times.Count, int64(len(components[ch.Attribute]))
	ch.OneAngle = r.minor <= lastAngleMinor && ch.Attribute >= 18 && ch.Attribute <= 20 && ch.Values.Count == keys
	if perKey > 0 && ch.Values.Count != keys*perKey && !ch.OneAngle {
		c.Notef("%d keys need %d values, but there are %d", keys, keys*perKey, ch.Values.Count)
	}
	ch.TangentsIn = r.readCounted(c, "tangents_in", "float[]", model.F32)
	ch.TangentsOut = r.readCounted(c, "tangents_out", "float[]", model.F32)
	ch.Interpolation = interpolation(c)
	if ch.ID == "" && c.Node() != nil {
		c.Key(ch.Target + " " + targetAttributes[attribute])
	}
	ch.Span = r.endObject(c, o)
	return ch
}

// interpolation: uint[]. The name of a single one is the symbol of the list.
func interpolation(c *decode.Cursor) model.Numbers {
	name := ""
	if b := c.Peek(8); b != nil && order.Uint32(b) == 1 {
		name = interpolations[uint64(order.Uint32(b[4:]))]
	}
	a := c.Counted("interpolation", "uint[]", model.U32, model.U32)
	c.Symbol(name)
	return a
}

// checkTimes is for version 1.0, in which the type of key times depends on the layout. It doubts the layout if the last
// key time is a plausible number of milliseconds as a float but not as an integer.
func (r *reader) checkTimes(c *decode.Cursor, times model.Numbers) {
	if c.Err() != nil || times.Count == 0 {
		return
	}
	last, err := times.Slice(times.Count-1, 1)
	if err != nil || len(last) == 0 {
		return
	}
	t, _ := last[0].(uint64)
	if f := math.Float32frombits(uint32(t)); t > 1e9 && f > 0.0078 && f < 1e9 {
		r.countDoubt(c)
	}
}

const maxTimesRead = 1024

var timesBuffers = sync.Pool{New: func() any { return new([maxTimesRead * 4]byte) }}

// firstUnordered returns the first key with a time that is not after the previous one, or -1. It runs for each channel
// during opening: with a cursor instead of the buffer it takes twice as long for many channels.
func firstUnordered(times model.Numbers) int64 {
	buffer := timesBuffers.Get().(*[maxTimesRead * 4]byte)
	defer timesBuffers.Put(buffer)
	last := math.Inf(-1)
	for first := int64(0); first < times.Count; first += maxTimesRead {
		n := min(times.Count-first, maxTimesRead)
		b := buffer[:n*4]
		if read, _ := times.Source.ReadAt(b, times.Offset+first*4); read < len(b) {
			return -1
		}
		for i := range n {
			bits := times.Order.Uint32(b[4*i:])
			t := float64(bits)
			if times.Form == model.F32 {
				t = float64(math.Float32frombits(bits))
			}
			if !(t > last && t <= math.MaxFloat32) {
				return first + i
			}
			last = t
		}
	}
	return -1
}

// lastAngleMinor is the last minor version in which the attributes 18 to 20 may be one angle: until August 2012 they
// were ROTATE_X, ROTATE_Y and ROTATE_Z. No file examined has them, and the unit of the angle is undocumented.
const lastAngleMinor = 2

// components lists the transform components of a key's values, by attribute.
var components = func() map[uint32][]scene.Component {
	join := func(parts ...[]scene.Component) []scene.Component {
		var out []scene.Component
		for _, p := range parts {
			out = append(out, p...)
		}
		return out
	}
	s, r, t := scene.Scale, scene.Rotate, scene.Translate
	return map[uint32][]scene.Component{
		1: s, 2: s[:1], 3: s[1:2], 4: s[2:], 5: s[:2], 6: {s[0], s[2]}, 7: s[1:], 8: r,
		9: t, 10: t[:1], 11: t[1:2], 12: t[2:], 13: t[:2], 14: {t[0], t[2]}, 15: t[1:],
		16: join(r, t), 17: join(s, r, t), 18: join(s, t), 19: join(s, r),
	}
}()

// Components returns the transform components of a key's values, or nil if they are unknown or one angle.
func (c *Channel) Components() []scene.Component {
	if c.OneAngle {
		return nil
	}
	return components[c.Attribute]
}

// ComponentsOf returns the transform components of a named attribute, such as SCALE_X, or nil if there is no such
// attribute.
func ComponentsOf(attribute string) []scene.Component {
	for number, name := range targetAttributes {
		if name == attribute {
			return components[uint32(number)]
		}
	}
	return nil
}

// Seconds converts a key time, a number of milliseconds, to seconds; false if it is not a number.
func Seconds(time any) (float32, bool) {
	f, ok := model.Float(time)
	return float32(f / 1000), ok
}
