package compare_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// Two items with one key that get two new ones: the first in the file says what the key has become, each time.
func TestChangesAreDeterministic(t *testing.T) {
	file := func(entry, asset string) tree {
		return node("", "Root", "",
			node("entry", "Entry", entry, leaf("text", long+" 1")),
			node("asset", "Asset", asset, leaf("text", long+" 2")),
			list("notes", "Result", node("", "", asset, leaf("says", "short "+asset))))
	}
	for range 30 {
		assert.Equal(t, []string{"> /entry new", "> /asset newer", "- /notes/0 old", "+ /notes/0 newer"},
			both(t, file("old", "old"), file("new", "newer")))
	}
}
