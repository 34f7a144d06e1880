package assets_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"flag"
	"image"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/assets"
	"assay/formats"
	"assay/formats/gpb"
	"assay/formats/gpb/gpbtest"
	"assay/model"
	"assay/model/content"
	"assay/model/render"
	"assay/model/scene"
)

var update = flag.Bool("update", false, "write the samples anew")

func writeBundle(t *testing.T, f *gpb.File, v gpbtest.Version) []byte {
	var b bytes.Buffer
	require.NoError(t, gpbtest.Write(&b, f, v, gpbtest.ByID))
	return b.Bytes()
}

// TestSamples holds the files in samples to the code that writes them.
func TestSamples(t *testing.T) {
	files := map[string]func(t *testing.T) []byte{
		"duck.gpb":                      func(t *testing.T) []byte { return writeBundle(t, duck(), gpbtest.V14) },
		"goregular.gpb":                 func(t *testing.T) []byte { return writeBundle(t, goRegular(t), gpbtest.V15) },
		"pond.ppac":                     pack,
		"sky.casset":                    sky,
		"ball.world":                    ball,
		"ball.experiment":               experiment,
		"toy/res/toy.gpb":               func(t *testing.T) []byte { return writeBundle(t, toy(), gpbtest.V14) },
		"toy/res/toy.material":          func(*testing.T) []byte { return toyMaterials() },
		"toy/res/shaders/textured.vert": func(*testing.T) []byte { return []byte(toyVertexShader) },
		"toy/res/shaders/textured.frag": func(*testing.T) []byte { return []byte(toyFragmentShader) },
		"toy/res/toy.scene":             func(*testing.T) []byte { return []byte(toyScene) },
		"toy/res/toy.animation":         func(*testing.T) []byte { return []byte(toyClips) },
	}
	for name, picture := range toyPictures(t) {
		files["toy/res/png/"+name+".png"] = func(*testing.T) []byte { return picture }
	}
	for name, make := range files {
		t.Run(name, func(t *testing.T) {
			file, want := filepath.Join("samples", name), make(t)
			if *update {
				require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
				require.NoError(t, os.WriteFile(file, want, 0o644))
			}
			got, err := os.ReadFile(file)
			require.NoError(t, err)
			assert.True(t, bytes.Equal(want, got), "%s is not what the code writes: go generate ./assets", file)
		})
	}
}

// TestSamplesHaveNoProblems opens every sample as the program does.
func TestSamplesHaveNoProblems(t *testing.T) {
	for _, s := range assets.Samples() {
		t.Run(s.Name, func(t *testing.T) {
			assert.Less(t, len(s.Bytes), 60<<10)
			assert.NotEmpty(t, s.Title)
			d, err := formats.Opener{}.Open(context.Background(),
				model.NewSource(s.Name, bytes.NewReader(s.Bytes), int64(len(s.Bytes))))
			require.NoError(t, err)
			report, err := d.Check(context.Background(), nil)
			require.NoError(t, err)
			assert.Empty(t, report.Problems)
			assert.EqualValues(t, len(s.Bytes), report.Accounted)
		})
	}
}

// TestDuckIsLitFromOutside holds the normals of the duck to the side that its triangles face.
func TestDuckIsLitFromOutside(t *testing.T) {
	for _, m := range duck().Meshes {
		stride := 0
		for _, e := range m.Format {
			stride += int(e.Size)
		}
		all := model.Numbers{Source: m.Vertices.Source, Count: m.Vertices.Span.Size / 4, Form: model.F32,
			Order: binary.LittleEndian}
		values, err := all.Slice(0, all.Count)
		require.NoError(t, err)
		at := func(vertex uint64, first int) vec {
			var v vec
			for k := range v {
				v[k] = float64(values[int(vertex)*stride+first+k].(float32))
			}
			return v
		}
		for _, p := range m.Parts {
			indices, err := p.Indices.Slice(0, p.Indices.Count)
			require.NoError(t, err)
			for i := 0; i < len(indices); i += 3 {
				a, b, c := indices[i].(uint64), indices[i+1].(uint64), indices[i+2].(uint64)
				face := at(b, 0).minus(at(a, 0)).cross(at(c, 0).minus(at(a, 0)))
				n := at(a, 3).plus(at(b, 3)).plus(at(c, 3))
				require.GreaterOrEqual(t, face[0]*n[0]+face[1]*n[1]+face[2]*n[2], 0.0, "%s, triangle %d", m.ID, i/3)
			}
		}
	}
}

// TestToyIsAWholeProject opens the toy as the program does: nothing of it is missing, and it can walk and wave.
func TestToyIsAWholeProject(t *testing.T) {
	for _, name := range []string{"toy.gpb", "toy.scene"} {
		d, err := formats.Opener{}.OpenFile(t.Context(), filepath.Join("samples", "toy", "res", name))
		require.NoError(t, err)
		t.Cleanup(func() { _ = d.Source.Close() })
		seen, err := (&content.ViewFinder{Open: formats.Opener{}.Open}).Find(t.Context(), d, d.Root())
		require.NoError(t, err)
		s := seen.View.(*scene.Scene)
		m, err := render.Load(t.Context(), s)
		require.NoError(t, err)
		assert.Empty(t, m.Problems(), name)
		assert.False(t, m.HasPlaceholder(), "all materials are known")
		assert.False(t, m.ZUp())
		var clips []string
		for _, p := range s.Playables() {
			clips = append(clips, p.Name)
		}
		assert.Equal(t, []string{"walk", "wave", "movements"}, clips)
	}
}

func TestStepsHavePicturesOfBothThemes(t *testing.T) {
	for _, s := range assets.Steps() {
		for _, light := range []bool{false, true} {
			picture, _, err := image.Decode(bytes.NewReader(s.Picture(light)))
			require.NoError(t, err, s.Title)
			assert.Equal(t, image.Pt(900, 600), picture.Bounds().Size(), s.Title)
		}
	}
}
