package archive_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model/archive"
)

func TestSharedAssetsAreReadOnce(t *testing.T) {
	jobs, done := 0, make(chan bool)
	s := archive.NewShared(named("a.png", "B/duck.PNG", "b/duck.txt"), func(job func(ctx context.Context)) {
		jobs++
		go func() {
			<-done
			job(t.Context())
		}()
	})
	ended, end := context.WithCancel(t.Context())
	end()
	_, err := s.Read(ended, func(*archive.Archive) {})
	require.ErrorIs(t, err, context.Canceled, "who asked first has given up; the reading goes on")
	close(done)
	a, err := s.Read(t.Context(), func(*archive.Archive) {})
	require.NoError(t, err)
	again, err := s.Read(t.Context(), func(*archive.Archive) {})
	require.NoError(t, err)
	assert.Same(t, a, again)
	assert.Equal(t, 1, jobs)
	for text, want := range map[string][]int{"duck": {1, 2}, "png": {0, 1}, "zzz": nil} {
		assert.Equal(t, want, havingWords(t, a, text), text)
	}
	assert.Equal(t, []int{1}, havingWords(t, a, "png", "b/"))
	assert.Empty(t, havingWords(t, a))
}

// havingWords lists the assets with all words in their names.
func havingWords(t testing.TB, a *archive.Archive, words ...string) (found []int) {
	t.Helper()
	require.NoError(t, a.Named(t.Context(), words, func(i int) bool {
		found = append(found, i)
		return true
	}))
	return found
}

func BenchmarkNamedMillion(b *testing.B) {
	a := read(b, million())
	for b.Loop() {
		require.Len(b, havingWords(b, a, "icon_", "99999"), 19)
	}
}
