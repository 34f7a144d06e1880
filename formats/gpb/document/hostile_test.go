package document_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/formats/gpb/document"
	"assay/model"
	"assay/model/scene"
)

// TestMaterialsThatInheritInACircle opens a project whose materials are each other's parents.
func TestMaterialsThatInheritInACircle(t *testing.T) {
	circle := []byte("material a : c\n{\n}\nmaterial b : a\n{\n}\nmaterial c : b\n{\n}\nmaterial me : me\n{\n" +
		"  technique\n  {\n    pass\n    {\n      u_diffuseColor = 1, 0, 0, 1\n    }\n  }\n}\n")
	look := inProject(t, map[string][]byte{"crate.gpb": crates(t, "x=a,me"), "crate.material": circle})
	assert.Equal(t, []string{"a", "me"}, worn(look("crate.gpb"), "x"))

	d, err := document.OpenText(t.Context(), model.NewSource("crate.material", bytes.NewReader(circle), int64(len(circle))))
	require.NoError(t, err)
	r, err := d.Check(t.Context(), nil)
	require.NoError(t, err)
	told := 0
	for _, p := range r.Problems {
		assert.Contains(t, p.Message, "lead back to it")
		told++
	}
	assert.Equal(t, 4, told, "one for each material")
}

// TestAHundredThousandMaterialsOfAProject reads as many as are asked for, up to a bound that is told.
func TestAHundredThousandMaterialsOfAProject(t *testing.T) {
	const many = 100_000
	var text bytes.Buffer
	for i := range many {
		fmt.Fprintf(&text, "material m%d\n{\n}\n", i)
	}
	look := inProject(t, map[string][]byte{"crate.gpb": crates(t, "x=m99999,m0"), "crate.material": text.Bytes()})
	assert.Equal(t, []string{"m99999", "m0"}, worn(look("crate.gpb"), "x"))

	nodes := make([]string, 11_000)
	for i := range nodes {
		nodes[i] = fmt.Sprintf("n%d=m%d,", i, i)
	}
	s := inProject(t, map[string][]byte{"crate.gpb": crates(t, nodes...), "crate.material": text.Bytes()})("crate.gpb")
	assert.Contains(t, s.Missing, "there are more than 10000 materials, and no more are read")
	drawn := 0
	s.Walk(func(n *scene.Node, _ scene.Matrix) { drawn++ })
	assert.Equal(t, len(nodes), drawn, "all nodes are there")
}
