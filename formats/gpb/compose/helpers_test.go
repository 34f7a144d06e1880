package compose_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"assay/formats/gpb"
	"assay/formats/gpb/gpbtest"
)

func read(t testing.TB, b []byte) *gpb.File {
	t.Helper()
	f, err := gpb.Read(t.Context(), gpbtest.Source(b))
	require.NoError(t, err)
	return f
}
