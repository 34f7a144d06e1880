package preview

import (
	"context"

	"assay/model"
	"assay/model/content"
	modelsound "assay/model/sound"
	modeltext "assay/model/text"
	"assay/ui/text"
)

// texts shows texts.
type texts struct{ *text.View }

var _ viewer = texts{}

// Load colors the beginning of a text.
func (t texts) Load(ctx context.Context, v model.View) (show func(), err error) {
	ready := text.Load(ctx, v.(*modeltext.Text))
	return func() { t.Show(ready) }, nil
}

// profiles shows bytes of which nothing is known.
type profiles struct{ *Profile }

var _ viewer = profiles{}

func (p profiles) Load(_ context.Context, v model.View) (show func(), err error) {
	return func() { p.Show(v.(*content.Bytes)) }, nil
}

// sounds shows sounds.
type sounds struct{ *Sound }

var _ viewer = sounds{}

func (s sounds) Load(_ context.Context, v model.View) (show func(), err error) {
	return func() { s.Show(v.(*modelsound.Sound)) }, nil
}
