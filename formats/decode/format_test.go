package decode

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestChooseTakesTheBestScore(t *testing.T) {
	type layout struct {
		name  string
		score Score
		never bool // the file does not have it
	}
	for name, test := range map[string]struct {
		layouts []layout
		best    string
		next    Score
		read    int
	}{
		"none":         {},
		"not any":      {layouts: []layout{{name: "a", never: true, score: Score{Certain: true}}}, read: 1},
		"first of two": {layouts: []layout{{name: "a"}, {name: "b"}}, best: "a", read: 2},
		"more complete": {layouts: []layout{{name: "a", score: Score{Signs: 9}}, {name: "b", score: Score{Complete: 1}}},
			best: "b", next: Score{Signs: 9}, read: 2},
		"fewer problems": {layouts: []layout{{name: "a", score: Score{Problems: 1, Accounted: 9}}, {name: "b"}},
			best: "b", next: Score{Problems: 1, Accounted: 9}, read: 2},
		"more bytes": {layouts: []layout{{name: "a", score: Score{Signs: 1}}, {name: "b", score: Score{Accounted: 1}}},
			best: "b", next: Score{Signs: 1}, read: 2},
		"next best": {layouts: []layout{{name: "a", score: Score{Signs: 3}}, {name: "b"}, {name: "c", score: Score{Signs: 2}}},
			best: "a", next: Score{Signs: 2}, read: 3},
		"certain": {layouts: []layout{{name: "a", never: true}, {name: "b", score: Score{Certain: true}}, {name: "c"}},
			best: "b", read: 2},
	} {
		t.Run(name, func(t *testing.T) {
			read := 0
			choice := Choose(t.Context(), test.layouts, func(l layout) (*string, Score) {
				if read++; l.never {
					return nil, l.score
				}
				return &l.name, l.score
			})
			assert.Equal(t, test.read, read)
			assert.Equal(t, test.next, choice.Next)
			if test.best == "" {
				assert.Nil(t, choice.Best)
				return
			}
			require.NotNil(t, choice.Best)
			assert.Equal(t, test.best, *choice.Best)
		})
	}
	stop, cancel := context.WithCancel(t.Context())
	choice := Choose(stop, []int{1, 2}, func(i int) (*int, Score) { cancel(); return &i, Score{Complete: i} })
	assert.Equal(t, 1, *choice.Best, "the second is not read")
}
