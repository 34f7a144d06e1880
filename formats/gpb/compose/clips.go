package compose

import (
	"math"
	"slices"

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
	for _, full := range firstTexts(r, ".animation") {
		file := r.Load(full)
		if file == nil {
			continue
		}
		for _, n := range file.Spaces {
			if n.Name != "animation" {
				continue
			}
			if s := file.Space(n); s.Get("property") == "" && s.First("clip") != nil { // else it has keys of its own
				addClipsOf(r, out, s, full)
			}
		}
	}
}

// addClipsOf adds the clips of one animation of a file.
func addClipsOf(r *material.Resources, out *scene.Scene, s *properties.Space, full string) {
	for _, a := range slices.Backward(out.Animations) {
		if a.Name == s.ID || len(out.Animations) == 1 {
			addClipsTo(r, a, s, full)
			return
		}
	}
	r.Notef("%s does not say which animation its clips are of", full)
}

// addClipsTo adds the clips that a namespace of a file has to an animation, which is as long, from its first key to its
// last, as the frames that the namespace counts (Animation::createClips). How often they play is not read: that is for
// who looks at them.
func addClipsTo(r *material.Resources, to *scene.Animation, s *properties.Space, full string) {
	frames := whole(s, "frameCount")
	if !(frames > 0) {
		r.Notef("the clips of %s cannot be placed: its frameCount is not a number of frames", full)
		return
	}
	first, last := to.Span()
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
