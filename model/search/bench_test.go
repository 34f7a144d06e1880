package search_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/model/modeltest"
	"assay/model/search"
)

// BenchmarkStored searches the stored bytes of files.
func BenchmarkStored(b *testing.B) {
	content := make([]byte, 64<<20)
	_, _ = rand.NewChaCha8([32]byte{1}).Read(content)
	root := modeltest.Folder(b, map[string]string{"a.bin": string(content), "b.bin": string(content)})
	s := searchOf(b, search.Terms{Kind: search.Text, Text: "roughness", Interpretation: "utf-8"})
	s.OpenFile = func(ctx context.Context, path string) (*model.Document, error) {
		return model.OpenDocument(ctx, path, "", func(_ context.Context, src *model.Source) (*model.Document, error) {
			return model.NewDocument(src, "made", "", &model.Node{Span: model.Span{Size: src.Size()}}), nil
		})
	}
	b.SetBytes(2 * int64(len(content)))
	for b.Loop() {
		require.NoError(b, s.Run(b.Context(), []string{root}, func(search.FileResults) error { return nil }))
	}
}
