package scene

import (
	"cmp"
	"fmt"
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
	k, skipped := c.usableKeys(times, values, float32(math.Inf(-1)))
	r.addN("keys without values do not play", c.TargetName, max(len(times)-len(values)/perKey, 0))
	r.addN("keys out of time order are skipped", c.TargetName, skipped)
	return k, nil
}

// usableKeys returns the keys of a channel with components that have values, are not before first and are in ascending
// order. It also returns the number of other keys with values.
func (c *Channel) usableKeys(times, values []float32, first float32) (k *Curve, skipped int) {
	k = &Curve{Components: c.Components}
	for i, t := range times[:min(len(times), len(values)/len(c.Components))] {
		if !finite(t) || t < first || len(k.Times) > 0 && t <= k.Times[len(k.Times)-1] {
			skipped++
			continue
		}
		k.Times, k.Values = append(k.Times, t), append(k.Values, k.valuesOf(values, i)...)
	}
	return k, skipped
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

// Player poses the nodes of a scene by an animation at a time. Other nodes keep their transforms.
type Player struct {
	Start, End float32 // of all keys, in seconds

	pose     *Pose
	channels []boundCurve
}

// boundCurve is a curve and its node in the pose.
type boundCurve struct {
	*Curve
	node int
}

// NewPlayer reads the keys of an animation. It omits channels without keys, and keys that are not after the previous
// one, which problems reports in sentences. It also omits the channels that Scene.Unplayed reports.
func NewPlayer(p *Pose, a *Animation) (player *Player, problems []string) {
	player = &Player{pose: p, Start: math.MaxFloat32}
	r := newReport()
	for _, c := range a.Channels {
		i := p.Index(c.Target)
		if i < 0 || !c.isUsable() {
			continue
		}
		k, err := c.readCurve(r)
		if err != nil {
			r.add("channels that cannot be read do not play", c.TargetName)
			continue
		}
		if len(k.Times) == 0 {
			r.add("channels without keys do not play", c.TargetName)
			continue
		}
		player.channels = append(player.channels, boundCurve{k, i})
		player.Start, player.End = min(player.Start, k.Times[0]), max(player.End, k.Times[len(k.Times)-1])
	}
	if len(player.channels) == 0 {
		player.Start = 0
	}
	return player, r.lines()
}

// Keys returns the times of all keys, in order and each once.
func (p *Player) Keys() []float32 {
	visited := make(map[float32]bool)
	var times []float32
	for i := range p.channels {
		for _, t := range p.channels[i].Times {
			if !visited[t] {
				visited[t] = true
				times = append(times, t)
			}
		}
	}
	sort.Slice(times, func(i, j int) bool { return times[i] < times[j] })
	return times
}

// At poses the scene at a time in seconds: linear between two keys, rotations along the shorter arc, constant before
// the first and after the last key.
func (p *Player) At(t float32) {
	for i := range p.channels {
		p.channels[i].poseAt(t, p.pose)
	}
	p.pose.updateWorld()
}

// poseAt sets the node's transform from the curve.
func (k *boundCurve) poseAt(t float32, pose *Pose) {
	a, b, share := k.keysAround(t)
	parts := pose.partsOf(k.node)
	var rotation [2][4]float32
	rotationParts := 0
	for i, c := range k.Components {
		v := a[i] + (b[i]-a[i])*share
		switch {
		case c >= RotateX && c <= RotateW:
			rotation[0][c-RotateX], rotation[1][c-RotateX] = a[i], b[i]
			rotationParts++
		case !finite(v):
		case c <= ScaleZ:
			parts.Scale[c-ScaleX] = v
		default:
			parts.Translation[c-TranslateX] = v
		}
	}
	if rotationParts == 4 {
		if q, ok := slerp(rotation[0], rotation[1], share); ok {
			parts.Rotation = q
		}
	}
}

// slerp interpolates from a to b along the shorter arc. ok is false if one of them is not a rotation.
func slerp(a, b [4]float32, share float32) (q [4]float32, ok bool) {
	var aa, bb, ab float64
	for i := range a {
		aa += float64(a[i]) * float64(a[i])
		bb += float64(b[i]) * float64(b[i])
		ab += float64(a[i]) * float64(b[i])
	}
	if !(aa > 1e-20 && bb > 1e-20) || math.IsInf(aa, 0) || math.IsInf(bb, 0) {
		return q, false
	}
	aa, bb = math.Sqrt(aa), math.Sqrt(bb)
	cos := ab / aa / bb
	sign := 1.0
	if cos < 0 {
		cos, sign = -cos, -1
	}
	wa, wb := 1-float64(share), float64(share)
	if cos < 0.9999 {
		angle := math.Acos(cos)
		sin := math.Sin(angle)
		wa, wb = math.Sin(wa*angle)/sin, math.Sin(wb*angle)/sin
	}
	for i := range q {
		q[i] = float32(wa*float64(a[i])/aa + sign*wb*float64(b[i])/bb)
	}
	return normalize(q), true
}

// Playable can be played: an animation, a clip of an animation, or all animations together.
type Playable struct {
	Name       string
	Start, End float32 // in seconds; 0, 0 for all of it
	Speed      float32 // 1 as recorded; below 0 from End to Start
	animation  *Animation
	channels   []*Channel
}

// AnimationOrNil returns its animation, which may be the clip's, or nil for all animations together.
func (p *Playable) AnimationOrNil() *Animation { return p.animation }

// Moves reports whether it plays a channel.
func (p *Playable) Moves(c *Channel) bool { return slices.Contains(p.channels, c) }

// Playables lists the animations that can be played, the best start first. Many files have an animation for each joint:
// then the first is all of them together.
func (s *Scene) Playables() (out []Playable) {
	var moving []*Animation
	clip := Playable{Name: "All Animations", Speed: 1}
	for _, a := range s.Animations {
		if slices.ContainsFunc(a.Channels, (*Channel).isUsable) {
			moving = append(moving, a)
			clip.channels = append(clip.channels, a.Channels...)
		}
	}
	if len(moving) > 1 {
		out = append(out, clip)
	}
	for i, a := range moving {
		for _, c := range a.Clips {
			out = append(out, Playable{c.Name, c.Start, c.End, cmp.Or(c.Speed, 1), a, a.Channels})
		}
		out = append(out, Playable{Name: cmp.Or(a.Name, fmt.Sprintf("Animation %d", i+1)), Speed: 1,
			animation: a, channels: a.Channels})
	}
	return out
}

// Unplayed returns messages about channels without an effect, because their target or property does not exist.
func (s *Scene) Unplayed() []string {
	r := newReport()
	for _, a := range s.Animations {
		for _, c := range a.Channels {
			if len(c.Components) == 0 {
				r.add("channels with unknown properties are not played", c.TargetName)
			} else if c.Target == nil {
				r.add("channels of missing nodes are not played", c.TargetName)
			}
		}
	}
	return r.lines()
}

// Player returns a player of p. It sets an unset range of p to the player's.
func (p *Playable) Player(pose *Pose) (*Player, []string) {
	player, problems := NewPlayer(pose, &Animation{Name: p.Name, Channels: p.channels})
	if !(p.End > p.Start) {
		p.Start, p.End = player.Start, player.End
	}
	return player, problems
}
