package assets

import (
	"context"
	"slices"

	"assay/model"
	"assay/model/archive"
	"assay/ui/host"
)

// Verify compares the contents of the listed assets, or of several selected ones, with the recorded checksums.
func (p *Panel) Verify() {
	if p.archive == nil {
		return
	}
	all := slices.Clone(p.listing.assets)
	if selected, _ := p.selectedAssets(); len(selected) > 1 {
		all = all[:0]
		for _, i := range selected {
			all = append(all, uint32(i))
		}
	}
	p.verify(all, 0, func(checked, failed int) { p.ShowHint(verifyResult(checked, failed)) })
}

// maxVerified is the maximum size of a file, and of its expanded assets, whose checksums are verified when the list
// opens.
const maxVerified = 64 << 20

// verifyFew verifies the checksums of a small file.
func (p *Panel) verifyFew() {
	if !p.archive.Has(archive.Checksum) || p.document.Source.Size() > maxVerified || p.archive.Len() > maxSelected {
		return
	}
	all := make([]uint32, p.archive.Len())
	for i := range all {
		all[i] = uint32(i)
	}
	p.verify(all, maxVerified, nil)
}

// verify compares the contents of assets with the recorded checksums, then calls done. Without done, it displays no
// progress. A limit above 0 is the maximum size of the contents that it reads, without compressed ones of unknown size.
func (p *Panel) verify(all []uint32, limit int64, done func(checked, failed int)) {
	a, d, bounded := p.archive, p.document, limit > 0
	p.checking.Go(func(ctx context.Context) func() {
		progress := p.group.Progress(ctx, func(n, total int64) {
			if done != nil {
				p.Busy("Verifying checksums", float64(n)/float64(max(1, total)), p.stopVerify)
			}
			p.Refresh()
		})
		failed, checked := 0, 0
		for k, i := range all {
			if ctx.Err() != nil {
				return nil
			}
			progress(int64(k), int64(len(all)))
			asset := d.Payloads.At(int(i))
			if bounded {
				if asset.Size < 0 && asset.Codec != "" {
					continue
				}
				if limit -= max(0, asset.Size, asset.Stored.Size); limit < 0 {
					break
				}
			}
			v, _, err := asset.Check(ctx)
			if err != nil {
				v = model.Unknown
			}
			a.SetVerdict(int(i), v)
			if v == model.Invalid {
				failed++
			}
			if v == model.Valid || v == model.Invalid {
				checked++
			}
		}
		return func() {
			p.Refresh()
			if done != nil {
				p.Busy("", 0, nil)
				done(checked, failed)
			}
		}
	})
}

func (p *Panel) stopVerify() {
	p.checking.Stop()
	p.Busy("", 0, nil)
}

// verifyResult returns the result of a comparison of checksums.
func verifyResult(checked, failed int) string {
	switch {
	case checked == 0:
		return "These assets have no recorded checksums."
	case failed == 0:
		return host.Count(checked, "checksum") + " verified: all match."
	}
	return host.Count(checked, "checksum") + " compared: " + host.Number(failed) +
		" do not match. To list them, filter by checksum = invalid."
}
