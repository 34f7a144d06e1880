package preview

import (
	"context"

	"assay/model"
	"assay/model/content"
	modeltext "assay/model/text"
	"assay/ui/profile"
	"assay/ui/text"
)

// texts shows texts.
type texts struct{ *text.View }

var _ viewer = texts{}

// Load has nothing to prepare.
func (t texts) Load(_ context.Context, v model.View) (show func(), err error) {
	return func() { t.Show(v.(*modeltext.Text)) }, nil
}

// Leave is called when another viewer takes its place.
func (t texts) Leave() { t.Clear() }

// profiles shows bytes of which nothing is known.
type profiles struct{ *profile.View }

var _ viewer = profiles{}

// Load has nothing to prepare.
func (p profiles) Load(_ context.Context, v model.View) (show func(), err error) {
	return func() { p.Show(v.(*content.Bytes)) }, nil
}

// Leave is called when another viewer takes its place.
func (p profiles) Leave() { p.Clear() }
