package export

import (
	"context"

	"assay/model"
)

// Layer is one file of a stack: files that are loaded one after the other.
type Layer struct {
	File     string
	Payloads model.Payloads
}

// Effective lists the assets that a program sees which loads the layers in this order: of those with one key, the ones
// of the last file that has any. overridden counts the others.
func Effective(ctx context.Context, layers []Layer, choose *Chooser, form string) (picks []Pick, overridden int,
	err error) {
	last := make(map[string]int)
	for i, l := range layers {
		for k := range l.Payloads.Len() {
			if k%4096 == 0 && ctx.Err() != nil {
				return nil, 0, ctx.Err()
			}
			last[l.Payloads.At(k).Key] = i
		}
	}
	for i, l := range layers {
		for k := range l.Payloads.Len() {
			if k%4096 == 0 && ctx.Err() != nil {
				return nil, 0, ctx.Err()
			}
			switch p := l.Payloads.At(k); {
			case last[p.Key] != i:
				overridden++
			case choose.Wants(ctx, p):
				picks = AddPick(picks, Pick{From: l.Payloads, Index: k, Form: form, File: l.File})
			}
		}
	}
	return picks, overridden, nil
}
