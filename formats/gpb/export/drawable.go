package export

import (
	"slices"
	"sync"

	"assay/model"
	"assay/model/scene"
)

// drawable adds what can be drawn.
func (p *payloads) drawable(node func() *model.Node, key string, make func() *scene.Scene) {
	forms := sync.OnceValue(func() []model.Form { return scene.Forms(make) })
	p.add(func() *model.Payload { return p.objectPayload(node(), key, slices.Clone(forms())...) })
}
