package properties

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
)

// TestBrokenParentsAreFoundInAnyOrder has chains that end, cycles, and namespaces that lead into them.
func TestBrokenParentsAreFoundInAnyOrder(t *testing.T) {
	var text strings.Builder
	heir := func(id, parent string) { fmt.Fprintf(&text, "m %s : %s\n{\n}\n", id, parent) }
	for i := 1; i < 100; i++ {
		heir(fmt.Sprint("chain", i), fmt.Sprint("chain", i-1))
	}
	text.WriteString("m chain0\n{\n}\n")
	heir("tail1", "tail0")
	heir("tail0", "round2")
	for i := range 3 {
		heir(fmt.Sprint("round", i), fmt.Sprint("round", (i+1)%3))
	}
	for i := range 70 {
		heir(fmt.Sprint("wide", i), fmt.Sprint("wide", (i+1)%70))
	}
	heir("own", "own")
	heir("orphan", "nobody")
	heir("child", "orphan")

	b := text.String()
	file, err := Read(context.Background(), model.NewSource("a.material", strings.NewReader(b), int64(len(b))))
	require.NoError(t, err)
	for id, want := range map[string]struct {
		length int
		wrong  string
	}{
		"chain0":  {1, ""},
		"chain63": {64, ""},
		"chain64": {64, "m chain64 has more than 63 levels of parents; the rest is ignored"},
		"chain99": {64, "m chain99 has more than 63 levels of parents; the rest is ignored"},
		"tail1":   {5, "m tail1 inherits from itself through its parents; the cycle is ignored"},
		"round1":  {3, "m round1 inherits from itself through its parents; the cycle is ignored"},
		"wide3":   {64, "m wide3 has more than 63 levels of parents; the rest is ignored"},
		"own":     {1, "m own inherits from itself through its parents; the cycle is ignored"},
		"orphan":  {1, "there is no nobody at this level; the parent is ignored"},
		"child":   {2, ""},
	} {
		n := file.Find(id)
		assert.Equal(t, want.wrong, n.parentProblem(), id)
		assert.Len(t, n.heritage(), want.length, id)
	}
}
