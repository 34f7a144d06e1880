package scene

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sort"
)

// Pose holds the transforms of the nodes of a scene at a moment. Nodes are numbered in the order of Walk, parents
// first.
type Pose struct {
	Nodes  []*Node
	Parent []int // -1 for a root
	World  []Matrix

	index     map[*Node]int
	local     []Matrix
	parts     []TRS
	hasParts  []bool // parts are set
	isChanged []bool // local must be made from parts
}

// NewPose returns the pose of the nodes' own transforms. The identity replaces transforms that are not finite.
func NewPose(s *Scene) *Pose {
	p := &Pose{index: make(map[*Node]int)}
	s.Walk(func(n *Node, _ Matrix) {
		p.index[n] = len(p.Nodes)
		p.Nodes = append(p.Nodes, n)
		p.Parent = append(p.Parent, -1)
	})
	for i, n := range p.Nodes {
		for _, c := range n.Children {
			if k, ok := p.index[c]; ok && k > i && p.Parent[k] < 0 {
				p.Parent[k] = i
			}
		}
	}
	n := len(p.Nodes)
	p.World, p.local = make([]Matrix, n), make([]Matrix, n)
	p.parts, p.hasParts, p.isChanged = make([]TRS, n), make([]bool, n), make([]bool, n)
	p.Reset()
	return p
}

// Index returns the number of a node, or -1 if it is not in the scene.
func (p *Pose) Index(n *Node) int {
	if i, ok := p.index[n]; ok {
		return i
	}
	return -1
}

// Local returns the transform of a node relative to its parent: its own unless it was changed.
func (p *Pose) Local(n *Node) Matrix {
	if i := p.Index(n); i >= 0 && p.isChanged[i] {
		return p.local[i]
	}
	return n.Transform
}

// Reset restores the nodes' own transforms.
func (p *Pose) Reset() {
	for i, n := range p.Nodes {
		p.local[i] = n.Transform
		if !n.Transform.finite() {
			p.local[i] = Identity
		}
		p.hasParts[i], p.isChanged[i] = false, false
	}
	p.updateWorld()
}

// partsOf returns the transform of a node in parts, for changing it.
func (p *Pose) partsOf(i int) *TRS {
	if !p.hasParts[i] {
		p.parts[i], _ = p.Nodes[i].Transform.Parts()
		p.hasParts[i] = true
	}
	p.isChanged[i] = true
	return &p.parts[i]
}

// updateWorld computes the transforms from nodes to the scene.
func (p *Pose) updateWorld() {
	for i := range p.Nodes {
		if p.isChanged[i] {
			p.local[i] = p.parts[i].Matrix()
		}
		if k := p.Parent[i]; k >= 0 {
			p.World[i] = p.World[k].Times(p.local[i])
		} else {
			p.World[i] = p.local[i]
		}
	}
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

// SetInitial sets the pose in which a scene is displayed: with a skin, the start of the first playable, because the
// file's transforms are the binding pose; otherwise the pose of the file. It returns the name of that playable, or "".
func (p *Pose) SetInitial(s *Scene) string {
	for _, n := range p.Nodes {
		if n.Skin == nil || n.Mesh == nil {
			continue
		}
		if playables := s.Playables(); len(playables) > 0 {
			player, _ := playables[0].Player(p)
			player.At(playables[0].Start)
			return playables[0].Name
		}
		break
	}
	return ""
}

// IsValid reports whether a transform is finite, and does not map everything to one point.
func (m Matrix) IsValid() bool {
	size := 0.
	for c := range 3 {
		for _, v := range m[4*c : 4*c+3] {
			size += float64(v) * float64(v)
		}
	}
	return m.finite() && size > 0
}

// Palette returns, for each joint of a node's skin, the transform of the mesh from its stored position into the scene,
// or nil if no joint exists. A missing joint has the transform of the node.
func (p *Pose) Palette(n *Node) []Matrix {
	i := p.Index(n)
	if n.Skin == nil || i < 0 {
		return nil
	}
	shape := n.Skin.BindShape
	if !shape.IsValid() {
		shape = Identity
	}
	out := make([]Matrix, len(n.Skin.Joints))
	exists := false
	for k, joint := range n.Skin.Joints {
		out[k] = p.World[i]
		j := p.Index(joint)
		if j < 0 || k >= len(n.Skin.Inverse) || !n.Skin.Inverse[k].IsValid() {
			continue
		}
		if w := p.World[j].Times(n.Skin.Inverse[k]).Times(shape); w.IsValid() {
			out[k], exists = w, true
		}
	}
	if !exists {
		return nil
	}
	return out
}

// Bind returns the joints of a palette that a vertex follows, or -1, and their weights. Weights outside of 0 to 1, and
// joints that are not numbers, are uninitialized memory and are ignored.
func Bind(joints, weights []float32) (bound [4]int16, share [4]float32) {
	sum := float32(0)
	for k := range bound {
		bound[k] = -1
		if k >= len(joints) || k >= len(weights) || !(weights[k] > 0 && weights[k] < 1.01) ||
			!(joints[k] > -.5 && joints[k] < 32767) {
			continue
		}
		bound[k], share[k] = int16(joints[k]+.5), weights[k]
		sum += weights[k]
	}
	if sum > 0 {
		for k := range share {
			share[k] /= sum
		}
	}
	return bound, share
}

// blend returns the transform of a vertex that follows some joints of a palette. The weights of missing joints are
// distributed to the others; a vertex without joints follows the first.
func blend(palette []Matrix, to [4]int16, share [4]float32) (m Matrix) {
	sum := float32(0)
	for k, j := range to {
		if j >= 0 && int(j) < len(palette) && share[k] != 0 {
			sum += share[k]
			for i := range m {
				m[i] += share[k] * palette[j][i]
			}
		}
	}
	if sum < 1e-3 {
		return palette[0]
	}
	for i := range m {
		m[i] /= sum
	}
	return m
}
