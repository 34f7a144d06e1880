package compare

import (
	"context"
	"fmt"
	"slices"

	"github.com/dustin/go-humanize/english"

	"assay/model"
	"assay/model/scene"
)

// motion is the keys of one channel.
type motion struct{ times, values []float32 }

// motionID identifies a channel of an animation.
type motionID struct{ target, parts string }

func (id motionID) String() string { return model.OneLine(id.target, 60) + " " + id.parts }

// animationChange says what changed between two animations, in clauses.
func animationChange(ctx context.Context, old, new *scene.Animation) ([]string, error) {
	from, _, lengthOld, err := motions(ctx, old)
	if err != nil {
		return nil, err
	}
	to, order, lengthNew, err := motions(ctx, new)
	if err != nil {
		return nil, err
	}
	var added, changed, keys, values int
	var first motionID
	for _, id := range order {
		b := to[id]
		a, ok := from[id]
		switch {
		case !ok:
			added++
		case !slices.Equal(a.times, b.times) || !slices.Equal(a.values, b.values):
			if changed++; changed == 1 {
				first = id
			}
			keys += len(b.times) - len(a.times)
			if len(a.times) == len(b.times) {
				values++
			}
		}
	}
	removed := 0
	for id := range from {
		if _, ok := to[id]; !ok {
			removed++
		}
	}
	var s []string
	say := func(format string, args ...any) { s = append(s, fmt.Sprintf(format, args...)) }
	if added > 0 {
		say("%s added", english.Plural(added, "channel", ""))
	}
	if removed > 0 {
		say("%s removed", english.Plural(removed, "channel", ""))
	}
	switch {
	case changed == 1:
		say("channel %s changed", first)
	case changed > 1:
		say("%d of %d channels changed", changed, len(order))
	}
	switch {
	case keys > 0:
		say("%s added", english.Plural(keys, "key", ""))
	case keys < 0:
		say("%s removed", english.Plural(-keys, "key", ""))
	case values > 0:
		say("number of keys unchanged")
	}
	if lengthOld != lengthNew {
		say("length %.4g s → %.4g s", lengthOld, lengthNew)
	}
	return s, nil
}

// motions reads the channels of an animation, and how long it is.
func motions(ctx context.Context, a *scene.Animation) (all map[motionID]motion, order []motionID, length float32,
	err error) {
	all = make(map[motionID]motion)
	for _, ch := range a.Channels {
		if err := ctx.Err(); err != nil {
			return nil, nil, 0, err
		}
		times, values, err := ch.Read()
		if err != nil {
			return nil, nil, 0, err
		}
		id := motionID{ch.TargetName, components(ch.Components)}
		if _, twice := all[id]; !twice {
			order = append(order, id)
		}
		all[id] = motion{times, values}
		for _, t := range times {
			length = max(length, t)
		}
	}
	return all, order, length, nil
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
