package contents

import (
	"context"
	"io"
	"reflect"
	"slices"

	"github.com/zeebo/xxh3"

	"assay/model/scene"
)

// surfaces compares how the surfaces of nodes look. A texture is known by its bytes, wherever its file is.
type surfaces struct {
	ctx  context.Context
	sums map[*scene.Texture]textureSum
}

// textureSum identifies the bytes of a texture; one that cannot be read is known by its name.
type textureSum struct {
	sum  xxh3.Uint128
	size int64
	name string
}

// textureMost is the size in bytes of the largest texture that is read.
const textureMost = 64 << 20

// areSame reports whether the parts of two nodes look alike.
func (l *surfaces) areSame(old, new *scene.Node) bool {
	if len(old.Mesh.Parts) != len(new.Mesh.Parts) {
		return false
	}
	for i := range new.Mesh.Parts {
		if !l.sameMaterial(old.Material(i), new.Material(i)) {
			return false
		}
	}
	return true
}

func (l *surfaces) sameMaterial(a, b *scene.Material) bool {
	if a == nil || b == nil {
		return a == b
	}
	x, y := *a, *b
	for _, s := range [][2]**scene.Sampler{{&x.Texture, &y.Texture}, {&x.Normal, &y.Normal},
		{&x.LightMap, &y.LightMap}} {
		if !l.sameSampler(*s[0], *s[1]) {
			return false
		}
		*s[0], *s[1] = nil, nil
	}
	same := slices.EqualFunc(x.Layers, y.Layers, func(a, b scene.Layer) bool {
		return a.Channel == b.Channel && l.sameSampler(a.Texture, b.Texture) && l.sameSampler(a.Blend, b.Blend)
	})
	x.Layers, y.Layers = nil, nil
	return same && reflect.DeepEqual(x, y)
}

func (l *surfaces) sameSampler(a, b *scene.Sampler) bool {
	if a == nil || b == nil {
		return a == b
	}
	x, y := *a, *b
	x.Texture, y.Texture = nil, nil
	return x == y && l.sameTexture(a.Texture, b.Texture)
}

func (l *surfaces) sameTexture(a, b *scene.Texture) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Down == b.Down && l.sum(a) == l.sum(b)
}

func (l *surfaces) sum(t *scene.Texture) textureSum {
	s, known := l.sums[t]
	if known {
		return s
	}
	s = textureSum{name: t.Name}
	if h, n := xxh3.New(), int64(0); t.Open != nil {
		if r, err := t.Open(l.ctx); err == nil {
			n, err = io.Copy(h, io.LimitReader(r, textureMost+1))
			r.Close()
			if err == nil && n <= textureMost {
				s = textureSum{sum: h.Sum128(), size: n}
			}
		}
	}
	l.sums[t] = s
	return s
}
