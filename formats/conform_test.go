package formats_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/formats"
	"assay/formats/formatstest"
	"assay/formats/gpb"
	"assay/formats/gpb/gpbtest"
	"assay/model"
)

func TestGoldenDumps(t *testing.T) {
	for name, b := range formatstest.Files(t) {
		t.Run(name, func(t *testing.T) {
			if len(b) > 16<<10 {
				t.Skip("a golden file is one that a person can read")
			}
			formatstest.Golden(t, name, fmt.Sprintf("formatstest.Files, %q", name), openDocument(t, name, b))
		})
	}
}

func TestEveryLayoutConforms(t *testing.T) {
	for name, b := range formatstest.Files(t) {
		t.Run(name, func(t *testing.T) {
			d := openDocument(t, name, b)
			formatstest.Conform(t, d)
			r, err := d.Check(context.Background(), nil)
			require.NoError(t, err)
			assert.EqualValues(t, len(b), r.Accounted)
			assert.False(t, r.Bad(), "%v", r.Problems)
		})
	}
}

// maxDamaged is the largest file that is damaged: each is opened, dumped and searched.
const maxDamaged = 8 << 10

// damageCount returns how often a file is damaged.
func damageCount() int {
	if testing.Short() {
		return 1
	}
	return 3
}

// TestDamagedFilesConform cuts files and changes bytes of them, a different byte in each layout.
func TestDamagedFilesConform(t *testing.T) {
	for name, b := range formatstest.Files(t) {
		t.Run(name, func(t *testing.T) {
			if len(b) > maxDamaged {
				t.Skip("smaller files have the same structs")
			}
			step := max(1, len(b)/damageCount())
			for at := len(name) % step; at < len(b) && !t.Failed(); at += step {
				formatstest.Conform(t, openDocument(t, name, b[:at]))
				changed := append([]byte(nil), b...)
				changed[at] = []byte{0xFF, b[at] + 1}[at%2]
				formatstest.Conform(t, openDocument(t, name, changed))
			}
		})
	}
}

// TestDeepFilesConform opens thousands of levels of nodes (hundreds in a short run), some with a camera, a light or a
// model after the nodes below them, whole and cut short.
func TestDeepFilesConform(t *testing.T) {
	depth := 5000
	if testing.Short() {
		depth = 500
	}
	var n *gpb.Node
	for i := range depth {
		n = &gpb.Node{ID: fmt.Sprint("n", depth-i), Parent: fmt.Sprint("n", depth-i-1), Children: []*gpb.Node{n}}
		switch i % 7 {
		case 0:
			n.Children = n.Children[:min(i, 1)] // the innermost has none
		case 2:
			n.Camera = &gpb.Camera{ID: fmt.Sprint("camera", i), FieldOfView: 45}
		case 3:
			n.Light = &gpb.Light{ID: fmt.Sprint("light", i), Kind: gpb.Directional}
		case 5:
			n.Model = &gpb.Model{Mesh: "other.gpb#mesh"}
		}
	}
	n.Parent = ""
	var file bytes.Buffer
	f := &gpb.File{Objects: []gpb.Object{&gpb.Scene{ID: "scene", Nodes: []*gpb.Node{n}}}}
	require.NoError(t, gpbtest.Write(&file, f, gpbtest.V12, gpbtest.ByID))
	for _, size := range []int{file.Len(), file.Len() - 10, file.Len() * 2 / 3} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			formatstest.Conform(t, openDocument(t, "deep.gpb", file.Bytes()[:size]))
		})
	}
}

// TestSamplesConform looks at the samples beside the project, where they are.
func TestSamplesConform(t *testing.T) {
	const samples = "../../shared/samples"
	if _, err := os.Stat(samples); err != nil {
		t.Skip("there are no samples beside the project")
	}
	most := int64(8 << 10)
	if testing.Short() {
		most = 2 << 10
	}
	require.NoError(t, filepath.WalkDir(samples, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() || strings.HasSuffix(path, ".json") {
			return err
		}
		if info, err := e.Info(); err != nil || info.Size() > most {
			return err
		}
		t.Run(strings.TrimPrefix(path, samples), func(t *testing.T) {
			src, err := model.OpenFile(path)
			require.NoError(t, err)
			defer src.Close()
			d, err := formats.Opener{}.Open(context.Background(), src)
			require.NoError(t, err)
			formatstest.Conform(t, d)
		})
		return nil
	}))
}
