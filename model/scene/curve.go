package scene

import (
	"math"
	"sort"
)

// Curve is a channel whose keys are in memory: those that can be played, in order.
type Curve struct {
	Components []Component
	Times      []float32 // in seconds, each later than the one before
	Values     []float32 // of each key, as many as Components
}

// Curve reads the keys of a channel. problems says in sentences what of it does not play.
func (c *Channel) Curve() (k *Curve, problems []string, err error) {
	r := newReport()
	k, err = c.curve(r)
	return k, r.lines(), err
}

// curve reads the keys of a channel that can be played.
func (c *Channel) curve(r *report) (*Curve, error) {
	times, values, err := c.Read()
	each := len(c.Components)
	if err != nil || each == 0 {
		return &Curve{Components: c.Components}, err
	}
	k, unordered := c.keys(times, values, float32(math.Inf(-1)))
	r.addN("keys without values do not play", c.TargetName, max(len(times)-len(values)/each, 0))
	r.addN("keys out of time order are skipped", c.TargetName, unordered)
	return k, nil
}

// keys returns the keys of a channel with components that have values, are not before a time and are each after the one
// before; and how many have values but are not in order.
func (c *Channel) keys(times, values []float32, first float32) (k *Curve, unordered int) {
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

// valuesOf returns the values of a key, of those of all keys.
func (k *Curve) valuesOf(all []float32, key int) []float32 {
	each := len(k.Components)
	return all[key*each : (key+1)*each]
}

// between returns the values of the keys around a time, and how far it is from the first to the second.
func (k *Curve) between(t float32) (a, b []float32, share float32) {
	next := sort.Search(len(k.Times), func(i int) bool { return k.Times[i] > t })
	from, to := max(next-1, 0), min(next, len(k.Times)-1)
	if from != to {
		share = (t - k.Times[from]) / (k.Times[to] - k.Times[from])
	}
	return k.valuesOf(k.Values, from), k.valuesOf(k.Values, to), share
}

// At returns the value of each component at a time: between two keys in a straight line, rotations the short way
// round, before the first and after the last key as there. It must have a key.
func (k *Curve) At(t float32) []float32 {
	a, b, share := k.between(t)
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
