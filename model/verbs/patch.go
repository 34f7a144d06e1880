package verbs

import (
	"bufio"
	"context"
	"fmt"

	"assay/model"
)

// Patch writes the archive that, loaded over an old one, shows what a new one has. It prints the keys of the assets
// that only the old one has: an archive that is loaded over another removes none.
func (r *Runner) Patch(ctx context.Context, old, new, output string, packer *model.Packer) int {
	sides, err := r.openEach(ctx, nameAFile, old, new)
	if err != nil {
		return r.trouble(err)
	}
	defer model.CloseDocuments(sides...)
	p, err := packer.Patch(ctx, sides[0], sides[1])
	if err == nil {
		err = r.writeArchive(ctx, output, p, sides)
	}
	if err != nil {
		return r.trouble(err)
	}
	out := bufio.NewWriter(r.Out)
	fmt.Fprintf(out, "%d added, %d changed, %d removed\n", p.Added, p.Changed, len(p.Removed))
	for _, key := range p.Removed {
		fmt.Fprintf(out, "removed %s\n", key)
	}
	if err := out.Flush(); err != nil {
		return r.trouble(err)
	}
	if len(p.Removed) > 0 {
		fmt.Fprintf(r.Err, "assay: %s of %s will stay visible under the patch, which cannot remove them\n",
			model.PlainCount(len(p.Removed), "asset"), given(old))
	}
	return Fine
}
