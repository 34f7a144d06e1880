package contents

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"assay/model/scene"
)

// otherChanges returns the other changes that affect the picture and have no color in it: "lights", "cameras",
// "animations at their start".
func (p *scenePair) otherChanges() (out []string) {
	for _, c := range []struct {
		name    string
		changed bool
	}{
		{"lights", p.old.scene.Ambient != p.new.scene.Ambient || p.nodesDiffer(sameLight)},
		{"cameras", p.nodesDiffer(sameCamera) || p.activeCameraDiffers()},
		{"animations at their start", p.startsDiffer()},
	} {
		if c.changed {
			out = append(out, c.name)
		}
	}
	return out
}

// nodesDiffer reports whether an optional part of nodes differs or moved. same reports whether the parts of two nodes,
// either of which may be nil, are the same, and whether either node has one.
func (p *scenePair) nodesDiffer(same func(old, new *scene.Node) (equal, exists bool)) bool {
	for _, n := range p.new.nodes {
		old := p.new.match[n]
		equal, exists := same(old, n)
		if exists && (!equal || !SameTransform(p.old.world[old], p.new.world[n])) {
			return true
		}
	}
	for _, n := range p.old.nodes {
		if _, exists := same(n, nil); exists && p.old.match[n] == nil {
			return true
		}
	}
	return false
}

func sameLight(old, new *scene.Node) (equal, exists bool) {
	return samePart(lightOf(old), lightOf(new), func(l *scene.Light) { l.Name = "" })
}

func lightOf(n *scene.Node) *scene.Light {
	if n == nil {
		return nil
	}
	return n.Light
}

func sameCamera(old, new *scene.Node) (equal, exists bool) {
	return samePart(cameraOf(old), cameraOf(new), func(c *scene.Camera) { c.Name = "" })
}

// samePart reports whether two optional parts of nodes are equal without their names, and whether there is one.
func samePart[T comparable](a, b *T, unname func(*T)) (equal, exists bool) {
	if a == nil || b == nil {
		return a == b, a != nil || b != nil
	}
	x, y := *a, *b
	unname(&x)
	unname(&y)
	return x == y, true
}

func cameraOf(n *scene.Node) *scene.Camera {
	if n == nil {
		return nil
	}
	return n.Camera
}

// activeCameraDiffers reports whether another node is the camera.
func (p *scenePair) activeCameraDiffers() bool {
	old, new := p.old.scene.ActiveCamera, p.new.scene.ActiveCamera
	if old == nil || new == nil {
		return old != new
	}
	return p.new.match[new] != old
}

// channelStart is the value that an animation sets on a node at its start.
type channelStart struct {
	animation, target, parts string
	values                   []float32
}

// startsDiffer reports whether the animations of both scenes set nodes to other values at their start.
func (p *scenePair) startsDiffer() bool {
	old, new := p.starts(p.old.scene, nil), p.starts(p.new.scene, p.names)
	return !slices.EqualFunc(old, new, func(a, b channelStart) bool {
		return a.animation == b.animation && a.target == b.target && a.parts == b.parts &&
			slices.EqualFunc(a.values, b.values, func(x, y float32) bool {
				return math.Float32bits(x) == math.Float32bits(y)
			})
	})
}

// starts returns the values that the animations of a scene set at their start, sorted. names maps nodes to old names.
func (p *scenePair) starts(s *scene.Scene, names map[string]string) (out []channelStart) {
	for _, a := range s.Animations {
		for _, c := range a.Channels {
			if c.Target == nil || c.Read == nil || p.ctx.Err() != nil {
				continue
			}
			start := channelStart{animation: a.Name, target: c.TargetName, parts: fmt.Sprint(c.Components)}
			if old, renamed := names[c.TargetName]; renamed {
				start.target = old
			}
			if _, values, err := c.Read(); err == nil {
				start.values = slices.Clone(values[:min(len(values), len(c.Components))])
			}
			out = append(out, start)
		}
	}
	slices.SortStableFunc(out, func(a, b channelStart) int {
		return cmp.Or(cmp.Compare(a.animation, b.animation), cmp.Compare(a.target, b.target),
			cmp.Compare(a.parts, b.parts))
	})
	return out
}
