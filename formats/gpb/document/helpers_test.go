package document_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/formats/formatstest"
	"assay/formats/gpb/document"
	"assay/model"
	"assay/model/scene"
)

func source(b []byte) *model.Source {
	return model.NewSource("test.gpb", bytes.NewReader(b), int64(len(b)))
}

func open(t testing.TB, b []byte) (*model.Document, *model.Report) {
	t.Helper()
	d, err := document.Open(t.Context(), source(b))
	require.NoError(t, err)
	report, err := d.Check(t.Context(), nil)
	require.NoError(t, err)
	return d, report
}

// requireSound opens b and demands that all of it is explained and that nothing is wrong.
func requireSound(t testing.TB, b []byte) *model.Document {
	t.Helper()
	d, report := open(t, b)
	formatstest.Sound(t, d, report)
	return d
}

// nodesOf returns the nodes of a scene by name.
func nodesOf(s *scene.Scene) map[string]*scene.Node {
	out := make(map[string]*scene.Node)
	s.Walk(func(n *scene.Node, _ scene.Matrix) { out[n.Name] = n })
	return out
}
