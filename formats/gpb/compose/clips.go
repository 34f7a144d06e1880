package compose

import (
	"strconv"

	"assay/formats/gpb/project"
	"assay/formats/gpb/properties"
	"assay/model/scene"
)

// clips adds the named ranges of .animation files beside the bundle to its animations: those with their ids, or the
// only one.
func clips(r *project.Resources, out *scene.Scene) {
	if len(out.Animations) == 0 {
		return
	}
	for _, full := range firstTexts(r, ".animation") {
		file := r.Load(full)
		if file == nil {
			continue
		}
		for _, n := range file.Spaces {
			if n.Name == "animation" {
				clipsOf(r, out, file.Space(n), full)
			}
		}
	}
}

// clipsOf adds the clips of one animation of a file.
func clipsOf(r *project.Resources, out *scene.Scene, s *properties.Space, full string) {
	var target *scene.Animation
	for _, a := range out.Animations {
		if a.Name == s.ID || len(out.Animations) == 1 {
			target = a
		}
	}
	frames, err := strconv.Atoi(s.Get("frameCount"))
	switch {
	case target == nil:
		r.Notef("%s does not say which animation its clips are of", full)
		return
	case err != nil || frames <= 0:
		r.Notef("the clips of %s cannot be placed: its frameCount is not a number of frames", full)
		return
	}
	duration := target.Duration()
	for _, c := range s.Spaces() {
		if c.Name != "clip" {
			continue
		}
		begin, err := strconv.ParseFloat(c.Get("begin"), 32)
		end, err2 := strconv.ParseFloat(c.Get("end"), 32)
		if err != nil || err2 != nil || !(begin >= 0) || !(end >= begin) || end > float64(frames) {
			r.Notef("the clip %s of %s is not a range of its %d frames", c.ID, full, frames)
			continue
		}
		each := duration / float32(frames)
		target.Clips = append(target.Clips,
			&scene.Clip{Name: c.ID, Start: float32(begin) * each, End: float32(end) * each,
				Repeat: repeats(c.Get("repeatCount")), Speed: orOne(c.Get("speed"))})
	}
}

// repeats reads how often a clip plays: once if nothing says so, INDEFINITE without end.
func repeats(v string) float32 {
	if v == "INDEFINITE" {
		return 0
	}
	return orOne(v)
}

func orOne(v string) float32 {
	if f, err := strconv.ParseFloat(v, 32); err == nil && f > 0 && f < 1e6 {
		return float32(f)
	}
	return 1
}
