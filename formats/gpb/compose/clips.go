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
// last, as the frames that the namespace counts (Animation::createClips).
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
		speed := c.Number("speed", 1)
		to.Clips = append(to.Clips, &scene.Clip{Name: c.ID, Start: first + begin*each, End: first + end*each,
			Repeat: repeatCount(c), Speed: float32(math.Copysign(float64(factor(max(speed, -speed))), float64(speed)))})
	}
}

// whole returns the number of a property, without what is after its point; 0 if it is not there.
func whole(s *properties.Space, name string) float32 {
	return float32(math.Trunc(float64(s.Number(name, 0))))
}

// repeatCount returns how often a clip plays: 0 for without end.
func repeatCount(c *properties.Space) float32 {
	if c.Get("repeatCount") == "INDEFINITE" {
		return 0
	}
	return factor(c.Number("repeatCount", 1))
}

// factor returns how often, or how many times as fast as recorded, a clip plays, if that is in proportion; else 1.
func factor(f float32) float32 {
	if f > 0 && f < 1e6 {
		return f
	}
	return 1
}
