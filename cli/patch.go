package cli

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"strings"

	"assay/model"
)

// Patch writes the archive that, loaded over an old one, shows what a new one has; none if that has nothing to show. It
// prints the assets that only the old one has: an archive that is loaded over another removes none.
func (r *Runner) Patch(ctx context.Context, old, new, output string, packer *model.Packer) int {
	if err := r.checkOutput(output, newFile, old, new); err != nil {
		return r.trouble(err)
	}
	sides, err := r.openEach(ctx, nameAFile, old, new)
	if err != nil {
		return r.trouble(err)
	}
	defer model.CloseDocuments(sides...)
	p, err := packer.Patch(ctx, sides[0], sides[1])
	if err == nil && p.Len() > 0 {
		err = r.writeArchive(ctx, output, p, sides)
	}
	for _, d := range sides {
		err = cmp.Or(err, unsettled(d))
	}
	if err != nil {
		return r.trouble(err)
	}
	out := bufio.NewWriter(r.Out)
	switch {
	case p.Len() > 0:
		fmt.Fprintf(out, "%d added, %d changed, %d removed\n", p.Added, p.Changed, len(p.Removed))
	case len(p.Removed) > 0:
		fmt.Fprintf(out, "nothing was added or changed, %d removed: no patch was written\n", len(p.Removed))
	default:
		fmt.Fprintf(out, "the packages have the same assets: no patch was written\n")
	}
	names, err := namesOf(ctx, sides[0], p.Removed)
	for _, key := range p.Removed {
		fmt.Fprintf(out, "removed %s  %s\n", key, model.OneLine(names[key], 400))
	}
	if err != nil {
		return r.trouble(err)
	}
	if err := out.Flush(); err != nil {
		return r.trouble(err)
	}
	if len(p.Removed) > 0 {
		fmt.Fprintf(r.Err, "assay: %s exist only in %s and remain, because a patch cannot remove assets\n",
			model.PlainCount(len(p.Removed), "asset"), given(old))
		fmt.Fprintf(r.Err, "assay: %s is the new package without them; assay pack %s -o FILE copies it\n", given(new),
			given(new))
	}
	return Fine
}

// namesOf returns the names of assets with some keys, by these.
func namesOf(ctx context.Context, d *model.Document, keys []string) (map[string]string, error) {
	names := make(map[string]string, len(keys))
	if len(keys) == 0 || d.Payloads == nil {
		return names, nil
	}
	for _, key := range keys {
		names[key] = ""
	}
	err := model.DescribeEach(ctx, d.Payloads, 0, d.Payloads.Len(), func(_ int, p *model.Payload) bool {
		if name, ok := names[p.Key]; ok && name == "" {
			names[strings.Clone(p.Key)] = strings.Clone(p.Name)
		}
		return true
	})
	return names, err
}
