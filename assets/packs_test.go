package assets_test

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/assets"
	"assay/formats/casset/cassettest"
	"assay/formats/dprsim/dprsimtest"
	"assay/formats/ppac/ppactest"
)

const day = 24 * 60 * 60 * 1000 // milliseconds

// pack is a package of a small game: a nested scene, a picture, text in three compressions, and the trash of a
// deleted asset.
func pack(t *testing.T) []byte {
	named := func(typ, purpose uint16, unique uint32, name, codec string, content []byte) ppactest.Asset {
		return ppactest.Asset{TPU: ppactest.TPU{Type: typ, Purpose: purpose, Unique: unique}, Created: 16_000 * day,
			Modified: 16_500 * day,
			Content:  content, Codec: codec, Metadata: []ppactest.MetadataEntry{{Key: "filename", Value: name}}}
	}
	readme := []byte("A small game.\n\nEvery asset of it is in this package: open it, look around, drag one out.\n")
	old := named(0x0100, 3, 9, "text/old.txt", "", []byte("This text was deleted; its bytes are still here.\n"))
	old.Deleted = true
	var b bytes.Buffer
	require.NoError(t, ppactest.Write(&b, ppactest.Archive{
		Created: 16_000 * day, Modified: 16_500 * day,
		Assets: []ppactest.Asset{
			named(0x8001, 1, 1, "models/duck.gpb", "zlib", writeBundleOfDuck(t)),
			named(0x0200, 1, 2, "images/checker.png", "", checker(t)),
			old,
			named(0x0100, 3, 3, "text/readme.txt", "", readme),
			named(0x0102, 3, 4, "text/level.json", "gzip", []byte("{\n  \"name\": \"Pond\",\n  \"ducks\": 3\n}\n")),
			named(0x0108, 4, 5, "shaders/flat.frag", "raw-deflate",
				[]byte("void main() {\n    gl_FragColor = vec4(1.0, 0.8, 0.1, 1.0);\n}\n")),
		},
		Metadata: []ppactest.MetadataEntry{{Key: "title", Value: "Duck pond"}, {Key: "author", Value: "Assay"}},
	}))
	return b.Bytes()
}

func checker(t *testing.T) []byte {
	picture := image.NewNRGBA(image.Rect(0, 0, 64, 64))
	for y := range 64 {
		for x := range 64 {
			c := color.NRGBA{36, 98, 154, 255}
			if (x/8+y/8)%2 == 0 {
				c = color.NRGBA{248, 198, 72, 255}
			}
			picture.SetNRGBA(x, y, c)
		}
	}
	var b bytes.Buffer
	require.NoError(t, png.Encode(&b, picture))
	return b.Bytes()
}

// ball is a world: catoms on the surface of a ball, colored by where they are.
func ball(t *testing.T) []byte {
	var b bytes.Buffer
	w := dprsimtest.NewStateWriter(&b, dprsimtest.Layout{}, dprsimtest.SimpleCubic)
	id := uint32(0)
	for x := -8; x <= 8; x++ {
		for y := -8; y <= 8; y++ {
			for z := -8; z <= 8; z++ {
				if r := x*x + y*y + z*z; r < 50 || r > 64 {
					continue
				}
				id++
				w.Catom(id, []byte{byte(x), byte(y), byte(z), byte(128 + 15*x), byte(128 + 15*y), byte(128 + 15*z), 255,
					100})
			}
		}
	}
	require.NoError(t, w.Close())
	return b.Bytes()
}

func sky(*testing.T) []byte { return cassettest.Write(cassettest.Bundle30, cassettest.Sample()) }

func experiment(t *testing.T) []byte {
	var b bytes.Buffer
	require.NoError(t, dprsimtest.WriteExperiment(&b, "a ball on the ground",
		dprsimtest.Setting{Key: "WORLD", Value: "ball.world"},
		dprsimtest.Setting{Key: "TIMESTEPS", Value: "2000"}, dprsimtest.Setting{Key: "GRAVITY", Value: "10"},
		dprsimtest.Setting{Key: "FRICTION", Value: "infinity"},
		dprsimtest.Setting{Key: "OBJECT", Value: "SPHERE,0,0,5,0,0,0,0,255,0,0,100,5"},
		dprsimtest.Setting{Key: "OBJECT", Value: "BOX,20,20,0,0,90,0,0,255,0,0,100,30,2,5"}))
	return b.Bytes()
}

func writeBundleOfDuck(t *testing.T) []byte {
	for _, s := range assets.Samples() {
		if s.Name == "duck.gpb" {
			return s.Bytes
		}
	}
	t.Fatal("there is no duck")
	return nil
}
