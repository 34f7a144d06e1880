package contents

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/dustin/go-humanize/english"

	"assay/model"
	"assay/model/scene"
)

// motion is the keys of one channel.
type motion struct{ times, values []float32 }

// motionID identifies a channel of an animation.
type motionID struct{ target, parts string }

// String returns the target and what moves of it.
func (id motionID) String() string { return model.OneLine(id.target, 60) + " " + id.parts }

// motions are the channels of an animation, and how long it is.
type motions struct {
	all    map[motionID]motion
	order  []motionID
	length float32
}

// animationChanges returns what changed between two animations.
func animationChanges(ctx context.Context, old, new *scene.Animation, opts Options) (s Changes, err error) {
	from, errFrom := readMotions(ctx, old)
	to, errTo := readMotions(ctx, new)
	if err := cmp.Or(errFrom, errTo); err != nil {
		return nil, err
	}
	var added, keys, values, alike int
	var changed []motionID
	for _, id := range to.order {
		b := to.all[id]
		a, ok := from.all[id]
		switch {
		case !ok:
			added++
		case !opts.sameNumbers(a.times, b.times) || !opts.sameNumbers(a.values, b.values):
			changed = append(changed, id)
			keys += len(b.times) - len(a.times)
			if len(a.times) == len(b.times) {
				values++
			}
			if sameMotion(a, b) {
				alike++
			}
		}
	}
	s.count(Added, "channel", added)
	s.count(Removed, "channel", len(from.all)-(len(to.all)-added))
	switch len(changed) {
	case 0:
	case 1:
		s.add(Part{How: Changed, Of: "channel", Field: changed[0].String()})
	default:
		s.add(Part{How: Changed, Field: "channel", N: int64(len(changed)), All: int64(len(to.order))})
	}
	s.count(Added, "key", keys)
	s.count(Removed, "key", -keys)
	if keys == 0 && values > 0 {
		s.add(Part{How: Unchanged, Field: "number of keys"})
	}
	switch {
	case alike > 0 && alike == len(changed):
		s.add(Part{How: Stated, Field: "motion unchanged"})
	case alike > 0:
		s.add(Part{How: Stated, Field: fmt.Sprintf("motion unchanged in %d of them", alike)})
	}
	if from.length != to.length {
		s.add(Part{Field: "length", Old: fmt.Sprintf("%.4g s", from.length), New: fmt.Sprintf("%.4g s", to.length)})
	}
	return s, nil
}

// sameNumbers reports whether two lists of numbers count as the same.
func (o Options) sameNumbers(a, b []float32) bool {
	return slices.EqualFunc(a, b, func(x, y float32) bool {
		return math.Float32bits(x) == math.Float32bits(y) || o.Near(float64(x), float64(y))
	})
}

// sameMotion reports whether two channels go the same way, between keys in straight lines: one has more keys, or
// others.
func sameMotion(a, b motion) bool {
	if len(a.times) == 0 || len(b.times) == 0 {
		return false
	}
	width := len(a.values) / len(a.times)
	if width == 0 || width != len(b.values)/len(b.times) || !slices.IsSorted(a.times) || !slices.IsSorted(b.times) {
		return false
	}
	far := 1.0
	for _, v := range b.values {
		far = max(far, math.Abs(float64(v)))
	}
	for _, times := range [2][]float32{a.times, b.times} {
		for _, t := range times {
			for k := range width {
				if !(math.Abs(a.at(t, k, width)-b.at(t, k, width)) <= motionShown*far) {
					return false
				}
			}
		}
	}
	return true
}

// motionShown is how far apart, as a share of the largest value, two motions are that look the same.
const motionShown = 1e-5

// at is the number k of the values of a time, which is before, between or after the keys.
func (m motion) at(t float32, k, width int) float64 {
	i, _ := slices.BinarySearch(m.times, t)
	value := func(key int) float64 { return float64(m.values[key*width+k]) }
	switch {
	case i == len(m.times):
		return value(i - 1)
	case i == 0 || m.times[i] == t:
		return value(i)
	}
	from, to := m.times[i-1], m.times[i]
	share := float64(t-from) / float64(to-from)
	return value(i-1) + share*(value(i)-value(i-1))
}

// readMotions reads the channels of an animation.
func readMotions(ctx context.Context, a *scene.Animation) (*motions, error) {
	m := &motions{all: make(map[motionID]motion)}
	for _, ch := range a.Channels {
		times, values, err := ch.Read()
		if err := cmp.Or(ctx.Err(), err); err != nil {
			return nil, err
		}
		id := motionID{ch.TargetName, components(ch.Components)}
		if _, twice := m.all[id]; !twice {
			m.order = append(m.order, id)
		}
		m.all[id] = motion{times, values}
		for _, t := range times {
			m.length = max(m.length, t)
		}
	}
	return m, nil
}

// components names what a channel moves.
func components(parts []scene.Component) string {
	var names []string
	for _, c := range parts {
		name := "position"
		switch {
		case c < scene.RotateX:
			name = "scale"
		case c < scene.TranslateX:
			name = "rotation"
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return english.OxfordWordSeries(names, "and")
}
