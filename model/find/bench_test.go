package find_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/model/archive"
	"assay/model/find"
)

// BenchmarkAssets is the first answer of the tree's filter in a document of a million assets, of which twelve, or all,
// have the word in their names: what is in view while the rest of the structure is looked through.
func BenchmarkAssets(b *testing.B) {
	d := packageOf(1_000_000)
	all := archive.NewShared(d, func(job func(ctx context.Context)) { job(context.Background()) })
	for _, word := range []string{"icon_99999", "png"} {
		q := mustQuery(word)
		b.Run(word, func(b *testing.B) {
			for b.Loop() {
				f, err := find.Assets(context.Background(), d, all, q, 100_000, func(_, _ int) {})
				require.NoError(b, err)
				require.NotZero(b, f.Matches)
			}
		})
	}
}
