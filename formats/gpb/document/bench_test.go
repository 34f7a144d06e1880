package document_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/formats/gpb/document"
	"assay/formats/gpb/gpbtest"
)

// BenchmarkMaterials opens and checks 10,000 materials with a technique, a pass and a sampler each.
func BenchmarkMaterials(b *testing.B) {
	var text strings.Builder
	for i := range 10_000 {
		fmt.Fprintf(&text, "material m%d\n{\n  technique\n  {\n    pass\n    {\n      sampler u_diffuseTexture\n      {\n"+
			"        path = res/t%d.png\n      }\n    }\n  }\n}\n", i, i)
	}
	file := []byte(text.String())
	b.SetBytes(int64(len(file)))
	b.ReportAllocs()
	for b.Loop() {
		d, err := document.OpenText(b.Context(), gpbtest.Source(file))
		require.NoError(b, err)
		_, err = d.Check(b.Context(), nil)
		require.NoError(b, err)
	}
}
