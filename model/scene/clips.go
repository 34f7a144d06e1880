package scene

import (
	"cmp"
	"fmt"
	"slices"
)

// Playable is something of a scene that can be played: an animation, a clip of one, or all animations together.
type Playable struct {
	Name       string
	Start, End float32 // in seconds; 0, 0 for all of it
	Speed      float32 // 1 as recorded; below 0 from End to Start
	of         *Animation
	channels   []*Channel
}

// Of returns the animation that it is or is a clip of; nil for all together.
func (p *Playable) Of() *Animation { return p.of }

// Moves reports whether a channel is played.
func (p *Playable) Moves(c *Channel) bool { return slices.Contains(p.channels, c) }

// Playables lists what can be played, the best to begin with first. Many files have an animation for each joint: then
// all of them together are that.
func (s *Scene) Playables() (out []Playable) {
	var moving []*Animation
	all := Playable{Name: "All Animations", Speed: 1}
	for _, a := range s.Animations {
		if slices.ContainsFunc(a.Channels, (*Channel).moves) {
			moving = append(moving, a)
			all.channels = append(all.channels, a.Channels...)
		}
	}
	if len(moving) > 1 {
		out = append(out, all)
	}
	for i, a := range moving {
		for _, c := range a.Clips {
			out = append(out, Playable{c.Name, c.Start, c.End, cmp.Or(c.Speed, 1), a, a.Channels})
		}
		out = append(out, Playable{Name: cmp.Or(a.Name, fmt.Sprintf("Animation %d", i+1)), Speed: 1,
			of: a, channels: a.Channels})
	}
	return out
}

// Unplayed says in sentences which channels of the animations move nothing, as the file does not have what they name.
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

// Player returns a player of it. Start and End are those of the player if it has none.
func (p *Playable) Player(pose *Pose) (*Player, []string) {
	player, problems := NewPlayer(pose, &Animation{Name: p.Name, Channels: p.channels})
	if !(p.End > p.Start) {
		p.Start, p.End = player.Start, player.End
	}
	return player, problems
}

// Stand poses a scene as it is best looked at: with a skin, as what can be played begins, for the transforms of the
// file are those that it was bound with; else as the file has it. It returns the name of what it begins to play, empty
// for nothing.
func (p *Pose) Stand(s *Scene) string {
	for _, n := range p.Nodes {
		if n.Skin == nil || n.Mesh == nil {
			continue
		}
		if all := s.Playables(); len(all) > 0 {
			player, _ := all[0].Player(p)
			player.At(all[0].Start)
			return all[0].Name
		}
		break
	}
	return ""
}
