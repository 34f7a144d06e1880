package scene

import (
	"math"
	"slices"
	"sort"
)

// Curve is a channel with its playable keys in memory, in order.
type Curve struct {
	Components []Component
	Times      []float32 // in seconds, ascending
	Values     []float32 // of each key, as many as Components
}

// Curve reads the keys of a channel. problems lists the keys that do not play, in sentences.
func (c *Channel) Curve() (k *Curve, problems []string, err error) {
	r := newReport()
	k, err = c.readCurve(r)
	return k, r.lines(), err
}

// readCurve reads the playable keys of a channel.
func (c *Channel) readCurve(r *report) (*Curve, error) {
	times, values, err := c.Read()
	perKey := len(c.Components)
	if err != nil || perKey == 0 {
		return &Curve{Components: c.Components}, err
	}
	k, unordered := c.usableKeys(times, values, float32(math.Inf(-1)))
	r.addN("keys without values do not play", c.TargetName, max(len(times)-len(values)/perKey, 0))
	r.addN("keys out of time order are skipped", c.TargetName, unordered)
	return k, nil
}

// usableKeys returns the keys of a channel with components that have values, are not before first and are in ascending
// order. It also returns the number of keys out of order.
func (c *Channel) usableKeys(times, values []float32, first float32) (k *Curve, unordered int) {
	k = &Curve{Components: c.Components}
	for i, t := range times[:min(len(times), len(values)/len(c.Components))] {
		if !finite(t) || t < first || len(k.Times) > 0 && t <= k.Times[len(k.Times)-1] {
			unordered++
			continue
		}
		k.Times, k.Values = append(k.Times, t), append(k.Values, k.valuesOf(values, i)...)
	}
	return k, unordered
}

func (k *Curve) valuesOf(values []float32, key int) []float32 {
	perKey := len(k.Components)
	return values[key*perKey : (key+1)*perKey]
}

// keysAround returns the values of the keys around a time, and the fraction between them.
func (k *Curve) keysAround(t float32) (a, b []float32, share float32) {
	next := sort.Search(len(k.Times), func(i int) bool { return k.Times[i] > t })
	from, to := max(next-1, 0), min(next, len(k.Times)-1)
	if from != to {
		share = (t - k.Times[from]) / (k.Times[to] - k.Times[from])
	}
	return k.valuesOf(k.Values, from), k.valuesOf(k.Values, to), share
}

// At returns the value of each component at a time: linear between two keys, rotations along the shorter arc, constant
// before the first and after the last key. There must be a key.
func (k *Curve) At(t float32) []float32 {
	a, b, share := k.keysAround(t)
	out := make([]float32, len(a))
	var rotation [2][4]float32
	for i, c := range k.Components {
		out[i] = a[i] + (b[i]-a[i])*share
		if c >= RotateX && c <= RotateW {
			rotation[0][c-RotateX], rotation[1][c-RotateX] = a[i], b[i]
		}
	}
	if q, ok := slerp(rotation[0], rotation[1], share); ok {
		for i, c := range k.Components {
			if c >= RotateX && c <= RotateW {
				out[i] = q[c-RotateX]
			}
		}
	}
	return out
}

// mergeChannels merges channels that animate different numbers of one property of a node: glTF animates properties as a
// whole, and would lose all but one.
func mergeChannels(channels []*Channel) (merged []*Channel) {
	indexes := make(map[*Node][]int) // the channels of each node in merged
	for _, c := range channels {
		i := slices.IndexFunc(indexes[c.Target], func(i int) bool { return merged[i].completes(c) })
		if !c.isUsable() || i < 0 {
			indexes[c.Target] = append(indexes[c.Target], len(merged))
			merged = append(merged, c)
			continue
		}
		i = indexes[c.Target][i]
		merged[i] = merged[i].merge(c)
	}
	return merged
}

// completes reports whether the other channel moves numbers of a property that this one moves, and both have no number
// in common.
func (c *Channel) completes(other *Channel) bool {
	property := false
	for _, t := range tracks {
		moves := func(k Component) bool { return slices.Contains(t.components, k) }
		property = property || slices.ContainsFunc(c.Components, moves) && slices.ContainsFunc(other.Components, moves)
	}
	return property &&
		!slices.ContainsFunc(other.Components, func(k Component) bool { return slices.Contains(c.Components, k) })
}

// merge returns a channel that animates the components of both, with the keys of both.
func (c *Channel) merge(other *Channel) *Channel {
	components := slices.Concat(c.Components, other.Components)
	return &Channel{Target: c.Target, TargetName: c.TargetName, Components: components,
		Read: func() (times, values []float32, err error) {
			var curves [2]*Curve
			for i, channel := range []*Channel{c, other} {
				if curves[i], err = channel.readCurve(newReport()); err != nil || len(curves[i].Times) == 0 {
					return nil, nil, err
				}
			}
			times = slices.Concat(curves[0].Times, curves[1].Times)
			slices.Sort(times)
			times = slices.Compact(times)
			for _, t := range times {
				values = append(append(values, curves[0].At(t)...), curves[1].At(t)...)
			}
			return times, values, nil
		}}
}
