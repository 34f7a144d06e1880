package contents

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"reflect"
	"slices"

	"github.com/zeebo/xxh3"

	"assay/model/scene"
)

// otherChanges returns the other changes that affect the picture and have no color in it: "lights", "cameras",
// "animations at their start".
func (p *scenePair) otherChanges() (out []string) {
	for _, c := range []struct {
		name    string
		changed bool
	}{
		{"lights", p.old.scene.Ambient != p.new.scene.Ambient ||
			partsDiffer(p, func(n *scene.Node) *scene.Light { return n.Light }, func(l *scene.Light) { l.Name = "" })},
		{"cameras", p.activeCameraDiffers() ||
			partsDiffer(p, func(n *scene.Node) *scene.Camera { return n.Camera }, func(c *scene.Camera) { c.Name = "" })},
		{"animations at their start", p.startsDiffer()},
	} {
		if c.changed {
			out = append(out, c.name)
		}
	}
	return out
}

// partsDiffer reports whether an optional part of nodes differs, except in its name, or moved. partOf returns the part
// of a node, or nil, and unname clears its name.
func partsDiffer[T comparable](p *scenePair, partOf func(n *scene.Node) *T, unname func(part *T)) bool {
	for _, n := range p.new.nodes {
		var oldPart *T
		old, part := p.new.match[n], partOf(n)
		if old != nil {
			oldPart = partOf(old)
		}
		if (oldPart != nil || part != nil) &&
			(!sameParts(oldPart, part, unname) || !SameTransform(p.old.world[old], p.new.world[n])) {
			return true
		}
	}
	wasRemoved := func(n *scene.Node) bool { return partOf(n) != nil && p.old.match[n] == nil }
	return slices.ContainsFunc(p.old.nodes, wasRemoved)
}

func sameParts[T comparable](a, b *T, unname func(part *T)) bool {
	if a == nil || b == nil {
		return a == b
	}
	x, y := *a, *b
	unname(&x)
	unname(&y)
	return x == y
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

// surfaceComparer compares the surfaces of nodes. Textures are compared by their bytes, wherever their files are.
type surfaceComparer struct {
	ctx  context.Context
	sums map[*scene.Texture]textureSum
}

// textureSum identifies a texture by its bytes, or by its name if it cannot be read.
type textureSum struct {
	sum  xxh3.Uint128
	size int64
	name string
}

// maxTexture is the size in bytes of the largest texture that is read.
const maxTexture = 64 << 20

// areSame reports whether the parts of two nodes have the same surfaces.
func (c *surfaceComparer) areSame(old, new *scene.Node) bool {
	if len(old.Mesh.Parts) != len(new.Mesh.Parts) {
		return false
	}
	for i := range new.Mesh.Parts {
		if !c.sameMaterial(old.Material(i), new.Material(i)) {
			return false
		}
	}
	return true
}

func (c *surfaceComparer) sameMaterial(a, b *scene.Material) bool {
	if a == nil || b == nil {
		return a == b
	}
	x, y := *a, *b
	for _, s := range [][2]**scene.Sampler{{&x.Texture, &y.Texture}, {&x.Normal, &y.Normal},
		{&x.LightMap, &y.LightMap}} {
		if !c.sameSampler(*s[0], *s[1]) {
			return false
		}
		*s[0], *s[1] = nil, nil
	}
	same := slices.EqualFunc(x.Layers, y.Layers, func(a, b scene.Layer) bool {
		return a.Channel == b.Channel && c.sameSampler(a.Texture, b.Texture) && c.sameSampler(a.Blend, b.Blend)
	})
	x.Layers, y.Layers = nil, nil
	return same && reflect.DeepEqual(x, y)
}

func (c *surfaceComparer) sameSampler(a, b *scene.Sampler) bool {
	if a == nil || b == nil {
		return a == b
	}
	x, y := *a, *b
	x.Texture, y.Texture = nil, nil
	return x == y && c.sameTexture(a.Texture, b.Texture)
}

func (c *surfaceComparer) sameTexture(a, b *scene.Texture) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Down == b.Down && c.sum(a) == c.sum(b)
}

func (c *surfaceComparer) sum(t *scene.Texture) textureSum {
	s, known := c.sums[t]
	if known {
		return s
	}
	s = textureSum{name: t.Name}
	if h, n := xxh3.New(), int64(0); t.Open != nil {
		if r, err := t.Open(c.ctx); err == nil {
			n, err = io.Copy(h, io.LimitReader(r, maxTexture+1))
			r.Close()
			if err == nil && n <= maxTexture {
				s = textureSum{sum: h.Sum128(), size: n}
			}
		}
	}
	c.sums[t] = s
	return s
}
