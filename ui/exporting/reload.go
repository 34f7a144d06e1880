package exporting

import (
	"context"
	"fmt"
	"slices"

	"assay/model"
	"assay/ui/host"
)

// Replace replaces the assets of a document by its reloaded version's, matched by key.
func (p *Panel) Replace(old, current *model.Document) { p.rematchAssets(old, current, false) }

// rematchAssets replaces the assets of a document by those of another document. sameContent reports that both decode
// the same bytes in the same format, so that the indexes are equal.
func (p *Panel) rematchAssets(old, current *model.Document, sameContent bool) {
	var outdated []item
	for _, entry := range slices.Concat(p.assets.items, p.latest.items) {
		if entry.source.doc == old {
			outdated = append(outdated, entry)
		}
	}
	if len(outdated) == 0 {
		return
	}
	p.job("Updating the export list", func(ctx context.Context) (func(), error) {
		matchOf, err := rematch(ctx, outdated, current, sameContent && sameBytes(old, current))
		return func() { p.replace(old, current, matchOf) }, err
	})
}

// reloadedAsset is the match of an asset in the reloaded document: an asset of the file by index, or a derived one. It
// has neither if the asset no longer exists.
type reloadedAsset struct {
	index   int // -1 if not found
	derived *model.Payload
}

// matchFunc returns the match of an asset in the reloaded document; ok is false if the asset was not searched for.
type matchFunc func(assetRef) (f reloadedAsset, ok bool)

// rematch matches assets with those of a reloaded document by key: at the same index, else at any index. If sameContent
// is true, the indexes are unchanged, and the keys, of which there may be a million, are not compared.
func rematch(ctx context.Context, outdated []item, current *model.Document, sameContent bool) (matchFunc, error) {
	matches := make(map[assetRef]reloadedAsset)
	var anywhere map[string]int
	for _, entry := range outdated {
		if sameContent && !entry.source.derived {
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		old := entry.payload()
		match := reloadedAsset{index: -1}
		switch i := int(entry.index); {
		case entry.source.derived && old.Node == nil:
			match.derived = model.SpanPayload(current, old.Stored)
		case entry.source.derived:
			if n, err := current.Find(old.Key); err == nil {
				match.derived = model.NodePayload(current, n)
			}
		case current.Payloads == nil:
		case i < current.Payloads.Len() && current.Payloads.At(i).Key == old.Key:
			match.index = i
		default:
			if anywhere == nil {
				anywhere = make(map[string]int)
				for i := range current.Payloads.Len() {
					anywhere[current.Payloads.At(i).Key] = i
				}
			}
			if i, ok := anywhere[old.Key]; ok {
				match.index = i
			}
		}
		matches[entry.assetRef] = match
	}
	return func(ref assetRef) (reloadedAsset, bool) {
		if sameContent && !ref.source.derived {
			return reloadedAsset{index: int(ref.index)}, true
		}
		match, ok := matches[ref]
		return match, ok
	}, nil
}

// sameBytes reports whether two documents were decoded from the same unchanged file.
func sameBytes(old, current *model.Document) bool {
	return old.Source.Path() != "" && old.Source.Path() == current.Source.Path() &&
		old.Source.Size() == current.Source.Size() &&
		old.Source.Changed() == nil && current.Source.Changed() == nil &&
		old.Payloads != nil && current.Payloads != nil && old.Payloads.Len() == current.Payloads.Len()
}

func (p *Panel) replace(old, current *model.Document, matchOf matchFunc) {
	p.latest.replace(old, current, matchOf)
	missing, verb := p.assets.replace(old, current, matchOf), "are"
	if missing == 1 {
		verb = "is"
	}
	if missing > 0 {
		p.Notify(host.Notice{Text: fmt.Sprintf("Removed %s that %s no longer in %s from the export list.",
			host.Count(missing, "asset"), verb, current.Source.Name())})
	}
	p.changed()
}
