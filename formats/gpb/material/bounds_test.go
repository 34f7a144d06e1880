package material_test

import (
	"context"
	"fmt"
	"iter"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/formats/gpb/material"
	"assay/formats/gpb/properties"
	"assay/model"
	"assay/model/scene"
)

// TestHeirsShareABudget has thousands of materials that inherit a long one: what is looked at for a scene is bounded.
func TestHeirsShareABudget(t *testing.T) {
	var text strings.Builder
	text.WriteString("material base\n{\n")
	text.WriteString(strings.Repeat("technique\n{\npass\n{\n}\n}\n", 20_000))
	text.WriteString("}\n")
	for i := range 300 {
		fmt.Fprintf(&text, "material m%d : base\n{\n}\n", i)
	}
	src := model.NewSource("a.material", strings.NewReader(text.String()), int64(text.Len()))
	all, err := properties.Read(t.Context(), src)
	require.NoError(t, err)
	out := &scene.Scene{}
	r := material.NewResources(t.Context(), projectOf(nil), out)
	of := material.Text{Project: r.Project, Path: "res/a.material", File: all}
	for _, n := range all.Children[1:] {
		m := material.Read(r, material.Description{Text: of, Namespace: n}, "", [3]float32{})
		require.NotNil(t, m)
	}
	assert.Contains(t, strings.Join(out.Missing, "\n"), "too many inherited namespaces; the rest is ignored")
}

// TestNoMaterialIsReadAfterTheContextEnds tests that materials are not read once the context has ended.
func TestNoMaterialIsReadAfterTheContextEnds(t *testing.T) {
	text := "material a\n{\n}\n"
	all, err := properties.Read(t.Context(), model.NewSource("a.material", strings.NewReader(text), int64(len(text))))
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	r := material.NewResources(ctx, projectOf(nil), &scene.Scene{})
	assert.False(t, r.Canceled())
	cancel()
	assert.True(t, r.Canceled())
	p := material.NewPreview(r.Project, all, func(context.Context) iter.Seq[*material.Assigner] {
		return func(func(*material.Assigner) bool) {}
	})
	_, err = p.Scene(ctx, nil)
	assert.ErrorIs(t, err, context.Canceled)
}
