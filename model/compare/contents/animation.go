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

// channelKeys is the keys of one channel.
type channelKeys struct{ times, values []float32 }

// channelID identifies a channel of an animation. Several channels may animate the same components of a target.
type channelID struct {
	target     string
	components string // their numbers as characters
	ordinal    int    // among the channels with these components
}

// String returns the target and the names of the components.
func (id channelID) String() string {
	return model.OneLine(id.target, 60) + " " + componentNames(id.components)
}

// animationKeys are the channels of an animation, and its length.
type animationKeys struct {
	motions map[channelID]channelKeys
	order   []channelID
	length  float32
}

// animationChanges returns the changes between two animations.
func animationChanges(ctx context.Context, old, new *scene.Animation, opts Options) (s Changes, err error) {
	from, errFrom := readAnimation(ctx, old)
	to, errTo := readAnimation(ctx, new)
	if err := cmp.Or(errFrom, errTo); err != nil {
		return nil, err
	}
	var added, keys, values, equal int
	var changed []channelID
	for _, id := range to.order {
		b := to.motions[id]
		a, ok := from.motions[id]
		switch {
		case !ok:
			added++
		case !opts.sameNumbers(a.times, b.times) || !opts.sameNumbers(a.values, b.values):
			changed = append(changed, id)
			keys += len(b.times) - len(a.times)
			if len(a.times) == len(b.times) {
				values++
			}
			if haveSameMotion(a, b) {
				equal++
			}
		}
	}
	s.count(Added, "channel", added)
	s.count(Removed, "channel", len(from.motions)-(len(to.motions)-added))
	switch len(changed) {
	case 0:
	case 1:
		s.add(PartChange{How: Changed, Of: "channel", Field: changed[0].String()})
	default:
		s.add(PartChange{How: Changed, Field: "channel", N: int64(len(changed)), All: int64(len(to.order))})
	}
	s.count(Added, "key", keys)
	s.count(Removed, "key", -keys)
	if keys == 0 && values > 0 {
		s.add(PartChange{How: Unchanged, Field: "number of keys"})
	}
	switch {
	case equal > 0 && equal == len(changed):
		s.add(PartChange{How: Stated, Field: "motion unchanged"})
	case equal > 0:
		s.add(PartChange{How: Stated, Field: fmt.Sprintf("motion unchanged in %d of them", equal)})
	}
	if from.length != to.length {
		s.add(lengthChange(float64(from.length), float64(to.length)))
	}
	return s, nil
}

// sameNumbers reports whether two lists of numbers count as the same.
func (o Options) sameNumbers(a, b []float32) bool {
	return slices.EqualFunc(a, b, func(x, y float32) bool {
		return math.Float32bits(x) == math.Float32bits(y) || o.IsNear(float64(x), float64(y))
	})
}

// haveSameMotion reports whether two channels with different keys have the same motion, interpolated linearly.
func haveSameMotion(a, b channelKeys) bool {
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
				if !(math.Abs(a.valueAt(t, k, width)-b.valueAt(t, k, width)) <= visibleTolerance*far) {
					return false
				}
			}
		}
	}
	return true
}

// visibleTolerance is the maximum difference of two motions that look the same, as a share of the largest value.
const visibleTolerance = 1e-5

// valueAt returns the number k of the values of a time, which is before, between or after the keys.
func (c channelKeys) valueAt(t float32, k, width int) float64 {
	i, _ := slices.BinarySearch(c.times, t)
	value := func(key int) float64 { return float64(c.values[key*width+k]) }
	switch {
	case i == len(c.times):
		return value(i - 1)
	case i == 0 || c.times[i] == t:
		return value(i)
	}
	from, to := c.times[i-1], c.times[i]
	share := float64(t-from) / float64(to-from)
	return value(i-1) + share*(value(i)-value(i-1))
}

func readAnimation(ctx context.Context, a *scene.Animation) (*animationKeys, error) {
	m := &animationKeys{motions: make(map[channelID]channelKeys)}
	channels := make(map[channelID]int)
	for _, ch := range a.Channels {
		times, values, err := ch.Read()
		if err := cmp.Or(ctx.Err(), err); err != nil {
			return nil, err
		}
		id := channelID{target: ch.TargetName}
		for _, c := range ch.Components {
			id.components += string(rune(c))
		}
		channels[id]++
		id.ordinal = channels[id]
		m.order = append(m.order, id)
		m.motions[id] = channelKeys{times, values}
		for _, t := range times {
			m.length = max(m.length, t)
		}
	}
	return m, nil
}

// componentNames returns the names of animated components, which are characters.
func componentNames(components string) string {
	var names []string
	for _, r := range components {
		name := "position"
		switch c := scene.Component(r); {
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
