package scene_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"assay/model"
	"assay/model/scene"
)

func TestFormsTellWhatIsLost(t *testing.T) {
	var out bytes.Buffer
	var lost model.Loss
	for _, f := range scene.Forms(full) {
		out.Reset()
		if f.Write != nil {
			assert.ErrorAs(t, f.Write(t.Context(), &out), &lost, f.Name)
			continue
		}
		assert.ErrorAs(t, f.WriteFiles(t.Context(), &out, 0, []string{"a.obj", "b.mtl"}), &lost)
		assert.True(t, strings.HasPrefix(out.String(), "mtllib b.mtl\n"))
		out.Reset()
		assert.NoError(t, f.WriteFiles(t.Context(), &out, 1, []string{"a.obj", "b.mtl"}))
		assert.True(t, strings.HasPrefix(out.String(), "newmtl skin\n"))
	}
}
