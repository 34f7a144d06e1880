package scene

import "slices"

// joined returns channels, those that move different numbers of one property of a node as one: glTF moves properties as
// a whole, and one of them would be lost.
func joined(channels []*Channel) (all []*Channel) {
	at := make(map[*Node][]int) // the channels of each node in all
	for _, c := range channels {
		i := slices.IndexFunc(at[c.Target], func(i int) bool { return all[i].completes(c) })
		if !c.moves() || i < 0 {
			at[c.Target] = append(at[c.Target], len(all))
			all = append(all, c)
			continue
		}
		i = at[c.Target][i]
		all[i] = all[i].with(c)
	}
	return all
}

// completes reports whether the other channel moves numbers of a property that this one moves, and none that it moves.
func (c *Channel) completes(other *Channel) bool {
	property := false
	for _, t := range tracks {
		moves := func(k Component) bool { return slices.Contains(t.components, k) }
		property = property || slices.ContainsFunc(c.Components, moves) && slices.ContainsFunc(other.Components, moves)
	}
	return property &&
		!slices.ContainsFunc(other.Components, func(k Component) bool { return slices.Contains(c.Components, k) })
}

// with returns a channel that moves what two move, with the keys of both.
func (c *Channel) with(other *Channel) *Channel {
	components := slices.Concat(c.Components, other.Components)
	return &Channel{Target: c.Target, TargetName: c.TargetName, Components: components,
		Read: func() (times, values []float32, err error) {
			var curves [2]*Curve
			for i, one := range []*Channel{c, other} {
				if curves[i], err = one.curve(newReport()); err != nil || len(curves[i].Times) == 0 {
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
