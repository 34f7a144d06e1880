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

// TestLineages finds chains that end, circles, and what leads into them, whatever the order of the text.
func TestLineages(t *testing.T) {
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
	lines, wrong := file.lineages(), parentProblems(file)
	for id, want := range map[string]struct {
		lineage
		wrong string
	}{
		"chain0":  {lineage{1, false, 0}, ""},
		"chain63": {lineage{64, false, 0}, ""},
		"chain64": {lineage{65, false, 0}, "m chain64 inherits from more than 63 others, and those beyond are ignored"},
		"chain99": {lineage{100, false, 0}, "m chain99 inherits from more than 63 others, and those beyond are ignored"},
		"tail1":   {lineage{5, true, 0}, "the parents of m tail1 go round in a circle, and are followed only once"},
		"round1":  {lineage{3, true, 0}, "the parents of m round1 go round in a circle, and are followed only once"},
		"wide3":   {lineage{70, true, 0}, "m wide3 inherits from more than 63 others, and those beyond are ignored"},
		"own":     {lineage{1, true, 0}, "the parents of m own go round in a circle, and are followed only once"},
		"orphan":  {lineage{1, false, 0}, "there is no nobody at this level, and the parent is ignored"},
		"child":   {lineage{2, false, 0}, ""},
	} {
		n := file.Find(id)
		assert.Equal(t, want.lineage, lines[n], id)
		assert.Equal(t, want.wrong, wrong[n.parentAt], id)
		assert.Len(t, file.heritage(n), min(want.length, maxParents), id)
	}
}
