package compose_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/formats/gpb"
	"assay/model"
	"assay/model/scene"
)

func read(t testing.TB, b []byte) *gpb.File {
	t.Helper()
	f, err := gpb.Read(t.Context(), model.NewSource("test.gpb", bytes.NewReader(b), int64(len(b))))
	require.NoError(t, err)
	return f
}

// nodesOf returns the nodes of a scene by name.
func nodesOf(s *scene.Scene) map[string]*scene.Node {
	out := make(map[string]*scene.Node)
	s.Walk(func(n *scene.Node, _ scene.Matrix) { out[n.Name] = n })
	return out
}
