package userdata_test

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model/userdata"
)

func TestLockIsExclusive(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	unlock, err := userdata.Lock(t.Context(), path)
	require.NoError(t, err)
	f, err := userdata.TryLock(path)
	require.NoError(t, err)
	assert.Nil(t, f)
	ended, end := context.WithCancel(t.Context())
	end()
	_, err = userdata.Lock(ended, path)
	assert.ErrorIs(t, err, context.Canceled)
	unlock()
	f, err = userdata.TryLock(path)
	require.NoError(t, err)
	require.NotNil(t, f)
	assert.NoError(t, f.Close())
	_, err = userdata.Lock(t.Context(), filepath.Join(path, "below a file"))
	assert.Error(t, err)
}
