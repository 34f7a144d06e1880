package contents

import (
	"context"
	"io"
	"reflect"
	"slices"

	"github.com/zeebo/xxh3"

	"assay/model/scene"
)

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
func (l *surfaceComparer) areSame(old, new *scene.Node) bool {
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

func (l *surfaceComparer) sameMaterial(a, b *scene.Material) bool {
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

func (l *surfaceComparer) sameSampler(a, b *scene.Sampler) bool {
	if a == nil || b == nil {
		return a == b
	}
	x, y := *a, *b
	x.Texture, y.Texture = nil, nil
	return x == y && l.sameTexture(a.Texture, b.Texture)
}

func (l *surfaceComparer) sameTexture(a, b *scene.Texture) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Down == b.Down && l.sum(a) == l.sum(b)
}

func (l *surfaceComparer) sum(t *scene.Texture) textureSum {
	s, known := l.sums[t]
	if known {
		return s
	}
	s = textureSum{name: t.Name}
	if h, n := xxh3.New(), int64(0); t.Open != nil {
		if r, err := t.Open(l.ctx); err == nil {
			n, err = io.Copy(h, io.LimitReader(r, maxTexture+1))
			r.Close()
			if err == nil && n <= maxTexture {
				s = textureSum{sum: h.Sum128(), size: n}
			}
		}
	}
	l.sums[t] = s
	return s
}
