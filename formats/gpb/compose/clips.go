package compose

import (
	"math"

	"assay/formats/gpb/material"
	"assay/formats/gpb/properties"
	"assay/model/scene"
)

// addClips adds the named ranges of .animation files beside the bundle to its animations: those with their ids, or the
// only one.
func addClips(r *material.Resources, out *scene.Scene) {
	if len(out.Animations) == 0 {
		return
	}
	c := clipper{resources: r, only: out.Animations[0], byName: make(map[string]*timed), added: new(int)}
	for _, a := range out.Animations {
		c.byName[a.Name] = &timed{Animation: a} // of several with one name the last
	}
	if len(out.Animations) > 1 {
		c.only = nil
	}
	for _, full := range firstTexts(r, ".animation") {
		if file := r.Load(full); file != nil {
			c.addFrom(file, full)
		}
	}
}

// clipsMost is how many clips of texts a scene has. Each is a line of a menu.
const clipsMost = 10_000

// clipper adds clips to the animations of a scene.
type clipper struct {
	resources *material.Resources
	only      *scene.Animation // nil if there are several
	byName    map[string]*timed
	added     *int // clips
}

// timed is an animation with the times of its first and its last key, which are read once: any number of namespaces may
// have clips of it.
type timed struct {
	*scene.Animation
	known       bool
	first, last float32
}

// span returns the times of the first and the last key.
func (t *timed) span() (first, last float32) {
	if !t.known {
		t.first, t.last = t.Span()
		t.known = true
	}
	return t.first, t.last
}

// addFrom adds the clips of a text.
func (c *clipper) addFrom(file *properties.Namespace, full string) {
	for _, n := range file.Spaces {
		if n.Name != "animation" || c.resources.Canceled() {
			continue
		}
		s := c.resources.Space(file, n)
		if s.Get("property") != "" || s.First("clip") == nil {
			continue // it has keys of its own
		}
		of := c.byName[s.ID]
		if c.only != nil {
			of = c.byName[c.only.Name]
		}
		if of == nil {
			c.resources.Notef("the clips in %s do not name their animation", full)
			continue
		}
		addClipsTo(c.resources, of, s, full, c.added)
	}
}

// addClipsTo adds the clips that a namespace of a file has to an animation, which is as long, from its first key to its
// last, as the frames that the namespace counts (Animation::createClips). How often they play is not read: that is for
// who looks at them.
func addClipsTo(r *material.Resources, to *timed, s *properties.Space, full string, added *int) {
	frames := whole(s, "frameCount")
	if !(frames > 0) {
		r.Notef("the clips of %s cannot be placed: its frameCount is not a number of frames", full)
		return
	}
	first, last := to.span()
	each := (last - first) / frames
	for _, c := range s.Spaces() {
		if c.Name != "clip" {
			continue
		}
		begin, end := whole(c, "begin"), whole(c, "end")
		if !(begin >= 0 && end >= begin && end <= frames) {
			r.Notef("the clip %s of %s is not a range of its %.0f frames", c.ID, full, frames)
			continue
		}
		if *added++; *added > clipsMost {
			r.Notef("there are more than %d clips, and no more are read", clipsMost)
			return
		}
		to.Clips = append(to.Clips, &scene.Clip{Name: c.ID, Start: first + begin*each, End: first + end*each,
			Speed: speed(c)})
	}
}

// whole returns the number of a property, without what is after its point; 0 if it is not there.
func whole(s *properties.Space, name string) float32 {
	return float32(math.Trunc(float64(s.Number(name, 0))))
}

// speed returns how many times as fast as recorded a clip plays, below 0 backwards. One out of all proportion is 1.
func speed(c *properties.Space) float32 {
	f := c.Number("speed", 1)
	if f == 0 || !(max(f, -f) < 1e6) {
		return float32(math.Copysign(1, float64(f)))
	}
	return f
}
